import type { HtmlTagDescriptor, Plugin } from 'vite';
import { initialParts, withImports, type Part } from './initialScript.ts';

/** A part of the built page, with the style sheets that belong to it. */
interface Styled {
  viteMetadata?: { importedCss: Set<string> };
}

/** Places whose parts are large enough to be fetched before they are asked for, by the files that those begin with. */
const places: Record<string, string[]> = { functions: ['/features/functions/FunctionsScreen.tsx', '/features/functions/editor/CodeEditor.tsx'] };

/**
 * Names in the document all that the page begins with, so that a browser fetches
 * it at once: the entry asks for most of it only when it runs itself. What the
 * places need is named as well, for the page to fetch (src/app/parts.ts).
 */
export function preloadStart(): Plugin {
  return {
    name: 'benchtop:preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const parts = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const begins = initialParts(parts);
        const tags = links(begins.filter((part) => !part.isEntry && !html.includes(part.fileName)), (style) => ({ rel: style ? 'preload' : 'modulepreload' }));
        for (const [place, files] of Object.entries(places)) {
          const first = files.map((file) => parts.find((part) => part.facadeModuleId?.endsWith(file)) ?? this.error(`No part of the page begins with ${file}.`));
          tags.push(...links(withImports(first, parts).filter((part) => !begins.includes(part)), () => ({ 'data-for': place })));
        }
        return tags;
      },
    },
  };
}

function links(parts: readonly Part[], attrs: (style: boolean) => Record<string, string>): HtmlTagDescriptor[] {
  const link = (name: string, style: boolean): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { ...attrs(style), crossorigin: true, href: `./${name}`, ...(style && { as: 'style' }) },
    injectTo: 'head',
  });
  const styles = new Set(parts.flatMap((part) => [...((part as Styled).viteMetadata?.importedCss ?? [])]));
  return [...parts.map((part) => link(part.fileName, false)), ...[...styles].map((name) => link(name, true))];
}

import { describe, expect, it } from 'vitest';
import { preloadStart } from './preloadStart';

const chunk = (fileName: string, more: object = {}) => [fileName, { type: 'chunk', fileName, code: 'x', imports: [], isEntry: false, facadeModuleId: null, ...more }] as const;

const bundle = Object.fromEntries([
  chunk('assets/index-0.js', { isEntry: true, imports: ['assets/entry-1.js'] }),
  chunk('assets/entry-1.js'),
  chunk('assets/start-2.js', { name: 'start', imports: ['assets/entry-1.js'], viteMetadata: { importedCss: new Set(['assets/start-2.css']) } }),
  chunk('assets/Functions-3.js', { facadeModuleId: '/src/features/functions/FunctionsScreen.tsx', imports: ['assets/start-2.js', 'assets/shared-4.js'] }),
  chunk('assets/CodeEditor-5.js', { facadeModuleId: '/src/features/functions/editor/CodeEditor.tsx', imports: ['assets/monaco-6.js', 'assets/entry-1.js'], viteMetadata: { importedCss: new Set(['assets/editor-7.css']) } }),
  chunk('assets/shared-4.js'),
  chunk('assets/monaco-6.js'),
  chunk('assets/Docs-8.js', { imports: ['assets/shared-4.js'] }),
]);

type Tag = { tag: string; attrs: Record<string, string> };

function tags(of: object): Tag[] {
  const { transformIndexHtml } = preloadStart() as unknown as { transformIndexHtml: { handler: (this: unknown, html: string, ctx: { bundle: object }) => Tag[] } };
  const fail = (message: string) => {
    throw new Error(message);
  };
  return transformIndexHtml.handler.call({ error: fail }, '<script src="./assets/entry-1.js"></script>', { bundle: of });
}

const named = (list: Tag[]) => list.map(({ attrs: { rel, href, 'data-for': place } }) => `${rel ?? place} ${href}`);

describe('the document of the page', () => {
  it('has the browser fetch what the page begins with, but what it already names', () => {
    expect(named(tags(bundle).filter(({ attrs }) => attrs.rel))).toEqual(['modulepreload ./assets/start-2.js', 'preload ./assets/start-2.css']);
  });

  it('says what the editor needs beside it, for the page to fetch in time', () => {
    expect(named(tags(bundle).filter(({ attrs }) => !attrs.rel))).toEqual(
      ['Functions-3.js', 'shared-4.js', 'CodeEditor-5.js', 'monaco-6.js', 'editor-7.css'].map((name) => `functions ./assets/${name}`),
    );
  });

  it('is not built when nothing begins with a file that is named here', () => {
    const { 'assets/CodeEditor-5.js': _, ...rest } = bundle;
    expect(() => tags(rest)).toThrow('No part of the page begins with /features/functions/editor/CodeEditor.tsx');
  });
});

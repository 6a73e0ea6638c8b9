import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What the limit needs to know of a part of the page. */
export interface Part {
  fileName: string;
  code: string;
  isEntry: boolean;
  /** What the part is called without its hash, if anything. */
  name?: string;
  /** File names of the parts that it cannot begin without. */
  imports: readonly string[];
}

/** Parts with all that they cannot begin without. */
export function withImports<P extends Part>(first: readonly P[], parts: readonly P[]): P[] {
  const byName = new Map(parts.map((p) => [p.fileName, p]));
  const taken = new Set<P>();
  const take = (part: P | undefined) => {
    if (!part || taken.has(part)) return;
    taken.add(part);
    for (const name of part.imports) take(byName.get(name));
  };
  first.forEach(take);
  return [...taken];
}

/**
 * The parts that a browser must have before the page shows anything: the entries
 * with all that they import, and "start", which the entry loads behind the language.
 */
export const initialParts = <P extends Part>(parts: readonly P[]): P[] => withImports(parts.filter((p) => p.isEntry || p.name === 'start'), parts);

/** How many bytes parts are when they are sent, one by one. */
export function sentBytes(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + gzipSync(part.code).length, 0);
}

/** What is wrong with the size of a page; nothing when it is within the limit of bytes. */
export function tooLarge(parts: readonly Part[], limit: number): string | undefined {
  const initial = initialParts(parts);
  if (initial.length === 0) return 'The page has no entry: nothing could be measured.';
  const bytes = sentBytes(initial);
  if (bytes <= limit) return undefined;
  const largest = initial.toSorted((a, b) => b.code.length - a.code.length).slice(0, 5);
  return (
    `The page begins with ${kb(bytes)} of JavaScript (gzip), more than ${kb(limit)}. ` +
    `Load what is not needed at once by import(). The largest parts: ${largest.map((p) => `${p.fileName} ${kb(sentBytes([p]))}`).join(', ')}.`
  );
}

const kb = (bytes: number) => `${Math.round(bytes / 1000)} KB`;

/** Ends a build whose page begins with more JavaScript than a number of bytes in gzip. */
export function limitInitialScript(limit: number): Plugin {
  return {
    name: 'benchtop:initial-script',
    apply: 'build',
    generateBundle(_, bundle) {
      const parts = Object.values(bundle).filter((file) => file.type === 'chunk');
      const problem = tooLarge(parts, limit);
      if (problem) this.error(problem);
    },
  };
}

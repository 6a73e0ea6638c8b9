import type { Plugin } from 'vite';

/** Monaco's helper for workers of languages. It imports every feature of the editor by the way. */
const helper = /[\\/]monaco-editor[\\/]esm[\\/]vs[\\/]internal[\\/]common[\\/]workers\.js$/;
const byTheWay = /^import '[^']+';\n/gm;

/**
 * Leaves out what the helper imports by the way: the editor has the features that
 * features.ts names, from its beginning. More of them, behind the first editor,
 * would only half work.
 */
export function namedFeaturesOnly(): Plugin {
  return {
    name: 'benchtop:named-features-only',
    transform: {
      filter: { id: helper },
      handler(code) {
        const without = code.replace(byTheWay, '');
        if (without === code) this.error('The helper for workers imports no features any more: this plugin can go.');
        return { code: without, map: null };
      },
    },
  };
}

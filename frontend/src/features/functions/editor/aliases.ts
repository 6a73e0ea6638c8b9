/** What a name of a source stands for: a path of ctx such as "", "kv" or "kv.get". */
export type Aliases = ReadonlyMap<string, string>;

const name = String.raw`[A-Za-z_$][\w$]*`;
/** How exported handlers begin, up to their first parameter. */
const handlers = [
  String.raw`export\s+default\s+(?:async\s+)?function\s*\*?\s*(?:${name})?\s*\(\s*`,
  String.raw`export\s+(?:async\s+)?function\s*\*?\s*${name}\s*\(\s*`,
  String.raw`(?:async\s+)?function\s*\*?\s*handler\s*\(\s*`,
  String.raw`(?:export\s+default|export\s+const\s+${name}\s*=|module\.exports(?:\.\w+)?\s*=|exports\.\w+\s*=|const\s+handler\s*=)\s*(?:async\s+)?(?:function\s*\*?\s*(?:${name})?\s*)?\(?\s*`,
];
const first = new RegExp(`(?:${handlers.join('|')})(?=(${name}|\\{))`, 'g');
const bound = new RegExp(String.raw`(?<![.\w$])(?:const|let|var)\s+(?:(${name})|(?=\{))`, 'g');
const chain = new RegExp(String.raw`^\s*=\s*(${name})((?:\s*\??\.\s*${name})*)\s*(?=[;,\n]|$)`);

/**
 * The names by which a source reaches ctx: the first parameter of its handlers,
 * what is destructured from it, and constants that hold a part of it. A name that
 * is declared a second time may be something else there and is left out. The
 * text has no comments.
 */
export function aliasesOf(text: string): Aliases {
  const found = new Map([['ctx', ''], ['fetch', 'fetch']]);
  const take = (alias: string, path: string) => {
    if (found.has(alias) && found.get(alias) !== path) found.delete(alias);
    else found.set(alias, path);
  };
  for (const m of text.matchAll(first)) {
    const at = m.index + m[0].length;
    if (m[1] === '{') for (const [alias, path] of pattern(text, at).names) take(alias, path);
    else if (m[1] && m[1] !== 'async' && m[1] !== 'function') take(m[1], '');
  }
  // A part may be taken of a part, so names are looked for in the order of the text.
  for (const m of text.matchAll(bound)) {
    const at = m.index + m[0].length;
    const taken = m[1] ? { names: [[m[1], '']] as [string, string][], end: at } : pattern(text, at);
    const from = chain.exec(text.slice(taken.end, taken.end + 200));
    const base = from && found.get(from[1]!);
    if (base === undefined || base === null) {
      // Some other thing of that name hides ours.
      for (const [alias] of taken.names) if (alias !== 'ctx') found.delete(alias);
      continue;
    }
    const path = joined(base, from![2]!.replace(/[\s?]/g, '').slice(1));
    for (const [alias, inner] of taken.names) take(alias, joined(path, inner));
  }
  return found;
}

const joined = (a: string, b: string) => (a && b ? `${a}.${b}` : a || b);

/** The names that a destructuring pattern binds, from its opening brace on. */
function pattern(text: string, from: number): { names: [string, string][]; end: number } {
  const names: [string, string][] = [];
  const read = (at: number, path: string): number => {
    const token = /\s*(?:\.\.\.\s*([A-Za-z_$][\w$]*)|(?:([A-Za-z_$][\w$]*)|(["'])([^"']*)\3)\s*(:\s*(?:([A-Za-z_$][\w$]*)|(?=\{)))?(?:\s*=\s*[^,{}]*)?|[,}])/y;
    for (;;) {
      token.lastIndex = at;
      const m = token.exec(text);
      if (!m) return text.length;
      at = token.lastIndex;
      if (m[0].trim() === '}') return at;
      if (m[1]) names.push([m[1], path]);
      const key = m[2] ?? m[4];
      if (key === undefined) continue;
      const inner = joined(path, key);
      if (m[5] === undefined) names.push([key, inner]);
      else if (m[6]) names.push([m[6], inner]);
      else at = read(at + 1, inner);
    }
  };
  const end = read(from + 1, '');
  return { names, end };
}

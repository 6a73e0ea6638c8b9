/** Characters a list or a small object may take in one line. */
const lineLength = 80;

/**
 * Writes a manifest as people write them: indented as the text before was, with
 * short lists in one line unless they were over several. Objects are in one line
 * only where they were.
 */
export function printJson(value: unknown, like = ''): string {
  const indent = /\n([ \t]+)"/.exec(like)?.[1] ?? '  ';
  const inline = new Set(oneLiners(like));
  const broken = new Set(overLines(like));
  const write = (v: unknown, depth: number): string => {
    if (v === null || typeof v !== 'object') return JSON.stringify(v) ?? 'null';
    const flat = flatText(v);
    const pad = indent.repeat(depth + 1);
    const fits = pad.length + flat.length <= lineLength;
    if (Array.isArray(v)) {
      if (v.length === 0 || (fits && !broken.has(flat) && v.every((x) => x === null || typeof x !== 'object' || inline.has(flatText(x))))) return flat;
      return `[\n${v.map((x) => pad + write(x, depth + 1)).join(',\n')}\n${indent.repeat(depth)}]`;
    }
    const entries = Object.entries(v).filter(([, x]) => x !== undefined);
    if (entries.length === 0 || (fits && inline.has(flat))) return flat;
    return `{\n${entries.map(([k, x]) => `${pad}${JSON.stringify(k)}: ${write(x, depth + 1)}`).join(',\n')}\n${indent.repeat(depth)}}`;
  };
  return write(value, 0) + (like === '' || like.endsWith('\n') ? '\n' : '');
}

export function flatText(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(flatText).join(', ')}]`;
  if (v === null || typeof v !== 'object') return JSON.stringify(v) ?? 'null';
  const entries = Object.entries(v).filter(([, x]) => x !== undefined);
  return entries.length ? `{ ${entries.map(([k, x]) => `${JSON.stringify(k)}: ${flatText(x)}`).join(', ')} }` : '{}';
}

/** The objects of a text that stand in one line. */
function oneLiners(text: string): string[] {
  const out: string[] = [];
  for (const [found] of text.matchAll(/\{[^{}\n]*\}/g)) {
    try {
      out.push(flatText(JSON.parse(found)));
    } catch {
      // Part of a longer one, or of a string.
    }
  }
  return out;
}

/** The plain lists of a text that stand over several lines. */
function overLines(text: string): string[] {
  const out: string[] = [];
  for (const [found] of text.matchAll(/\[[^[\]{}]*\n[^[\]{}]*\]/g)) {
    try {
      out.push(flatText(JSON.parse(found)));
    } catch {
      // Brackets inside a string.
    }
  }
  return out;
}

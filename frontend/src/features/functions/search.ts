/** A place where a text has what was looked for: the line around it, cut where it is long. */
export interface Hit {
  line: number;
  column: number;
  before: string;
  found: string;
  after: string;
}

/** As many places of one text are shown. */
export const mostHits = 200;
const before = 14;
const after = 120;

/** The places of a text that have what is looked for. Capitals count only where they are asked for. */
export function hitsIn(text: string, wanted: string, exact: boolean): Hit[] {
  const out: Hit[] = [];
  if (!wanted) return out;
  // A letter whose small form is longer would move all places behind it.
  const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), exact ? 'gu' : 'giu');
  for (const [i, line] of text.replace(/^\ufeff/, '').split(/\r?\n/).entries()) {
    for (const m of line.matchAll(pattern)) {
      if (out.length === mostHits) return out;
      const from = Math.max(0, m.index - before);
      const end = m.index + m[0].length;
      out.push({
        line: i + 1,
        column: m.index + 1,
        before: (from > 0 ? '…' : '') + line.slice(from, m.index).replace(/^\s+/, ''),
        found: m[0],
        after: line.slice(end, end + after),
      });
    }
  }
  return out;
}

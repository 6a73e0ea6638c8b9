import { hunks } from './merge';

/** A line of two texts beside each other. */
export interface SideRow {
  kind: 'same' | 'changed' | 'gap';
  left?: string;
  right?: string;
  /** Lines a gap stands for. */
  hidden?: number;
}

/** Equal lines shown around a change. */
const around = 3;

/** Two texts line by line, with long equal stretches left out. */
export function sideBySide(left: string, right: string): SideRow[] {
  const a = left.split('\n');
  const b = right.split('\n');
  const rows: SideRow[] = [];
  let at = 0;
  for (const h of hunks(a, b)) {
    for (; at < h.from; at++) rows.push({ kind: 'same', left: a[at], right: a[at] });
    const gone = a.slice(h.from, h.to);
    for (let i = 0; i < Math.max(gone.length, h.lines.length); i++) rows.push({ kind: 'changed', left: gone[i], right: h.lines[i] });
    at = h.to;
  }
  for (; at < a.length; at++) rows.push({ kind: 'same', left: a[at], right: a[at] });
  return folded(rows);
}

function folded(rows: SideRow[]): SideRow[] {
  const near = rows.map((_, i) => rows.slice(Math.max(0, i - around), i + around + 1).some((r) => r.kind === 'changed'));
  const out: SideRow[] = [];
  let hidden = 0;
  const close = () => {
    if (hidden > 0) out.push({ kind: 'gap', hidden });
    hidden = 0;
  };
  rows.forEach((row, i) => {
    if (near[i]) {
      close();
      out.push(row);
    } else hidden++;
  });
  close();
  return out;
}

/** A run of lines that two versions changed differently. */
export interface Clash {
  mine: string[];
  theirs: string[];
}

export interface Merged {
  /** The combined text; clashes are in it between marker lines. */
  text: string;
  clashes: Clash[];
}

/**
 * Combines two versions of a text that were made from the same base, line by
 * line. Where both changed the same lines, both are kept, one after the other,
 * between marker lines: no line of either version is ever dropped unless the
 * other version removed it.
 */
export function mergeLines(base: string, mine: string, theirs: string): Merged {
  const b = split(base);
  const toMine = hunks(b, split(mine));
  const toTheirs = hunks(b, split(theirs));
  const out: string[] = [];
  const clashes: Clash[] = [];
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < toMine.length || j < toTheirs.length) {
    const start = Math.min(toMine[i]?.from ?? Infinity, toTheirs[j]?.from ?? Infinity);
    out.push(...b.slice(at, start));
    // Gather every change of either side that touches the same stretch of the base.
    let end = start;
    const i0 = i;
    const j0 = j;
    for (let grew = true; grew; ) {
      grew = false;
      while (i < toMine.length && touches(toMine[i]!, start, end)) {
        end = Math.max(end, toMine[i++]!.to);
        grew = true;
      }
      while (j < toTheirs.length && touches(toTheirs[j]!, start, end)) {
        end = Math.max(end, toTheirs[j++]!.to);
        grew = true;
      }
    }
    const m = applied(b, start, end, toMine.slice(i0, i));
    const t = applied(b, start, end, toTheirs.slice(j0, j));
    if (j === j0 || same(m, t)) out.push(...m);
    else if (i === i0) out.push(...t);
    else {
      clashes.push({ mine: m, theirs: t });
      out.push('<<<<<<< mine', ...m, '=======', ...t, '>>>>>>> on disk');
    }
    at = end;
  }
  out.push(...b.slice(at));
  return { text: out.join('\n'), clashes };
}

/** Lines [from, to) of the base became lines. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

function touches(h: Hunk, start: number, end: number): boolean {
  return h.from <= end && h.to >= start && (h.from < end || h.from === start || h.to === h.from);
}

function applied(base: string[], start: number, end: number, list: Hunk[]): string[] {
  const out: string[] = [];
  let at = start;
  for (const h of list) {
    out.push(...base.slice(at, h.from), ...h.lines);
    at = h.to;
  }
  out.push(...base.slice(at, end));
  return out;
}

function same(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

function split(text: string): string[] {
  return text.split('\n');
}

/** What changed from a to b, as few and small hunks as Myers' method finds. */
export function hunks(a: string[], b: string[]): Hunk[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const midA = a.slice(head, a.length - tail);
  const midB = b.slice(head, b.length - tail);
  return diff(midA, midB).map((h) => ({ from: h.from + head, to: h.to + head, lines: h.lines }));
}

/** Differences beyond this many lines count as one big change: a text that was rewritten. */
const mostEdits = 2_000;

function diff(a: string[], b: string[]): Hunk[] {
  const n = a.length;
  const m = b.length;
  if (n === 0 && m === 0) return [];
  if (n === 0 || m === 0) return [{ from: 0, to: n, lines: b }];
  const most = Math.min(n + m, mostEdits);
  const offset = most + 1;
  const v = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    history.push(v.slice());
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && v[offset + k - 1]! < v[offset + k + 1]!);
      let x = down ? v[offset + k + 1]! : v[offset + k - 1]! + 1;
      let y = x - k;
      while (x < n && y < m && a[x] === b[y]) {
        x++;
        y++;
      }
      v[offset + k] = x;
      if (x >= n && y >= m) return walkBack(history, d, offset, n, m, b);
    }
  }
  return [{ from: 0, to: n, lines: b }];
}

function walkBack(history: Int32Array[], edits: number, offset: number, n: number, m: number, b: string[]): Hunk[] {
  const steps: { x: number; y: number; insert: boolean }[] = [];
  let x = n;
  let y = m;
  for (let d = edits; d > 0; d--) {
    const v = history[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && v[offset + k - 1]! < v[offset + k + 1]!);
    const prevX = down ? v[offset + k + 1]! : v[offset + k - 1]!;
    const prevY = prevX - (down ? k + 1 : k - 1);
    steps.push({ x: prevX, y: prevY, insert: down });
    x = prevX;
    y = prevY;
  }
  const out: Hunk[] = [];
  let nextB = -1;
  for (const s of steps.reverse()) {
    let last = out.at(-1);
    if (!last || last.to !== s.x || nextB !== s.y) {
      last = { from: s.x, to: s.x, lines: [] };
      out.push(last);
    }
    if (s.insert) {
      last.lines.push(b[s.y]!);
      nextB = s.y + 1;
    } else {
      last.to = s.x + 1;
      nextB = s.y;
    }
  }
  return out;
}

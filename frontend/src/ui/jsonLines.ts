import { highlightJson, seen, type JsonToken } from './json';

/** Matches that are looked for; nobody walks through more. */
export const mostMatches = 10_000;

/** Lines up to which a value is shown with everything open. */
const openUpTo = 400;
/** Lines that a longer one begins with, about. */
const openAbout = 200;

/**
 * The lines of laid-out JSON and what lies within what. Everything is found by
 * the number of its line, so that a value of a million lines costs a few arrays.
 */
export class JsonLines {
  readonly count: number;
  /** Where each line begins, and behind the last one where the text ends. */
  private readonly starts: Uint32Array;
  /** The last line of what begins on a line, or the line itself. */
  private readonly ends: Uint32Array;
  /** The line of what a line lies in; of the first one itself. */
  private readonly parents: Uint32Array;
  /** How many lines there are at each depth, and how many of those close something. */
  private readonly depths: { lines: number; closing: number }[] = [];

  constructor(readonly text: string) {
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
    this.count = count;
    this.starts = new Uint32Array(count + 1);
    this.ends = new Uint32Array(count);
    this.parents = new Uint32Array(count);
    const open: number[] = [];
    let from = 0;
    for (let line = 0; line < count; line++) {
      const next = text.indexOf('\n', from);
      const end = next < 0 ? text.length : next;
      this.starts[line] = from;
      this.ends[line] = line;
      const first = text.charCodeAt(from + (open.length - 1) * 2);
      const closes = open.length > 0 && (first === 0x7d || first === 0x5d);
      if (closes) {
        const opened = open.pop() ?? 0;
        this.ends[opened] = line;
        this.parents[line] = opened;
      } else this.parents[line] = open.at(-1) ?? 0;
      const depth = (this.depths[open.length] ??= { lines: 0, closing: 0 });
      depth.lines++;
      if (closes) depth.closing++;
      const last = text.charCodeAt(end - 1);
      // The last line of a text without its end may be within a string.
      if ((last === 0x7b || last === 0x5b) && (next >= 0 || end - from < 2)) open.push(line);
      from = end + 1;
    }
    this.starts[count] = text.length + 1;
    for (const line of open) this.ends[line] = count - 1;
  }

  start(line: number): number {
    return this.starts[line] ?? 0;
  }

  /** Where the text of a line ends. */
  stop(line: number): number {
    return (this.starts[line + 1] ?? 0) - 1;
  }

  end(line: number): number {
    return this.ends[line] ?? line;
  }

  parent(line: number): number {
    return this.parents[line] ?? 0;
  }

  opens(line: number): boolean {
    return this.end(line) > line;
  }

  /** Whether a line holds only the end of what began on another. */
  closes(line: number): boolean {
    return line > 0 && this.end(this.parent(line)) === line && /^\s*[\]}]/.test(this.text.slice(this.start(line), this.stop(line)));
  }

  /** How deep a line lies: that of what is outermost is 1. */
  level(line: number): number {
    let level = 1;
    for (let at = line; at > 0; at = this.parent(at)) level++;
    return level;
  }

  /** How many members or items lie in what begins on a line. */
  size(line: number): number {
    let n = 0;
    for (const _ of this.children(line)) n++;
    return n;
  }

  private *children(line: number): Generator<number> {
    const last = this.end(line);
    for (let at = line + 1; at <= last; at = this.end(at) + 1) if (at < last || !this.closes(at)) yield at;
  }

  /** The line at a place of the text. */
  at(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** What is folded to begin with: nothing of a short value, of a long one what makes it long. */
  firstFolds(): Uint8Array {
    const folds = new Uint8Array(this.count);
    if (this.count <= openUpTo) return folds;
    let above = 0;
    let depth = 0;
    for (; depth < this.depths.length; depth++) {
      const { lines, closing } = this.depths[depth] ?? { lines: 0, closing: 0 };
      if (depth > 1 && above + lines - closing > openAbout) break;
      above += lines;
    }
    return this.foldsFrom(Math.max(1, depth - 1));
  }

  /** Everything folded that lies as deep as said, or deeper. */
  foldsFrom(depth: number): Uint8Array {
    const folds = new Uint8Array(this.count);
    const inside: number[] = [];
    for (let line = 0; line < this.count; line++) {
      while (inside.length > 0 && line > (inside.at(-1) ?? 0)) inside.pop();
      if (!this.opens(line)) continue;
      if (inside.length >= depth) folds[line] = 1;
      inside.push(this.end(line));
    }
    return folds;
  }

  /** The lines that show when some are folded. */
  shown(folds: Uint8Array): Uint32Array {
    const out = new Uint32Array(this.count);
    let n = 0;
    for (let line = 0; line < this.count; line++) {
      out[n++] = line;
      if (folds[line]) line = this.end(line);
    }
    return out.subarray(0, n);
  }

  /** The text of what begins on a line, without what names it and the comma behind it. */
  value(line: number): string {
    const begin = this.start(line);
    const first = this.text.slice(begin, this.stop(line));
    const indent = /^ */.exec(first)?.[0].length ?? 0;
    const name = this.name(line);
    const from = begin + indent + (name === undefined ? 0 : name.length + 2);
    const text = this.text.slice(from, this.stop(this.end(line))).replace(/,$/, '');
    return indent === 0 ? text : text.replaceAll(`\n${' '.repeat(indent)}`, '\n');
  }

  /** The name of a member as it is written, with its quotes. */
  private name(line: number): string | undefined {
    const found = /^ *("[^"\\]*(?:\\.[^"\\]*)*"): /.exec(this.text.slice(this.start(line), this.stop(line)));
    return line > 0 ? found?.[1] : undefined;
  }

  /** The way to a line, as JSONPath. */
  path(line: number): string {
    const at = this.closes(line) ? this.parent(line) : line;
    if (at === 0) return '$';
    const parent = this.parent(at);
    const name = this.name(at);
    if (name !== undefined) {
      const word = JSON.parse(name) as string;
      return `${this.path(parent)}${/^[A-Za-z_$][\w$]*$/.test(word) ? `.${word}` : `[${name}]`}`;
    }
    let index = 0;
    for (const child of this.children(parent)) {
      if (child === at) break;
      index++;
    }
    return `${this.path(parent)}[${index}]`;
  }

  /** Where the text holds some words, whatever their case. */
  find(words: string): number[] {
    const out: number[] = [];
    if (!words.trim()) return out;
    for (const found of this.text.matchAll(pattern(words))) {
      out.push(found.index);
      if (out.length === mostMatches) break;
    }
    return out;
  }
}

export const pattern = (words: string): RegExp => new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');

export interface Piece {
  kind?: JsonToken['kind'];
  text: string;
  /** Whether it is what is looked for, or the one of those that one is at. */
  found?: 'found' | 'here';
}

/** A part of a line in coloured pieces, with what is looked for cut out; here is a place within the part. */
export function piecesOf(text: string, words: string, here: number | undefined): Piece[] {
  const tokens = highlightJson(text);
  const marks = words.trim() ? [...text.matchAll(pattern(words))].map((m) => ({ from: m.index, to: m.index + m[0].length })) : [];
  const out: Piece[] = [];
  let at = 0;
  let mark = 0;
  for (const { kind, text: part } of tokens) {
    const end = at + part.length;
    for (let from = at; from < end; ) {
      while (mark < marks.length && (marks[mark]?.to ?? 0) <= from) mark++;
      const next = marks[mark];
      const inside = next !== undefined && next.from <= from;
      const to = Math.min(end, next === undefined ? end : inside ? next.to : next.from);
      out.push({ kind, text: seen(text.slice(from, to)), ...(inside && { found: next.from === here ? 'here' : 'found' }) });
      from = to;
    }
    at = end;
  }
  return out;
}

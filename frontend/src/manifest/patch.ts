import { isObject } from '../ui/schema/schema';
import { readJson, type JsonMember, type JsonNode } from './jsonText';
import { flatText, printJson } from './print';

/** A list or an object that was in one line and would get longer than this is broken into lines. */
const lineLength = 100;

/**
 * Writes a value into a JSON text and leaves everything that stays the same as
 * its author wrote it: layout, order, escapes, and numbers that JavaScript cannot
 * hold. The text is one that JSON.parse can read.
 */
export function patchJson(text: string, next: unknown): string {
  const bare = text.replace(/^\ufeff/, '');
  const root = readJson(bare);
  const out = bare.slice(0, root.start) + new Patch(bare).write(root, next) + bare.slice(root.end);
  return text.length === bare.length ? out : `\ufeff${out}`;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A member of what is written: its text, and which of the old ones it was. */
interface Piece {
  text: string;
  was?: number;
}

class Patch {
  private readonly line: string;
  private readonly unit: string;
  /** Without any space between its parts. */
  private readonly dense: boolean;

  constructor(private readonly text: string) {
    this.line = text.includes('\r\n') ? '\r\n' : '\n';
    this.unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
    this.dense = !/[:,]\s/.test(text);
  }

  write(node: JsonNode, next: unknown): string {
    if (same(node.value, next)) return this.text.slice(node.start, node.end);
    if (node.kind === 'object' && isObject(next)) return this.join(node, this.members(node, next), '{}');
    if (node.kind === 'array' && Array.isArray(next)) return this.join(node, this.items(node, next), '[]');
    return this.fresh(next, this.indentAt(node.start), this.inLine(node.start));
  }

  private members(node: JsonNode, next: Record<string, unknown>): Piece[] {
    const old = new Map(node.members.map((m, i) => [m.key!, i]));
    const wanted = Object.entries(next).filter(([, v]) => v !== undefined);
    const gone = [...old].filter(([k]) => next[k] === undefined);
    const pieceOf = (key: string, value: unknown): Piece => {
      const was = old.get(key);
      const m = was === undefined ? undefined : node.members[was]!;
      if (m) return { text: this.text.slice(m.start, m.node.start) + this.write(m.node, value), was };
      // A value that is there under another name was renamed.
      const renamed = gone.findIndex(([, i]) => same(node.members[i]!.node.value, value));
      const from = renamed < 0 ? undefined : gone.splice(renamed, 1)[0]![1];
      if (from !== undefined) {
        const source = node.members[from]!;
        const behindKey = this.text.slice(source.start, source.node.end).replace(/^"(?:[^"\\]|\\.)*"/, '');
        return { text: JSON.stringify(key) + behindKey, was: from };
      }
      return { text: `${JSON.stringify(key)}:${this.dense ? '' : ' '}${this.fresh(value, this.indentOf(node), this.inLine(node.members[0]?.start ?? -1))}` };
    };
    const pieces = wanted.map(([k, v]) => ({ key: k, piece: pieceOf(k, v) }));
    const now = Object.keys(node.value as object).filter((k) => next[k] !== undefined);
    const moved = !same(now, wanted.map(([k]) => k).filter((k) => old.has(k)));
    if (moved) return pieces.map((p) => p.piece);
    // JavaScript puts keys that are numbers first, so the order of the text counts.
    const out = pieces.filter((p) => p.piece.was !== undefined).sort((a, b) => a.piece.was! - b.piece.was!);
    for (const [i, p] of pieces.entries()) {
      if (p.piece.was !== undefined) continue;
      const before = pieces[i - 1];
      const at = /^\d+$/.test(p.key) ? out.length : before ? out.indexOf(before) + 1 : 0;
      out.splice(at, 0, p);
    }
    return out.map((p) => p.piece);
  }

  private items(node: JsonNode, next: readonly unknown[]): Piece[] {
    const old = node.members;
    const whole = (m: JsonMember) => this.text.slice(m.node.start, m.node.end);
    let head = 0;
    while (head < old.length && head < next.length && same(old[head]!.node.value, next[head])) head++;
    let tail = 0;
    while (tail < Math.min(old.length, next.length) - head && same(old[old.length - 1 - tail]!.node.value, next[next.length - 1 - tail])) tail++;
    const oldMiddle = old.length - head - tail;
    return next.map((value, i): Piece => {
      if (i < head) return { text: whole(old[i]!), was: i };
      const back = old.length - (next.length - i);
      if (i >= next.length - tail) return { text: whole(old[back]!), was: back };
      const unmoved = old.findIndex((m) => same(m.node.value, value));
      if (unmoved >= 0) return { text: whole(old[unmoved]!), was: unmoved };
      if (i - head < oldMiddle) return { text: this.write(old[i]!.node, value), was: i };
      return { text: this.fresh(value, this.indentOf(node), this.inLine(old[0]?.start ?? -1)) };
    });
  }

  /** Puts members between the brackets, with the space that stood between the old ones. */
  private join(node: JsonNode, pieces: readonly Piece[], brackets: string): string {
    const [open, close] = [brackets[0]!, brackets[1]!];
    if (pieces.length === 0) return brackets;
    const old = node.members;
    const indent = this.indentAt(node.start);
    const broken = `${this.line}${indent}${this.unit}`;
    const leadOf = (i: number) => /\s*$/.exec(this.text.slice(node.start + 1, old[i]!.start))![0];
    const first = old.length ? leadOf(0) : this.leadIn(node, pieces, broken);
    const next = old.length > 1 ? leadOf(1) : first.includes('\n') ? first : this.dense ? '' : ' ';
    const closing = old.length ? this.text.slice(old.at(-1)!.node.end, node.end - 1) : first.includes('\n') ? `${this.line}${indent}` : first;
    const lead = (p: Piece, at: number) => (at === 0 ? first : p.was !== undefined && p.was > 0 ? leadOf(p.was) : next);
    const out = `${open}${pieces.map((p, i) => lead(p, i) + p.text).join(',')}${closing}${close}`;
    if (this.dense || out.includes('\n') || indent.length + out.length <= lineLength) return out;
    return `${open}${pieces.map((p) => broken + p.text).join(',')}${this.line}${indent}${close}`;
  }

  /** What stands before the first member where there was none yet. */
  private leadIn(node: JsonNode, pieces: readonly Piece[], broken: string): string {
    if (this.dense || (node.kind === 'array' && pieces.every((p) => !p.text.includes('\n')))) return '';
    return this.inLine(node.start) ? ' ' : broken;
  }

  private fresh(value: unknown, indent: string, inLine: boolean): string {
    if (this.dense) return JSON.stringify(value) ?? 'null';
    if (inLine) return flatText(value);
    return printJson(value, this.text.replaceAll('\r\n', '\n')).trimEnd().replaceAll('\n', this.line + indent);
  }

  /** The indent of what stands inside a list or an object. */
  private indentOf(node: JsonNode): string {
    return node.members.length && !this.inLine(node.members[0]!.start) ? this.indentAt(node.members[0]!.start) : this.indentAt(node.start) + this.unit;
  }

  private indentAt(at: number): string {
    return /^[ \t]*/.exec(this.text.slice(this.text.lastIndexOf('\n', at - 1) + 1))![0];
  }

  /** Whether something stands before a place in its line; what has no place stands in a line of its own. */
  private inLine(at: number): boolean {
    if (at < 0) return false;
    return this.text.slice(this.text.lastIndexOf('\n', at - 1) + 1, at).replace(/^\s*"(?:[^"\\]|\\.)*"\s*:/, '').trim() !== '';
  }
}

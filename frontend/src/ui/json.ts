import { holdsExact, readJson, writeJson } from './exact';

/** Characters that change the direction of the text around them: they could make it read as something else. */
const turning = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as laid-out JSON, in which every character can be seen; undefined is a word of its own. */
export function jsonText(value: unknown): string {
  if (value === undefined) return 'undefined';
  return seen(laidOut(value));
}

/** A text in which every character can be seen. */
export const seen = (text: string): string => text.replace(turning, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as laid-out JSON, digit by digit. */
export function laidOut(value: unknown): string {
  return holdsExact(value) ? lines(writeJson(value)) : JSON.stringify(value, null, 2);
}

/** Lays out the text of JSON, also when its end is missing. */
export const layOut = (text: string): string => seen(lines(text));

function lines(text: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]\s*[\]}]|[[\]{},:]|\s+/g, (token) => {
    if (token === '{' || token === '[') {
      depth++;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth--;
      return line() + token;
    }
    if (token === ',') return token + line();
    if (token === ':') return ': ';
    return token.startsWith('"') ? token : token.replace(/\s+/g, '');
  });
}

export interface JsonToken {
  kind?: 'key' | 'string' | 'number' | 'word';
  text: string;
}

const token = /("[^"\\\n]*(?:\\.[^"\\\n]*)*"?)(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null|undefined)\b/g;

/** Cuts laid-out JSON into coloured pieces; the pieces together are the text. */
export function highlightJson(text: string): JsonToken[] {
  const out: JsonToken[] = [];
  let at = 0;
  const plain = (to: number) => {
    if (to > at) out.push({ text: text.slice(at, to) });
  };
  for (const m of text.matchAll(token)) {
    plain(m.index);
    const [whole, quoted, colon, number] = m;
    if (quoted !== undefined) {
      out.push({ kind: colon === undefined ? 'string' : 'key', text: quoted });
      if (colon) out.push({ text: colon });
    } else out.push({ kind: number === undefined ? 'word' : 'number', text: whole });
    at = m.index + whole.length;
  }
  plain(text.length);
  return out;
}

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

/** The value of a JSON text, or why it is none. Nothing but space is undefined; a mark at the beginning counts as space. */
export const parseJson = (text: string): Parsed => parsed(text, JSON.parse);

/** The same, with what must not be rounded as its text. */
export const parseExactly = (text: string): Parsed => parsed(text, readJson);

function parsed(text: string, read: (text: string) => unknown): Parsed {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: read(text.replace(/^\ufeff/, '')) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}

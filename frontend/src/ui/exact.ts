/**
 * A part of a JSON value that the page's own values would change: a number of
 * many digits, -0, 1e400, 1.50; an object that names a member twice, or whose
 * members would come in another order. Its text is what counts.
 */
export class Exact {
  /** JSON without space between its tokens. */
  constructor(readonly text: string) {}

  /** What the page makes of it where nobody asks for more. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A value as far as the page's own values go, for what only looks at it. */
export function nearly(value: unknown): unknown {
  return value instanceof Exact ? value.toJSON() : value;
}

/**
 * Reads JSON so that writeJson gives every digit back. Below the members that are
 * named as plain nothing is kept: those are read by code, and not by people.
 */
export function readJson(text: string, plain: readonly string[] = []): unknown {
  const value: unknown = JSON.parse(text);
  // Most of what is read is what it would be written as.
  if (JSON.stringify(value) === text) return value;
  try {
    return new Reader(text, plain).value();
  } catch (error) {
    // So deep that it can be shown in no way.
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/** The JSON of a value with every exact part as its text. */
export function writeJson(value: unknown): string {
  if (!holdsExact(value)) return JSON.stringify(value) ?? 'null';
  if (value instanceof Exact) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value as object).filter(([, v]) => v !== undefined);
  return `{${members.map(([k, v]) => `${JSON.stringify(k)}:${writeJson(v)}`).join(',')}}`;
}

/** Whether the page's own values could not hold all of a value. */
export function holdsExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Exact) return true;
  for (const v of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) if (holdsExact(v)) return true;
  return false;
}

/** Reads a text that is known to be JSON. */
class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly plain: readonly string[],
  ) {}

  value(keep = true): unknown {
    const c = this.next();
    if (c === '{') return this.object(keep);
    if (c === '[') return this.list(keep);
    if (c === '"') return this.string();
    const token = this.match(/[^\s,\]}]+/y);
    if (c !== '-' && !(c >= '0' && c <= '9')) return JSON.parse(token) as unknown;
    const n = Number(token);
    return keep && String(n) !== token ? new Exact(token) : n;
  }

  private object(keep: boolean): unknown {
    const members: [string, unknown][] = [];
    this.at++;
    while (this.next() !== '}') {
      const name = this.string();
      this.next(); // the colon
      this.at++;
      members.push([name, this.value(keep && !this.plain.includes(name))]);
      if (this.next() === ',') this.at++;
    }
    this.at++;
    // Entry by entry: "__proto__" is a name like any other.
    const out = Object.fromEntries(members);
    const names = Object.keys(out);
    const same = names.length === members.length && names.every((name, i) => name === members[i]?.[0]);
    return same || !keep ? out : new Exact(`{${members.map(([k, v]) => `${JSON.stringify(k)}:${writeJson(v)}`).join(',')}}`);
  }

  private list(keep: boolean): unknown[] {
    const items: unknown[] = [];
    this.at++;
    while (this.next() !== ']') {
      items.push(this.value(keep));
      if (this.next() === ',') this.at++;
    }
    this.at++;
    return items;
  }

  private string(): string {
    const from = this.at;
    for (let end = this.text.indexOf('"', from + 1); ; end = this.text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (this.text[end - 1 - slashes] === '\\') slashes++;
      if (slashes % 2 === 1) continue;
      this.at = end + 1;
      return JSON.parse(this.text.slice(from, this.at)) as string;
    }
  }

  /** The next character that is no space, which stays to be read. */
  private next(): string {
    for (;;) {
      const c = this.text[this.at];
      if (c !== ' ' && c !== '\n' && c !== '\t' && c !== '\r') return c ?? '';
      this.at++;
    }
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [token = ''] = pattern.exec(this.text) ?? [];
    this.at += token.length;
    return token;
  }
}

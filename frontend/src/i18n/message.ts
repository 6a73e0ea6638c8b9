/**
 * The form of messages, a small part of ICU's:
 *
 *   Saved, version {version}
 *   {n, plural, one {# call} other {# calls}}
 *   Open <1>AGENT.md</1> again
 *
 * A value stands in braces, # is the number that a plural is about, and a tag is
 * an element of the page by its number. Whatever is none of these is text.
 */
export type Part =
  | string
  | { value: string }
  | { plural: string; cases: ReadonlyMap<string, readonly Part[]> }
  | { number: true }
  | { tag: number; inside: readonly Part[] };

const parsed = new Map<string, readonly Part[]>();

/** Reads a message once. */
export function parse(message: string): readonly Part[] {
  let parts = parsed.get(message);
  if (!parts) {
    parts = new Reader(message).parts();
    parsed.set(message, parts);
  }
  return parts;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Reads up to the end, or up to what ends a case of a plural or an element. */
  parts(end?: '}' | `</${number}>`): Part[] {
    const parts: Part[] = [];
    let text = '';
    const put = (part: Part) => {
      if (text) parts.push(text);
      text = '';
      parts.push(part);
    };
    while (this.at < this.text.length && !(end && this.text.startsWith(end, this.at))) {
      const value = this.take(/\{(\w+)\}/y);
      const plural = value ? undefined : this.take(/\{(\w+), plural,\s*/y);
      const tag = value || plural ? undefined : this.take(/<(\d+)(\/?)>/y);
      if (value) put({ value: value[1]! });
      else if (plural) put({ plural: plural[1]!, cases: this.cases() });
      else if (tag) put({ tag: Number(tag[1]), inside: tag[2] ? [] : this.inside(Number(tag[1])) });
      else if (end === '}' && this.take(/#/y)) put({ number: true });
      else text += this.text[this.at++];
    }
    if (text) parts.push(text);
    return parts;
  }

  private inside(tag: number): Part[] {
    const end = `</${tag}>` as const;
    const parts = this.parts(end);
    this.at += end.length;
    return parts;
  }

  private cases(): Map<string, Part[]> {
    const cases = new Map<string, Part[]>();
    for (let name = this.take(/\s*(=?\w+) \{/y); name; name = this.take(/\s*(=?\w+) \{/y)) {
      cases.set(name[1]!, this.parts('}'));
      this.at++;
    }
    this.take(/\s*\}/y);
    return cases;
  }

  private take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.at;
    const found = what.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }
}

/** The case of a plural that a number takes: an exact one, that of its category, or the last resort. */
export function chosen(cases: ReadonlyMap<string, readonly Part[]>, n: number, rules: Intl.PluralRules): readonly Part[] {
  return cases.get(`=${n}`) ?? cases.get(rules.select(n)) ?? cases.get('other') ?? [];
}

/** The names of a message's values, and the numbers of its elements with a # before them. */
export function slots(message: string): Set<string> {
  const found = new Set<string>();
  const visit = (parts: readonly Part[]) => {
    for (const part of parts) {
      if (typeof part === 'string' || 'number' in part) continue;
      if ('value' in part) found.add(part.value);
      else if ('tag' in part) {
        found.add(`#${part.tag}`);
        visit(part.inside);
      } else {
        found.add(part.plural);
        part.cases.forEach(visit);
      }
    }
  };
  visit(parse(message));
  return found;
}

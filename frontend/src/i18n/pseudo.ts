import { parse, type Part } from './message';

/** A language for tests: English with accents, a third longer, in brackets. What is not translated stands out. */
export const pseudoLanguage = 'en-XA';

const plain = 'ACDEGHIJKLNORSTUWYZacdeghijklnorstuwyz';
const accented = 'ÂÇÐÉĜĤÎĴĶĻÑÖŘŠŢÛŴÝŽâçðéĝĥîĵķļñöřšţûŵýž';
const accents = new Map([...plain].map((c, i) => [c, [...accented][i]!]));

export function pseudo(message: string): string {
  const text = message.split('##')[0]!;
  const [, before = '', core = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  const letters = parse(core).reduce((n, part) => n + lengthOf(part), 0);
  return `${before}⟦${parse(core).map(written).join('')}${longer(Math.ceil(letters * 0.3))}⟧${after}`;
}

/** Letters that a line can break between, as those of a longer sentence can. */
function longer(n: number): string {
  return '~'.repeat(n).replace(/~{5}(?=~)/g, '~~~~ ');
}

function lengthOf(part: Part): number {
  if (typeof part === 'string') return part.length;
  if ('inside' in part) return part.inside.reduce((n, p) => n + lengthOf(p), 0);
  if ('cases' in part) return Math.max(0, ...[...part.cases.values()].map((c) => c.reduce((n, p) => n + lengthOf(p), 0)));
  return 0;
}

function written(part: Part): string {
  if (typeof part === 'string') return [...part].map((c) => accents.get(c) ?? c).join('');
  if ('value' in part) return `{${part.value}}`;
  if ('number' in part) return '#';
  if ('tag' in part) return part.inside.length === 0 ? `<${part.tag}/>` : `<${part.tag}>${part.inside.map(written).join('')}</${part.tag}>`;
  return `{${part.plural}, plural, ${[...part.cases].map(([name, inside]) => `${name} {${inside.map(written).join('')}}`).join(' ')}}`;
}

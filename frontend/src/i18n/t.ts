import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { language, translation } from './language';
import { chosen, parse, type Part } from './message';

/** What may stand in a text. Nothing is written for what JSX writes nothing for. */
export type Value = string | number | boolean | null | undefined;
export type Values = Readonly<Record<string, Value>>;

/**
 * A text of the page in its language. It is looked up by the English, which is
 * also what shows where there is no translation. Where the same English means
 * two things, ## and what is meant follow it: 'Open##the state of a lock'.
 */
export function t(message: string, values?: Values): string {
  const { text, rules } = lookUp(message);
  if (!/[{<]/.test(text)) return text;
  return join(parse(text), values ?? {}, rules);
}

/**
 * A text with elements in it: rich('Open <1>AGENT.md</1> again', [<code />]).
 * Tag 1 is the first element; it keeps its properties and gets what the tag
 * holds. A tag that holds nothing, <1/>, is the element as it was given.
 */
export function rich(message: string, elements: readonly ReactElement[], values?: Readonly<Record<string, ReactNode>>): ReactNode {
  const { text, rules } = lookUp(message);
  return createElement(Fragment, null, ...nodes(parse(text), elements, values ?? {}, rules));
}

function lookUp(message: string): { text: string; rules: () => Intl.PluralRules } {
  const translated = translation(message);
  if (translated !== undefined) return { text: translated, rules: () => rulesOf(language()) };
  return { text: message.includes('##') ? message.slice(0, message.indexOf('##')) : message, rules: () => rulesOf('en') };
}

const known = new Map<string, Intl.PluralRules>();

function rulesOf(code: string): Intl.PluralRules {
  let rules = known.get(code);
  if (!rules) {
    rules = new Intl.PluralRules(code);
    known.set(code, rules);
  }
  return rules;
}

function join(parts: readonly Part[], values: Values, rules: () => Intl.PluralRules, n?: number): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('number' in part) return String(n);
      if ('tag' in part) return join(part.inside, values, rules, n);
      if ('value' in part) return Object.hasOwn(values, part.value) ? shown(values[part.value]) : `{${part.value}}`;
      const count = Number(values[part.plural]);
      return join(chosen(part.cases, count, rules()), values, rules, count);
    })
    .join('');
}

function shown(value: Value): string {
  return value === null || value === undefined || typeof value === 'boolean' ? '' : String(value);
}

function nodes(parts: readonly Part[], elements: readonly ReactElement[], values: Readonly<Record<string, ReactNode>>, rules: () => Intl.PluralRules, n?: number): ReactNode[] {
  return parts.flatMap((part): ReactNode[] => {
    if (typeof part === 'string') return [part];
    if ('number' in part) return [n];
    if ('value' in part) return [Object.hasOwn(values, part.value) ? values[part.value] : `{${part.value}}`];
    if ('tag' in part) {
      const element = elements[part.tag - 1];
      const inside = nodes(part.inside, elements, values, rules, n);
      if (!element) return inside; // a translation that invents a tag
      return [inside.length === 0 ? element : cloneElement(element, undefined, ...inside)];
    }
    const count = Number(values[part.plural]);
    return nodes(chosen(part.cases, count, rules()), elements, values, rules, count);
  });
}

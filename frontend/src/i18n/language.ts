import { readStored, writeStored } from '../ui/stored';
import { pseudo, pseudoLanguage } from './pseudo';

/** A language of the page: what it is called in BCP 47, and its texts by the English ones. */
export interface Catalogue {
  language: string;
  messages: Record<string, string>;
}

const bundled = import.meta.glob<Catalogue>('./languages/*.json', { import: 'default' });

interface Current {
  language: string;
  /** Whose formats dates and numbers have; undefined for the browser's own. */
  formats: string | undefined;
  translate: (message: string) => string | undefined;
}

const english: Current = { language: 'en', formats: undefined, translate: () => undefined };
let current = english;

export function language(): string {
  return current.language;
}

/** For Intl and toLocaleString. */
export function locale(): string | undefined {
  return current.formats;
}

/** The translation of a message, if the language has one. */
export function translation(message: string): string | undefined {
  return current.translate(message);
}

/** The languages that can be chosen, English first: what is built in, and that of a file. */
export function languages(): string[] {
  const own = readFile()?.language;
  return [...new Set(['en', ...Object.keys(bundled).map(nameOf), ...(own ? [own] : [])])];
}

/** What a language is called by those who speak it. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The language that was chosen; empty for the browser's. */
export function chosenLanguage(): string {
  return readStored<string>('language', '');
}

/** Keeps a choice. It counts when the page is loaded again, because texts are read once. */
export function chooseLanguage(code: string): void {
  writeStored('language', code || undefined);
}

/** ProblemOfFile says which part of a file of translations is missing or wrong. */
export class ProblemOfFile extends Error {
  constructor(readonly of: keyof Catalogue) {
    super(of);
  }
}

/** Reads a file of translations: a SyntaxError where it is no JSON, else a ProblemOfFile. */
export function readCatalogue(text: string): Catalogue {
  const data = JSON.parse(text) as Partial<Catalogue> | null;
  if (typeof data?.language !== 'string' || !isLanguage(data.language)) throw new ProblemOfFile('language');
  const messages = data.messages;
  if (typeof messages !== 'object' || messages === null || Array.isArray(messages) || Object.values(messages).some((m) => typeof m !== 'string')) throw new ProblemOfFile('messages');
  return { language: data.language, messages };
}

/** Keeps a file of translations in this browser, for those who write one. It comes before what is built in. */
export function keepFile(catalogue: Catalogue | undefined): void {
  writeStored('language.file', catalogue);
}

export function readFile(): Catalogue | undefined {
  try {
    return readCatalogue(JSON.stringify(readStored<unknown>('language.file', null)));
  } catch {
    return undefined;
  }
}

/**
 * Loads the language of the page: that of the address (for tests), the chosen
 * one, or the first of the browser's that there is. English needs nothing.
 */
export async function loadLanguage(wanted = new URLSearchParams(location.search).get('language') ?? ''): Promise<void> {
  if (wanted === pseudoLanguage) return use({ language: pseudoLanguage, formats: 'en', translate: pseudo });
  const spoken = navigator.languages;
  const asked = wanted || chosenLanguage();
  const code = match(asked ? [asked] : spoken, languages()) ?? 'en';
  const formats = spoken.find((s) => base(s) === base(code)) ?? (asked ? code : undefined);
  if (base(code) === 'en') return use({ ...english, formats });
  try {
    const file = readFile();
    const { messages } = file?.language === code ? file : await bundled[`./languages/${code}.json`]!();
    use({ language: code, formats, translate: (message) => (Object.hasOwn(messages, message) ? messages[message] : undefined) });
  } catch {
    use(english); // a page in English is better than none
  }
}

function use(next: Current): void {
  current = next;
  document.documentElement.lang = next.language;
}

/** The first of the wanted languages that there is, in its own or its general form. */
export function match(wanted: readonly string[], there: readonly string[]): string | undefined {
  for (const w of wanted) {
    const found = there.find((t) => t.toLowerCase() === w.toLowerCase()) ?? there.find((t) => base(t) === base(w));
    if (found) return found;
  }
  return undefined;
}

function base(code: string): string {
  return code.toLowerCase().split('-')[0]!;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
}

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

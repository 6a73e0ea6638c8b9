import { parseJson } from '../ui/json';
import { isObject } from '../ui/schema/schema';
import { editText, type ManifestEdit } from './edit';

const marker = '@robutler-function';
/** What may stand before a function's header: a mark, a first line for the shell, comments and "use strict". */
const before = /^\ufeff?(?:#![^\n]*)?(?:\s+|\/\*(?![*\s]*@robutler-function[\s{*])[\s\S]*?\*\/|\/\/(?!\s*@robutler-function)[^\n]*|["']use strict["'];?)*/;
const comment = /^\/\*[*\s]*@robutler-function(?=[\s{*])/;
/** What a line of a comment begins with. */
const star = /^[ \t]*\*(?!\/) ?/;

interface Header {
  /** The JSON without the stars of the comment. */
  json: string;
  start: number;
  end: number;
  prefix: string;
}

/** The header of a single-file function, where it is JSON in a comment of the usual kind. */
function find(source: string): Header | undefined {
  if (!source.includes(marker)) return undefined;
  const at = before.exec(source)![0].length;
  const begin = comment.exec(source.slice(at));
  const close = source.indexOf('*/', at + 2);
  if (!begin || close < 0) return undefined;
  const inside = at + begin[0].length;
  const lines = source.slice(inside, close).split('\n');
  const prefix = lines.slice(1).map((l) => star.exec(l)?.[0]).find((p) => p !== undefined) ?? '';
  const text = lines.map((l, i) => (i === 0 ? l : l.replace(star, ''))).join('\n');
  const json = text.replace(/^[\s*]+/, '').trimEnd();
  if (!json.startsWith('{')) return undefined;
  // In the source it is between its first brace and its last.
  const start = source.indexOf('{', inside);
  const end = source.lastIndexOf('}', close) + 1;
  return { json, start, end, prefix };
}

/** What the header of a source says, where it is JSON that can be read. */
export function headerOf(source: string): Record<string, unknown> | undefined {
  const found = find(source);
  const parsed = found && parseJson(found.json);
  return parsed?.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** Applies edits to the header of a source; undefined when it has none that is JSON. */
export function editHeader(source: string, edits: readonly ManifestEdit[]): string | undefined {
  const found = find(source);
  const next = found && editText(found.json, edits);
  if (!found || next === undefined) return undefined;
  const lines = next.trimEnd().split('\n').map((l, i) => (i === 0 ? l : found.prefix + l));
  return source.slice(0, found.start) + lines.join('\n') + source.slice(found.end);
}

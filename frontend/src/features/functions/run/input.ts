import type { Caller } from '../../../api/invoke';
import { t } from '../../../i18n/t';
import { isObject, losesNumbers } from '../../../ui/schema/schema';
import { pathText, type Drafts } from '../../../ui/schema/edit';
import { exampleOf } from '../../../ui/schema/example';
import { nearly, writeJson } from '../../../ui/exact';
import { laidOut, parseExactly, parseJson } from '../../../ui/json';

export type { Caller };
export type Kind = 'tool' | 'http' | 'cron';

export interface Pair {
  name: string;
  value: string;
}

/** What the run panel holds for a function, as it was typed. */
export interface RunInput {
  kind: Kind;
  args: string;
  /** Texts of the form that are no values yet; they keep the call from being made. */
  drafts?: Drafts;
  /** Whether arguments are edited as a form or as JSON. */
  as?: 'form' | 'json';
  method: string;
  path: string;
  query: Pair[];
  headers: Pair[];
  body: string;
  key: string;
  caller?: Caller;
  /** The clock of the run that it is the input of, which comes before that of the page. */
  clock?: string;
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The input a function begins with: an example of its parameters. */
export function firstInput(manifest: unknown): RunInput {
  const m = (manifest ?? {}) as { parameters?: unknown; permissions?: { rawBody?: unknown } };
  return {
    kind: !m.parameters && m.permissions?.rawBody ? 'http' : 'tool',
    args: JSON.stringify(m.parameters ? exampleOf(m.parameters) : {}, null, 2),
    method: 'POST',
    path: '/',
    query: [],
    headers: [],
    body: '',
    key: '',
  };
}

/** What a form can show of the arguments: their value, or why only JSON will do. */
export function formValue(args: string): { ok: true; value: unknown } | { ok: false; why: string } {
  const parsed = parseJson(args);
  if (!parsed.ok) return { ok: false, why: t('The arguments are no JSON yet; they can be edited as text only.') };
  if (losesNumbers(args)) return { ok: false, why: t('A number here has more digits than a form can keep; it can be edited as text only.') };
  return { ok: true, value: parsed.value ?? {} };
}

export type Built = { ok: true; body: string } | { ok: false; field: 'args' | 'body' | 'path'; problem: string };

/**
 * The body of the invoke for an input, spec 4.2, or what is wrong with it. Exact
 * sends the body of a request byte by byte, for functions that read its bytes.
 */
export function buildBody(input: RunInput, exact = false): Built {
  if (input.kind === 'cron') return { ok: true, body: '{}' };
  if (input.kind === 'tool') {
    const args = parseJson(input.args);
    if (!args.ok) return { ok: false, field: 'args', problem: args.problem };
    const [draft] = Object.entries(input.drafts ?? {});
    if (draft) return { ok: false, field: 'args', problem: `${pathText(draft[0]) || t('The value')}: ${draft[1].problem}` };
    // The text itself: a number of many digits would be rounded on the way.
    return { ok: true, body: `{"args":${input.args.trim() || '{}'}}` };
  }
  if (!input.path.startsWith('/')) return { ok: false, field: 'path', problem: t('A path begins with /.') };
  const request: Record<string, unknown> = { method: input.method, path: input.path };
  const query = toObject(input.query);
  const headers = toObject(input.headers);
  if (query) request.query = query;
  if (headers) request.headers = headers;
  const body = exact && input.body !== '' ? input.body : bodyOf(input.body);
  if (body !== undefined) request.body = body;
  return { ok: true, body: writeJson(request) };
}

/** The input that makes a body again: of a saved call, or of a run of the history. */
export function inputOf(body: unknown, base: RunInput): RunInput {
  // A body that names a member twice is read as the platform would.
  const read = nearly(body);
  const b = isObject(read) ? read : {};
  const clean: RunInput = { ...base, drafts: undefined, key: '', clock: undefined };
  if ('args' in b) return { ...clean, kind: 'tool', args: laidOut(b.args) };
  if (typeof b.method === 'string') {
    return {
      ...clean,
      kind: 'http',
      method: b.method.toUpperCase(),
      path: typeof b.path === 'string' && b.path ? b.path : '/',
      query: pairsOf(b.query),
      headers: pairsOf(b.headers),
      body: b.body === undefined || b.body === null ? '' : typeof b.body === 'string' ? b.body : laidOut(b.body),
    };
  }
  return { ...clean, kind: 'cron' };
}

function pairsOf(value: unknown): Pair[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, v]) => ({ name, value: typeof v === 'string' ? v : writeJson(v) }));
}

/** JSON is sent as the value it is, anything else as the text it is. */
function bodyOf(text: string): unknown {
  const parsed = parseExactly(text);
  return parsed.ok ? parsed.value : text;
}

function toObject(pairs: readonly Pair[]): Record<string, string> | undefined {
  const used = pairs.filter((p) => p.name.trim());
  return used.length ? Object.fromEntries(used.map((p) => [p.name.trim(), p.value])) : undefined;
}

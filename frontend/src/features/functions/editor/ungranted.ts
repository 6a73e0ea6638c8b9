import { ctxMembers } from '../../../api/contract.gen';
import { t } from '../../../i18n/t';
import { allow, type ManifestEdit } from '../../../manifest/edit';
import { admits, type Permissions } from '../../../manifest/grants';
import { aliasesOf } from './aliases';
import { lacking } from './narrow';

/** A use of ctx that the manifest does not grant, and the changes that would. */
export interface Ungranted {
  line: number;
  column: number;
  what: string;
  needs: string;
  edits: ManifestEdit[];
  /** Whether a declared type of ctx finds it as well. */
  typed: boolean;
}

/** A source with comments made blank, so that places stay where they are. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}

/** A call by a name and what follows it, with a first argument that is a text. */
const calls = /(?<![.\w$])([A-Za-z_$][\w$]*)((?:\s*\??\.\s*[A-Za-z_$][\w$]*|\s*(?:\?\.)?\[\s*(?:"[^"]*"|'[^']*')\s*\])*)\s*(?:\?\.\s*)?\(\s*(?:(["'`])([^"'`]*)\3)?/g;

/** A member that is read, by a name and what follows it. */
const reads = /(?<![.\w$])([A-Za-z_$][\w$]*)((?:\s*\??\.\s*[A-Za-z_$][\w$]*)*?\s*\??\.\s*rawBody)(?![\w$])/g;

/** The steps behind a name: ".kv.get" and '["kv"].get' are the same. */
function steps(text: string): string[] {
  return [...text.matchAll(/\.\s*([A-Za-z_$][\w$]*)|\[\s*["']([^"']*)["']\s*\]/g)].map((m) => m[1] ?? m[2] ?? '');
}

/**
 * Finds uses of ctx that the permissions do not grant, by the text alone: most
 * functions do not declare the type of ctx. It follows names that stand for ctx
 * or a part of it; what is reached in other ways is left to the run. The name is
 * that of the function, which may call itself only when it is granted.
 */
export function ungranted(source: string, p: Permissions, name?: string): Ungranted[] {
  const text = withoutComments(source);
  const aliases = aliasesOf(text);
  const out: (Ungranted & { at: number })[] = [];
  const look = (m: RegExpMatchArray, check: (path: string[]) => Found | undefined) => {
    const base = aliases.get(m[1]!);
    if (base === undefined) return;
    const found = check([...(base ? base.split('.') : []), ...steps(m[2] ?? '')]);
    if (!found) return;
    const at = m.index ?? 0;
    const before = source.slice(0, at).split('\n');
    out.push({ at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, ...found });
  };
  for (const m of text.matchAll(calls)) look(m, (path) => check(path, m[4], p, name));
  if (!p.rawBody) {
    const edit = allow.flag('rawBody');
    for (const m of text.matchAll(reads)) look(m, (path) => (path.join('.') === 'request.rawBody' ? { what: 'ctx.request.rawBody', needs: edit.label, edits: [edit], typed: false } : undefined));
  }
  return out.sort((a, b) => a.at - b.at).map(({ at: _, ...found }) => found);
}

type Found = Omit<Ungranted, 'line' | 'column'>;

/** What a call of a member of ctx lacks; first is its first argument, if that is a text, perhaps with ${…} in it. */
function check(path: readonly string[], first: string | undefined, p: Permissions, name: string | undefined): Found | undefined {
  const [space = '', ...rest] = path;
  const literal = first?.includes('${') ? undefined : first;
  if (path.join('.') === 'fn.invoke') {
    if (name === undefined || literal !== name || p.selfRecursion) return undefined;
    const edit = allow.flag('selfRecursion');
    return { what: t('{name} calling itself', { name }), needs: edit.label, edits: [edit], typed: false };
  }
  if (space === 'fetch' && rest.length === 0) return first === undefined ? undefined : checkFetch(first, p);
  if (space === 'folders') {
    const [alias, member = ''] = rest;
    if (alias === undefined || rest.length !== 2 || !['list', 'read', 'write'].includes(member)) return undefined;
    const mode = member === 'write' ? 'rw' : 'ro';
    const bound = p.folders.find((f) => f.alias === alias);
    if (bound && (mode === 'ro' || bound.permissions === 'rw')) return undefined;
    const edit = allow.folder(alias, mode);
    return { what: `ctx.folders.${alias}.${member}`, needs: edit.label, edits: [edit], typed: true };
  }
  const member = rest.join('.');
  const row = ctxMembers.find((r) => r.path === `${space}.${member}`);
  if (!row) return undefined;
  if (space === 'secrets' && literal !== undefined && (member === 'get' || member === 'put')) {
    const write = member === 'put';
    if (p.secrets.includes(literal) && (!write || p.secrets.includes('write'))) return undefined;
    const edit = allow.secret(literal, write);
    return { what: `ctx.secrets.${member}(${JSON.stringify(literal)})`, needs: edit.label, edits: [edit], typed: true };
  }
  const needs = lacking(row.path, row.grant, p);
  if (!needs) return undefined;
  const edits =
    space === 'kv' ? [allow.kv(row.grant === 'kv:ro' ? 'ro' : 'rw')] : space === 'content' ? [allow.content(row.grant === 'content:read' ? 'read' : 'write')] : space === 'portal' ? [allow.portal(member)] : [];
  return { what: `ctx.${row.path}`, needs, edits, typed: true };
}

function checkFetch(text: string, p: Permissions): Found | undefined {
  // Of a template only what stands before the first ${ is known, and that must hold the whole host.
  const [known = ''] = text.split('${');
  const whole = known.length === text.length;
  if (!(whole || /^https?:\/\/[^/]+\//.test(known)) || !/^https?:\/\//.test(known) || !URL.canParse(known)) return undefined;
  const url = new URL(known);
  if (p.fetch.some((f) => admits(f, url) || (!whole && f.startsWith(url.origin)))) return undefined;
  const edit = allow.fetch(url.origin);
  return { what: `fetch of ${url.origin}`, needs: edit.label, edits: [edit], typed: false };
}

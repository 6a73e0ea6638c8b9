import { ctxMembers } from '../../../api/contract.gen';
import { allow, type ManifestEdit } from '../../../manifest/edit';
import { admits, type Permissions } from '../../../manifest/grants';
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
export function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found));
}

const calls = /\bctx\s*(?:\?\.|\.)\s*(kv|secrets|content|portal)\s*(?:\?\.|\.)\s*(payment\s*\.\s*\w+|\w+)\s*\(\s*(?:(["'`])([^"'`$]*)\3)?/g;
const folders = /\bctx\s*\.\s*folders\s*(?:\.\s*(\w+)|\[\s*(["'`])([^"'`$]+)\2\s*\])\s*\.\s*(list|read|write)\s*\(/g;
const fetches = /(?:\bctx\s*\.\s*|(?<![.\w$]))fetch\s*\(\s*(["'`])(https?:\/\/[^"'`]*)\1/g;

/**
 * Finds uses of ctx that the permissions do not grant, by the text alone: most
 * functions do not declare the type of ctx. What is reached in another way than
 * by ctx.space.member is left to the run.
 */
export function ungranted(source: string, p: Permissions): Ungranted[] {
  const text = withoutComments(source);
  const out: Ungranted[] = [];
  const add = (index: number, what: string, needs: string, edits: ManifestEdit[], typed = true) => {
    const before = source.slice(0, index).split('\n');
    out.push({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what, needs, edits, typed });
  };
  for (const m of text.matchAll(calls)) {
    const [, space = '', raw = '', , first] = m;
    const member = raw.replace(/\s/g, '');
    const row = ctxMembers.find((r) => r.path === `${space}.${member}`);
    if (!row) continue;
    if (space === 'secrets' && first !== undefined && (member === 'get' || member === 'put')) {
      const write = member === 'put';
      if (p.secrets.includes(first) && (!write || p.secrets.includes('write'))) continue;
      const edit = allow.secret(first, write);
      add(m.index, `ctx.secrets.${member}(${JSON.stringify(first)})`, edit.label, [edit]);
      continue;
    }
    const needs = lacking(row.path, row.grant, p);
    if (!needs) continue;
    const edits =
      space === 'kv' ? [allow.kv(row.grant === 'kv:ro' ? 'ro' : 'rw')] : space === 'content' ? [allow.content(row.grant === 'content:read' ? 'read' : 'write')] : space === 'portal' ? [allow.portal(member)] : [];
    add(m.index, `ctx.${row.path}`, needs, edits);
  }
  for (const m of text.matchAll(folders)) {
    const [, dotted, , quoted, member = ''] = m;
    const alias = dotted ?? quoted ?? '';
    const mode = member === 'write' ? 'rw' : 'ro';
    const bound = p.folders.find((f) => f.alias === alias);
    if (bound && (mode === 'ro' || bound.permissions === 'rw')) continue;
    const edit = allow.folder(alias, mode);
    add(m.index, `ctx.folders.${alias}.${member}`, edit.label, [edit]);
  }
  for (const m of text.matchAll(fetches)) {
    // Of a template only what stands before the first ${ is known, and that must hold the whole host.
    const [known = ''] = (m[2] ?? '').split('${');
    const whole = known.length === m[2]?.length || /^https?:\/\/[^/]+\//.test(known);
    if (!whole || !URL.canParse(known)) continue;
    const url = new URL(known);
    if (p.fetch.some((f) => admits(f, url) || (known.length !== m[2]?.length && f.startsWith(url.origin)))) continue;
    const edit = allow.fetch(url.origin);
    add(m.index, `fetch of ${url.origin}`, edit.label, [edit], false);
  }
  return out.sort((a, b) => a.line - b.line || a.column - b.column);
}

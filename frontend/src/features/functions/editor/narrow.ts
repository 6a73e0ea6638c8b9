import { ctxDeclaration, ctxMembers } from '../../../api/contract.gen';
import { kvMode, type Permissions } from '../../../manifest/grants';

/** What a member of ctx needs in the manifest, as it is written there; undefined when it is granted. */
export function lacking(path: string, grant: string, p: Permissions): string | undefined {
  const mode = kvMode(p.kv);
  switch (grant) {
    case 'kv:ro':
      return mode === 'none' ? '"kv": "ro"' : undefined;
    case 'kv:rw':
      return mode === 'rw' ? undefined : '"kv": "rw"';
    case 'secrets:name':
    case 'secrets:any':
      return p.secrets.some((s) => s !== 'write') ? undefined : '"secrets": ["<name>"]';
    case 'secrets:write':
      return p.secrets.includes('write') ? undefined : '"secrets": ["<name>", "write"]';
    case 'content:read':
      return p.content.read ? undefined : '"content": { "read": true }';
    case 'content:write':
      return p.content.write ? undefined : '"content": { "write": true }';
    case 'folder':
      return p.folders.length ? undefined : '"folders": […]';
    case 'folder:rw':
      return p.folders.some((f) => f.permissions === 'rw') ? undefined : '"folders": [{ …, "permissions": "rw" }]';
    case 'portal': {
      const method = path.replace(/^portal\./, '');
      return p.portal.includes(method) ? undefined : `"portal": ["${method}"]`;
    }
  }
  return undefined;
}

const literals = (names: readonly string[]) => (names.length ? names.map((n) => JSON.stringify(n)).join(' | ') : 'never');

/**
 * The declaration of ctx for a function with these permissions: what they do not
 * grant is no longer a function, secrets and folders have the names there are.
 */
export function narrowedCtx(p: Permissions): string {
  let space = '';
  let inner = '';
  const lines = ctxDeclaration.split('\n').map((line) => {
    const begin = /^ {2}readonly (\w+): (?:Readonly<Record<string, )?\{$/.exec(line);
    if (begin) {
      space = begin[1] ?? '';
      return space === 'folders' ? line.replace('Record<string,', `Record<${literals(p.folders.map((f) => f.alias))},`) : line;
    }
    if (/^ {2}\}/.test(line)) space = '';
    inner = /^ {4}readonly (\w+): \{$/.exec(line)?.[1] ?? (/^ {4}\}/.test(line) ? '' : inner);
    const member = /^( {4,6})(\w+)\(/.exec(line);
    if (!space || !member) return line;
    const [, indent, name = ''] = member;
    const path = space === 'folders' ? `folders[binding].${name}` : [space, inner, name].filter(Boolean).join('.');
    const row = ctxMembers.find((m) => m.path === path);
    const needs = row && lacking(path, row.grant, p);
    if (needs) return `${indent}readonly ${name}: NotGranted<${JSON.stringify(needs)}>;`;
    if (space === 'secrets' && name !== 'list') return line.replace('(name: string', `(name: ${literals(p.secrets.filter((s) => s !== 'write'))}`);
    return line;
  });
  return `${lines.join('\n')}
/** What the manifest does not grant; the type says what to add to its permissions. */
interface NotGranted<Needs extends string> { readonly ' add to permissions': Needs }
`;
}

import type { TraceEntry } from '../api/contract.gen';
import { isObject } from '../ui/schema/schema';

/** A manifest as it was written or normalised; anything may be missing. */
export interface Permissions {
  fetch: string[];
  secrets: string[];
  kv: unknown;
  content: { read?: boolean; write?: boolean };
  folders: { alias: string; permissions: string }[];
  portal: string[];
  rawBody: boolean;
  selfRecursion: boolean;
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v): v is string => typeof v === 'string') : []);

/** The permissions of a manifest, whatever it is. */
export function permissionsOf(manifest: unknown): Permissions {
  const m = isObject(manifest) ? manifest : {};
  const p = isObject(m.permissions) ? m.permissions : {};
  const folders: unknown[] = Array.isArray(p.folders) ? p.folders : [];
  return {
    fetch: list(p.fetch),
    secrets: list(p.secrets),
    kv: p.kv ?? 'none',
    content: isObject(p.content) ? p.content : {},
    folders: folders.filter((f): f is { alias: string; permissions: string } => isObject(f) && typeof f.alias === 'string'),
    portal: list(p.portal),
    rawBody: p.rawBody === true,
    selfRecursion: p.selfRecursion === true,
  };
}

/** What any of several manifests grants. */
export function together(all: readonly Permissions[]): Permissions {
  const modes = all.map((p) => kvMode(p.kv));
  return {
    fetch: all.flatMap((p) => p.fetch),
    secrets: all.flatMap((p) => p.secrets),
    kv: modes.includes('rw') ? 'rw' : modes.includes('ro') ? 'ro' : 'none',
    content: { read: all.some((p) => p.content.read), write: all.some((p) => p.content.write) },
    // The wider of two bindings comes first, where it is looked for.
    folders: all.flatMap((p) => p.folders).sort((a, b) => Number(b.permissions === 'rw') - Number(a.permissions === 'rw')),
    portal: all.flatMap((p) => p.portal),
    rawBody: all.some((p) => p.rawBody),
    selfRecursion: all.some((p) => p.selfRecursion),
  };
}

/** How far the store of key-values is open: to the function's own part, or any. */
export function kvMode(kv: unknown): 'none' | 'ro' | 'rw' {
  const modes = isObject(kv) ? Object.values(kv) : [kv];
  if (modes.includes('rw') || (isObject(kv) && kv.agent_scope === true)) return 'rw';
  return modes.includes('ro') ? 'ro' : 'none';
}

/** What a call asked for: one line of the permissions of a run. */
export interface Asked {
  /** The grant it needs, as the manifest would say it: 'kv: "rw"'. */
  need: string;
  /** Which grants of a manifest would do; keys of grantsOf. */
  by: string[];
}

/** The member of ctx that a host call of the trace is. */
export function memberOf(name: string): string {
  if (name === 'content.read') return 'content.get';
  if (name === 'content.write') return 'content.put';
  return name;
}

/** An argument of a host call that is a text; those of ctx.portal travel in an envelope. */
export const arg = (entry: TraceEntry, name: string): string => {
  const args = isObject(entry.args) ? entry.args : {};
  const inner = isObject(args.args) && typeof args.method === 'string' ? args.args : args;
  const value = inner[name];
  return typeof value === 'string' ? value : '';
};

/** The permission that an entry of a trace needs; undefined when it needs none. */
export function askedBy(entry: TraceEntry): Asked | undefined {
  if (entry.kind === 'fetch') {
    const url = urlOf(entry);
    return url ? { need: `fetch: ${url.origin}`, by: ['fetch'] } : undefined;
  }
  if (entry.kind !== 'host') return undefined;
  const [space = '', call = ''] = entry.name.split(/\.(.*)/s);
  switch (space) {
    case 'kv':
      return call === 'get' || call === 'list' ? { need: 'kv: "ro"', by: ['kv:ro', 'kv:rw'] } : { need: 'kv: "rw"', by: ['kv:rw'] };
    case 'secrets':
      if (call === 'list') return { need: 'secrets: any', by: ['secrets:*'] };
      return call === 'put' ? { need: `secrets: ${arg(entry, 'name')}, write`, by: ['secrets:write'] } : { need: `secrets: ${arg(entry, 'name')}`, by: [`secrets:${arg(entry, 'name')}`] };
    case 'content':
      return call === 'read' || call === 'get' ? { need: 'content: read', by: ['content:read'] } : { need: 'content: write', by: ['content:write'] };
    case 'folders': {
      const alias = arg(entry, 'binding');
      return call === 'write' ? { need: `folders: ${alias}, rw`, by: [`folders:${alias}:rw`] } : { need: `folders: ${alias}`, by: [`folders:${alias}:ro`, `folders:${alias}:rw`] };
    }
    case 'portal':
      return { need: `portal: ${call}`, by: [`portal:${call}`] };
  }
  return undefined;
}

/** The address of a fetch in a trace. */
export function urlOf(entry: TraceEntry): URL | undefined {
  const text = isObject(entry.args) && typeof entry.args.url === 'string' ? entry.args.url : entry.name.replace(/^\S+ /, '');
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Everything a manifest grants, one key for each thing that can be used. */
export function grantsOf(p: Permissions): { key: string; label: string }[] {
  const mode = kvMode(p.kv);
  return [
    ...p.fetch.map((f) => ({ key: `fetch:${f}`, label: `fetch ${f}` })),
    ...p.secrets.map((s) => ({ key: `secrets:${s}`, label: s === 'write' ? 'secrets, write' : `secret ${s}` })),
    ...(mode === 'none' ? [] : [{ key: `kv:${mode}`, label: `kv ${mode}` }]),
    ...(['read', 'write'] as const).filter((k) => p.content[k]).map((k) => ({ key: `content:${k}`, label: `content ${k}` })),
    ...p.folders.map((f) => ({ key: `folders:${f.alias}:${f.permissions}`, label: `folder ${f.alias} ${f.permissions}` })),
    ...p.portal.map((m) => ({ key: `portal:${m}`, label: `portal ${m}` })),
  ];
}

/** The grant that let an entry through, or the one that comes nearest. */
export function grantFor(entry: TraceEntry, p: Permissions): string | undefined {
  if (entry.kind === 'fetch') {
    const url = urlOf(entry);
    const pattern = url && p.fetch.find((f) => admits(f, url));
    return pattern === undefined ? undefined : `fetch:${pattern}`;
  }
  const asked = askedBy(entry);
  if (!asked) return undefined;
  const keys = grantsOf(p).map((g) => g.key);
  if (asked.by[0] === 'secrets:*') return keys.find((k) => k.startsWith('secrets:'));
  return asked.by.find((k) => keys.includes(k));
}

/** Whether an entry of permissions.fetch lets an address through; the platform's own rule decides. */
export function admits(pattern: string, url: URL): boolean {
  if (!/^https?:$/.test(url.protocol)) return false;
  if (pattern === '*') return true;
  if (pattern.startsWith('*.')) return url.hostname.endsWith(pattern.slice(1).toLowerCase()) && url.hostname.length > pattern.length - 1;
  if (!URL.canParse(pattern)) return false;
  const want = new URL(pattern);
  if (want.origin !== url.origin) return false;
  if (want.search) return want.pathname === url.pathname && want.search === url.search;
  if (want.pathname === '/') return true;
  const path = want.pathname.replace(/\/$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

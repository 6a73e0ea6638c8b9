import { isObject, type Schema } from '../ui/schema/schema';
import { kvMode } from './grants';
import { patchJson } from './patch';

/** A change of a manifest, in words and as what it makes of it. */
export interface ManifestEdit {
  /** What is added, as the manifest writes it: '"fetch": ["https://…"]'. */
  label: string;
  apply: (manifest: Schema) => Schema;
}

/** Applies edits to the text of a manifest and leaves the rest of it as it is; undefined when the text is no JSON object. */
export function editText(text: string, edits: readonly ManifestEdit[]): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  return patchJson(text, edits.reduce((m, e) => e.apply(m), value));
}

function withPermission(manifest: Schema, key: string, change: (now: unknown) => unknown): Schema {
  const permissions = isObject(manifest.permissions) ? manifest.permissions : {};
  const next = { ...permissions, [key]: change(permissions[key]) };
  if ('permissions' in manifest) return { ...manifest, permissions: next };
  // Before the parameters, where people look for them.
  const entries = Object.entries(manifest);
  const at = entries.findIndex(([k]) => k === 'limits' || k === 'parameters');
  entries.splice(at < 0 ? entries.length : at, 0, ['permissions', next]);
  return Object.fromEntries(entries);
}

function added(now: unknown, ...values: string[]): string[] {
  const list = Array.isArray(now) ? (now as string[]) : typeof now === 'string' ? [now] : [];
  return [...list, ...values.filter((v) => !list.includes(v))];
}

const quoted = (values: string[]) => `[${values.map((v) => JSON.stringify(v)).join(', ')}]`;

export const allow = {
  fetch: (pattern: string): ManifestEdit => ({ label: `"fetch": ${quoted([pattern])}`, apply: (m) => withPermission(m, 'fetch', (now) => added(now, pattern)) }),
  secret: (name: string, write = false): ManifestEdit => {
    const names = write ? [name, 'write'] : [name];
    return { label: `"secrets": ${quoted(names)}`, apply: (m) => withPermission(m, 'secrets', (now) => added(now, ...names)) };
  },
  kv: (mode: 'ro' | 'rw'): ManifestEdit => ({
    label: `"kv": "${mode}"`,
    apply: (m) => withPermission(m, 'kv', (now) => (isObject(now) ? { ...now, self: mode } : kvMode(now) === 'rw' ? now : mode)),
  }),
  kvPart: (part: string, value: unknown): ManifestEdit => ({
    label: `"kv": { "${part}": ${JSON.stringify(value)} }`,
    apply: (m) => withPermission(m, 'kv', (now) => ({ ...(isObject(now) ? now : typeof now === 'string' ? { self: now } : {}), [part]: value })),
  }),
  content: (what: 'read' | 'write'): ManifestEdit => ({
    label: `"content": { "${what}": true }`,
    apply: (m) => withPermission(m, 'content', (now) => ({ ...(isObject(now) ? now : {}), [what]: true })),
  }),
  folder: (alias: string, mode: 'ro' | 'rw'): ManifestEdit => ({
    label: `"folders": [{ "alias": ${JSON.stringify(alias)}, "permissions": "${mode}" }]`,
    apply: (m) =>
      withPermission(m, 'folders', (now) => {
        const list: unknown[] = Array.isArray(now) ? now : [];
        if (!list.some((f) => isObject(f) && f.alias === alias)) return [...list, { alias, path: alias, permissions: mode }];
        return list.map((f) => (isObject(f) && f.alias === alias ? { ...f, permissions: mode } : f));
      }),
  }),
  flag: (key: 'rawBody' | 'selfRecursion'): ManifestEdit => ({ label: `"${key}": true`, apply: (m) => withPermission(m, key, () => true) }),
  portal: (method: string): ManifestEdit => ({ label: `"portal": ${quoted([method])}`, apply: (m) => withPermission(m, 'portal', (now) => added(now, method)) }),
};

/** Puts other permissions in the place of all there are; empty ones are left out. */
export function permissionsTo(permissions: Schema): ManifestEdit {
  return {
    label: '"permissions"',
    apply(m) {
      if (Object.keys(permissions).length === 0) {
        const { permissions: _, ...rest } = m;
        return rest;
      }
      const now = isObject(m.permissions) ? m.permissions : {};
      // Keys keep the order and the words they had; what is not named in the new ones goes.
      const kept = Object.entries(now).filter(([k]) => k in permissions).map(([k]) => [k, permissions[k]] as const);
      const fresh = Object.entries(permissions).filter(([k]) => !(k in now));
      return 'permissions' in m ? { ...m, permissions: Object.fromEntries([...kept, ...fresh]) } : m;
    },
  };
}

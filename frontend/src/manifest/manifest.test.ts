import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../api/contract.gen';
import { allow, editText, permissionsTo } from './edit';
import { admits, askedBy, grantFor, grantsOf, permissionsOf } from './grants';
import { printJson } from './print';
import { deniedIn, deniedInside, nearestPattern, whyDenied } from './why';

const call = (name: string, args: unknown = {}): TraceEntry => ({ kind: 'host', name, startUs: 0, durationUs: 1, args, error: { code: 'PERMISSION_DENIED', message: 'no' } });
const fetched = (url: string): TraceEntry => ({ kind: 'fetch', name: `GET ${url}`, startUs: 0, durationUs: 1, args: { method: 'GET', url, headers: {} }, error: { code: 'FETCH_FORBIDDEN', message: 'no' } });

/** A call with what the platform said of it. */
const said = (name: string, args: unknown, message: string): TraceEntry => ({ ...call(name, args), error: { code: 'PERMISSION_DENIED', message: `PERMISSION_DENIED: ${message}` } });

const text = `{
  "description": "x",
  "runtime": "js-v1",
  "permissions": {
    "kv": "ro",
    "fetch": ["https://a.example"]
  },
  "limits": { "wallMs": 2000 },
  "parameters": {
    "type": "object"
  }
}
`;

describe('printJson', () => {
  it('writes a text again as it was', () => expect(printJson(JSON.parse(text), text)).toBe(text));
  it('keeps tabs and a missing last line end', () => expect(printJson({ a: [1], b: { c: 1 } }, '{\n\t"a": 1}')).toBe('{\n\t"a": [1],\n\t"b": {\n\t\t"c": 1\n\t}\n}'));
  it('keeps lists over several lines', () => {
    const long = '{\n  "a": [\n    "x",\n    "y"\n  ],\n  "b": ["z"]\n}\n';
    expect(printJson(JSON.parse(long), long)).toBe(long);
  });
  it('breaks long lists', () => expect(printJson({ a: Array.from({ length: 9 }, (_, i) => `https://host${i}.example`) })).toContain('\n    "https://host0.example",\n'));
});

describe('admits', () => {
  it.each<[string, string, boolean]>([
    ['*', 'https://x.example/', true],
    ['*', 'ftp://x.example/', false],
    ['*.x.example', 'https://a.b.x.example/', true],
    ['*.x.example', 'https://x.example/', false],
    ['*.x.example', 'https://evilx.example/', false],
    ['https://x.example', 'https://x.example/any?q=1', true],
    ['https://x.example', 'http://x.example/', false],
    ['https://x.example/v1', 'https://x.example/v1/a', true],
    ['https://x.example/v1', 'https://x.example/v1evil', false],
    ['https://x.example/v1?a=1', 'https://x.example/v1?a=1', true],
    ['https://x.example/v1?a=1', 'https://x.example/v1?a=2', false],
  ])('%s for %s: %s', (pattern, url, want) => expect(admits(pattern, new URL(url))).toBe(want));
});

describe('editText', () => {
  it('adds and keeps the rest as it is', () => {
    expect(editText(text, [allow.fetch('https://b.example')])).toBe(text.replace('["https://a.example"]', '["https://a.example", "https://b.example"]'));
    expect(editText(text, [allow.kv('rw')])).toBe(text.replace('"ro"', '"rw"'));
  });
  it('makes permissions where there are none, before the parameters', () => {
    expect(editText('{"runtime": "js-v1", "parameters": {"type": "object"}}', [allow.secret('KEY')])).toMatch(/"js-v1",\s+"permissions": \{\s+"secrets": \["KEY"\]\s+\},\s+"parameters"/);
  });
  it('does not touch a text that is no object', () => expect(editText('{', [allow.kv('ro')])).toBeUndefined());
  it.each([
    [allow.kv('ro'), { kv: 'rw' }, { kv: 'rw' }],
    [allow.kv('rw'), { kv: { visitor: 'ro' } }, { kv: { visitor: 'ro', self: 'rw' } }],
    [allow.kvPart('agent_scope', true), { kv: 'rw' }, { kv: { self: 'rw', agent_scope: true } }],
    [allow.content('write'), { content: { read: true } }, { content: { read: true, write: true } }],
    [allow.folder('out', 'rw'), { folders: [{ alias: 'out', path: 'o', permissions: 'ro' }] }, { folders: [{ alias: 'out', path: 'o', permissions: 'rw' }] }],
    [allow.secret('A', true), { secrets: ['A'] }, { secrets: ['A', 'write'] }],
    [allow.portal('getOwner'), {}, { portal: ['getOwner'] }],
  ])('%#', (edit, before, after) => expect(edit.apply({ permissions: before }).permissions).toEqual(after));
  it('takes permissions away', () => {
    expect(permissionsTo({ kv: 'ro' }).apply({ permissions: { fetch: ['*'], kv: 'rw' } })).toEqual({ permissions: { kv: 'ro' } });
    expect(permissionsTo({}).apply({ a: 1, permissions: { kv: 'rw' } })).toEqual({ a: 1 });
  });
});

describe('whyDenied', () => {
  const manifest = { permissions: { fetch: ['https://api.x.example/v1'], kv: 'ro', secrets: ['KEY'] } };
  const apply = (e: TraceEntry, m: { permissions?: object } = manifest) => whyDenied(e, m).edits[0]?.apply(m as Record<string, unknown>).permissions;

  it('names the address, the nearest pattern and the smallest change', () => {
    const why = whyDenied(fetched('https://api.x.example/v2/users?page=1'), manifest);
    expect(why.nearest).toContain('/v1 and what lies below');
    expect(why.edits.map((e) => e.label)).toEqual(['"fetch": ["https://api.x.example/v2/users"]', '"fetch": ["https://api.x.example"]']);
  });
  it('offers nothing for what no manifest allows', () => expect(whyDenied(fetched('ftp://x.example/'), manifest).edits).toEqual([]));
  it.each<[string, TraceEntry, object]>([
    ['kv.put', call('kv.put', { key: 'a' }), { kv: 'rw' }],
    ['a secret', call('secrets.get', { name: 'OTHER' }), { secrets: ['KEY', 'OTHER'] }],
    ['writing a secret', call('secrets.put', { name: 'KEY' }), { secrets: ['KEY', 'write'] }],
    ['content', call('content.read', { id: 'x' }), { content: { read: true } }],
    ['a folder', call('folders.write', { binding: 'out', name: 'a' }), { folders: [{ alias: 'out', path: 'out', permissions: 'rw' }] }],
    ['a portal method', call('portal.notifyOwner', {}), { portal: ['notifyOwner'] }],
  ])('fixes %s', (_, entry, want) => expect(apply(entry)).toMatchObject(want));
  it.each<[string, TraceEntry, object]>([
    ['a secret that a signature is checked with', call('portal.verifyHmac', { method: 'verifyHmac', args: { secretBinding: 'WH' } }), { secrets: ['KEY', 'WH'] }],
    ["the agent's part of the store", call('kv.put', { key: 'a', scope: 'agent' }), { kv: { self: 'ro', agent_scope: true } }],
    ["a visitor's part of the store", said('kv.put', { key: 'a', user_id: 'v' }, 'kv: this needs "visitor": "rw" in "kv" in the function\'s manifest'), { kv: { self: 'ro', visitor: 'rw' } }],
    ['where a request was redirected', { ...fetched('https://api.x.example/v1/go'), args: { url: 'https://api.x.example/v1/go', refused: 'https://cdn.x.example/file' } }, { fetch: ['https://api.x.example/v1', 'https://cdn.x.example/file'] }],
  ])('fixes %s', (_, entry, want) => expect(apply(entry, { permissions: { ...manifest.permissions, portal: ['verifyHmac'] } })).toMatchObject(want));
  it.each<[string, TraceEntry]>([
    ['a folder that cannot be used', said('folders.list', { binding: 'out' }, 'the local folder "../x" cannot be used: it does not lie inside the project folder')],
    ['the drawer of a stranger', said('kv.get', { key: 'a', user_id: 'bob' }, "kv: user_id must be the agent's own id or that of the visitor who is signed in")],
    ['a part of a widget', said('kv.get', { key: 'a', scope: 'app' }, 'kv: this needs "app": "ro" in "kv" in the function\'s manifest')],
    ['the source of a function', said('content.write', { item: { id: 'x' } }, 'content.put: x is the source of greet, version 1')],
    ['names of secrets', said('secrets.list', {}, 'ctx.secrets.list is not granted')],
  ])('offers no change that would not help with %s, and says why', (_, entry) => {
    const why = whyDenied(entry, { permissions: { kv: 'ro', content: { write: true }, folders: [{ alias: 'out', path: '../x', permissions: 'ro' }] } });
    expect(why.edits).toEqual([]);
    expect(why.said).toBe(entry.error!.message.replace('PERMISSION_DENIED: ', ''));
  });
  it('leaves a refusal inside another run to that one', () => {
    const inner = { ...call('fn.invoke', { name: 'inner' }), invocationId: 'r1' };
    expect(deniedIn([inner])).toEqual([]);
    expect(deniedInside([inner, inner, { ...call('portal.callTool'), invocationId: 'r2' }, call('kv.put')])).toEqual(['r1', 'r2']);
  });
  it('sees names that differ in case', () => expect(whyDenied(call('secrets.get', { name: 'key' }), manifest).nearest).toContain('case'));
  it('finds only what was refused for want of a permission', () =>
    expect(deniedIn([call('kv.put'), { ...call('kv.get'), error: { code: 'HOST_QUOTA_EXCEEDED', message: '' } }, { ...call('kv.get'), error: undefined }])).toHaveLength(1));
});

describe('nearestPattern', () => {
  it.each<[string[], string, RegExp | undefined]>([
    [['https://a.example', 'http://b.example'], 'https://b.example/', /http, this was https/],
    [['*.b.example'], 'https://b.example/', /not b\.example itself/],
    [['https://api.b.example', 'https://z.test'], 'https://www.b.example/', /api\.b\.example is another host/],
    [['https://b.example:8443'], 'https://b.example/', /another port/],
    [[], 'https://b.example/', undefined],
  ])('%j for %s', (patterns, url, want) => (want ? expect(nearestPattern(patterns, new URL(url))).toMatch(want) : expect(nearestPattern(patterns, new URL(url))).toBeUndefined()));
});

describe('grants', () => {
  const p = permissionsOf({ permissions: { kv: 'rw', fetch: ['*.x.example'], secrets: ['A', 'write'], content: { read: true }, folders: [{ alias: 'f', permissions: 'rw' }], portal: ['getOwner'] } });
  it('are listed one by one', () => expect(grantsOf(p).map((g) => g.key)).toEqual(['fetch:*.x.example', 'secrets:A', 'secrets:write', 'kv:rw', 'content:read', 'folders:f:rw', 'portal:getOwner']));
  it.each<[TraceEntry, string | undefined]>([
    [call('kv.get'), 'kv:rw'],
    [call('secrets.get', { name: 'A' }), 'secrets:A'],
    [call('secrets.get', { name: 'B' }), undefined],
    [fetched('https://a.x.example/'), 'fetch:*.x.example'],
    [call('folders.read', { binding: 'f' }), 'folders:f:rw'],
    [call('portal.getOwner'), 'portal:getOwner'],
    [call('fn.list'), undefined],
  ])('%#', (entry, want) => expect(grantFor(entry, p)).toBe(want));
  it('need nothing for what is free', () => expect(askedBy(call('fn.invoke'))).toBeUndefined());
});

it('a function that calls itself, by a way round as well, needs its own grant', () => {
  const cycle = (invocationId?: string): TraceEntry => ({ ...call('fn.invoke', { name: 'me', args: {} }), invocationId, error: { code: 'FN_CYCLE_DETECTED', message: 'me is running already' } });
  // What was begun was refused inside; what was not is refused here.
  expect(deniedIn([cycle(), cycle('i1')])).toHaveLength(1);
  expect(deniedInside([cycle(), cycle('i1')])).toEqual(['i1']);
  const why = whyDenied(cycle(), {});
  expect(why).toMatchObject({ of: 'me', rule: 'permissions.selfRecursion', edits: [{ label: '"selfRecursion": true' }] });
  expect(JSON.parse(editText('{"runtime": "js-v1"}', why.edits)!)).toEqual({ runtime: 'js-v1', permissions: { selfRecursion: true } });
});

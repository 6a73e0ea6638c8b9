import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../api/contract.gen';
import { permissionsOf } from '../../../manifest/grants';
import { endpointCtx } from './endpointCtx';
import { hintsOf } from './hints';
import { narrowedCtx } from './narrow';
import { inWords } from '../useProblems';
import { ungranted } from './ungranted';

const p = (permissions: object) => permissionsOf({ permissions });

describe('ungranted', () => {
  it.each<[string, string, object, string[]]>([
    ['what is granted', 'ctx.kv.get("a"); ctx.secrets.get("A")', { kv: 'ro', secrets: ['A'] }, []],
    ['a write where only reading is granted', 'ctx.kv.put("a", 1)', { kv: 'ro' }, ['"kv": "rw"']],
    ['a secret by its name', "await ctx.secrets.get('B')", { secrets: ['A'] }, ['"secrets": ["B"]']],
    ['writing a secret', "ctx.secrets.put('A', x)", { secrets: ['A'] }, ['"secrets": ["A", "write"]']],
    ['content', 'ctx.content.put({})', { content: { read: true } }, ['"content": { "write": true }']],
    ['portal', 'ctx.portal.notifyOwner({})', {}, ['"portal": ["notifyOwner"]']],
    ['a folder by its alias', 'ctx.folders.out.write("a", b); ctx.folders["in"].list()', { folders: [{ alias: 'out', permissions: 'ro' }] }, ['"folders": [{ "alias": "out", "permissions": "rw" }]', '"folders": [{ "alias": "in", "permissions": "ro" }]']],
    ['an address', "fetch('https://a.example/x'); ctx.fetch(`https://b.example/${id}`)", { fetch: ['https://a.example'] }, ['"fetch": ["https://b.example"]']],
    ['no address that is made up later', 'fetch(`https://${host}/x`); fetch(url); other.fetch("https://a.example")', {}, []],
    ['nothing in comments', '// ctx.kv.get("a")\n/* fetch("https://a.example") */', {}, []],
    ['nothing behind an address in a text', 'const u = "https://a.example"; ctx.kv.get("x")', {}, ['"kv": "ro"']],
    ['what is destructured in the parameter', 'export default async ({ kv, secrets: { get: read }, fetch: load }) => { kv.put("a", 1); read("B"); load("https://a.example/") }', { kv: 'ro' }, ['"kv": "rw"', '"secrets": ["B"]', '"fetch": ["https://a.example"]']],
    ['what is destructured later, with defaults and a rest', 'export default async function handler(ctx) {\n const { kv, log = null, ...more } = ctx;\n const { get } = kv;\n get("a"); more.content.get("x"); log.info(1) }', {}, ['"kv": "ro"', '"content": { "read": true }']],
    ['another name of the parameter, and a part under a name', 'module.exports = async function (c) { const store = c.kv; const pay = c.portal.payment;\n store?.put("a", 1); pay.lock(1) }', {}, ['"kv": "rw"', '"portal": ["payment.lock"]']],
    ['handlers of endpoints by their exports', 'export const one = async ({ kv }) => kv.get("a")\nexport async function* two(c) { yield c["kv"].get("b") }', {}, ['"kv": "ro"', '"kv": "ro"']],
    ['a folder under a name', 'export default async ({ folders: { out } }) => { await out.write("a", "b") }', {}, ['"folders": [{ "alias": "out", "permissions": "rw" }]']],
    ['nothing of other things with such names', 'const kv = new Map();\nexport default async ({ log }) => { kv.get("a"); const get = (x) => x; get("b"); const { put } = kv; put("c"); other.kv.put("d") }', {}, []],
    ['the bytes of a request', 'export default async ({ request, ...c }) => request.rawBody.length + ctx.request?.rawBody.at(0)', {}, ['"rawBody": true', '"rawBody": true']],
    ['granted bytes, and those of others', 'ctx.request.rawBody; other.request.rawBody; const o = { rawBody: 1 }', { rawBody: true }, []],
  ])('finds %s', (_, source, permissions, needs) => expect(ungranted(source, p(permissions)).map((u) => u.needs)).toEqual(needs));

  it('finds a function that calls itself', () => {
    const source = "ctx.kv.get('a'); ctx.fn.invoke('me', {}); ctx.fn.invoke('other', {}); ctx.request.rawBody";
    expect(ungranted(source, p({}), 'me').map((u) => u.needs)).toEqual(['"kv": "ro"', '"selfRecursion": true', '"rawBody": true']);
    expect(ungranted(source, p({ kv: 'ro', rawBody: true, selfRecursion: true }), 'me')).toEqual([]);
  });

  it('says where', () => expect(ungranted('a;\n  await ctx.kv.get(1)', p({}))).toMatchObject([{ line: 2, column: 9 }]));
});

describe('narrowedCtx', () => {
  it('takes away what is not granted and keeps the rest', () => {
    const text = narrowedCtx(p({ kv: 'ro', secrets: ['A', 'B'], folders: [{ alias: 'in', permissions: 'ro' }] }));
    expect(text).toMatch(/readonly put: NotGranted<"\\"kv\\": \\"rw\\"">/);
    expect(text).toContain('get(key: string)');
    expect(text).toContain('get(name: "A" | "B")');
    expect(text).toContain('Readonly<Record<"in", {');
    expect(text).toMatch(/readonly write: NotGranted/);
    expect(text).toContain('emit(event: string');
  });
});

it('says what a type says of the manifest in its words', () => {
  expect(inWords('This expression is not callable.\n  Type \'NotGranted<"\\"kv\\": \\"rw\\"">\' has no call signatures.')).toBe('Not granted: add "kv": "rw" to the permissions of the manifest');
  expect(inWords('Cannot find name x.')).toBe('Cannot find name x.');
});

it('hintsOf gathers the calls of a line', () => {
  const e = (line: number, part: Partial<TraceEntry>): TraceEntry => ({ kind: 'host', name: 'kv.get', startUs: 0, durationUs: 500, line, ...part });
  expect(hintsOf([e(3, { result: 1 }), e(3, { result: { n: 2 } }), e(1, {}), e(2, { error: { code: 'PERMISSION_DENIED', message: '' } }), e(0, { result: 9 })])).toEqual([
    { line: 1, text: '→ undefined · 0.50 ms', failed: false },
    { line: 2, text: '✕ PERMISSION_DENIED · 0.50 ms', failed: true },
    { line: 3, text: '→ {"n":2} ×2 · 1.0 ms', failed: false },
  ]);
});

it('hintsOf says of a fetch what came, and not what was in it', () => {
  const fetched: TraceEntry = { kind: 'fetch', name: 'GET https://a.example/', startUs: 0, durationUs: 2_000, line: 1, result: { body: { long: 'x'.repeat(99) }, bytes: 2048, headers: {}, status: 503 } };
  expect(hintsOf([fetched])).toMatchObject([{ text: '→ 503, 2.0 KB · 2.0 ms' }]);
});

describe('endpointCtx', () => {
  const h = (id: string, kind: string, parameters?: unknown) => ({ id, kind, export: '', own: false, manifest: {}, parameters });

  it('has a socket where a handler talks over one', () => {
    expect(endpointCtx([h('WS /live', 'ws')])).toContain('readonly socket: EndpointSocket');
    expect(endpointCtx([h('GET /a', 'http'), h('GET /b', 'sse')])).not.toContain('readonly socket');
    expect(endpointCtx([])).toContain('readonly socket');
  });

  it('knows the arguments of path and parameters', () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' }, deep: { type: 'boolean' }, tags: { type: ['array', 'null'] } }, required: ['tags'] };
    expect(endpointCtx([h('GET /users/{id}/:part', 'http', schema)])).toContain('type EndpointArgs = { "part": string; "id": number; "deep"?: boolean; "tags": any; [name: string]: any }');
    // What only one of two handlers gets may be missing.
    expect(endpointCtx([h('GET /users/{id}', 'http'), h('GET /users', 'http')])).toContain('{ "id"?: string; [name: string]: any }');
  });
});

import { describe, expect, it } from 'vitest';
import type { AgentEndpoint, AgentRoute, ClientRequest } from '../../api/contract.gen';
import { asCurl, draftFor, draftOf, firstDraft, kindOf, problemOf, readHeaders, requestOf, servedOf, type Draft } from './draft';

const draft = (change: Partial<Draft> = {}): Draft => ({ ...firstDraft('http', 'mia'), ...change });

describe('readHeaders', () => {
  it('reads lines, with colons in values', () => expect(readHeaders('A: 1\n\n b-c :x:y ')).toEqual({ headers: [{ name: 'A', value: '1' }, { name: 'b-c', value: 'x:y' }] }));
  it.each(['nothing', ': x', 'a b: c'])('refuses %s', (line) => expect(readHeaders(line)).toHaveProperty('problem'));
});

describe('problemOf', () => {
  it.each<[Partial<Draft>, string | undefined]>([
    [{}, undefined],
    [{ path: 'mia/x' }, 'path'],
    [{ path: '/mia/users/{id}' }, 'path'],
    [{ path: '/mia/users/:id' }, 'path'],
    [{ path: '/mia/a2a/message:send?q={x}' }, undefined],
    [{ headers: 'x' }, 'headers'],
    [{ headers: 'X-Note:\nAuthorization: ' }, 'headers'],
    [{ headers: 'X-Note:\nAuthorization: Bearer x' }, undefined],
    [{ caller: { kind: 'bearer', token: ' ' } }, 'token'],
    [{ method: 'POST', file: { name: '' } }, 'file'],
    [{ method: 'POST', file: { name: 'kept.png' } }, 'file'],
    [{ method: 'POST', file: { name: 'a.png', bytes: new Uint8Array([1]) } }, undefined],
    [{ method: 'GET', file: { name: '' } }, undefined],
  ])('%j: %s', (change, field) => expect(problemOf(draft(change))?.field).toBe(field));
});

describe('requestOf', () => {
  it('leaves the body out where there is none', () => {
    expect(requestOf('http', draft({ body: 'x' }), 'i')).not.toHaveProperty('body');
    expect(requestOf('http', draft({ body: 'x', method: 'POST' }), 'i')).toMatchObject({ body: 'x', method: 'POST' });
    expect(requestOf('websocket', draft({ body: 'x' }), 'i')).toEqual({ id: 'i', webSocket: true, path: '/mia/', headers: [], caller: { kind: 'owner' } });
  });
  it('leaves the text out where a file is sent', () => expect(requestOf('http', draft({ body: 'x', method: 'POST', file: { name: 'a' } }), 'i')).not.toHaveProperty('body'));
  it('sends the text again where the file was put off, and keeps both', () => {
    const both = draft({ body: 'x', method: 'POST', file: { name: 'a' }, asText: true });
    expect(requestOf('http', both, 'i')).toMatchObject({ body: 'x' });
    expect(problemOf(both)).toBeUndefined();
  });
  it('goes where answers lead, unless that was switched off', () => {
    expect(requestOf('http', draft(), 'i')).toMatchObject({ follow: true });
    const off = requestOf('http', draft({ noFollow: true }), 'i');
    expect(off).not.toHaveProperty('follow');
    expect(draftOf(off)).toMatchObject({ noFollow: true });
    expect(asCurl(requestOf('http', draft(), 'i'), 'http://x', undefined)).toContain('curl -sSiL');
    expect(asCurl(off, 'http://x', undefined)).toContain('curl -sSi -X');
  });
  it('goes back into the same editor', () => {
    for (const kind of ['http', 'sse', 'websocket'] as const) {
      const d = { ...firstDraft(kind, 'mia'), path: '/mia/x' };
      const r = requestOf(kind, d, 'i');
      expect(kindOf(r)).toBe(kind);
      expect(draftOf(r)).toEqual(d);
    }
  });
});

describe('asCurl', () => {
  const r: ClientRequest = { id: '', method: 'POST', path: '/mia/x', headers: [{ name: 'X-It', value: "it's" }], body: '{}', caller: { kind: 'bearer', token: 'hidden' } };
  it('reads a file that is sent, under its type', () => {
    const { body: _, ...bare } = r;
    expect(asCurl(bare, 'u', '/data', { name: "it's.png", type: 'image/png' })).toMatch(/-H 'Content-Type: image\/png' \\\n {2}--data-binary '@it'\\''s.png'$/);
  });
  it('quotes, and has no credential in it', () => {
    const text = asCurl(r, 'http://h/mia/x', '/data');
    expect(text).not.toContain('hidden');
    expect(text).toContain(`-H 'X-It: it'\\''s'`);
    expect(asCurl({ ...r, caller: { kind: 'owner' } }, 'u', '/data')).toContain(`$(cat '/data/owner.key')`);
  });
});

describe('servedOf and draftFor', () => {
  const route = (change: Partial<AgentRoute>): AgentRoute => ({ method: 'GET', path: '/x', kind: 'endpoint', ...change });
  const endpoint = { id: 'POST /users/{id}', method: 'POST', path: '/users/{id}', kind: 'http', parameters: { type: 'object', properties: { id: { type: 'string' }, data: { type: 'integer' } }, required: ['id', 'data'] } } as unknown as AgentEndpoint;
  const served = servedOf({
    endpoints: [endpoint, { ...endpoint, id: 'WS /live', kind: 'ws' }],
    problems: [],
    routes: [route({ path: '/info', kind: 'about', default: true }), route({ path: '/uamp', kind: 'uamp' }), route({ method: 'POST', path: '/users/{id}', id: endpoint.id }), route({ path: '/live', id: 'WS /live' })],
  });
  it('puts the own things first and knows WebSockets', () => {
    expect(served.map((s) => [s.route.path, s.group, s.kind])).toEqual([
      ['/users/{id}', 'Endpoints', 'http'],
      ['/live', 'Endpoints', 'websocket'],
      ['/uamp', 'UAMP', 'websocket'],
      ['/info', 'Always there', 'http'],
    ]);
  });
  it('fills in an example of what is not in the path', () => {
    const d = draftFor('mia', served[0]!, { kind: 'anonymous' });
    expect(d).toMatchObject({ method: 'POST', path: '/mia/users/{id}', headers: 'Content-Type: application/json', caller: { kind: 'anonymous' } });
    expect(Object.keys(JSON.parse(d.body) as object)).toEqual(['data']);
  });
});

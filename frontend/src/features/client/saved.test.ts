import { describe, expect, it } from 'vitest';
import { isCredential } from './credentials';
import { callOf, draftOfCall, OpenedStore, portable, unportable, withheldHeaders } from './saved';
import { firstDraft, type Draft } from './draft';

describe('portable', () => {
  it.each([
    ['/mia/orders/{id}?q=1', '/{agent}/orders/{id}?q=1'],
    ['/mia', '/{agent}'],
    ['/mia?x=1', '/{agent}?x=1'],
    ['/api/agents/mia/functions/f/invoke', '/api/agents/{agent}/functions/f/invoke'],
    ['/agents/mia/x', '/agents/{agent}/x'],
    ['/miami/x', '/miami/x'],
    ['/x/mia', '/x/mia'],
    ['/', '/'],
  ])('%s is %s and back', (path, saved) => {
    expect(portable(path, 'mia')).toBe(saved);
    expect(unportable(saved, 'mia')).toBe(path);
  });
  it('leads to the agent that has the project', () => expect(unportable('/{agent}/x/{agent}', 'leo')).toBe('/leo/x/{agent}'));
});

describe('credentials', () => {
  it.each(['Authorization', 'cookie', 'X-PAYMENT', 'Stripe-Signature', 'X-Api-Key', 'X-Auth', 'Mcp-Session-Id'])('%s is one', (name) => expect(isCredential(name)).toBe(true));
  it.each(['Content-Type', 'Idempotency-Key', 'X-Author', 'Accept'])('%s is none', (name) => expect(isCredential(name)).toBe(false));
  it('are named only where there is a value', () =>
    expect(
      withheldHeaders([
        { name: 'Cookie', value: '' },
        { name: 'Authorization', value: 'x' },
      ]),
    ).toEqual(['Authorization']));
});

describe('a saved call', () => {
  const draft: Draft = { method: 'PUT', path: '/mia/x', headers: 'A: 1\nA: 2', body: '{"n":1}', caller: { kind: 'bearer', token: 'hidden' } };
  it('opens as it was, without the token', () => {
    const call = callOf('http', draft, 'mia', ['left out']);
    expect(JSON.stringify(call)).not.toContain('hidden');
    expect(call.messages).toEqual([]);
    expect(draftOfCall(call, 'leo')).toEqual({ ...draft, path: '/leo/x', caller: { kind: 'bearer' } });
  });
  it('keeps the messages of a WebSocket and the visitor', () => {
    const call = callOf('websocket', { ...firstDraft('websocket', 'mia'), caller: { kind: 'visitor', id: 'v1' } }, 'mia', ['a']);
    expect(call).toMatchObject({ messages: ['a'], caller: { kind: 'visitor', id: 'v1' } });
  });
  it('keeps of a file its name', () => {
    const call = callOf('http', { ...draft, file: { name: 'a.png', type: 'image/png', bytes: new Uint8Array([1]) } }, 'mia', []);
    expect(call).toMatchObject({ body: '', bodyFile: 'a.png' });
    expect(JSON.stringify(call)).not.toContain('bytes');
    expect(draftOfCall(call, 'leo').file).toEqual({ name: 'a.png' });
  });
  it('needs headers that are headers', () => expect(() => callOf('http', { ...draft, headers: 'no header' }, 'mia', [])).toThrow('is no header'));
});

describe('OpenedStore', () => {
  const call = { tab: 'a2a', caller: { kind: 'owner' } };
  it('follows its file, and forgets', () => {
    const store = new OpenedStore();
    store.open('a2a', 'a', '1', call);
    store.open('a2a', 'a', '2', call);
    expect(store.snapshot().a2a).toMatchObject({ name: 'a', sha256: '2' });
    store.renamed('a', 'b');
    expect(store.snapshot().a2a?.name).toBe('b');
    store.forget('a2a');
    expect(store.snapshot()).toEqual({});
  });
});

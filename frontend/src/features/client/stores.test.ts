import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../api/client';
import type { ClientFrame, ClientRequest } from '../../api/contract.gen';
import { A2aStore } from './a2aTalk';
import { ChatStore } from './chat';
import { ClientStore } from './store';

/** A platform that answers each request with frames, and keeps what it was sent. */
function platform(answer: (r: ClientRequest) => ClientFrame[]) {
  const seen: ClientRequest[] = [];
  const send = (_: string, init: { body: string }) => {
    const request = JSON.parse(init.body) as ClientRequest;
    seen.push(request);
    const lines = answer(request).map((f) => JSON.stringify(f) + '\n');
    return Promise.resolve(new Response(lines.join('')));
  };
  return { seen, client: { send } as unknown as Client };
}

const head = (status: number, type = 'application/json'): ClientFrame => ({ atMs: 0, head: { status, headers: [{ name: 'Content-Type', value: type }] } });
const body = (text: string): ClientFrame => ({ atMs: 1, chunk: { text } });
const end: ClientFrame = { atMs: 2, end: { bytes: 1 } };
const unpaid = [head(402), body(JSON.stringify({ error: 'this costs 0.02', context: { accepts: [{ amount: '0.02' }] } })), end];
const words = (text: string) => [head(200, 'text/event-stream'), body(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n`), end];

describe('a conversation in Chat', () => {
  const texts = (chat: ChatStore) => chat.snapshot().messages.map((m) => m.text);
  const made = (answer: Parameters<typeof platform>[0]) => {
    const p = platform(answer);
    const chat = new ChatStore(p.client, 'mia');
    chat.setOver('completions');
    return { ...p, chat };
  };

  it('makes way for another one and comes back', async () => {
    const { chat } = made((r) => words(r.body!.includes('second') ? 'two' : 'one'));
    await chat.say('first');
    chat.clear();
    expect(texts(chat)).toEqual([]);
    chat.clear(); // again, with nothing to lose, loses nothing
    await chat.say('second');
    chat.bringBack();
    expect(texts(chat)).toEqual(['first', 'one']);
    expect(chat.snapshot().aside?.messages.map((m) => m.text)).toEqual(['second', 'two']);
    chat.bringBack();
    expect(texts(chat)).toEqual(['second', 'two']);
    chat.forgetAside();
    expect(chat.snapshot().aside).toBeUndefined();
  });

  it('keeps the half of an answer that was under way', async () => {
    const { chat } = made(() => words('one'));
    const saying = chat.say('first');
    chat.clear();
    await saying;
    expect(texts(chat)).toEqual([]);
    chat.bringBack();
    expect(chat.snapshot().messages.at(-1)).toMatchObject({ role: 'assistant', done: true, problem: 'Stopped here' });
    expect(chat.snapshot().running).toBe(false);
  });

  it('says what is due, and the same again once it is paid', async () => {
    const { chat, seen } = made((r) => (r.caller.payment ? words('paid') : unpaid));
    expect(await chat.say('count')).toBe(false);
    expect(chat.snapshot().messages.at(-1)).toMatchObject({ due: { amount: 0.02, text: 'this costs 0.02' }, paid: false });
    chat.setCaller({ ...chat.snapshot().caller, payment: 'a.b.c ' });
    expect(await chat.sayAgain()).toBe(true);
    expect(texts(chat)).toEqual(['count', 'paid']);
    expect(seen.map((r) => r.caller.payment)).toEqual([undefined, 'a.b.c']);
    expect(JSON.stringify(chat.snapshot().events)).not.toContain('a.b.c');
  });
});

describe('a conversation over A2A', () => {
  const failed = { result: { task: { status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'this costs 0.02' }], metadata: { code: 'payment_required', accepts: [{ amount: '0.02' }] } } } } } };
  const done = { result: { task: { contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'paid' }] }] } } };
  it('says what is due, comes back, and says the same again', async () => {
    const { client } = platform((r) => [head(200), body(JSON.stringify(r.caller.payment ? done : failed)), end]);
    const a2a = new A2aStore(client, 'mia');
    expect(await a2a.say('count')).toBe(false);
    expect(a2a.snapshot().turns[0]).toMatchObject({ state: 'failed', due: { amount: 0.02, text: 'this costs 0.02' } });
    a2a.clear();
    expect(a2a.snapshot().turns).toEqual([]);
    a2a.bringBack();
    a2a.setCaller({ kind: 'owner', payment: 'a.b.c' });
    expect(await a2a.sayAgain()).toBe(true);
    expect(a2a.snapshot().turns).toMatchObject([{ said: 'count', text: 'paid', paid: true, done: true }]);
  });
});

describe('the editors', () => {
  const draft = { method: 'POST', path: '/mia/x', headers: '', body: '{}', caller: { kind: 'owner' } };
  const made = () => new ClientStore(platform(() => [head(200), end]).client, 'mia');

  it('put aside what was written, and nothing that nobody wrote', () => {
    const store = made();
    store.fill('http', draft);
    store.fill('http', { ...draft, path: '/mia/y' });
    expect(store.snapshot().aside.http).toBeUndefined();
    store.setDraft('http', { body: '{"mine": 1}' });
    store.fill('http', draft);
    expect(store.snapshot().drafts.http.body).toBe('{}');
    store.bringBack('http');
    expect(store.snapshot().drafts.http).toMatchObject({ path: '/mia/y', body: '{"mine": 1}' });
    expect(store.snapshot().aside.http).toBeUndefined();
    store.kept('http'); // it was saved
    store.fill('http', draft);
    expect(store.snapshot().aside.http).toBeUndefined();
  });

  it('remember what was sent without the credentials of its caller', () => {
    const store = made();
    const caller = { kind: 'bearer', token: 'secret-token', payment: 'secret-payment' };
    store.setDraft('http', { ...draft, caller });
    store.start({ id: 'one', method: 'POST', path: '/mia/x', headers: [], body: '{}', caller });
    const [x] = store.snapshot().exchanges;
    expect(JSON.stringify(x)).not.toContain('secret');
    expect(x).toMatchObject({ paid: true, request: { caller: { kind: 'bearer' } } });
    store.reopen(x!);
    expect(store.snapshot().drafts.http.caller).toEqual(caller); // from the fields, where it still is
    store.setDraft('http', { caller: { kind: 'owner' } });
    store.reopen(x!);
    expect(store.snapshot().drafts.http.caller).toEqual({ kind: 'bearer' });
  });
});

describe('a file as a body', () => {
  const file = { name: 'a.png', type: 'image/png', bytes: new Uint8Array([0, 255]) };
  const request = { id: 'i', method: 'POST', path: '/mia/x', caller: { kind: 'owner' } };

  it('goes out with its bytes, which are not in the list of what was sent', async () => {
    const { seen, client } = platform(() => [head(200), end]);
    const store = new ClientStore(client, 'mia');
    store.start(request, 'http', [], file);
    await vi.waitFor(() => expect(store.snapshot().exchanges[0]?.end).toBeDefined());
    expect(seen).toEqual([{ ...request, headers: [{ name: 'Content-Type', value: 'image/png' }], bodyB64: 'AP8=' }]);
    expect(store.snapshot().exchanges[0]).toMatchObject({ request, file });
  });
  it('makes way for what is opened, and comes back with what was sent', () => {
    const store = new ClientStore(platform(() => []).client, 'mia');
    store.setDraft('http', { method: 'POST', file });
    store.fill('http', { path: '/mia/y' });
    expect(store.snapshot().drafts.http.file).toBeUndefined();
    expect(store.snapshot().aside.http?.file).toBe(file);
    store.reopen({ id: 'i', at: 0, request, file, chunks: [], items: [] });
    expect(store.snapshot().drafts.http.file).toBe(file);
  });
  it('is not sent when only its name is left', () => {
    const store = new ClientStore(platform(() => []).client, 'mia');
    expect(() => store.start(request, 'http', [], { name: 'a.png' })).toThrow('Choose a.png again');
    expect(store.snapshot().exchanges).toEqual([]);
  });
});

import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../api/client';
import type { ClientFrame, ClientRequest } from '../../api/contract.gen';
import { A2aStore } from './a2aTalk';
import { ChatStore } from './chat';
import { keepTalk, keptOfEvents } from './keptTalk';

beforeEach(() => sessionStorage.clear());

const jwt = 'eyJhbGciOiJub25l.eyJzdWIiOiJtZSJ9.c2ln';

/** A platform that answers with these texts, and keeps what it was sent. */
function platform(...answers: ClientFrame[][]) {
  const seen: ClientRequest[] = [];
  const send = (_: string, init: { body: string }) => {
    seen.push(JSON.parse(init.body) as ClientRequest);
    return Promise.resolve(new Response((answers.shift() ?? []).map((f) => JSON.stringify(f) + '\n').join('')));
  };
  return { seen, client: { send } as unknown as Client };
}

const stream = (...pieces: object[]): ClientFrame[] => [
  { atMs: 0, head: { status: 200, headers: [] } },
  { atMs: 1, chunk: { text: pieces.map((p) => `data: ${JSON.stringify(p)}\n\n`).join('') } },
  { atMs: 2, end: { bytes: 1 } },
];
const words = (text: string) => stream({ type: 'session.created', session: { id: 's1' } }, { type: 'response.delta', delta: { text } }, { type: 'response.done', response: {} });
const chatOf = (p: { client: Client }) => keepTalk(new ChatStore(p.client, 'mia'), 'chat', 'a1');
const texts = (chat: ChatStore) => chat.snapshot().messages.map((m) => m.text);

it('gives the next page a conversation, which goes on in its session', async () => {
  const p = platform(words('one'), words('two'));
  const first = chatOf(p);
  first.setCaller({ kind: 'bearer', token: 'hush', payment: 'hush' });
  await first.say('first');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('hush');
  const next = chatOf(p);
  expect(texts(next)).toEqual(['first', 'one']);
  expect(next.snapshot()).toMatchObject({ running: false, session: 's1', caller: { kind: 'bearer' }, over: 'uamp' });
  expect(next.snapshot().events).toEqual(first.snapshot().events);
  await next.say('second');
  expect(texts(next)).toEqual(['first', 'one', 'second', 'two']);
  expect(p.seen[1]!.body).toContain('"session_id":"s1"');
  next.clear();
  const third = chatOf(p);
  expect(texts(third)).toEqual([]);
  third.bringBack();
  expect(texts(third)).toEqual(['first', 'one', 'second', 'two']);
});

it('ends what was under way, with what had come until the page went', () => {
  const never = { send: () => new Promise(() => undefined) } as unknown as Client;
  void chatOf({ client: never }).say('first');
  window.dispatchEvent(new Event('pagehide'));
  expect(chatOf(platform()).snapshot()).toMatchObject({ running: false, messages: [{ text: 'first' }, { done: true, problem: 'The page was loaded anew, which ended it.' }] });
});

it('keeps no credentials, nor the pieces in which they came', async () => {
  const chat = chatOf(platform(stream({ type: 'response.delta', delta: { text: jwt.slice(0, 20) } }, { type: 'response.delta', delta: { text: jwt.slice(20) } })));
  await chat.say('what is it?');
  expect(texts(chat)).toEqual(['what is it?', jwt]);
  const next = chatOf(platform());
  expect(texts(next)).toEqual(['what is it?', '…']);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain(jwt.slice(20));
  expect(next.snapshot().events).toEqual([]);
});

it('is bounded: the oldest go first', async () => {
  const chat = chatOf(platform(words('x'.repeat(keptOfEvents)), words('two')));
  await chat.say('first');
  await chat.say('second');
  expect(texts(chatOf(platform()))).toEqual(['second', 'two']);
  expect(sessionStorage.getItem('benchtop:client.chat:a1')!.length).toBeLessThan(keptOfEvents);
});

it('goes on in the context of A2A', async () => {
  const task = (text: string): ClientFrame[] => [
    { atMs: 0, head: { status: 200, headers: [] } },
    { atMs: 1, chunk: { text: JSON.stringify({ result: { task: { contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text }] }] } } }) } },
    { atMs: 2, end: { bytes: 1 } },
  ];
  const p = platform(task('one'), task('two'));
  const made = () => keepTalk(new A2aStore(p.client, 'mia'), 'a2a', 'a1');
  await made().say('first');
  const next = made();
  expect(next.snapshot().turns).toMatchObject([{ said: 'first', text: 'one', done: true }]);
  await next.say('second');
  expect(p.seen[1]!.body).toContain('"contextId":"c1"');
});

it('does without what it cannot read', () => {
  sessionStorage.setItem('benchtop:client.chat:a1', '{"now"');
  expect(texts(chatOf(platform()))).toEqual([]);
});

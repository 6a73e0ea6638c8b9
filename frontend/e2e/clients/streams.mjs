// Custom endpoints of an agent by the clients that people use: fetch,
// eventsource-parser and ws.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createParser } from 'eventsource-parser';
import WebSocket from 'ws';

export const project = {
  'AGENT.md': `---
name: mia
endpoints:
  - { path: "/users/{id}", method: get, scope: all, handler: endpoints/api.js#user, parameters: { include_details: boolean } }
  - { path: "/users", method: POST, scopes: [owner], handler: endpoints/api.js#create }
  - { path: "/chat", method: get, scope: all, content_type: text/event-stream, handler: endpoints/api.js#chat }
  - { path: "/ticks", method: get, scope: all, content_type: text/event-stream, handler: endpoints/api.js#ticks }
  - { path: "/flood", method: get, scope: all, content_type: text/event-stream, handler: endpoints/api.js#flood }
  - { path: "/live", websocket: true, scope: all, handler: endpoints/live.js, protocols: [chat.v1] }
  - { path: "/relay", websocket: true, scope: all, handler: endpoints/live.js#relay }
---
`,
  'endpoints/api.js': `
export const user = (ctx, { id, include_details = false }) => ({ id, include_details })
export const create = (ctx, { name }) => ({ name, owner: ctx.auth.userId })
export async function* chat() {
  for (const word of ['Hello', 'there']) yield \`data: \${JSON.stringify({ word })}\\n\\n\`
  yield '[DONE]'
}
export async function* ticks(ctx) {
  try {
    for (let i = 0; ; i++) yield { type: 'tick', i }
  } finally {
    ctx.log.info('left')
  }
}
export async function* flood(ctx) {
  const line = 'x'.repeat(64 * 1024)
  let sent = 0
  try {
    for (; ; sent += line.length) yield line
  } finally {
    ctx.log.info(sent)
  }
}
`,
  'endpoints/live.js': `
export default async ({ socket }) => {
  await socket.accept()
  await socket.send({ hello: true })
  for await (const m of socket) await socket.send({ echo: m })
}
export async function relay({ socket, agent }) {
  for await (const { messages } of socket) {
    for await (const chunk of agent.complete({ messages })) await socket.send(chunk)
    await socket.send({ done: true })
  }
}
`,
};

/** The events of a response until enough have come. */
async function events(response, enough) {
  const got = [];
  const parser = createParser({ onEvent: (e) => got.push(e) });
  const decoder = new TextDecoder();
  for await (const bytes of response.body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (enough && got.length >= enough) break;
  }
  return got;
}

/** The next messages of a WebSocket, as an async function. */
function inbox(ws) {
  const queue = [], waiting = [];
  ws.on('message', (data) => {
    const m = JSON.parse(data);
    if (waiting.length) waiting.shift()(m);
    else queue.push(m);
  });
  return () => new Promise((done) => (queue.length ? done(queue.shift()) : waiting.push(done)));
}

export default async function ({ url, base, ownerKey, step, until, api }) {
  const owner = { Authorization: `Bearer ${ownerKey}` };
  const open = async () => (await api('GET', '/api/local/status')).executor.inFlight;

  await step('arguments by name, booleans by their text', async () => {
    assert.deepEqual(await (await fetch(`${base}/users/7?include_details=true`)).json(), { id: '7', include_details: true });
    assert.deepEqual(await (await fetch(`${base}/users/7`)).json(), { id: '7', include_details: false });
  });
  await step('403, 405 and 415', async () => {
    const body = JSON.stringify({ name: 'Ada' });
    assert.equal((await fetch(`${base}/users`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })).status, 403);
    const wrong = await fetch(`${base}/users`);
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS');
    assert.equal((await fetch(`${base}/users`, { method: 'POST', body, headers: { ...owner, 'Content-Type': 'text/plain' } })).status, 415);
    const res = await fetch(`${base}/users`, { method: 'POST', body, headers: { ...owner, 'Content-Type': 'application/json' } });
    assert.deepEqual(await res.json(), { name: 'Ada', owner: 'owner' });
  });

  await step('a stream by eventsource-parser', async () => {
    const res = await fetch(`${base}/chat`);
    assert.equal(res.headers.get('content-type'), 'text/event-stream');
    assert.equal(res.headers.get('cache-control'), 'no-cache');
    const got = await events(res);
    assert.deepEqual(got.map((e) => e.data), ['{"word":"Hello"}', '{"word":"there"}', '[DONE]']);
  });
  await step('an abort ends the handler, whose finally runs', async () => {
    const stop = new AbortController();
    const got = await events(await fetch(`${base}/ticks`, { signal: stop.signal }), 3);
    assert.equal(got[1].event, 'tick');
    stop.abort();
    await until('the run has ended', async () => (await open()) === 0);
    const { invocations } = await api('GET', '/api/local/invocations?limit=1&skill=endpoint');
    assert.equal(invocations[0].status, 'cancelled');
    const { logs } = await api('GET', `/api/local/invocations/${invocations[0].id}`);
    assert.deepEqual(logs.map((l) => l.message), ['left']);
  });
  await step('a reader that takes nothing holds up nobody', async () => {
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    await once(slow, 'connect');
    slow.pause();
    slow.write(`GET /mia/flood HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await until('the flood runs', async () => (await open()) === 1);
    for (let i = 0; i < 20; i++) assert.equal((await fetch(`${base}/users/${i}`)).status, 200);
    assert.equal((await events(await fetch(`${base}/ticks`), 1000)).length >= 1000, true);
    slow.destroy();
    await until('its handler has ended', async () => (await open()) === 0);
    const { invocations } = await api('GET', '/api/local/invocations?limit=50&skill=endpoint');
    const { logs } = await api('GET', `/api/local/invocations/${invocations.find((i) => i.consumer_id === 'GET /flood').id}`);
    const kept = Number(logs[0].message);
    assert.ok(kept > 0 && kept < 1.5 * 2 ** 20, `${kept} bytes are kept for a reader that takes none`);
  });

  await step('a WebSocket by ws: protocol, JSON both ways, ping, close', async () => {
    const ws = new WebSocket(`${base.replace('http', 'ws')}/live`, ['chat.v1']);
    const next = inbox(ws);
    await once(ws, 'open');
    assert.equal(ws.protocol, 'chat.v1');
    assert.deepEqual(await next(), { hello: true });
    ws.send(JSON.stringify({ n: [1, 'ü'] }));
    assert.deepEqual(await next(), { echo: { n: [1, 'ü'] } });
    ws.ping('x');
    assert.equal(String((await once(ws, 'pong'))[0]), 'x');
    ws.close(1000, 'bye');
    const [code] = await once(ws, 'close');
    assert.equal(code, 1000);
  });
  await step('a socket that is cut frees its handler', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const ws = new WebSocket(`${base.replace('http', 'ws')}/live`);
        ws.on('error', () => {});
        await once(ws, 'open');
        return ws;
      }),
    );
    await until('ten run', async () => (await open()) === 10);
    for (const ws of all) ws.terminate();
    await until('none runs', async () => (await open()) === 0);
  });
  await step('a client that says too much hears why it was left', async () => {
    for (const [count, message, code] of [[3000, '1', 1008], [3, JSON.stringify('x'.repeat(2 << 20)), 1009]]) {
      const ws = new WebSocket(`${base.replace('http', 'ws')}/live`);
      ws.on('error', () => {});
      await once(ws, 'open');
      for (let i = 0; i < count; i++) ws.send(message);
      assert.equal((await once(ws, 'close'))[0], code);
    }
  });
  await step('a refusal is an answer', async () => {
    const ws = new WebSocket(`${base.replace('http', 'ws')}/nowhere`);
    const [, res] = await once(ws, 'unexpected-response');
    assert.equal(res.statusCode, 404);
    ws.on('error', () => {});
    ws.terminate();
  });
  await step('the model relayed chunk by chunk', async () => {
    const ws = new WebSocket(`${base.replace('http', 'ws')}/relay`);
    const next = inbox(ws);
    await once(ws, 'open');
    ws.send(JSON.stringify({ messages: [{ role: 'user', content: 'Say something kind.' }] }));
    let text = '', chunks = 0;
    for (let m = await next(); !m.done; m = await next(), chunks++) {
      assert.equal(m.object, 'chat.completion.chunk');
      text += m.choices[0]?.delta?.content ?? '';
    }
    assert.ok(chunks > 1 && text.length > 0, `${chunks} chunks, ${text}`);
    ws.close();
    await once(ws, 'close');
  });
}

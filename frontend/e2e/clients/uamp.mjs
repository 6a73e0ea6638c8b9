// A client of universal agent messaging made of `ws` alone: sessions, tools on
// both sides, payment in the middle of an answer, cancelling, several sessions on
// one connection, going on after it broke; and the same turn by every protocol.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createParser } from 'eventsource-parser';
import WebSocket from 'ws';

export const project = {
  'AGENT.md': `---
name: mia
description: Quotes and bookings
visibility: public
transports: [completions, a2a, uamp]
skills:
  custom_tools:
    tools:
      - { id: quote, name: quote, description: Price a job, use: quote }
---
You are Mia.
`,
  'functions/quote/manifest.json': JSON.stringify({
    runtime: 'js-v1',
    parameters: { type: 'object', properties: { hours: { type: 'integer' } }, required: ['hours'] },
  }),
  'functions/quote/index.js': `export default async (ctx) => {
  ctx.emit('measuring', { hours: ctx.toolCall.params.hours });
  return { total: ctx.toolCall.params.hours * 80 };
};
`,
  '.benchtop/model.yaml': `rules:
  - when: 'cost of (\\d+) hours'
    reply: "Let me see. "
    call: { tool: quote, args: { hours: '{{1}}' } }
    then: "{{1}} hours cost {{result.total}}."
  - when: weather in (\\w+)
    call: { tool: weather, args: { city: '{{1}}' } }
    then: "It is {{result.sky}} in {{1}}."
  - when: good morning
    reply: Good morning to you, too. How can I help?
  - when: break down
    fail: the engine is cold
`,
};

/** One end of a connection. */
class Client {
  #events = [];
  #waiting = [];
  constructor(address, options) {
    this.ws = new WebSocket(address.replace('http', 'ws'), options);
    this.opened = once(this.ws, 'open');
    this.closed = new Promise((done) => this.ws.on('close', (code, why) => done([code, String(why)])));
    this.ws.on('error', () => {}); // it shows as the end
    this.ws.on('message', (data) => {
      const e = JSON.parse(data);
      assert.ok(e.type && e.event_id, `an event without type or event_id: ${data}`);
      const next = this.#waiting.shift();
      if (next) next(e);
      else this.#events.push(e);
    });
  }
  send(type, members) {
    this.ws.send(JSON.stringify({ type, event_id: `evt_${Math.random().toString(36).slice(2)}`, ...members }));
  }
  next() {
    return this.#events.length ? Promise.resolve(this.#events.shift()) : new Promise((done) => this.#waiting.push(done));
  }
  async wants(type) {
    const e = await this.next();
    assert.equal(e.type, type, JSON.stringify(e));
    return e;
  }
  async until(...types) {
    const all = [];
    for (;;) {
      all.push(await this.next());
      if (types.includes(all.at(-1).type)) return all;
    }
  }
  async session(members) {
    await this.opened;
    this.send('session.create', { uamp_version: '1.0', session: { modalities: ['text'] }, ...members });
    const created = await this.wants('session.created');
    this.capabilities = (await this.wants('capabilities')).capabilities;
    return created;
  }
  async ask(text, members) {
    this.send('input.text', { text, ...members });
    this.send('response.create', members);
    return this.until('response.done', 'response.error');
  }
}

const textOf = (events) => events.filter((e) => e.delta?.type === 'text').map((e) => e.delta.text).join('');
const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } };
const turn = (text) => [{ type: 'session.create', event_id: '1', uamp_version: '1.0' }, { type: 'input.text', event_id: '2', text }, { type: 'response.create', event_id: '3' }];
const post = (url, body, headers) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

async function sameTurn(t, asked) {
  const c = new Client(`${t.base}/uamp`);
  await c.session();
  const socket = await c.ask(asked);
  c.ws.close();
  const list = await (await post(`${t.base}/uamp`, turn(asked))).json();
  const streamed = [];
  const parser = createParser({ onEvent: (e) => streamed.push(e.data) });
  parser.feed(await (await post(`${t.base}/uamp/stream`, turn(asked))).text());
  assert.equal(streamed.pop(), '[DONE]');
  const completion = await (await post(`${t.base}/v1/chat/completions`, { model: 'mia', messages: [{ role: 'user', content: asked }] })).json();
  const sent = await (await post(`${t.base}/a2a/message:send`, { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: asked }] } })).json();
  return {
    'the socket': textOf(socket), 'its response.done': socket.at(-1).response.output.filter((o) => o.type === 'text').map((o) => o.text).join(''),
    'the list': textOf(list), 'the stream': textOf(streamed.map((s) => JSON.parse(s))),
    completions: completion.choices[0].message.content, 'a task': sent.task.artifacts[0].parts[0].text,
  };
}

export default async function (t) {
  const address = `${t.base}/uamp`;

  await t.step('a session: what it is and what the agent can', async () => {
    const c = new Client(address);
    const { session } = await c.session();
    assert.match(session.id, /^sess_[0-9a-f]{12}$/);
    assert.ok(session.created_at > 1e12);
    assert.equal(c.capabilities.supports_streaming, true);
    assert.deepEqual(c.capabilities.tools.built_in_tools, ['quote']);
    c.send('ping');
    await c.wants('pong');
    c.send('session.end', { reason: 'user_left' });
    assert.deepEqual(await c.closed, [1000, '']);
  });

  for (const [asked, answer] of [['Good morning!', 'Good morning to you, too. How can I help?'], ['What is the cost of 3 hours?', 'Let me see. 3 hours cost 240.']]) {
    await t.step(`the same turn by each protocol: ${asked}`, async () => {
      const answers = await sameTurn(t, asked);
      for (const [way, text] of Object.entries(answers)) assert.equal(text, answer, way);
    });
  }

  await t.step('a tool of the agent: called, at work, done', async () => {
    const c = new Client(address);
    await c.session();
    const all = await c.ask('What is the cost of 2 hours?');
    const deltas = all.filter((e) => e.type === 'response.delta' && e.delta.type !== 'text').map((e) => e.delta);
    assert.deepEqual(deltas.map((d) => d.type), ['tool_call', 'tool_call', 'tool_progress', 'tool_result']);
    assert.equal(deltas[0].tool_call.arguments, '');
    assert.deepEqual(JSON.parse(deltas[1].tool_call.arguments), { hours: 2 });
    assert.deepEqual(deltas[2].tool_progress.payload, { hours: 2 });
    assert.deepEqual(JSON.parse(deltas[3].tool_result.result), { total: 160 });
    assert.ok(all.every((e) => e.response_id === all[0].response_id));
    assert.ok(all.at(-1).response.usage.total_tokens > 0);
    c.ws.close();
  });

  await t.step('a tool of the client: called, answered, used', async () => {
    const c = new Client(address);
    await c.session({ session: { modalities: ['text'], tools: [weather] } });
    const all = await c.ask('What is the weather in Rome?');
    const call = all.find((e) => e.type === 'tool.call');
    assert.equal(call.name, 'weather');
    c.send('tool.result', { call_id: call.call_id, result: JSON.stringify({ sky: JSON.parse(call.arguments).city === 'Rome' ? 'blue' : 'grey' }) });
    const then = await c.until('response.done');
    assert.equal(textOf(then), 'It is blue in Rome.');
    c.ws.close();
  });

  await t.step('what goes wrong has its code and its words', async () => {
    const c = new Client(address);
    await c.opened;
    c.send('input.text', { text: 'x' });
    assert.equal((await c.wants('response.error')).error.code, 'session_required');
    c.send('session.create', { uamp_version: '9' });
    assert.equal((await c.wants('response.error')).error.code, 'version_mismatch');
    await c.session();
    c.send('nonsense');
    assert.equal((await c.wants('response.error')).error.code, 'unknown_event');
    c.send('x-ours');
    c.ws.send('{');
    assert.equal((await c.wants('response.error')).error.code, 'internal_error');
    const failed = (await c.ask('Please break down')).at(-1);
    assert.equal(failed.error.code, 'generation_error');
    assert.match(failed.error.message, /the engine is cold/);
    c.ws.close();
  });

  await t.step('several sessions on one connection', async () => {
    const c = new Client(address);
    const one = (await c.session()).session.id;
    await c.session({ session_id: 'two' });
    for (const session_id of [one, 'two']) {
      const all = await c.ask(`I am ${session_id}`, { session_id });
      assert.ok(all.every((e) => e.session_id === session_id));
    }
    c.ws.close();
  });

  await t.step('an agent that is its owner’s alone', async () => {
    await t.api('POST', '/api/agents', { name: 'Ego', username: 'ego', model: 'echo', transports: ['uamp'] });
    const nobody = new Client(`${t.url}/ego/uamp`);
    await nobody.opened;
    nobody.send('session.create', { uamp_version: '1.0' });
    assert.equal((await nobody.wants('session.error')).error.code, 'unauthorized');
    await nobody.session({ token: t.ownerKey });
    assert.equal(textOf(await nobody.ask('say this')), 'say this');
    nobody.ws.close();
    assert.equal((await post(`${t.url}/ego/uamp`, turn('x'))).status, 403);
    assert.equal((await post(`${t.url}/ego/uamp`, turn('x'), { Authorization: `Bearer ${t.ownerKey}` })).status, 200);
  });

  await t.step('payment, in the middle and before', async () => {
    await t.api('POST', '/api/agents', { name: 'Dear', username: 'dear', visibility: 'public', transports: ['uamp', 'a2a'], toolPricing: { tools: { 'fn:price': { perCall: 10_000_000 } } } });
    await t.api('POST', '/api/agents/dear/functions', { name: 'price', manifest: { runtime: 'js-v1' }, source: 'export default () => "ten"' });
    await t.api('POST', '/api/agents/dear/skills/custom_tools/use', { entry: { id: 'price', name: 'price' }, use: 'price' });
    const { token } = await t.api('POST', '/api/local/payments/mint', { amount: 1 });
    const c = new Client(`${t.url}/dear/uamp`);
    await c.session();
    c.send('input.text', { text: '/tool price {}' });
    c.send('response.create');
    const required = (await c.until('payment.required')).at(-1);
    assert.equal(required.requirements.currency, 'USD');
    assert.ok(Number(required.requirements.amount) > 0);
    assert.equal(required.requirements.schemes[0].scheme, 'token');
    c.send('payment.submit', { payment: { scheme: 'token', amount: required.requirements.amount, token: 'no.such.token' } });
    assert.equal((await c.wants('payment.error')).can_retry, true);
    c.send('payment.submit', { payment: { scheme: 'token', amount: required.requirements.amount, token } });
    const accepted = await c.wants('payment.accepted');
    assert.match(accepted.payment_id, /^pay_[0-9a-f]{12}$/);
    assert.equal(Number(accepted.balance_remaining), 1);
    const all = await c.until('response.done', 'response.error');
    assert.equal(all.at(-1).type, 'response.done', JSON.stringify(all.at(-1)));
    const balance = await c.wants('payment.balance');
    assert.ok(Number(balance.balance) < 1, balance.balance);
    c.ws.close();

    const list = await (await post(`${t.url}/dear/uamp`, turn('hello'))).json();
    assert.deepEqual(list.slice(-2).map((e) => e.type), ['payment.required', 'response.error']);
    const paid = await (await post(`${t.url}/dear/uamp`, turn('hello'), { 'X-PAYMENT': token })).json();
    assert.equal(paid.find((e) => e.type === 'response.done').response.status, 'completed');

    const message = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
    const unpaid = (await (await post(`${t.url}/dear/a2a/message:send`, message)).json()).task;
    assert.equal(unpaid.status.state, 'TASK_STATE_FAILED');
    assert.equal(unpaid.status.message.metadata.code, 'payment_required');
    assert.equal(unpaid.status.message.metadata.status_code, 402);
    assert.ok(unpaid.status.message.metadata.accepts.length > 0);
    assert.equal((await (await post(`${t.url}/dear/a2a/message:send`, message, { 'X-PAYMENT': token })).json()).task.status.state, 'TASK_STATE_COMPLETED');
  });

  const far = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'and on ' }, finish_reason: null }] })}\n\n`);
    res.on('close', () => far.emit('left'));
  });
  far.listen(0, '127.0.0.1');
  await once(far, 'listening');
  try {
    await t.api('POST', '/api/agents', {
      name: 'Far', username: 'far', visibility: 'public', transports: ['uamp'],
      model: JSON.stringify({ base_url: `http://127.0.0.1:${far.address().port}/v1`, model: 'tiny' }),
    });
    let id;
    await t.step('cancel: reaches the model, and what was said stays', async () => {
      const c = new Client(`${t.url}/far/uamp`);
      id = (await c.session()).session.id;
      c.send('input.text', { text: 'go' });
      c.send('response.create');
      await c.until('response.delta');
      const left = once(far, 'left');
      c.send('response.cancel');
      const e = await c.wants('response.cancelled');
      assert.equal(e.partial_output[0].text, 'and on ');
      await left;

      c.send('response.create');
      await c.until('response.delta');
      const gone = once(far, 'left');
      c.ws.terminate(); // a killed client
      await gone;
    });

    await t.step('resume: a session goes on after its connection broke', async () => {
      const again = await t.until('the session waits for its client', async () => {
        const c = new Client(`${t.url}/far/uamp`);
        await c.opened;
        c.send('session.create', { uamp_version: '1.0', session_id: id });
        const e = await c.next();
        if (e.type === 'session.created') return { c, e };
        c.ws.close();
      });
      assert.equal(again.e.session.id, id);
      assert.equal(again.e.resumed, true);
      again.c.ws.close();
    });
  } finally {
    far.closeAllConnections();
    far.close();
  }
}

// The client library of the OpenAI protocol, unchanged, against an agent: plain,
// streamed, with the agent's tools and with its own, aborted, and refused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import OpenAI from 'openai';

export const project = {
  'AGENT.md': `---
name: mia
description: Quotes and bookings
visibility: public
transports: [completions]
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

const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
};
const user = (content) => [{ role: 'user', content }];

/** A model elsewhere: what it says is up to each test. */
async function upstream() {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (d) => (body += d));
    req.on('end', () => server.emit('asked', JSON.parse(body), res, req));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.address_ = `http://127.0.0.1:${server.address().port}/v1`;
  return server;
}

const frame = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export default async function (t) {
  const client = new OpenAI({ baseURL: `${t.base}/v1`, apiKey: 'any key at all', maxRetries: 0 });
  const ask = (content, more) => client.chat.completions.create({ model: 'mia', messages: user(content), ...more });

  await t.step('models: the agent is the only one', async () => {
    const ids = [];
    for await (const m of client.models.list()) ids.push(m.id);
    assert.deepEqual(ids, ['mia']);
    assert.equal((await client.models.retrieve('mia')).object, 'model');
  });

  const plain = await t.step('plain', async () => {
    const c = await ask('Good morning!');
    assert.equal(c.choices[0].message.content, 'Good morning to you, too. How can I help?');
    assert.equal(c.choices[0].finish_reason, 'stop');
    assert.ok(c.usage.total_tokens > 0 && c.usage.total_tokens === c.usage.prompt_tokens + c.usage.completion_tokens);
    return c;
  });

  await t.step('stream: in pieces, one id, the same text and usage', async () => {
    const ids = new Set();
    let text = '', pieces = 0, usage, finish;
    for await (const c of await ask('Good morning!', { stream: true, stream_options: { include_usage: true } })) {
      ids.add(c.id);
      if (c.choices.length) {
        assert.equal(c.choices[0].index, 0);
        assert.ok(c.choices[0].delta);
        if (c.choices[0].delta.content) pieces++;
        text += c.choices[0].delta.content ?? '';
        finish = c.choices[0].finish_reason ?? finish;
      }
      usage = c.usage ?? usage;
    }
    assert.equal(text, plain.choices[0].message.content);
    assert.equal(ids.size, 1);
    assert.ok(pieces > 3, `${pieces} pieces`);
    assert.equal(finish, 'stop');
    assert.deepEqual(usage, plain.usage);
  });

  await t.step('a tool of the agent runs inside the turn, and is in its history', async () => {
    const c = await ask('What is the cost of 3 hours?');
    assert.equal(c.choices[0].message.content, 'Let me see. 3 hours cost 240.');
    assert.equal(c.choices[0].message.tool_calls, undefined);
    const { invocations } = await t.api('GET', `/api/agents/mia/functions/quote/invocations`);
    const ran = invocations.find((i) => i.source_skill === 'custom_tools');
    assert.equal(ran.status, 'ok');
  });

  await t.step('a streamed turn carries what the tool emits', async () => {
    const seen = [];
    let text = '';
    for await (const c of await ask('What is the cost of 2 hours?', { stream: true })) {
      if (c.tool_progress) seen.push([c.tool_progress.kind, c.tool_progress.event ?? '', c.tool_progress.payload]);
      text += c.choices[0]?.delta.content ?? '';
    }
    assert.deepEqual(seen, [['call', '', { hours: 2 }], ['emit', 'measuring', { hours: 2 }], ['result', '', { total: 160 }]]);
    assert.equal(text, 'Let me see. 2 hours cost 160.');
  });

  await t.step('tools of the client: handed back, answered, used', async () => {
    const first = await ask('What is the weather in Rome?', { tools: [weather] });
    const call = first.choices[0].message.tool_calls[0];
    assert.equal(first.choices[0].finish_reason, 'tool_calls');
    assert.equal(call.function.name, 'weather');
    assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Rome' });
    const runner = client.beta.chat.completions.runTools({
      model: 'mia',
      messages: user('What is the weather in Rome?'),
      tools: [{ type: 'function', function: { ...weather.function, parse: JSON.parse, function: ({ city }) => ({ sky: city === 'Rome' ? 'blue' : 'grey' }) } }],
    });
    assert.equal(await runner.finalContent(), 'It is blue in Rome.');
  });

  await t.step('tools of the client, streamed', async () => {
    const s = client.beta.chat.completions.stream({ model: 'mia', messages: user('What is the weather in Oslo?'), tools: [weather] });
    const done = await s.finalChatCompletion();
    assert.equal(done.choices[0].finish_reason, 'tool_calls');
    assert.deepEqual(JSON.parse(done.choices[0].message.tool_calls[0].function.arguments), { city: 'Oslo' });
  });

  await t.step('tool_choice: none and one by name', async () => {
    const none = await ask('What is the weather in Rome?', { tools: [weather], tool_choice: 'none' });
    assert.equal(none.choices[0].message.tool_calls, undefined);
    const named = await ask('Rome', { tools: [weather], tool_choice: { type: 'function', function: { name: 'weather' } } });
    assert.equal(named.choices[0].message.tool_calls[0].function.name, 'weather');
  });

  await t.step('errors: each with its class and words', async () => {
    await assert.rejects(ask('x', { messages: [] }), (e) => e instanceof OpenAI.BadRequestError && /messages is empty/.test(e.message) && e.type === 'invalid_request_error');
    await assert.rejects(client.models.retrieve('gpt-4'), OpenAI.NotFoundError);
    await assert.rejects(ask('Please break down'), (e) => e.status === 502 && /the engine is cold/.test(e.message));
    await assert.rejects(async () => { for await (const _ of await ask('Please break down', { stream: true })); }, (e) => e.status === 502);
    const nobody = new OpenAI({ baseURL: `${t.url}/nobody/v1`, apiKey: 'x', maxRetries: 0 });
    await assert.rejects(nobody.models.list(), OpenAI.NotFoundError);
  });

  await t.step('an agent that is its owner’s alone', async () => {
    await t.api('POST', '/api/agents', { name: 'Ego', username: 'ego', model: 'echo', transports: ['completions'] });
    const at = (apiKey) => new OpenAI({ baseURL: `${t.url}/ego/v1`, apiKey, maxRetries: 0 });
    const say = (c) => c.chat.completions.create({ model: 'ego', messages: user('say this') });
    assert.equal((await say(at(t.ownerKey))).choices[0].message.content, 'say this');
    await assert.rejects(say(at('rb_wrong')), OpenAI.AuthenticationError);
    const anonymous = new OpenAI({ baseURL: `${t.url}/ego/v1`, apiKey: 'x', maxRetries: 0, defaultHeaders: { Authorization: null } });
    await assert.rejects(say(anonymous), OpenAI.PermissionDeniedError);
  });

  await t.step('402: what it costs is asked for before a byte, and taken out of a token', async () => {
    await t.api('POST', '/api/agents', {
      name: 'Paid', username: 'paid', visibility: 'public', transports: ['completions'], toolPricing: { tools: { 'fn:price': { perCall: 10_000_000 } } },
    });
    await t.api('POST', '/api/agents/paid/functions', { name: 'price', manifest: { runtime: 'js-v1' }, source: 'export default () => "ten"' });
    await t.api('POST', '/api/agents/paid/skills/custom_tools/use', { entry: { id: 'price', name: 'price' }, use: 'price' });
    const paid = new OpenAI({ baseURL: `${t.url}/paid/v1`, apiKey: 'x', maxRetries: 0 });
    const buy = (stream, headers) => paid.chat.completions.create({ model: 'paid', stream, messages: user('/tool price') }, { headers });
    for (const stream of [false, true]) await assert.rejects(buy(stream), (e) => e instanceof OpenAI.APIError && e.status === 402 && /0\.01/.test(e.message));
    const { token, info } = await t.api('POST', '/api/local/payments/mint', { amount: 0.05, audience: 'paid' });
    assert.equal((await buy(false, { 'X-PAYMENT': token })).choices[0].message.content, 'ten');
    assert.equal((await t.api('GET', `/api/payments/tokens/${info.id}`)).remainingCredits, 0.04);
  });

  const far = await upstream();
  try {
    await t.api('POST', '/api/agents', {
      name: 'Far', username: 'far', visibility: 'public', transports: ['completions'], instructions: 'You are far away.',
      model: JSON.stringify({ base_url: far.address_, model: 'tiny' }),
    });
    const remote = new OpenAI({ baseURL: `${t.url}/far/v1`, apiKey: 'x', maxRetries: 0 });
    const say = (more, options) => remote.chat.completions.create({ model: 'far', messages: user('hello'), ...more }, options);

    await t.step('a model elsewhere: asked with the instructions, its pieces passed on', async () => {
      far.once('asked', (body, res) => {
        assert.equal(body.model, 'tiny');
        assert.equal(body.stream, true);
        assert.equal(body.temperature, 0.5);
        assert.deepEqual(body.messages.map((m) => m.role), ['system', 'user']);
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.end(frame({ role: 'assistant', content: 'one ' }) + frame({ content: 'two' }) + frame({}, 'stop') +
          'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}\n\ndata: [DONE]\n\n');
      });
      const c = await say({ temperature: 0.5 });
      assert.equal(c.choices[0].message.content, 'one two');
      assert.equal(c.usage.total_tokens, 9);
    });

    await t.step('its failure is told in its words', async () => {
      far.once('asked', (_, res) => {
        res.writeHead(404, { 'Content-Type': 'application/json' });
        res.end('{"error":{"message":"model tiny is not pulled"}}');
      });
      await assert.rejects(say(), (e) => e.status === 502 && /404/.test(e.message) && /model tiny is not pulled/.test(e.message));
      far.once('asked', (_, res) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.end(frame({ content: 'one ' }) + 'data: {"error":{"message":"out of memory"}}\n\n');
      });
      let heard = '';
      await assert.rejects(async () => {
        for await (const c of await say({ stream: true })) heard += c.choices[0]?.delta.content ?? '';
      }, (e) => e instanceof OpenAI.APIError && /out of memory/.test(e.message));
      assert.equal(heard, 'one ');
    });

    await t.step('abort: a client that hangs up ends the request to the model', async () => {
      const stopped = new Promise((done) => far.once('asked', (_, res) => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' });
        res.write(frame({ role: 'assistant', content: 'and on ' })); // and never ends
        res.on('close', done);
      }));
      const s = await say({ stream: true });
      for await (const c of s) if (c.choices[0]?.delta.content) break; // breaking out aborts
      await stopped;

      const hung = new Promise((done) => far.once('asked', (_, res) => {
        res.on('close', done);
        far.emit('waiting');
      }));
      const control = new AbortController();
      far.once('waiting', () => control.abort());
      await assert.rejects(say({}, { signal: control.signal }), OpenAI.APIUserAbortError);
      await hung;
    });
  } finally {
    far.closeAllConnections();
    far.close();
  }
}

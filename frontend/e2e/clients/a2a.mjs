// The client library of the agent-to-agent protocol, unchanged, against an agent:
// its card, tasks sent, streamed, fetched, listed, followed and cancelled, over
// JSON-RPC, over REST, and in the version before 1.0.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { PushNotificationNotSupportedError, RequestMalformedError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';

export const project = {
  'AGENT.md': `---
name: mia
description: Quotes and bookings
visibility: public
transports: [a2a, completions]
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
  'functions/quote/index.js': `export default async (ctx) => ({ total: ctx.toolCall.params.hours * 80 });\n`,
  '.benchtop/model.yaml': `rules:
  - when: 'cost of (\\d+) hours'
    reply: "Let me see. "
    call: { tool: quote, args: { hours: '{{1}}' } }
    then: "{{1}} hours cost {{result.total}}."
  - when: break down
    fail: the engine is cold
`,
};

const message = (text, more) => ({
  messageId: randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER, metadata: undefined, extensions: [], referenceTaskIds: [],
  parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
  ...more,
});
const sending = (text, more, configuration) => ({ tenant: '', message: message(text, more), configuration, metadata: undefined });
const textOf = (thing) => (thing?.parts ?? []).map((p) => p.content?.value ?? '').join('');
const quoted = 'Let me see. 3 hours cost 240.';

/** A model elsewhere that begins to answer and never ends. */
async function endless() {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const content of ['and ', 'on ']) {
      res.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`);
    }
    res.on('close', () => server.emit('left'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const byName = (name) => new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [name] }));

/** What must hold over each binding. */
async function binding(t, name, at, far) {
  const client = await byName(name).createFromUrl(`${t.base}/`);
  const step = (what, f) => t.step(`${name}: ${what}`, f);

  const sent = await step('send: a turn with a tool of the agent', async () => {
    const task = await client.sendMessage(sending('What is the cost of 3 hours?'));
    assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
    assert.equal(task.artifacts.length, 1);
    assert.equal(textOf(task.artifacts[0]), quoted);
    return task;
  });

  await step('stream: the task, its artifact in pieces, its end', async () => {
    const cases = [];
    let text = '', last;
    for await (const { payload } of client.sendMessageStream(sending('What is the cost of 3 hours?'))) {
      cases.push(payload.$case);
      if (payload.$case === 'artifactUpdate') {
        assert.equal(payload.value.append, text !== '');
        text += textOf(payload.value.artifact);
        last = payload.value.lastChunk;
      }
      if (payload.$case === 'statusUpdate') assert.equal(payload.value.status.state, TaskState.TASK_STATE_COMPLETED);
    }
    assert.equal(text, quoted);
    assert.equal(last, true);
    assert.equal(cases[0], 'task');
    assert.ok(cases.filter((c) => c === 'artifactUpdate').length > 2, cases.join());
    assert.equal(cases.at(-1), 'statusUpdate');
  });

  await step('get: the task again, to its caller alone', async () => {
    const task = await client.getTask({ tenant: '', id: sent.id, historyLength: 1 });
    assert.deepEqual(task.artifacts, sent.artifacts);
    assert.deepEqual(task.history.map((m) => m.role), [Role.ROLE_AGENT]);
    const owner = await byName(name).createFromUrl(`${t.base}/`);
    const as = { serviceParameters: { Authorization: `Bearer ${t.ownerKey}` } };
    await assert.rejects(owner.getTask({ tenant: '', id: sent.id }, as), TaskNotFoundError);
  });

  await step('list: by context, in pages', async () => {
    const again = await client.sendMessage(sending('What is the cost of 1 hours?', { contextId: sent.contextId }));
    assert.equal(again.contextId, sent.contextId);
    const ask = { tenant: '', contextId: sent.contextId, status: 0, pageSize: 1, pageToken: '', statusTimestampAfter: undefined };
    const first = await client.listTasks(ask);
    assert.equal(first.totalSize, 2);
    assert.equal(first.tasks[0].id, again.id);
    const second = await client.listTasks({ ...ask, pageToken: first.nextPageToken, includeArtifacts: true });
    assert.equal(second.tasks[0].id, sent.id);
    assert.equal(textOf(second.tasks[0].artifacts[0]), quoted);
    assert.equal(second.nextPageToken, '');
  });

  await step('a failure of the model is a failed task with its words', async () => {
    const task = await client.sendMessage(sending('Please break down'));
    assert.equal(task.status.state, TaskState.TASK_STATE_FAILED);
    assert.match(textOf(task.status.message), /the engine is cold/);
  });

  await step('errors: each with its class', async () => {
    await assert.rejects(client.getTask({ tenant: '', id: 'none' }), TaskNotFoundError);
    await assert.rejects(client.cancelTask({ tenant: '', id: sent.id, metadata: undefined }), TaskNotCancelableError);
    await assert.rejects(client.sendMessage(sending('more', { taskId: sent.id })), UnsupportedOperationError);
    await assert.rejects(client.sendMessage(sending('x', { parts: [] })), RequestMalformedError);
    const transport = await at.create(client.agentCard?.supportedInterfaces[0].url ?? `${t.base}/a2a`, await new DefaultAgentCardResolver().resolve(`${t.base}/`));
    await assert.rejects(transport.getTaskPushNotificationConfig({ tenant: '', taskId: sent.id, id: '1' }), PushNotificationNotSupportedError);
    await assert.rejects(client.resubscribeTask({ tenant: '', id: sent.id }).next(), UnsupportedOperationError);
  });

  await step('cancel: ends the turn, for those who follow it too', async () => {
    const slow = await byName(name).createFromUrl(`${t.url}/far/`);
    const task = await slow.sendMessage(sending('go', {}, { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: true }));
    assert.equal(task.status.state, TaskState.TASK_STATE_WORKING);
    const follow = slow.resubscribeTask({ tenant: '', id: task.id });
    assert.equal((await follow.next()).value.payload.$case, 'task');
    const left = once(far, 'left');
    const ended = await slow.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    assert.equal(ended.status.state, TaskState.TASK_STATE_CANCELED);
    await left;
    let last;
    for await (const { payload } of follow) last = payload;
    assert.equal(last.value.status.state, TaskState.TASK_STATE_CANCELED);
  });
}

export default async function (t) {
  await t.step('the card, at both of its addresses', async () => {
    const card = await new DefaultAgentCardResolver().resolve(`${t.base}/`);
    assert.equal(card.name, 'mia');
    assert.deepEqual(card.supportedInterfaces.map((i) => [i.protocolBinding, i.protocolVersion, i.url]), [
      ['JSONRPC', '1.0', `${t.base}/a2a`], ['HTTP+JSON', '1.0', `${t.base}/a2a`],
    ]);
    assert.deepEqual(card.skills.map((s) => s.id), ['chat', 'quote']);
    assert.equal(card.capabilities.streaming, true);
    assert.equal(card.capabilities.pushNotifications, false);
    assert.equal(card.securitySchemes.bearer.scheme.$case, 'httpAuthSecurityScheme');
    const old = await (await fetch(`${t.base}/.well-known/agent.json`)).json();
    assert.equal(old.url, `${t.base}/a2a`);
  });

  const far = await endless();
  try {
    await t.api('POST', '/api/agents', {
      name: 'Far', username: 'far', visibility: 'public', transports: ['a2a'],
      model: JSON.stringify({ base_url: `http://127.0.0.1:${far.address().port}/v1`, model: 'tiny' }),
    });
    await binding(t, 'JSONRPC', new JsonRpcTransportFactory(), far);
    await binding(t, 'HTTP+JSON', new RestTransportFactory(), far);

    await t.step('the version before 1.0, as its card says', async () => {
      const legacyCompat = { enabled: true };
      const client = await new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({ legacyCompat })], cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
      })).createFromUrl(`${t.base}/`, '.well-known/agent.json');
      const task = await client.sendMessage(sending('What is the cost of 3 hours?'));
      assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
      assert.equal(textOf(task.artifacts[0]), quoted);
      assert.equal((await client.getTask({ tenant: '', id: task.id })).id, task.id);
      let text = '', state;
      for await (const { payload } of client.sendMessageStream(sending('What is the cost of 3 hours?'))) {
        if (payload.$case === 'artifactUpdate') text += textOf(payload.value.artifact);
        if (payload.$case === 'statusUpdate') state = payload.value.status.state;
      }
      assert.equal(text, quoted);
      assert.equal(state, TaskState.TASK_STATE_COMPLETED);
    });

    await t.step('the earlier versions, switched off', async () => {
      await t.api('PUT', '/api/local/settings', { a2aLegacy: false });
      const res = await fetch(`${t.base}/a2a`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/send', params: { message: { role: 'user', parts: [{ type: 'text', text: 'x' }] } } }),
      });
      assert.equal((await res.json()).error.code, -32601);
      assert.ok((await (await fetch(`${t.base}/.well-known/agent.json`)).json()).supportedInterfaces);
    });
  } finally {
    far.closeAllConnections();
    far.close();
  }
}

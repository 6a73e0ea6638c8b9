import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import { editOutside, folderOf } from './disk';
import type { Platform } from './platform';

const live = `export default async (ctx) => {
  await ctx.socket.accept();
  for await (const message of ctx.socket) await ctx.socket.send({ echo: message });
};
`;

const words = `export default async function* (ctx, args) {
  for (const word of ['one', 'two', 'three']) yield { word };
}
`;

const status = `export default async (ctx, args) => ({ ok: true, who: args.who ?? 'nobody' });
`;

/** Writes handlers into the project, as an author does, and waits until they serve. */
async function serve(platform: Platform): Promise<void> {
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  for (const [name, text] of Object.entries({ live, words, status })) writeFileSync(join(folder, 'endpoints', `${name}.js`), text);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /^---\n/,
      `---
endpoints:
  - { path: "/status", method: post, scope: owner, handler: endpoints/status.js, parameters: { who: string } }
  - { path: "/words", method: get, scope: all, content_type: text/event-stream, handler: endpoints/words.js }
  - { path: "/live", websocket: true, scope: all, handler: endpoints/live.js }
`,
    ),
  );
  const served = async () => {
    const { endpoints, problems } = await platform.api<{ endpoints: { id: string }[]; problems: unknown[] }>('GET', '/api/local/agents/hello/endpoints');
    return { count: endpoints.length, problems };
  };
  await expect.poll(served).toEqual({ count: 3, problems: [] });
}

test('an endpoint over HTTP, a stream of events and a WebSocket', { tag: '@journey' }, async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await serve(platform);
  await page.keyboard.press('Control+3');
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  const answer = page.getByRole('region', { name: 'Answer', exact: true });

  // A click fills the editor; the caller decides what is allowed.
  await list.getByRole('button', { name: 'POST /status' }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/hello/status');
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"who": "ada"}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answer).toContainText('200');
  await expect(answer.getByRole('region', { name: 'Body of the answer' })).toContainText('"who": "ada"');
  await answer.getByText(/^Headers \d+/).click();
  await expect(answer.getByRole('rowheader', { name: 'Content-Type', exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: /anonymous/ }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answer).toContainText(/40[13]/);

  // What was sent can be opened again, with what came back.
  await expect(page.getByTestId('sent-request')).toHaveCount(2);
  await page.getByTestId('sent-request').last().click();
  await expect(answer).toContainText('200');
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue('You, the owner');

  // Events one by one, and filtered.
  await list.getByRole('button', { name: 'SSE /words' }).click();
  await expect(page.getByRole('tab', { name: 'SSE' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Listen' }).click();
  await expect(page.getByTestId('live')).toHaveCount(3);
  await expect(page.getByTestId('live').nth(1)).toContainText('"two"');
  await page.getByRole('textbox', { name: 'Filter Messages' }).fill('three');
  await expect(page.getByTestId('live')).toHaveCount(1);
  await expect(page.getByTestId('live-count')).toHaveText('1 of 3');

  // A WebSocket, which stays open while one looks elsewhere.
  await list.getByRole('button', { name: 'WS /live' }).click();
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(answer).toContainText('open');
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.fill('{"n": 1}');
  await box.press('Enter');
  await expect(page.getByTestId('live')).toHaveCount(2);
  await expect(page.getByTestId('live').last()).toContainText('"echo"');
  await page.getByRole('button', { name: 'Pause' }).click();
  await box.fill('{"n": 2}');
  await box.press('Enter');
  await expect(page.getByTestId('live-count')).toContainText('2 more since');
  await expect(page.getByTestId('live')).toHaveCount(2);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByTestId('live')).toHaveCount(4);
  await page.keyboard.press('Control+8');
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'WebSocket' }).click();
  await expect(page.getByTestId('live')).toHaveCount(4);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(answer).toContainText('closed 1000');
  await expect(box).toBeDisabled();
});

test('a request that cannot be sent says why', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+3');
  await page.getByRole('textbox', { name: 'Path' }).fill('/hello/users/{id}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Put a value in place of {id}')).toBeVisible();
  await page.getByRole('textbox', { name: 'Path' }).fill('/api/local/status');
  await page.getByRole('textbox', { name: 'Headers' }).fill('no header');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('is no header: write Name: value')).toBeVisible();
  await page.getByRole('textbox', { name: 'Headers' }).fill('');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText(/own routes are not for clients/)).toBeVisible();
});

test('a conversation with an agent that calls its tools', { tag: '@journey' }, async ({ console: page }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  await say.fill('3 hours');
  await say.press('Enter');
  const answer = page.getByTestId('chat-message').last();
  await expect(answer).toContainText('3 hours cost 240 EUR. Which day suits you?');
  await expect(answer.getByTestId('chat-tool')).toContainText('quote');
  await expect(answer.getByTestId('chat-tool')).toContainText('"total":240');
  await expect(answer.getByTestId('chat-tool')).toContainText('Arguments{"hours":3}');
  await expect(answer.getByTestId('usage')).toHaveText(/^\d+ tokens in · \d+ out · \d+ in all$/);
  await answer.getByRole('button', { name: 'Its run' }).click();
  await expect(page.getByRole('dialog')).toContainText('quote');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  // The conversation goes on, also after a look elsewhere.
  await page.keyboard.press('Control+8');
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  await say.fill('Friday');
  await say.press('Enter');
  await expect(page.getByTestId('chat-message')).toHaveCount(4);
  await expect(page.getByTestId('chat-message').last().getByTestId('chat-tool')).toContainText('book');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByTestId('chat-message')).toHaveCount(0);
  await expect(page.getByText('has a problem')).toHaveCount(0); // a sample is none, and nothing lies over the lists
});

test('the events under a conversation: in order, filtered, opened, copied and exported', async ({ console: page, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  await page.getByRole('button', { name: /^Events/ }).click();
  const panel = page.getByRole('region', { name: 'UAMP events' });
  await expect(panel.getByText(/Say something/)).toBeVisible();
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(page.getByTestId('usage')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();

  const exported = async () => {
    const coming = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'Export' }).click();
    const file = await (await coming).path();
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { time: string; direction: string; type: string; event: Record<string, unknown> });
  };
  const events = await exported();
  expect(events.slice(0, 5).map((e) => `${e.direction} ${e.type}`)).toEqual(['sent session.create', 'sent input.text', 'sent response.create', 'received session.created', 'received capabilities']);
  expect(events.at(-1)?.type).toBe('response.done');
  expect(events.map((e) => e.time)).toEqual(events.map((e) => e.time).toSorted());
  expect(events.every((e) => e.event.type === e.type)).toBe(true);
  await expect(panel.getByTestId('wire-count')).toHaveText(String(events.length));

  // Words narrow it down; what is shown is what is copied.
  await panel.getByRole('textbox', { name: 'Filter UAMP events' }).fill('response.delta tool_result 240');
  await expect(panel.getByTestId('wire-row')).toHaveCount(1);
  await panel.getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as { direction: string; event: { delta: { tool_result: { result: string } } } };
  expect(JSON.parse(copied.event.delta.tool_result.result)).toMatchObject({ total: 240 });
  expect(copied.direction).toBe('received');
  await panel.getByTestId('wire-row').click();
  await expect(panel.getByRole('region', { name: 'Event response.delta' })).toContainText('"invocation_id"');
  await panel.getByRole('textbox', { name: 'Filter UAMP events' }).fill('no such word');
  await expect(panel.getByText(`0 of ${events.length} match.`)).toBeVisible();
  await panel.getByRole('button', { name: 'Clear filter' }).click();
  await expect(panel.getByRole('textbox', { name: 'Filter UAMP events' })).toHaveValue('');

  // By keyboard, and the next turn goes on with the session.
  await panel.getByRole('option').first().focus();
  await page.keyboard.press('Home');
  await expect(panel.getByRole('option', { name: 'sent session.create' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('region', { name: 'Event input.text' })).toContainText('"3 hours"');
  await say.fill('Friday');
  await say.press('Enter');
  await expect(page.getByTestId('chat-message').last().getByTestId('chat-tool')).toContainText('book');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
  const session = (e: (typeof events)[number]) => (e.event.session as { id: string }).id;
  const all = await exported();
  const began = all.filter((e) => e.type === 'session.created');
  expect(began).toHaveLength(2);
  expect(session(began[1]!)).toBe(session(began[0]!));
  expect(began[1]!.event.resumed).toBe(true);
  expect(JSON.stringify(all)).not.toContain(platform.ownerKey);

  // Over chat completions the same panel has the chunks.
  await page.getByText('Completions', { exact: true }).click();
  await expect(page.getByText('POST /chat-agent/v1/chat/completions')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(page.getByTestId('usage')).toBeVisible();
  const chunks = page.getByRole('region', { name: 'Chunks', exact: true });
  for (const type of ['sent request', 'received tool result', 'received end']) {
    await chunks.getByRole('textbox', { name: 'Filter Chunks' }).fill(type.replace('received end', 'end [DONE]'));
    await expect(chunks.getByRole('option', { name: type, exact: true })).toHaveCount(1);
  }
});

test('a session that is gone begins again with what was said', async ({ console: page, platform }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  await page.getByRole('button', { name: /^Events/ }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(page.getByTestId('usage')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
  const rows = page.getByTestId('wire-row');
  await page.getByRole('textbox', { name: 'Filter UAMP events' }).fill('received session.created');
  await rows.click();
  const text = await page.getByRole('region', { name: 'Event session.created' }).innerText();
  const session = (JSON.parse(text) as { session: { id: string } }).session.id;
  await platform.api('POST', '/chat-agent/uamp', [{ type: 'session.create', uamp_version: '1.0', session_id: session }, { type: 'session.end' }]);
  await say.fill('Friday');
  await say.press('Enter');
  await expect(page.getByTestId('chat-message').last().getByTestId('chat-tool')).toContainText('book');
  await expect(page.getByTestId('chat-message').last().getByRole('alert')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Filter UAMP events' }).fill('session.error');
  await expect(rows).toHaveCount(1);
});

test('A2A and UAMP, with what goes over the wire', async ({ console: page }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'POST /a2a', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Agent card', exact: true })).toContainText('What a job of so many hours costs');
  const text = page.getByRole('textbox', { name: 'Message to the agent' });
  await text.fill('3 hours');
  await text.press('Enter');
  await expect(page.getByTestId('a2a-answer')).toHaveText('3 hours cost 240 EUR. Which day suits you?');
  await expect(page.getByTestId('a2a-turn')).toContainText('completed');
  await expect(page.getByTestId('card-state')).toHaveText('valid for A2A 1.0');
  const wire = page.getByRole('region', { name: 'JSON-RPC', exact: true });
  await wire.getByRole('option', { name: 'sent SendMessage' }).click();
  await expect(wire.getByRole('region', { name: 'Event SendMessage' })).toContainText('"ROLE_USER"');
  await wire.getByRole('option', { name: 'received result task' }).click();
  await expect(wire.getByRole('region', { name: 'Event result task' })).toContainText('TASK_STATE_COMPLETED');
  await page.getByRole('switch', { name: 'Stream' }).click();
  await text.fill('Friday');
  await text.press('Enter');
  await expect(page.getByTestId('a2a-turn')).toHaveCount(2);
  await expect(page.getByTestId('a2a-turn').last()).toContainText('completed');
  await expect(page.getByTestId('a2a-answer').last()).not.toBeEmpty();
  await expect(wire.getByRole('option', { name: 'sent SendStreamingMessage' })).toHaveCount(1);
  await expect(wire.getByRole('option', { name: 'received result artifactUpdate' }).first()).toBeVisible();
  await expect(wire.getByRole('option', { name: 'received result statusUpdate' }).last()).toBeVisible();

  await page.getByRole('tab', { name: 'UAMP' }).click();
  await page.getByRole('button', { name: 'Open a session' }).click();
  const events = page.getByTestId('wire-row');
  await expect(events.filter({ hasText: 'session.created' })).toHaveCount(1);
  const say = page.getByRole('textbox', { name: 'Text for the agent' });
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(events.filter({ hasText: 'response.done' })).toContainText('3 hours cost 240 EUR');
  await page.getByRole('switch', { name: 'Events in JSON' }).click();
  const event = page.getByRole('textbox', { name: 'Event', exact: true });
  await event.fill('ping');
  await event.press('Enter');
  await expect(page.getByText(/An event is a JSON object/)).toBeVisible();
  await event.fill('{"type": "ping"}');
  await event.press('Enter');
  await expect(page.getByRole('option', { name: 'received pong' })).toHaveCount(1);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(event).toBeDisabled();
});

test('a card of an agent\'s own is held to the rules of A2A', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  const card = (text: string) => writeFileSync(join(folder, 'endpoints', 'card.js'), `export default () => (${text});\n`);
  card(`{ name: 'Hello', version: '1', url: 'https://a.example/', capabilities: {}, defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [{ id: 'a', name: 'A', description: 'Does A', tags: [] }] }`);
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/^---\n/, '---\nendpoints:\n  - { path: "/.well-known/agent-card.json", method: get, handler: endpoints/card.js }\n'));
  await expect.poll(async () => (await platform.api<{ endpoints: unknown[] }>('GET', '/api/local/agents/hello/endpoints')).endpoints.length).toBe(1);
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'A2A' }).click();
  await expect(page.getByTestId('card-state')).toHaveText('3 problems');
  const wrong = page.getByRole('list', { name: 'What is wrong with the card' });
  await expect(wrong.getByRole('listitem')).toHaveCount(4);
  await expect(wrong).toContainText('description is missing.Say in a sentence what the agent does');
  await expect(wrong).toContainText('supportedInterfaces is missing.List where the agent answers');
  await expect(wrong).toContainText('skills[0].tags is an empty list.Give it a tag or more.');
  await expect(wrong).toContainText('Warning: url does not belong here.Since 1.0');
  await expect(page.getByText('hello does not speak A2A yet')).toBeVisible();
  await expect(page.getByText('GET /hello/.well-known/agent-card.json', { exact: true })).toBeVisible();
  await expect(page.getByText('POST /hello/a2a')).toHaveCount(0);
  card(`{ name: 'Hello', description: 'Greets', version: '1', supportedInterfaces: [{ url: 'https://a.example/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }], capabilities: {}, defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [{ id: 'a', name: 'A', description: 'Does A', tags: ['a'] }] }`);
  await expect(page.getByTestId('card-state')).toHaveText('valid for A2A 1.0');
});

test('webhooks that were signed in the page are believed, and others are not', async ({ console: page, platform }) => {
  await page.getByRole('button', { name: /Webhook/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  // A sender without a scheme of its own, and a function that holds it to its HMAC.
  const folder = await folderOf(platform, 'webhook-hmac');
  mkdirSync(join(folder, 'functions/plain'));
  writeFileSync(join(folder, 'functions/plain/index.js'), `export default async (ctx) => {
  const { headers, rawBody } = ctx.request;
  const genuine = await ctx.portal.verifyHmac({ algo: 'sha256', secretBinding: 'PLAIN_SECRET', payload: rawBody, expected: headers['x-shop-signature'] ?? '' });
  return genuine ? { believed: true } : { status: 401, body: { error: 'bad signature' } };
};
`);
  writeFileSync(join(folder, 'functions/plain/manifest.json'), readFileSync(join(folder, 'functions/github/manifest.json'), 'utf8').replaceAll('GITHUB_SECRET', 'PLAIN_SECRET').replaceAll('github', 'plain'));
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace('      - { id: github', '      - { id: plain, method: POST, path: /hooks/plain, auth: signature, use: plain }\n      - { id: github'));
  await page.keyboard.press('Control+3');
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  await list.getByRole('button', { name: 'POST /hooks/plain' }).waitFor();
  for (const name of ['github', 'slack', 'stripe', 'plain']) {
    await platform.api('POST', `/api/agents/webhook-hmac/functions/${name}/secret`, { binding: `${name.toUpperCase()}_SECRET`, value: 'known to both' });
  }
  const headers = page.getByRole('textbox', { name: 'Headers' });
  const body = page.getByRole('textbox', { name: 'Body', exact: true });
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const sign = async (as: string, secret: string, more?: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Sign as a webhook' });
    await form.getByRole('combobox', { name: 'As', exact: true }).click();
    await page.getByRole('option', { name: as }).click();
    await more?.();
    await form.getByLabel('Secret', { exact: true }).fill(secret);
    await form.getByRole('button', { name: 'Sign it' }).click();
    await expect(form).toBeHidden();
  };

  await list.getByRole('button', { name: 'POST /hooks/github' }).click();
  await headers.fill('Content-Type: application/json\nX-GitHub-Event: ping');
  await body.fill('{"zen": "Keep it simple"}');
  await sign('GitHub', 'a guess');
  await send.click();
  await expect(answer).toContainText('bad signature');
  await sign('GitHub', 'known to both');
  await expect(headers).toHaveValue(/^Content-Type: application\/json\nX-GitHub-Event: ping\nX-Hub-Signature-256: sha256=[0-9a-f]{64}$/);
  await send.click();
  await expect(answer).toContainText('"pong": "Keep it simple"');

  await list.getByRole('button', { name: 'POST /hooks/slack' }).click();
  await body.fill('{"type": "url_verification", "challenge": "c-1"}');
  await sign('Slack', 'known to both');
  await send.click();
  await expect(page.getByTestId('sent-request')).toHaveCount(3);
  await expect(answer).toContainText('c-1');

  await list.getByRole('button', { name: 'POST /hooks/stripe' }).click();
  await body.fill('{"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": {"id": "pi_1", "amount": 4200, "currency": "eur"}}}');
  await sign('Stripe', 'a guess');
  await send.click();
  await expect(answer).toContainText('bad signature');
  await sign('Stripe', 'known to both');
  await send.click();
  await expect(answer).toContainText('"received": true');
  // The signature is of these bytes: with others it is none.
  await body.fill('{"id": "evt_2", "type": "other"}');
  await send.click();
  await expect(answer).toContainText('bad signature');

  await list.getByRole('button', { name: 'POST /hooks/plain' }).click();
  await body.fill('{"order": 7}');
  const shop = async () => {
    const form = page.getByRole('dialog', { name: 'Sign as a webhook' });
    await form.getByRole('textbox', { name: 'Header' }).fill('X-Shop-Signature');
  };
  await sign('HMAC of another sender', 'a guess', shop);
  await send.click();
  await expect(answer).toContainText('bad signature');
  await sign('HMAC of another sender', 'known to both', shop);
  await send.click();
  await expect(answer).toContainText('"believed": true');
});

test('an agent that is not talked to says how it would be', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  await expect(page.getByText('transports: [completions]')).toBeVisible();
  await page.getByRole('button', { name: 'Copy the line' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('transports: [completions]');
});

test('one button has an agent speak a protocol, and another one takes it back', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const file = join(await folderOf(platform, 'hello'), 'AGENT.md');
  const before = readFileSync(file, 'utf8');
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  // Somebody else writes the file after the page has read it.
  editOutside(file, (text) => text.replace(/^---\n/, '---\n# mine\n'));
  await page.getByRole('button', { name: 'Add it to AGENT.md' }).click();
  await expect(page.getByRole('textbox', { name: 'What you say' })).toBeVisible();
  expect(readFileSync(file, 'utf8')).toBe(before.replace(/^---\n/, '---\n# mine\n').replace(/\n---\n/, '\ntransports: [completions]\n---\n'));
  await page.getByRole('textbox', { name: 'What you say' }).fill('Hello');
  await page.getByRole('textbox', { name: 'What you say' }).press('Enter');
  await expect(page.getByTestId('chat-message')).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Add it to AGENT.md' })).toBeVisible();
  expect(readFileSync(file, 'utf8')).toBe(before.replace(/^---\n/, '---\n# mine\n'));
});

test('what was sent is there after the page was loaded anew, and what was open says that it ended', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'));
  writeFileSync(join(folder, 'endpoints/status.js'), status);
  writeFileSync(join(folder, 'endpoints/live.js'), live);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(/\n---\n/, '\nendpoints:\n  - { path: /status, handler: endpoints/status.js }\n  - { path: /live, websocket: true, handler: endpoints/live.js }\n---\n'),
  );
  await page.keyboard.press('Control+3');
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  await list.getByRole('button', { name: 'GET /status' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer).toContainText('"who": "nobody"');
  await list.getByRole('button', { name: 'WS /live' }).click();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('{"n": 1}');
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect(page.getByTestId('live')).toHaveCount(2);
  await page.reload();
  await expect(page.getByTestId('live')).toHaveCount(2);
  await expect(answer).toContainText('The page was loaded anew, which ended it.');
  await expect(page.getByTestId('sent-request')).toHaveCount(2);
  await page.getByTestId('sent-request').filter({ hasText: '/status' }).click();
  await expect(answer).toContainText('"who": "nobody"');
});

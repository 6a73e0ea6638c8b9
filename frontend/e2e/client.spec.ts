import { mkdirSync, writeFileSync } from 'node:fs';
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

test('an endpoint over HTTP, a stream of events and a WebSocket', async ({ hello, console: page, platform }) => {
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

test('a conversation with an agent that calls its tools', async ({ console: page }) => {
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
  await expect(answer.getByTestId('usage')).toContainText('tokens in');
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
  await page.getByText('Raw', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Request' })).toContainText('"SendMessage"');
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('TASK_STATE_COMPLETED');
  await text.fill('Friday');
  await text.press('Enter');
  await expect(page.getByTestId('a2a-turn')).toHaveCount(2);
  await expect(page.getByTestId('a2a-turn').last()).toContainText('completed');

  await page.getByRole('tab', { name: 'UAMP' }).click();
  await page.getByRole('button', { name: 'Open a session' }).click();
  const events = page.getByTestId('live');
  await expect(events.filter({ hasText: 'session.created' })).toHaveCount(1);
  const say = page.getByRole('textbox', { name: 'Text for the agent' });
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(events.filter({ hasText: 'response.done' })).toContainText('3 hours cost 240 EUR');
  await page.getByRole('switch', { name: 'Events in JSON' }).click();
  const event = page.getByRole('textbox', { name: 'Event' });
  await event.fill('ping');
  await event.press('Enter');
  await expect(page.getByText(/An event is a JSON object/)).toBeVisible();
  await event.fill('{"type": "ping"}');
  await event.press('Enter');
  await expect(events.filter({ hasText: '"pong"' })).toHaveCount(1);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(event).toBeDisabled();
});

test('webhooks that were signed in the page are believed, and others are not', async ({ console: page, platform }) => {
  await page.getByRole('button', { name: /Webhook/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  for (const name of ['github', 'slack']) {
    await platform.api('POST', `/api/agents/webhook-hmac/functions/${name}/secret`, { binding: `${name.toUpperCase()}_SECRET`, value: 'known to both' });
  }
  await page.keyboard.press('Control+3');
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  const headers = page.getByRole('textbox', { name: 'Headers' });
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const sign = async (as: string, secret: string) => {
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Sign as a webhook' });
    await form.getByRole('combobox', { name: 'As' }).click();
    await page.getByRole('option', { name: as }).click();
    await form.getByLabel('Secret', { exact: true }).fill(secret);
    await form.getByRole('button', { name: 'Sign it' }).click();
    await expect(form).toBeHidden();
  };

  await list.getByRole('button', { name: 'POST /hooks/github' }).click();
  await headers.fill('Content-Type: application/json\nX-GitHub-Event: ping');
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"zen": "Keep it simple"}');
  await sign('GitHub', 'a guess');
  await send.click();
  await expect(answer).toContainText('bad signature');
  await sign('GitHub', 'known to both');
  await expect(headers).toHaveValue(/^Content-Type: application\/json\nX-GitHub-Event: ping\nX-Hub-Signature-256: sha256=[0-9a-f]{64}$/);
  await send.click();
  await expect(answer).toContainText('"pong": "Keep it simple"');

  await list.getByRole('button', { name: 'POST /hooks/slack' }).click();
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"type": "url_verification", "challenge": "c-1"}');
  await sign('Slack', 'known to both');
  await send.click();
  await expect(page.getByTestId('sent-request')).toHaveCount(3);
  await expect(answer).toContainText('c-1');
});

test('an agent that is not talked to says how it would be', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  await expect(page.getByText('transports: [completions]')).toBeVisible();
});

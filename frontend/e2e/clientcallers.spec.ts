import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';
import type { Platform } from './platform';

// As whom the tabs of Client call, and what they pay with.

const who = `export default async (ctx) => ({ who: ctx.auth.userId ?? 'nobody', scopes: ctx.auth.scopes });
`;

const files = {
  'who.js': who,
  'paid.js': `export default async () => ({ worth: 'it' });\n`,
  'live.js': `export default async (ctx) => {
  await ctx.socket.accept();
  for await (const message of ctx.socket) await ctx.socket.send({ echo: message });
};
`,
};

/** Opens the chat sample with endpoints that say who is there, that only an admin may use, and that cost something. */
async function open(page: Page, platform: Platform): Promise<string> {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  const folder = await folderOf(platform, 'chat-agent');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'endpoints', name), text);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /^---\n/,
      `---
endpoints:
  - { path: "/who", method: get, scope: all, handler: endpoints/who.js }
  - { path: "/admins", method: get, scope: admin, handler: endpoints/who.js }
  - { path: "/paid", method: post, scope: all, price: 0.02, handler: endpoints/paid.js }
  - { path: "/paidlive", websocket: true, scope: all, price: 0.02, handler: endpoints/live.js }
`,
    ),
  );
  await page.keyboard.press('Control+3');
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'GET /who' }).click();
  return folder;
}

async function choose(page: Page, caller: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: caller }).click();
}

test('each caller is who it says, in every tab', async ({ console: page, platform }) => {
  const folder = await open(page, platform);
  writeFileSync(join(folder, 'functions/quote/index.js'), `export default async (ctx) => ({ total: 1, currency: 'EUR', who: ctx.auth?.userId ?? 'nobody' });\n`);
  const answer = page.getByRole('region', { name: 'Body of the answer' });
  const send = async () => {
    const sent = page.getByTestId('sent-request');
    const before = await sent.count();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(sent).toHaveCount(before + 1);
  };
  await choose(page, 'Nobody (anonymous)');
  await send();
  await expect(answer).toContainText('"who": "nobody"');
  await choose(page, 'You, the owner');
  await send();
  await expect(answer).toContainText('"who": "owner"');
  await choose(page, 'A visitor (adds Ada)');
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue('Visitor Ada');
  await send();
  const { visitors } = await platform.api<{ visitors: { id: string }[] }>('GET', '/api/local/visitors');
  const ada = visitors[0]!.id;
  await expect(answer).toContainText(ada);
  await choose(page, 'A portal token or API key');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Paste a token or an API key')).toBeVisible();
  await page.getByRole('button', { name: 'Make one' }).click();
  await expect(page.getByLabel('Token', { exact: true })).not.toHaveValue('');
  await send();
  await expect(answer).toContainText('"invoke"');
  await page.getByRole('textbox', { name: 'Path' }).fill('/chat-agent/admins');
  await choose(page, 'Visitor Ada');
  await send();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('403');
  await choose(page, 'An admin');
  await send();
  await expect(answer).toContainText('"who": "admin"');

  // The same people in a conversation: the tool says whom it served.
  await page.getByRole('tab', { name: 'Chat' }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  for (const over of ['UAMP', 'Completions']) {
    await page.getByRole('radiogroup', { name: 'Protocol' }).getByText(over, { exact: true }).click();
    for (const [caller, id] of [['Nobody (anonymous)', 'nobody'], ['You, the owner', 'owner'], ['Visitor Ada', ada], ['An admin', 'admin']] as const) {
      await choose(page, caller);
      await say.fill('3 hours');
      await say.press('Enter');
      await expect(page.getByTestId('chat-message').last().getByTestId('usage')).toBeVisible();
      await expect(page.getByTestId('chat-tool').last()).toContainText(`"who":"${id}"`);
      await page.getByRole('button', { name: 'Clear' }).click();
    }
  }
  await choose(page, 'A portal token or API key');
  await page.getByRole('button', { name: 'Make one' }).click();
  await expect(page.getByLabel('Token', { exact: true })).not.toHaveValue('');
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(page.getByTestId('chat-tool').last()).toContainText('"who":"owner"');

  await page.getByRole('tab', { name: 'A2A' }).click();
  await choose(page, 'Visitor Ada');
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
  await expect(page.getByTestId('a2a-turn')).toContainText('completed');
  await page.getByRole('tab', { name: 'UAMP' }).click();
  await choose(page, 'An admin');
  await page.getByRole('button', { name: 'Open a session' }).click();
  await page.getByRole('textbox', { name: 'Text for the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Text for the agent' }).press('Enter');
  await expect(page.getByTestId('wire-row').filter({ hasText: '"who":"admin"' }).first()).toBeVisible();
});

test('what costs something is asked for, paid and sent again, and the token stays nowhere', async ({ console: page, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const folder = await open(page, platform);
  const needed = page.getByTestId('payment-needed');
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  const payment = page.getByLabel('Payment token', { exact: true });
  await choose(page, 'Nobody (anonymous)');

  await list.getByRole('button', { name: 'POST /paid' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(needed).toContainText('402: this costs $0.02, and no payment token was sent');
  await page.getByRole('button', { name: 'Mint a test token and send it again' }).click();
  await expect(page.getByRole('region', { name: 'Body of the answer' })).toContainText('"worth": "it"');
  await expect(needed).toHaveCount(0);
  const token = await payment.inputValue();
  expect(token.split('.')).toHaveLength(3);

  // Kept in the field alone.
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('-H "X-PAYMENT: $PAYMENT_TOKEN"');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('paid');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(read(folder, '.benchtop/calls/client/paid.json')).not.toContain('eyJ');
  expect(await page.evaluate(() => location.href + JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token);
  const { invocations } = await platform.api<{ invocations: { id: string }[] }>('GET', '/api/local/invocations');
  for (const { id } of invocations) expect(JSON.stringify(await platform.api('GET', `/api/local/invocations/${id}`))).not.toContain(token);

  // A token that does not do says so; a new one does.
  await payment.fill('no.such.token');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(needed).toContainText('402: the payment token does not pay the $0.02 that this costs');
  await page.getByRole('button', { name: 'Mint one' }).click();
  await expect(payment).not.toHaveValue('no.such.token');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(needed).toHaveCount(0);
  await page.getByRole('button', { name: 'Pay with nothing' }).click();
  await expect(payment).toHaveCount(0);

  // A WebSocket that is refused before it opens.
  await list.getByRole('button', { name: 'WS /paidlive' }).click();
  await choose(page, 'Nobody (anonymous)');
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(needed).toContainText('$0.02');
  await page.getByRole('button', { name: 'Mint a test token and send it again' }).click();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('open');
  await page.getByRole('button', { name: 'End', exact: true }).click();

  // A conversation whose tool has a price.
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/^---\n/, '---\ntoolPricing: { tools: { "fn:quote": { perCall: 20000000 } } }\n'));
  await expect.poll(async () => (await fetch(`${platform.url}/chat-agent/v1/chat/completions`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"model": "x", "messages": [{"role": "user", "content": "hi"}]}' })).status).toBe(402);
  await page.getByRole('tab', { name: 'Chat' }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  const again = page.getByRole('button', { name: 'Mint a test token and say it again' });
  for (const over of ['UAMP', 'Completions']) {
    await page.getByRole('radiogroup', { name: 'Protocol' }).getByText(over, { exact: true }).click();
    await choose(page, 'Nobody (anonymous)');
    await say.fill('3 hours');
    await say.press('Enter');
    await expect(needed).toContainText('402: this costs $0.02');
    await again.click();
    await expect(page.getByTestId('chat-message').last()).toContainText('3 hours cost 240 EUR');
    await expect(page.getByTestId('chat-message')).toHaveCount(2);
    await page.getByRole('button', { name: 'Pay with nothing' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
  }
  await page.getByRole('tab', { name: 'A2A' }).click();
  await choose(page, 'Nobody (anonymous)');
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
  await expect(needed).toContainText('402: this costs $0.02');
  await again.click();
  await expect(page.getByTestId('a2a-answer')).toContainText('3 hours cost 240 EUR');
  await page.getByRole('tab', { name: 'UAMP' }).click();
  await choose(page, 'Nobody (anonymous)');
  await page.getByRole('button', { name: 'Open a session' }).click();
  await page.getByRole('textbox', { name: 'Text for the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Text for the agent' }).press('Enter');
  await expect(needed).toContainText('402: this costs $0.02');
  await page.getByRole('button', { name: 'Mint a test token and submit it' }).click();
  await expect(page.getByTestId('wire-row').filter({ hasText: 'response.done' })).toContainText('3 hours cost 240 EUR');
  await expect(needed).toHaveCount(0);
  await page.getByRole('option', { name: 'sent payment.submit' }).click();
  await expect(page.getByRole('region', { name: 'Event payment.submit' })).toContainText('"token": "…"');
});

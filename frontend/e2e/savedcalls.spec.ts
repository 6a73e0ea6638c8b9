import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { editOutside, folderOf, read } from './disk';
import type { Platform } from './platform';

const status = `export default async (ctx, args) => ({ ok: true, who: args.who ?? 'nobody' });
`;

const live = `export default async (ctx) => {
  await ctx.socket.accept();
  for await (const message of ctx.socket) await ctx.socket.send({ echo: message });
};
`;

/** Writes two endpoints into the project, as an author does, and waits until they serve. */
async function serve(platform: Platform): Promise<string> {
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  writeFileSync(join(folder, 'endpoints/status.js'), status);
  writeFileSync(join(folder, 'endpoints/live.js'), live);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /^---\n/,
      `---
endpoints:
  - { path: "/status", method: post, scope: all, handler: endpoints/status.js, parameters: { who: string } }
  - { path: "/live", websocket: true, scope: all, handler: endpoints/live.js }
`,
    ),
  );
  await expect.poll(async () => (await platform.api<{ endpoints: unknown[] }>('GET', '/api/local/agents/hello/endpoints')).endpoints.length).toBe(2);
  return folder;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Save this call' });

async function save(page: Page, name: string, as = 'Save'): Promise<void> {
  await page.getByRole('button', { name: 'Save…' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog(page).getByRole('button', { name: as, exact: true }).click();
  await expect(dialog(page)).toBeHidden();
}

const saved = (page: Page): Locator => page.getByRole('region', { name: 'Saved calls' });
const row = (page: Page, name: string): Locator => saved(page).getByTestId('saved-call').filter({ hasText: name });

test('a call is saved as a file, changed on disk, opened again and sent', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await serve(platform);
  const file = join(folder, '.benchtop/calls/client/who is it.json');
  await page.keyboard.press('Control+3');
  const path = page.getByRole('textbox', { name: 'Path' });
  const body = page.getByRole('textbox', { name: 'Body', exact: true });
  const headers = page.getByRole('textbox', { name: 'Headers' });
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(saved(page)).toContainText('None yet');

  // It is kept without what must not be in a file.
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'POST /status' }).click();
  await body.fill('{\n  "who": "ada"\n}');
  await headers.fill('Content-Type: application/json\nAuthorization: Bearer very-secret-0123456789\nX-Note: kept');
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: 'A portal token or API key' }).click();
  await page.getByLabel('Token', { exact: true }).fill('rb_also_secret_0123456789');
  await page.keyboard.press('Control+Alt+S');
  await expect(dialog(page)).toContainText('Credentials are never saved');
  await expect(dialog(page)).toContainText('Here that is Authorization.');
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('who is it');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Left out, because a file must not hold credentials: the header Authorization.')).toBeVisible();
  await expect(row(page, 'who is it')).toBeVisible();
  const text = read(folder, '.benchtop/calls/client/who is it.json');
  expect(text).not.toContain('secret');
  expect(JSON.parse(text)).toEqual({
    tab: 'http',
    method: 'POST',
    path: '/{agent}/status',
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Authorization', value: '' },
      { name: 'X-Note', value: 'kept' },
    ],
    body: { who: 'ada' },
    caller: { kind: 'bearer' },
  });

  // Another program changes it: the page says so, and opens it again.
  editOutside(file, (was) => was.replace('"ada"', '"grace"').replace('"bearer"', '"owner"'));
  const bar = page.getByRole('region', { name: 'Saved call', exact: true });
  await expect(bar).toContainText('its file has changed');
  await bar.getByRole('button', { name: 'Open it again' }).click();
  await expect(body).toHaveValue('{\n  "who": "grace"\n}');
  await expect(bar).not.toContainText('its file has changed');
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue('You, the owner');

  // Its credential has to come from somebody.
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Authorization has no value')).toBeVisible();
  await headers.fill('Content-Type: application/json');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answer).toContainText('"who": "grace"');

  // Saving over it is asked first; and it survives a reload of the page.
  await body.fill('{"who": "alan"}');
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toHaveValue('who is it');
  await expect(dialog(page)).toContainText('There is a saved call who is it already');
  await dialog(page).getByRole('button', { name: 'Replace it' }).click();
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await row(page, 'who is it').getByRole('button', { name: /^POST/ }).focus();
  await page.keyboard.press('Enter');
  await expect(path).toHaveValue('/hello/status');
  await expect(body).toHaveValue('{"who": "alan"}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(answer).toContainText('"who": "alan"');
});

test('saved calls are renamed and deleted, and others’ files show without asking', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  const at = (name: string) => join(folder, '.benchtop/calls/client', `${name}.json`);
  await page.keyboard.press('Control+3');
  await save(page, 'first');
  await row(page, 'first').getByRole('button', { name: /^GET/ }).focus();
  await page.keyboard.press('F2');
  const rename = page.getByRole('dialog', { name: 'Rename the saved call' });
  await rename.getByRole('textbox', { name: 'New name' }).fill('../out');
  await page.keyboard.press('Enter');
  await expect(rename).toContainText('cannot name a saved call');
  await rename.getByRole('textbox', { name: 'New name' }).fill('second');
  await page.keyboard.press('Enter');
  await expect(rename).toBeHidden();
  await expect(row(page, 'second')).toBeVisible();
  expect(existsSync(at('first'))).toBe(false);
  await expect(page.getByRole('region', { name: 'Saved call', exact: true })).toContainText('Saved call second');

  // Files of other programs: whole, broken, and one that leads elsewhere.
  writeFileSync(at('theirs'), '{"tab": "sse", "path": "/{agent}/words"}');
  await expect(row(page, 'theirs')).toBeVisible();
  writeFileSync(at('half'), '{\n  "tab": "http",\n  "path": ');
  await expect(row(page, 'half')).toContainText('Broken: line 3: unexpected end of JSON input');
  symlinkSync(join(folder, 'AGENT.md'), at('link'));
  await expect(row(page, 'link')).toContainText('is a link');
  await row(page, 'theirs').getByRole('button', { name: /^SSE/ }).click();
  await expect(page.getByRole('tab', { name: 'SSE' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/hello/words');

  // A broken file is mended by saving over it, or deleted.
  await page.getByRole('tab', { name: 'HTTP' }).click();
  await save(page, 'half', 'Replace it');
  await expect(row(page, 'half')).not.toContainText('Broken');
  await row(page, 'link').getByRole('button', { name: 'More for link' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'link')).toHaveCount(0);
  expect(existsSync(join(folder, 'AGENT.md'))).toBe(true);
  const second = row(page, 'second').getByRole('button', { name: /^GET/ });
  await second.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  // The dialog gives the keys back once it is gone.
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(second).toBeFocused();
  expect(existsSync(at('second'))).toBe(true);
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'second')).toHaveCount(0);
  expect(existsSync(at('second'))).toBe(false);
});

test('the messages of a WebSocket are saved and sent again', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await serve(platform);
  await page.keyboard.press('Control+3');
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'WS /live' }).click();
  await page.getByRole('button', { name: 'Connect' }).click();
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  for (const text of ['{"n": 1}', '{"noise": true}', '{"payment_token": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.c2lnbmF0dXJl"}']) {
    await box.fill(text);
    await box.press('Enter');
  }
  await expect(page.getByTestId('live')).toHaveCount(6);
  await page.getByRole('button', { name: 'Save…' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('talk');
  await dialog(page).getByRole('checkbox', { name: '{"noise": true}' }).click();
  await expect(dialog(page)).toContainText('2 messages to send again');
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/hold credentials: message 2/)).toBeVisible();
  expect(JSON.parse(read(folder, '.benchtop/calls/client/talk.json'))).toMatchObject({ tab: 'websocket', messages: ['{"n": 1}', '{"payment_token": ""}'] });
  await page.getByRole('button', { name: 'End', exact: true }).click();

  await page.reload();
  await row(page, 'talk').getByRole('button', { name: /^WS/ }).click();
  const again = page.getByRole('list', { name: 'Saved messages' }).getByRole('button', { name: 'Send {"n": 1}' });
  await expect(again).toBeDisabled();
  await page.getByRole('button', { name: 'Connect' }).click();
  await again.click();
  await expect(page.getByTestId('live')).toHaveCount(2);
  await expect(page.getByTestId('live').last()).toContainText('"echo"');
});

test('all messages of a saved call are sent in their order, and the rest is kept back once it fails', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await serve(platform);
  const messages = Array.from({ length: 12 }, (_, i) => `{"n": ${i + 1}}`);
  await platform.api('PUT', '/api/local/agents/hello/calls/client/count', { call: { tab: 'websocket', path: '/{agent}/live', caller: { kind: 'anonymous' }, messages } });
  await page.keyboard.press('Control+3');
  await row(page, 'count').getByRole('button', { name: /^WS/ }).click();
  const all = page.getByRole('button', { name: 'Send all 12 in order' });
  await expect(all).toBeDisabled();
  await page.getByRole('button', { name: 'Connect' }).click();
  await all.click();
  await expect(page.getByTestId('live-count')).toHaveText('24 messages');
  const texts = await page.getByTestId('live').allInnerTexts();
  const numbers = (of: RegExp) => texts.flatMap((t) => of.exec(t.replace(/\s+/g, ''))?.[1] ?? []).map(Number);
  const inOrder = messages.map((_, i) => i + 1);
  expect(numbers(/\{"n":(\d+)\}$/)).toEqual(inOrder);
  expect(numbers(/"echo":\{"n":(\d+)/)).toEqual(inOrder);
  await expect(all).toBeEnabled();
});

test('what was there before a saved call is put aside and comes back', async ({ console: page, platform }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  for (const tab of ['chat', 'a2a']) {
    await platform.api('PUT', `/api/local/agents/chat-agent/calls/client/${tab}%20twice`, { call: { tab, path: tab === 'a2a' ? '/{agent}/a2a' : '/{agent}/uamp/stream', caller: { kind: 'anonymous' }, messages: ['3 hours', 'Friday'] } });
  }
  await platform.api('PUT', '/api/local/agents/chat-agent/calls/client/models', { call: { tab: 'http', method: 'GET', path: '/{agent}/v1/models', caller: { kind: 'owner' } } });
  await page.keyboard.press('Control+3');

  // Chat: the conversation, its caller, and the text that is not sent yet.
  const said = page.getByTestId('chat-message');
  const say = page.getByRole('textbox', { name: 'What you say' });
  await page.getByRole('tab', { name: 'Chat' }).click();
  await say.fill('5 hours');
  await say.press('Enter');
  await expect(page.getByTestId('usage')).toHaveCount(1);
  await say.fill('not sent yet');
  await page.getByRole('tab', { name: 'HTTP' }).click();
  await row(page, 'chat twice').getByRole('button', { name: /^Chat/ }).click();
  await expect(said).toHaveCount(0);
  await expect(say).toHaveValue('not sent yet');
  await expect(page.getByTestId('aside')).toContainText('put aside: 2 messages');
  await page.getByRole('button', { name: 'Send all 2 in order' }).click();
  await expect(said).toHaveCount(4);
  await expect(said.last()).toContainText('number');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(said).toHaveCount(2);
  await expect(said.last()).toContainText('5 hours cost 400 EUR');
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue('You, the owner');
  await expect(page.getByTestId('aside')).toContainText('put aside: 4 messages');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(said).toHaveCount(2);

  // A2A: also over a look elsewhere.
  const turns = page.getByTestId('a2a-turn');
  await page.getByRole('tab', { name: 'A2A' }).click();
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('5 hours');
  await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
  await expect(turns).toContainText('completed');
  await page.getByRole('tab', { name: 'HTTP' }).click();
  await page.getByRole('tab', { name: 'A2A' }).click();
  await expect(turns).toContainText('5 hours cost 400 EUR');
  await row(page, 'a2a twice').getByRole('button', { name: /^A2A/ }).click();
  await expect(turns).toHaveCount(0);
  await page.getByRole('button', { name: 'Send all 2 in order' }).click();
  await expect(turns).toHaveCount(2);
  await expect(turns.last()).toContainText('friday');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(turns).toHaveCount(1);

  // A request that was written and not sent.
  await page.getByRole('tab', { name: 'HTTP' }).click();
  await page.getByRole('textbox', { name: 'Headers' }).fill('X-Mine: written by hand');
  await row(page, 'models').getByRole('button', { name: /^GET/ }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/chat-agent/v1/models');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveValue('X-Mine: written by hand');
  await expect(page.getByTestId('aside')).toHaveCount(0);
});

test('conversations in Chat, A2A and UAMP are saved and said again', async ({ console: page, platform }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  const again = page.getByRole('list', { name: 'Saved messages' }).getByRole('button');

  await page.getByRole('tab', { name: 'A2A' }).click();
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: /anonymous/ }).click();
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
  await expect(page.getByTestId('a2a-turn')).toHaveCount(1);
  await save(page, 'by A2A');
  await page.getByRole('tab', { name: 'Chat' }).click();
  await page.getByRole('textbox', { name: 'What you say' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'What you say' }).press('Enter');
  await expect(page.getByTestId('usage')).toBeVisible();
  await save(page, 'by chat');
  await page.getByRole('tab', { name: 'UAMP' }).click();
  await page.getByRole('button', { name: 'Open a session' }).click();
  await page.getByRole('textbox', { name: 'Text for the agent' }).fill('3 hours');
  await page.getByRole('textbox', { name: 'Text for the agent' }).press('Enter');
  await expect(page.getByTestId('wire-row').filter({ hasText: 'response.done' })).toHaveCount(1);
  await save(page, 'by UAMP');
  const { client } = await platform.api<{ client: { name: string; call: { tab: string; messages: string[] } }[] }>('GET', `/api/local/agents/${new URL(page.url()).hash.split('/')[2]}/calls`);
  expect(client.map((c) => [c.name, c.call.tab, c.call.messages.length])).toEqual([
    ['by A2A', 'a2a', 1],
    ['by UAMP', 'uamp', 2],
    ['by chat', 'chat', 1],
  ]);

  await page.reload();
  await row(page, 'by A2A').getByRole('button', { name: /^A2A/ }).click();
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue(/anonymous/);
  await again.click();
  await expect(page.getByTestId('a2a-turn')).toHaveCount(1);
  await row(page, 'by chat').getByRole('button', { name: /^Chat/ }).click();
  await again.click();
  await expect(page.getByTestId('usage')).toBeVisible();
  await row(page, 'by UAMP').getByRole('button', { name: /^UAMP/ }).click();
  await page.getByRole('button', { name: 'Open a session' }).click();
  await again.nth(0).click();
  await again.nth(1).click();
  await expect(page.getByTestId('wire-row').filter({ hasText: 'response.done' })).toContainText('3 hours cost 240 EUR');
});

test('the palette opens saved calls of Client and of functions', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await platform.api('PUT', '/api/local/agents/hello/calls/client/an%20order', { call: { tab: 'http', method: 'PUT', path: '/{agent}/orders/1', body: 'a body', caller: { kind: 'anonymous' } } });
  await platform.api('PUT', '/api/local/agents/hello/functions/greet/calls/to%20Grace', { body: { args: { name: 'Grace' } } });
  const find = async (text: string) => {
    await page.keyboard.press('Control+K');
    await page.getByRole('textbox', { name: 'Search' }).fill(text);
  };
  await find('an order');
  await expect(page.getByRole('button', { name: /an order/ })).toContainText('in Client: http PUT /{agent}/orders/1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/hello/orders/1');
  await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toHaveValue('a body');
  await expect(page.getByRole('combobox', { name: 'Caller' })).toHaveValue(/anonymous/);
  await expect(page).toHaveURL(/client\/http$/);
  await find('to Grace');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(hello.field('name')).toHaveValue('Grace');
  // An address that names nothing says so.
  await page.goto(`${platform.url}/#/a/hello/client/saved/nothing`);
  await expect(page.getByText('There is no saved call nothing.')).toBeVisible();
});

test('an operation of the API document is tried in Client', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('API document');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /POST .*functions\/greet\/invoke/ }).click();
  await page.getByRole('button', { name: 'Try in Client' }).click();
  await expect(page.getByRole('textbox', { name: 'Path' })).toHaveValue('/api/agents/hello/functions/greet/invoke');
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('POST');
  await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveValue(/Content-Type: application\/json/);
  await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toHaveValue(/"args"/);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('200');
});

test('an agent without a folder says why nothing can be saved', async ({ console: page, platform }) => {
  await platform.api('POST', '/api/agents', { name: 'Bare', username: 'bare' });
  await page.goto(`${platform.url}/#/a/bare/client/http`);
  await expect(saved(page)).toContainText('Saved calls are files of a project folder, and bare has none.');
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect(dialog(page)).toContainText('bare has none');
  await dialog(page).getByRole('link', { name: 'Open a folder on Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './axe';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';
import type { Platform } from './platform';

// What goes over the wire besides a text and an answer: bytes in a WebSocket, and
// answers that lead elsewhere.

const files = {
  'endpoints/echo.js': `export default async (ctx) => {
  for await (const message of ctx.socket) await ctx.socket.send({ echo: message });
};
`,
  'endpoints/go.js': `export default async (ctx, args) => new Response('on the way', { status: 302, headers: { Location: args.to } });
`,
  'endpoints/here.js': `export default async (ctx) => ({ arrived: ctx.request.method });
`,
};

async function serve(platform: Platform): Promise<void> {
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /^---\n/,
      `---
endpoints:
  - { path: "/echo", websocket: true, handler: endpoints/echo.js }
  - { path: "/go", handler: endpoints/go.js, parameters: { to: string } }
  - { path: "/here", handler: endpoints/here.js }
`,
    ),
  );
}

test('bytes go into a WebSocket, and those that come are shown in hex', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await serve(platform);
  await page.keyboard.press('Control+3');
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'WS /echo' }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  const rows = page.getByTestId('live');
  const form = (name: string) => page.getByRole('radiogroup', { name: 'What a message is' }).getByText(name, { exact: true }).click();
  const connect = async () => {
    await page.getByRole('button', { name: 'Connect' }).click();
    await expect(answer).toContainText('open');
  };

  // What is no hex is said, and stays to be mended.
  await connect();
  await form('Hex');
  const hex = page.getByRole('textbox', { name: 'Bytes in hex' });
  await hex.fill('00 ff 4');
  await hex.press('Enter');
  await expect(page.getByText('A digit is missing')).toBeVisible();
  await expect(hex).toHaveValue('00 ff 4');
  await hex.fill('00 ff 42');
  await hex.press('Enter');
  await expect(rows.first()).toContainText('binary, 3 B 00 ff 42');
  await expect(answer).toContainText('It was closed with 1003'); // endpoints speak JSON alone

  // A file is one message.
  await connect();
  await form('File');
  const group = page.getByRole('group', { name: 'File to send' });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), group.getByRole('button', { name: 'Choose a file' }).click()]);
  await chooser.setFiles({ name: 'all.bin', mimeType: '', buffer: Buffer.from(Array.from({ length: 256 }, (_, i) => i)) });
  await form('Base64');
  await form('File');
  await expect(group).toContainText('all.bin, 256 B'); // is there again
  await group.getByRole('button', { name: 'Send' }).click();
  await expect(rows.first()).toContainText('binary, 256 B 00 01 02');
  await rows.first().getByRole('button', { name: 'Show its bytes' }).click();
  const dump = rows.first().getByRole('region', { name: 'Bytes of the message' });
  await expect(dump).toContainText('0030  30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?');
  await check(page, 'bytes in a WebSocket');

  // From a server that does send bytes.
  const lines = [{ head: { status: 101, headers: [] } }, { message: { sent: false, binary: true, b64: 'AAECAw==' } }, { message: { sent: false, binary: true } }, { end: { bytes: 4, code: 1000 } }];
  await page.route('**/api/local/client', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: lines.map((l) => JSON.stringify({ atMs: 1, ...l }) + '\n').join('') }));
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('binary, 4 B 00 01 02 03');
  await expect(rows.last()).toContainText('binary, 0 B');
});

test('answers that lead elsewhere are followed as far as they may be, and shown', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await serve(platform);
  await page.keyboard.press('Control+3');
  await page.getByRole('navigation', { name: 'What the agent serves' }).getByRole('button', { name: 'GET /here' }).waitFor();
  const hops = page.getByRole('list', { name: 'Redirects' }).getByRole('listitem');
  const answer = page.getByRole('region', { name: 'Body of the answer' });
  const send = async (to: string) => {
    await page.getByRole('textbox', { name: 'Path' }).fill(`/hello/go?to=${encodeURIComponent(to)}`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await send('/hello/go?to=here');
  await expect(answer).toContainText('arrived');
  await expect(hops).toHaveCount(2);
  await expect(hops.first()).toContainText('302Location: /hello/go?to=herefollowed with GET /hello/go?to=here');
  await expect(hops.last()).toContainText('followed with GET /hello/here');
  await check(page, 'redirects');

  // Nothing leaves the platform, reaches the console, or acts for its owner elsewhere.
  await send('https://elsewhere.example/');
  await expect(hops).toHaveText(/Location: https:\/\/elsewhere\.example\/not followed\. It leads off this platform/);
  await expect(answer).toContainText('on the way');
  await send('/api/local/settings');
  await expect(hops).toHaveText(/the console’s own routes/);
  await send('/api/agents/hello/functions');
  await expect(hops).toHaveText(/without credentials/);
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText('401');

  // They are shown after a reload, and followed only where that is wanted.
  await page.reload();
  await expect(hops).toHaveText(/without credentials/);
  const follow = page.getByRole('switch', { name: 'Follow redirects' });
  await follow.click();
  await send('here');
  await expect(hops).toHaveText(/Location: herenot followed\./);
  await page.reload();
  await expect(follow).not.toBeChecked();
});

test('conversations are there after a reload, and go on', async ({ console: page }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const write = async (box: string, text: string) => {
    await page.getByRole('textbox', { name: box }).fill(text);
    await page.getByRole('textbox', { name: box }).press('Enter');
  };
  const messages = page.getByTestId('chat-message');
  const turns = page.getByTestId('a2a-turn');
  const events = page.getByTestId('wire-row');

  await tab('Chat');
  await write('What you say', '3 hours');
  await expect(page.getByTestId('usage')).toHaveCount(1);
  await tab('A2A');
  await write('Message to the agent', '3 hours');
  await expect(turns.last()).toContainText('completed');
  await tab('UAMP');
  await page.getByRole('button', { name: 'Open a session' }).click();
  await write('Text for the agent', '3 hours');
  await expect(events.filter({ hasText: 'response.done' })).toHaveCount(1);
  await page.reload();

  // In the session that the agent has kept meanwhile.
  await expect(events.filter({ hasText: 'response.done' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Go on with the session' }).click();
  await write('Text for the agent', 'Friday');
  await expect(events.filter({ hasText: 'response.done' })).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Filter UAMP events' }).fill('received session.created');
  await expect(events).toHaveCount(2); // of both pages
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await check(page, 'a session that went on');
  await tab('A2A');
  await expect(page.getByTestId('a2a-answer')).toHaveText('3 hours cost 240 EUR. Which day suits you?');
  await write('Message to the agent', 'Friday');
  await expect(turns).toHaveCount(2);
  await expect(turns.last()).toContainText('completed');
  await tab('Chat');
  await expect(messages).toHaveCount(2);
  await expect(messages.last().getByTestId('chat-tool')).toContainText('quote');
  await page.getByRole('button', { name: /^Events/ }).click();
  await write('What you say', 'Friday');
  await expect(page.getByTestId('usage')).toHaveCount(2);
  await expect(messages).toHaveCount(4);
  await page.getByRole('textbox', { name: 'Filter UAMP events' }).fill('sent session.create session_id');
  await expect(page.getByTestId('wire-count')).toContainText('1 of');
});

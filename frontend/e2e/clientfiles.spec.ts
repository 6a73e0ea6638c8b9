import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { check } from './axe';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';
import type { Platform } from './platform';

// What Client sends and shows that is no text, and streams that go on.

const files = {
  'functions/mirror/manifest.json': '{ "runtime": "js-v1", "permissions": { "rawBody": true } }\n',
  'functions/mirror/index.js': `export default async (ctx) =>
  new Response(ctx.request.rawBody, {
    headers: { 'Content-Type': ctx.request.headers['content-type'], 'Content-Disposition': 'attachment; filename="../mirrored.' + ctx.request.query.as + '"' },
  });
`,
  'endpoints/chart.js': `const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120" onload="top.ran = true"><script>top.ran = true</script><rect width="240" height="120" rx="12" fill="#3b6fd4"/><circle cx="120" cy="60" r="40" fill="#fff"/></svg>';
export default async () => new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } });
`,
  'endpoints/steps.js': `export default async function* (ctx) {
  const from = Number(ctx.request.headers['last-event-id'] ?? 0);
  for (let n = from + 1; n <= from + 3; n++) yield 'id: ' + n + '\\nevent: step\\ndata: {"n": ' + n + '}\\n\\n';
}
`,
};

const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const all = Buffer.from(Array.from({ length: 1024 }, (_, i) => i % 256));

async function open(page: Page, platform: Platform): Promise<void> {
  const folder = await folderOf(platform, 'hello');
  for (const dir of ['functions/mirror', 'endpoints']) mkdirSync(join(folder, dir), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  editOutside(join(folder, 'AGENT.md'), (text) =>
    text.replace(
      /\n---\n/,
      `
endpoints:
  - { path: /chart, handler: endpoints/chart.js }
  - { path: /steps, content_type: text/event-stream, handler: endpoints/steps.js }
skills:
  custom_http:
    endpoints:
      - { id: mirror, method: POST, path: /mirror, auth: public, use: mirror }
---
`,
    ),
  );
  await page.keyboard.press('Control+3');
}

/** Presses Save and gives the file. */
async function saved(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Answer', exact: true }).getByRole('button', { name: 'Save' }).click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('a file as a body, an answer of bytes, and a stream that goes on', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await open(page, platform);
  const list = page.getByRole('navigation', { name: 'What the agent serves' });
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  const picture = answer.getByRole('img', { name: 'Body of the answer' });
  const size = () => picture.evaluate((img: HTMLImageElement) => img.naturalWidth);
  const file = page.getByRole('group', { name: 'File to send' });
  const send = page.getByRole('button', { name: 'Send', exact: true });

  // A picture is drawn, and nothing in it runs.
  await list.getByRole('button', { name: 'GET /chart' }).click();
  await send.click();
  await expect(answer.getByText('240 × 120 pixels')).toBeVisible();
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  expect((await saved(page)).name).toBe('chart.svg');
  await check(page, 'a picture');
  await answer.getByRole('button', { name: 'As sent' }).click();
  await expect(answer.getByRole('region', { name: 'Body of the answer' })).toContainText('<script>');

  // A file goes out under its own type, which nobody has to write.
  await list.getByRole('button', { name: 'POST /mirror' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/hello/mirror?as=png');
  const headers = page.getByRole('textbox', { name: 'Headers' });
  await expect(headers).toHaveValue('Content-Type: application/json');
  await page.getByRole('radiogroup', { name: 'What is sent' }).getByText('File').click();
  await send.click();
  await expect(file).toContainText('Choose the file that is to be sent');
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), file.getByRole('button').click()]);
    await chooser.setFiles({ name, mimeType, buffer });
    await expect(file).toContainText(name);
  };
  await choose('dot.png', 'image/png', dot);
  await expect(headers).toHaveValue('');
  await expect(file).toContainText('70 B, sent as image/png');
  await send.click();
  await expect.poll(size).toBe(1);
  expect(await saved(page)).toEqual({ name: 'mirrored.png', bytes: dot });

  // Whatever else is no text is shown as its bytes.
  await choose('all.bin', '', all);
  await page.getByRole('textbox', { name: 'Path' }).fill('/hello/mirror?as=bin');
  await send.click();
  const dump = answer.getByRole('region', { name: 'Bytes of the answer' });
  await expect(dump).toContainText('0030  30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?');
  await expect(answer).toContainText('The first 512 bytes of 1.0 KB');
  expect(await saved(page)).toEqual({ name: 'mirrored.bin', bytes: all });
  await check(page, 'a file, and bytes');

  // Only its name is left after the page was loaded anew.
  await page.reload();
  await expect(file).toContainText('Choose all.bin again');
  await expect(dump).toContainText('0030  30 31');
  await page.getByRole('radiogroup', { name: 'What is sent' }).getByText('Text').click();
  await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toBeVisible();

  // A file that is dropped on the text is taken, and not opened in place of the page.
  const carried = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], 'drop.txt', { type: 'text/plain' }));
    return data;
  });
  await page.getByRole('textbox', { name: 'Body', exact: true }).dispatchEvent('drop', { dataTransfer: carried });
  await expect(file).toContainText('drop.txt 7 B, sent as text/plain');

  // A stream that ended goes on after its last event.
  await list.getByRole('button', { name: 'SSE /steps' }).click();
  await page.getByRole('button', { name: 'Listen' }).click();
  const events = page.getByTestId('live');
  await expect(events).toHaveCount(3);
  await expect(events.last()).toContainText('step3{"n": 3}');
  await check(page, 'events with ids');
  await answer.getByRole('button', { name: 'Go on after 3' }).click();
  await expect(events.first()).toContainText('{"n": 4}');
  await expect(answer).toContainText('after 3');
  await expect(answer.getByRole('button', { name: 'Go on after 6' })).toBeVisible();
});

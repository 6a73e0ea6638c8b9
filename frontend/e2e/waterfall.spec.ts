import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';

test('what a fetch sent and got is there, and a short call beside a long one can be looked at', async ({ hello, console: page, platform }) => {
  let answer = () => {};
  const slow = new Promise<void>((done) => (answer = done));
  const server = createServer(async (req, res) => {
    if (req.url === '/slow') await slow;
    if (req.url === '/bytes') return void res.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]));
    res.writeHead(503, { 'Content-Type': 'application/json', 'Set-Cookie': 'id=private' }).end('{"error":"busy","access_token":"private"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/manifest.json'), () => JSON.stringify({ runtime: 'js-v1', permissions: { fetch: [at], kv: 'rw' } }));
  editOutside(
    join(folder, 'functions/greet/index.js'),
    () => `export default async (ctx) => {
  await ctx.kv.put('first', 1);
  await ctx.fetch('${at}/orders', { method: 'POST', body: JSON.stringify({ item: 'tea', count: 2 }) });
  await ctx.fetch('${at}/bytes');
  await ctx.fetch('${at}/slow');
  return 'done';
};
`,
  );
  await expect.poll(() => hello.text()).toContain('/orders');
  await expect(hello.state(/^saved v/)).toBeVisible();
  await hello.run();
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  answer();
  await hello.outcome('ok');
  await page.getByRole('button', { name: 'Details' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: /^POST .*orders/ }).click();
  await expect(drawer.getByRole('region', { name: /^Sent by POST/ })).toContainText('"item": "tea"');
  const got = drawer.getByRole('region', { name: /^Got by POST/ });
  await expect(got).toContainText('"error": "busy"');
  await expect(got).toContainText('application/json');
  await expect(got).not.toContainText('private');
  await drawer.getByRole('button', { name: /^GET .*bytes/ }).click();
  await expect(drawer.getByRole('region', { name: /^Got by GET .*bytes/ })).toContainText('"hex": "89504e4700ff"');
  // The whole run is one bar that says how long it took.
  const rows = drawer.getByRole('list', { name: 'What greet did' });
  await expect(rows.getByText(/^[\d.]+ m?s$/).first()).toBeVisible();
  // The key is there beside the call, and zooming in keeps the row that has the focus in view.
  const put = drawer.getByRole('button', { name: /^kv\.put,/ });
  await expect(put).toContainText('first');
  await put.focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press('+');
  const row = rows.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^kv\.put,/ }) }).last();
  await expect(row.getByText(/^[\d.]+ ms$/)).toBeVisible();
  await page.keyboard.press('0');
  await put.click();
  await drawer.getByRole('button', { name: 'Zoom to this call' }).last().waitFor();
  await row.getByRole('button', { name: 'Zoom to this call' }).click();
  await expect(drawer.getByRole('button', { name: 'Show the whole run' })).toBeEnabled();
  await expect(row.getByText(/^[\d.]+ ms$/)).toBeVisible();
  server.closeAllConnections();
  server.close();
});

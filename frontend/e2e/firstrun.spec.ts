import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';
import { Workbench } from './pages/Workbench';

test('a sample by one click, run by one key, result seen', { tag: '@journey' }, async ({ console: page, platform }) => {
  await expect(page.getByText('0 of 4')).toBeVisible();
  await page.getByRole('button', { name: /Hello tool/ }).click();
  const bench = new Workbench(page);
  await bench.opened('greet');
  await expect(bench.field('name')).toHaveValue('Ada');

  await bench.runs();
  await expect(bench.result).toContainText('Hello, Ada!');
  await expect(page.getByText('POST /api/agents/hello/functions/greet/invoke')).toBeVisible();
  await expect(page.getByTestId('announcer')).toContainText('Run finished');
  await page.getByRole('tab', { name: 'Logs 1' }).click();
  await expect(page.getByRole('list', { name: 'Logs' })).toContainText('greeting');

  const folder = await folderOf(platform, 'hello');
  expect(existsSync(join(folder, 'functions/greet/index.js'))).toBe(true);
  expect(existsSync(join(folder, 'AGENT.md'))).toBe(true);
});

test('events and logs are there while it runs, and it can be cancelled', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/manifest.json'), (t) => t.replace('"wallMs": 2000', '"wallMs": 30000'));
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.type(`export default async function handler(ctx) {
  ctx.emit('begun', { at: 1 });
  ctx.log.info('in the loop now');
  await ctx.kv.get('x').catch(() => 0);
  for (;;) {}
}`);
  await hello.save();
  await expect(hello.state('saved v3')).toBeVisible();
  await hello.run();
  await page.getByRole('tab', { name: 'Events 1' }).click();
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('begun');
  await page.getByRole('tab', { name: 'Logs 1' }).click();
  await expect(page.getByRole('list', { name: 'Logs' })).toContainText('in the loop now');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await hello.outcome('cancelled');
});

test('each way of calling reaches the function', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
  return { tool: ctx.toolCall?.params ?? null, method: ctx.request?.method ?? null, q: ctx.request?.query?.a ?? null, body: ctx.request?.body ?? null };
}`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();

  await (await hello.json()).fill('{"name": "Grace"}');
  await hello.runs();
  await expect(hello.result).toContainText('"name": "Grace"');

  await page.getByText('HTTP', { exact: true }).click();
  await page.getByLabel('Path', { exact: true }).fill('/hook');
  await page.getByRole('button', { name: 'Add a query parameter' }).click();
  await page.getByLabel('Name of query parameter 1').fill('a');
  await page.getByLabel('Value of query parameter 1').fill('42');
  await page.getByLabel('Body').fill('{"paid": true}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(hello.result).toContainText('"method": "POST"');
  await expect(hello.result).toContainText('"q": "42"');
  await expect(hello.result).toContainText('"paid": true');

  await page.getByText('Tool', { exact: true }).click();
  await hello.args.fill('{"nobody": 1}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Not run: PARAMETERS_INVALID')).toBeVisible();
  await hello.args.fill('{"name":');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
});

test('a key that was used gives the stored answer', async ({ hello, console: page }) => {
  await hello.open('visits');
  await page.getByRole('button', { name: 'New idempotency key' }).click();
  await hello.runs();
  await expect(hello.result).toContainText('"visits": 1');
  await hello.runs();
  await expect(page.getByText('replayed', { exact: true })).toBeVisible();
  await expect(hello.result).toContainText('"visits": 1');
  await page.getByLabel('Idempotency key', { exact: true }).fill('');
  await hello.runs();
  await expect(hello.result).toContainText('"visits": 2');
});

test('a failure leads to its line', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
  const nothing = undefined;

  return nothing.at.all;
}`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs('error');
  await expect(page.getByText('JS_RUNTIME_ERROR').first()).toBeVisible();
  await page.getByRole('button', { name: /index\.js:4:/ }).click();
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText('4');
});

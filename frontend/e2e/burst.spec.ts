import { join } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';
import type { Platform } from './platform';

const runs = async (platform: Platform) => (await platform.api<{ invocations: { status: string }[] }>('GET', '/api/agents/hello/functions/greet/invocations?limit=20')).invocations.map((r) => r.status);

test('stopping ten runs cancels the one that is under way', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/manifest.json'), () => JSON.stringify({ runtime: 'js-v1', permissions: { kv: 'rw' }, limits: { wallMs: 30_000 } }));
  editOutside(join(folder, 'functions/greet/index.js'), () => "export default async (ctx) => {\n  const n = ((await ctx.kv.get('n')) ?? 0) + 1;\n  await ctx.kv.put('n', n);\n  if (n === 2) throw new Error('the second fails');\n  while (n === 4);\n};\n");
  await expect.poll(() => hello.text()).toContain('the second fails');
  await expect(hello.state(/^saved v/)).toBeVisible();
  await hello.more('Run ×10');
  const plot = page.getByRole('region', { name: 'Runs in a row' });
  await expect(plot.getByText('3 of 10', { exact: true })).toBeVisible();
  await expect.poll(() => runs(platform)).toContain('running');
  // It is ended where a run alone is.
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(plot.getByText('stopped after 3 of 10')).toBeVisible();
  await expect(plot).toContainText('1 failed: JS_RUNTIME_ERROR');
  await expect.poll(() => runs(platform)).toContain('cancelled');
  expect(await runs(platform)).not.toContain('running');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('ten runs that are refused say what is wrong with the call', async ({ hello, console: page }) => {
  await (await hello.json()).fill('{"name": 7}');
  await hello.more('Run ×10');
  const plot = page.getByRole('region', { name: 'Runs in a row' });
  await expect(plot.getByRole('alert')).toContainText('Not run');
  await expect(plot.getByRole('alert').getByRole('listitem')).toContainText('name');
});

test('the last run is replayed as whoever it was made as', async ({ hello, console: page, platform }) => {
  editOutside(join(await folderOf(platform, 'hello'), 'functions/greet/index.js'), () => 'export default async (ctx) => ({ known: ctx.auth.authenticated });\n');
  await expect(hello.state('saved v2')).toBeVisible();
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: 'as anonymous' }).click();
  await hello.runs();
  await expect(hello.result).toContainText('"known": false');
  await page.reload();
  await hello.opened('greet');
  await page.keyboard.press('Control+R');
  await hello.outcome('ok');
  await expect(hello.result).toContainText('"known": false');
});

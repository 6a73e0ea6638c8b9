import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { folderOf } from './disk';
import { expect, test } from './fixtures';
import { fill } from './places';
import { shiftsOf, watchShifts } from './shifts';

// Nothing moves away under an eye or a pointer: not while a place loads, not
// while things happen. What is done here is done without input, since browsers
// excuse what moves shortly after it.

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).evaluate((b: HTMLElement) => b.click());

/** Places with contents, and what is there last. */
const places: readonly [address: string, ready: (page: Page) => Promise<unknown>][] = [
  ['/', (page) => page.getByRole('region', { name: 'How your functions do' }).waitFor()],
  ['/a/hello/functions/visits', (page) => page.getByTestId('editor').locator('.view-line').nth(10).waitFor()],
  ['/a/hello/client', (page) => page.getByTestId('saved-call').first().waitFor()],
  ['/a/hello/client/chat', (page) => page.getByRole('textbox', { name: 'What you say' }).waitFor()],
  ['/activity', (page) => page.locator('button[data-row]').nth(5).waitFor()],
  ['/a/hello/schedules', (page) => page.getByRole('heading', { name: /03:00/ }).waitFor()],
  ['/payments', (page) => page.getByTestId('token').first().waitFor()],
  ['/payments/ledger', (page) => page.getByTestId('entry').first().waitFor()],
  ['/a/hello/data/kv', (page) => page.getByRole('option').nth(3).waitFor()],
  ['/a/hello/data/content', (page) => page.getByRole('option', { name: /figs\.txt/ }).waitFor()],
  ['/a/hello/data/folders', (page) => page.getByRole('option', { name: /readme\.txt/ }).waitFor()],
  ['/a/hello/secrets', (page) => page.getByText('SHOP_KEY').waitFor()],
  ['/settings', (page) => page.getByText('No token counts.').waitFor()],
  ['/docs', (page) => page.getByTestId('doc').getByRole('heading', { level: 1 }).waitFor()],
  ['/a/hello/openapi', (page) => page.getByRole('button', { name: /orders/ }).first().waitFor()],
];

test('nothing moves while a place loads, nor while things happen', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  const { invocations } = await platform.api<{ invocations: { id: string; source_skill: string }[] }>('GET', '/api/local/invocations');
  await watchShifts(page);
  const found: string[] = [];
  const at = (address: string) => `${platform.url}/#${address}`;
  for (const [address, ready] of places) {
    await page.goto('about:blank');
    await page.goto(at(address));
    await ready(page);
    found.push(...(await shiftsOf(page, `${address}, loaded`)));
  }
  for (const [address, ready] of [...places, places[0]!]) {
    await page.evaluate((to) => (location.hash = to), address);
    await ready(page);
    found.push(...(await shiftsOf(page, `${address}, gone to`)));
  }
  await page.evaluate((id) => (location.hash = `/runs/${id}`), invocations.find((i) => i.source_skill === 'manual')!.id);
  await page.getByRole('dialog').getByRole('tab', { name: /^Waterfall/ }).waitFor();
  found.push(...(await shiftsOf(page, 'a run')));

  await page.goto(at('/a/hello/functions/greet'));
  await hello.opened('greet');
  await shiftsOf(page, 'the workbench', Infinity);
  for (const time of ['first', 'second']) {
    await press(page, 'Run');
    await hello.outcome('ok');
    found.push(...(await shiftsOf(page, `the ${time} run in the workbench`)));
    if (time === 'first') await press(page, 'Show activity');
    await shiftsOf(page, 'activity opens', Infinity);
  }
  await platform.api('POST', '/api/local/agents/hello/schedules/night/run');
  await page.getByRole('alert').filter({ hasText: 'Night report' }).waitFor();
  found.push(...(await shiftsOf(page, 'a message to the owner')));
  const folder = await folderOf(platform, 'hello');
  writeFileSync(join(folder, 'functions/visits/index.js'), 'export default async (ctx) => {{');
  await page.getByRole('alert').filter({ hasText: 'visits does not load' }).waitFor();
  found.push(...(await shiftsOf(page, 'a function does not load')));

  const calls = (count: number) => Promise.all(Array.from({ length: count }, () => platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Ada' } })));
  await calls(20);
  await page.getByRole('listbox', { name: 'Invocations' }).getByRole('option', { name: /^greet/ }).nth(5).waitFor();
  found.push(...(await shiftsOf(page, 'rows come into the band')));
  await page.goto(at('/activity'));
  const rows = page.locator('button[data-row]');
  await rows.nth(5).waitFor();
  await shiftsOf(page, 'activity', Infinity);
  const before = await rows.first().getAttribute('data-row');
  await calls(20);
  await page.waitForFunction((id) => document.querySelectorAll(`button[data-row="${id}"]`).length === 0 || [...document.querySelectorAll('button[data-row]')].findIndex((b) => b.getAttribute('data-row') === id) >= 20, before);
  found.push(...(await shiftsOf(page, 'rows come into Activity')));
  expect(found).toEqual([]);
});

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import type { Platform } from './platform';

const invoke = (platform: Platform, name: string, args: unknown) => platform.api('POST', `/api/agents/hello/functions/${name}/invoke`, { args });

/** Runs a function many times, a few at once. */
async function runs(platform: Platform, name: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) {
    await Promise.all(Array.from({ length: Math.min(10, left) }, () => invoke(platform, name, name === 'greet' ? { name: 'Ada' } : {})));
  }
}

const rows = (page: Page) => page.getByRole('list', { name: 'Activity' }).locator('button[data-row]');

async function openActivity(page: Page): Promise<void> {
  await page.keyboard.press('Control+4');
  await expect(page.getByRole('textbox', { name: 'Filter' })).toBeVisible();
}

test('what happens shows at once, and a row opens in place', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await openActivity(page);
  await expect(page.getByTestId('follow')).toHaveText('Following');
  await invoke(platform, 'greet', { name: 'Ada' });
  const first = rows(page).first();
  await expect(first).toHaveAccessibleName(/^greet, ok/);
  await first.click();
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('tab', { name: 'Input' }).click();
  await expect(page.getByRole('region', { name: 'Input' })).toContainText('Ada');
  await expect(page.getByTestId('follow')).toHaveText('Held while you read');

  // What comes now waits, and the open row stays where it is.
  const before = await first.boundingBox();
  await invoke(platform, 'visits', {});
  const waiting = page.getByRole('button', { name: '1 new' });
  await expect(waiting).toBeVisible();
  expect(await first.boundingBox()).toEqual(before);
  await expect(first).toHaveAccessibleName(/^greet, ok/);
  await waiting.click();
  await expect(rows(page).first()).toHaveAccessibleName(/^visits/);

  await page.getByRole('button', { name: 'All details' }).click();
  await expect(page.getByRole('dialog').getByText('greet').first()).toBeVisible();
});

test('a filter is asked of the platform, is in the address and can be kept', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await runs(platform, 'greet', 230); // more than a page
  await invoke(platform, 'visits', {});
  await openActivity(page);
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('fn:visits');
  await expect(rows(page).first()).toHaveAccessibleName(/^visits/);
  await expect(page.getByText(/rows?, to the beginning/)).toBeVisible();
  await expect(rows(page).filter({ hasText: 'greet' })).toHaveCount(0);
  await expect(page).toHaveURL(/activity\/fn/);

  await page.getByRole('button', { name: 'Keep this filter' }).click();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(rows(page).filter({ hasText: 'greet' }).first()).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'fn:visits', exact: true }).click();
  await expect(filter).toHaveValue('fn:visits');
  await expect(rows(page).filter({ hasText: 'greet' })).toHaveCount(0);

  await filter.fill('status:done');
  await expect(page.getByText('done is no status')).toBeVisible();
  await filter.fill('status:error fn:nobody');
  await expect(page.getByRole('heading', { name: /^0 of [1-9]\d* match$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(filter).toHaveValue('');
});

test('a reader further down is not moved, and the end is reached by the keyboard', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await runs(platform, 'greet', 300);
  await openActivity(page);
  await expect(rows(page).first()).toHaveAccessibleName(/^greet, ok/);
  await rows(page).first().focus();
  await page.keyboard.press('End');
  // The second page comes when its place does.
  const list = page.getByRole('list', { name: 'Activity' });
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', /^(30\d|3[1-9]\d)$/);
  await page.keyboard.press('End');
  await expect(page.getByText(/to the beginning/)).toBeVisible();
  await page.keyboard.press('PageUp');
  const focused = page.locator('button[data-row]:focus');
  const name = await focused.getAttribute('data-row');
  const before = await focused.boundingBox();
  await runs(platform, 'visits', 20);
  await expect(page.getByRole('button', { name: /^20 new/ })).toBeVisible();
  await expect(focused).toHaveAttribute('data-row', name!);
  expect((await focused.boundingBox())!.y).toBe(before!.y);
});

test('it can be paused, and what matches can be exported', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await invoke(platform, 'greet', { name: 'Ada' });
  await openActivity(page);
  await expect(rows(page).first()).toHaveAccessibleName(/^greet, ok/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await invoke(platform, 'visits', {});
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(rows(page).first()).toHaveAccessibleName(/^greet/);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(rows(page).first()).toHaveAccessibleName(/^visits/);

  await page.getByRole('textbox', { name: 'Filter' }).fill('skill:manual');
  await expect(page).toHaveURL(/activity\/skill/);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  expect(file.suggestedFilename()).toBe('activity.jsonl');
  const lines = readFileSync(await file.path(), 'utf8').trim().split('\n').map((l) => JSON.parse(l) as { function_name: string });
  expect(lines.map((l) => l.function_name)).toEqual(['visits', 'greet']);
});

import { expect, test } from './fixtures';

const value = 'hunter2-never-shown-anywhere';

test('a missing secret is asked for, set, and used by the next run', { tag: '@journey' }, async ({ hello, console: page }) => {
  const seen: string[] = [];
  page.on('response', async (res) => {
    // The stream never ends: what it carries is looked at through the page below.
    if (!res.url().includes('/api/local/events')) seen.push(await res.text().catch(() => ''));
  });
  await hello.open('visits');
  await hello.runs();
  await expect(hello.result).toContainText('"signed": false');
  await page.getByLabel('Value of GREETING_SIGNATURE').fill(value);
  await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator('[type=submit]')).click();
  await expect(page.getByText('is declared but not set')).toBeHidden();
  await hello.runs();
  await expect(hello.result).toContainText('"signed": true');

  await page.keyboard.press('Control+8');
  await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'GREETING_SIGNATURE' });
  await expect(row.getByText('set', { exact: true })).toBeVisible();

  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.documentElement.outerHTML + location.href);
  expect(kept).not.toContain(value);
  expect(seen.join('\n')).not.toContain(value);
});

test('a secret is set, replaced and removed by clicking', async ({ hello, console: page, platform }) => {
  await page.keyboard.press('Control+8');
  const row = page.getByRole('listitem').filter({ hasText: 'GREETING_SIGNATURE' });
  await expect(row.getByText('not set')).toBeVisible();
  await row.getByRole('button', { name: 'Set GREETING_SIGNATURE of visits' }).click();
  const field = page.getByLabel('Value of GREETING_SIGNATURE');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill(value);
  await page.keyboard.press('Enter');
  await expect(row.getByText('set', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Replace GREETING_SIGNATURE of visits' }).click();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await row.getByRole('button', { name: 'Remove GREETING_SIGNATURE of visits' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row.getByText('not set')).toBeVisible();
  const run = await platform.api<{ result: { signed: boolean } }>('POST', '/api/agents/hello/functions/visits/invoke', { args: {} });
  expect(run.result.signed).toBe(false);
  expect(hello.page).toBe(page);
});

test('a secret set by another program shows by itself', async ({ hello, console: page, platform }) => {
  await hello.open('visits');
  await expect(page.getByText('is declared but not set')).toBeVisible();
  await platform.api('POST', '/api/agents/hello/functions/visits/secret', { binding: 'GREETING_SIGNATURE', value });
  await expect(page.getByText('is declared but not set')).toBeHidden();
});

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

/** What the shown amounts of a token say. */
const parts = (page: Page, token: string) => page.getByTestId('token').filter({ hasText: token });

test('a paid tool, from a token that was made by clicking to the last entry', { tag: '@journey' }, async ({ console: page, platform, request }) => {
  await page.getByRole('button', { name: /Paid tool/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+6');
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await expect(page.getByText('Nobody has locked credits')).toBeVisible();

  await page.getByRole('button', { name: 'Mint a test token' }).first().click();
  let form = page.getByRole('dialog', { name: 'Mint a test token' });
  await form.getByLabel('Amount in dollars').fill('1');
  await form.getByLabel('Name').fill('Parent');
  await form.getByRole('button', { name: 'Mint', exact: true }).click();
  const token = await page.getByTestId('minted').innerText();
  expect(token.split('.')).toHaveLength(3);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(parts(page, 'Parent')).toContainText('$1.00 left');
  await expect(page.getByTestId('sent')).toContainText('POST /api/local/payments/mint');

  // Without a token the endpoint says what it costs; with one it works and takes it.
  const ask = (headers: Record<string, string>) =>
    request.post(`${platform.url}/paid-tool/summary`, { headers, data: { text: 'One thing. Another thing.' } });
  const refused = await ask({});
  expect(refused.status()).toBe(402);
  const body = (await refused.json()) as { context: { accepts: { amount: string; scheme: string }[] } };
  expect(body.context.accepts[0]).toMatchObject({ scheme: 'token', amount: '0.02' });
  const answered = await ask({ 'X-PAYMENT': token });
  expect(answered.status()).toBe(200);
  expect(await answered.json()).toEqual({ summary: 'One thing.' });
  await expect(parts(page, 'Parent')).toContainText('$0.98 left');
  await expect(parts(page, 'Parent')).toContainText('$0.02 spent');

  // Half of what is left goes to a child, and leaves the parent at once.
  await parts(page, 'Parent').getByRole('button', { name: 'Delegate' }).click();
  form = page.getByRole('dialog', { name: 'Delegate' });
  await form.getByLabel('Amount in dollars').fill('0.49');
  await form.getByRole('button', { name: 'Delegate', exact: true }).click();
  const child = await page.getByTestId('minted').innerText();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(parts(page, 'Parent').first()).toContainText('$0.49 left');
  await expect(parts(page, 'Parent').first()).toContainText('$0.49 handed on');
  expect((await ask({ 'X-PAYMENT': child })).status()).toBe(200);
  await expect(page.getByTestId('token').nth(1)).toContainText('$0.47 left');

  // A lock by hand: settled in part, the rest goes back.
  await parts(page, 'Parent').first().getByRole('button', { name: 'Lock', exact: true }).click();
  form = page.getByRole('dialog', { name: 'Lock' });
  await form.getByLabel('Amount in dollars').fill('0.10');
  await form.getByLabel('Reason').fill('by hand');
  await form.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(parts(page, 'Parent').first()).toContainText('$0.10 locked');
  await page.getByRole('tab', { name: 'Locks' }).click();
  const row = page.getByTestId('lock').filter({ hasText: 'by hand' });
  await row.getByRole('button', { name: 'Settle' }).click();
  form = page.getByRole('dialog', { name: 'Settle' });
  await form.getByLabel('Amount in dollars').fill('0.03');
  await form.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(row).toContainText('settled');
  await expect(row.getByRole('button', { name: 'Release' })).toBeDisabled();

  // The ledger has it all, and leads to the run that was paid for.
  await page.getByRole('tab', { name: 'Ledger' }).click();
  const settles = page.getByTestId('entry').filter({ has: page.getByRole('cell', { name: 'settle', exact: true }) });
  await expect(settles).toHaveCount(3);
  await settles.last().getByRole('button').last().click();
  const run = page.getByRole('dialog');
  await expect(run).toContainText('summary');
  await page.keyboard.press('Escape');
  await expect(run).toBeHidden();
  await page.getByRole('button', { name: 'Check the sums' }).click();
  await expect(page.getByText('All sums agree')).toBeVisible();
  await expect(page.getByLabel('Balances')).toContainText('You$999.03'); // a lock for nobody in particular pays its owner
  await expect(page.getByLabel('Balances')).toContainText('paid-tool$0.04');
});

test('a fault that is on is said, and changes what happens', async ({ console: page, platform, request }) => {
  await page.getByRole('button', { name: /Paid tool/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+6');
  await page.getByRole('button', { name: 'Mint a test token' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mint', exact: true }).click();
  const token = await page.getByTestId('minted').innerText();
  await page.getByRole('tab', { name: 'Simulator' }).click();
  await page.getByRole('switch', { name: /Insufficient balance/ }).click();
  await expect(page.getByRole('switch', { name: /Insufficient balance/ })).toBeChecked();
  await expect(page.getByTestId('sent')).toContainText('/simulator');
  const banner = page.getByRole('alert').filter({ hasText: 'Payments go wrong on purpose for paid-tool' });
  await expect(banner).toBeVisible();
  const call = () => request.post(`${platform.url}/paid-tool/summary`, { headers: { 'X-PAYMENT': token }, data: { text: 'One.' } });
  expect((await call()).status()).toBe(402);
  await page.getByRole('button', { name: 'Put everything off' }).click();
  await expect(page.getByRole('switch', { name: /Insufficient balance/ })).not.toBeChecked();
  await expect(banner).toBeHidden();
  expect((await call()).status()).toBe(200);
});

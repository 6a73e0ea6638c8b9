import { expect, test } from './fixtures';

test('retention is set, refused when it makes no sense, and kept', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  const days = page.getByRole('textbox', { name: /^Days to keep them/ });
  await days.fill('40000');
  await expect(page.getByText(/From 1 to 36,500/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await days.fill('7');
  await expect(page.getByRole('switch', { name: /^Payments without a credential/ })).not.toBeChecked();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There are changes that are not saved.')).toBeHidden();
  expect(await platform.api('GET', '/api/local/settings')).toMatchObject({ historyDays: 7, relaxedPayments: false });
});

test('tokens, keys and visitors are made, shown once and ended', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+,');
  const tokens = page.getByRole('region', { name: 'Portal tokens' });
  await expect(tokens.getByText('No token counts.')).toBeVisible();
  await tokens.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click();
  const value = page.getByRole('textbox', { name: 'The value' });
  await expect(value).toHaveValue(/^ey/);
  const token = await value.inputValue();
  const read = () => fetch(`${platform.url}/api/agents/hello/functions`, { headers: { Authorization: `Bearer ${token}` } }).then((r) => r.status);
  expect(await read()).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(tokens.getByText('read, invoke')).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
  await tokens.getByRole('button', { name: /^Revoke/ }).click();
  await expect(tokens.getByText('revoked')).toBeVisible();
  expect(await read()).toBe(401);

  const apiKeys = page.getByRole('region', { name: 'API keys' });
  await apiKeys.getByRole('button', { name: 'New key for hello' }).click();
  await expect(value).toHaveValue(/^rb_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await apiKeys.getByRole('button', { name: /^End the key/ }).click();
  await expect(apiKeys.getByRole('button', { name: /^End the key/ })).toHaveCount(0);

  const visitors = page.getByRole('region', { name: 'Visitors' });
  await visitors.getByRole('button', { name: 'Add a visitor' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(visitors.getByText('Ada')).toBeVisible();
  await visitors.getByRole('button', { name: 'Remove Ada' }).click();
  await expect(visitors.getByText('Nobody yet.')).toBeVisible();
});

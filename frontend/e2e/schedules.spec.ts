import { folderOf, read } from './disk';
import { expect, test } from './fixtures';

test('a schedule is added from a preset, run now, switched off and removed', { tag: '@journey' }, async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+5');
  await expect(page.getByRole('heading', { name: 'No schedule uses a function' })).toBeVisible();
  await page.getByRole('button', { name: 'Every night at 3' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('At 03:00 every day')).toBeVisible();
  await dialog.getByLabel('When').fill('61 * * * *');
  await expect(dialog.getByText(/minute/).last()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await dialog.getByLabel('When').fill('30 4 * * 1');
  await expect(dialog.getByText(/04:30/)).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Function' }).click();
  await page.getByRole('option', { name: 'visits' }).click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'visits' }).first();
  await expect(card.getByRole('heading', { name: /04:30/ })).toBeVisible();
  await expect(card.getByRole('region', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5);
  await expect(card.getByText('It has not run yet.')).toBeVisible();
  // It is in the author's own file.
  expect(read(await folderOf(platform, 'hello'), 'AGENT.md')).toContain('30 4 * * 1');

  await card.getByRole('button', { name: /^Run .* now$/ }).click();
  const last = card.getByRole('region', { name: 'Last run' });
  await expect(last.getByText('by hand')).toBeVisible();
  await expect(last.getByText('ok', { exact: true })).toBeVisible();
  await last.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('dialog').getByText('visits').first()).toBeVisible();
  await page.keyboard.press('Escape');

  await card.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await expect(card.getByText('It is off.')).toBeVisible();
  await card.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No schedule uses a function' })).toBeVisible();
});

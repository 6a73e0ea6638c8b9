import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
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
  await expect(dialog.getByText('At 04:30 on Monday UTC')).toBeVisible();
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

test('a schedule keeps a time zone, is changed, and shows its runs here and in UTC', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+5');
  await page.getByRole('button', { name: 'Add a schedule' }).click();
  const dialog = page.getByRole('dialog');
  // A fault is named with its field, and what was typed stays, also while the other way is looked at.
  await dialog.getByLabel('When').fill('0 3 * * MON');
  await expect(dialog.getByText(/^day of week: "MON" is no number/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  await dialog.getByText('Time of day, in a time zone').click();
  await expect(dialog.getByText(/is no number/)).toHaveCount(0);
  await dialog.getByText('Cron expression, in UTC').click();
  await expect(dialog.getByLabel('When')).toHaveValue('0 3 * * MON');
  await dialog.getByText('Time of day, in a time zone').click();

  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('kolk');
  await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
  await dialog.getByLabel('At', { exact: true }).fill('09:30');
  await expect(dialog.getByText(/^At 09:30 every day Asia\//)).toBeVisible();
  await expect(dialog.getByText('04:00 UTC').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'greet' }).first();
  await expect(card.getByRole('heading', { name: /^At 09:30 every day Asia\// })).toBeVisible();
  await expect(card.getByRole('region', { name: 'Next runs' }).getByText('04:00 UTC').first()).toBeVisible();
  const folder = await folderOf(platform, 'hello');
  expect(read(folder, 'AGENT.md')).toMatch(/timeZone: "?Asia\//);

  // Changed to an expression: the entry stays the same one, and has that alone.
  await card.getByRole('button', { name: /^Change/ }).click();
  await expect(dialog.getByLabel('At', { exact: true })).toHaveValue('09:30');
  await dialog.getByText('Cron expression, in UTC').click();
  await dialog.getByLabel('When').fill('15 6 * * *');
  await dialog.getByLabel('Description').fill('In the morning');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(card.getByRole('heading', { name: 'At 06:15 every day UTC' })).toBeVisible();
  await expect(card.getByText('In the morning')).toBeVisible();
  await expect(page.getByRole('main').getByRole('switch')).toHaveCount(1);
  expect(read(folder, 'AGENT.md')).not.toContain('timeZone');
});

test('schedules of what cannot run and entries that do not count say so, and many are looked through', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  mkdirSync(join(folder, 'functions/faulty'));
  writeFileSync(join(folder, 'functions/faulty/index.js'), 'export default async (ctx) => { retrun 1 }');
  const more = Array.from({ length: 8 }, (_, i) => `      - { id: hour-${i}, cron: "0 ${i} * * *", use: greet }`);
  const entries = ['      - { id: bad, cron: "0 3 * * *", use: faulty }', '      - { id: lost, cron: "0 4 * * *", use: nowhere }', '      - { id: never, cron: "0 0 30 2 *", use: greet }', ...more];
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace('model: echo\n', `model: echo\nskills:\n  cron:\n    schedules:\n${entries.join('\n')}\n`));
  await page.keyboard.press('Control+5');
  const cards = page.getByRole('main').getByRole('listitem').filter({ has: page.getByRole('switch') });
  await expect(cards).toHaveCount(10);
  await expect(cards.filter({ hasText: 'faulty' })).toContainText('The function does not load: its runs fail until it does.');
  await expect(cards.filter({ hasText: 'nowhere' })).toContainText('There is no function of that name');
  const leftOut = page.getByRole('main').getByRole('alert');
  await expect(leftOut).toContainText('An entry of AGENT.md does not count');
  await expect(leftOut).toContainText('never fires: no such day exists');
  await page.getByLabel('Find a schedule').fill('hour-3');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Find a schedule').fill('nothing has this');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(cards).toHaveCount(10);
});

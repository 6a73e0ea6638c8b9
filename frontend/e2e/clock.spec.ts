import { expect, test } from './fixtures';

// The clock that functions see: chosen in the top bar, and said wherever a run is shown.

const code = `export default async (ctx) => {
  ctx.log.info('here');
  return new Date().toISOString();
};
`;

test.use({ timezoneId: 'Europe/Berlin' });

test('a run sees New Year’s Eve, its history says so, and one press brings the real time back', async ({ hello, console: page }) => {
  await hello.type(code);
  await page.getByRole('button', { name: 'Clock: live, change' }).click();
  await page.getByRole('menuitem', { name: /^New Year's Eve/ }).click();
  const moved = page.getByRole('button', { name: /^Clock: \d{4}-12-31 23:59:50 Europe\/Berlin, change$/ });
  await expect(moved).toBeFocused();
  const year = /\d{4}/.exec((await moved.getAttribute('aria-label'))!)![0];
  const text = `clock: ${year}-12-31 23:59:50 Europe/Berlin`;
  const eve = new RegExp(`"${year}-12-31T22:59:50\\.\\d{3}Z"`);

  await hello.runs();
  await expect(hello.result).toContainText(eve);
  await expect(page.getByRole('region', { name: 'Output of the run' }).getByText(text)).toBeVisible();

  const history = await hello.history();
  await history.getByRole('option').first().click();
  const details = page.getByRole('dialog');
  await expect(details.getByText(text)).toBeVisible();
  // A replay of it has its clock, also when the page is back to the real time.
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await page.reload();
  await expect(moved).toBeVisible();
  await page.getByRole('button', { name: 'Clock: back to live' }).first().press('Enter');
  const live = page.getByRole('button', { name: 'Clock: live, change' });
  await expect(live).toBeFocused();
  await page.reload();
  await expect(live).toBeVisible();
  await (await hello.history()).getByRole('option').first().click();
  const before = page.url();
  await details.getByRole('button', { name: 'Replay' }).click();
  await expect(page).not.toHaveURL(before);
  await expect(details.getByText(text)).toBeVisible();
  await details.getByRole('tab', { name: 'Result' }).click();
  await expect(details).toContainText(eve);
  await details.getByRole('button', { name: 'Edit the input and run' }).click();
  await expect(page.getByText(`${text} · of the run that this input is from`)).toBeVisible();
  await page.getByRole('button', { name: 'Use the clock of the page' }).click();
  await hello.runs();
  await expect(hello.result).not.toContainText(eve);
  await page.getByRole('button', { name: 'Details' }).click();
  await details.getByRole('tab', { name: 'Compare' }).click();
  const row = details.getByRole('row', { name: /^Clock/ });
  await expect(row).toContainText('live');
  await expect(row).toContainText(`${year}-12-31 23:59:50 Europe/Berlin`);
});

test('a moment is typed by keyboard alone, and copies and ten runs carry it', async ({ hello, console: page }) => {
  await hello.type(code);
  await page.keyboard.press('Control+S');
  await expect(hello.state(/^saved v2/)).toBeVisible();
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused(); // else the keys go into the editor
  await page.keyboard.type('another moment');
  await expect(page.getByRole('button', { name: /another moment/ })).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'The time that your runs see' });
  const field = dialog.getByRole('textbox', { name: 'Day and time' });
  await expect(field).toBeFocused();
  await page.keyboard.type('2026-02-29');
  await expect(dialog.getByText(/^Write a day and a time/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Set the clock' })).toBeDisabled();
  await field.fill('2028-02-29 12:00');
  await expect(dialog.getByText('2028-02-29 11:00:00 UTC')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Clock: 2028-02-29 12:00:00 Europe/Berlin, change' })).toBeVisible();

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  for (const [form, says] of [['curl', 'Benchtop-Clock: 2028-02-29T12:00:00+01:00[Europe/Berlin]'], ['CLI', "--at '2028-02-29T12:00:00+01:00[Europe/Berlin]'"], ['fetch', '"Benchtop-Clock": "2028-02-29T12:00:00+01:00[Europe/Berlin]"']] as const) {
    await hello.more(`Copy as ${form}`);
    await expect.poll(clipboard).toContain(says);
  }
  await hello.more('Run ×10');
  await expect(page.getByTestId('announcer')).toContainText('10 runs finished, all ok');
  const history = await hello.history();
  await history.getByRole('option').first().click();
  await expect(page.getByRole('dialog').getByText('clock: 2028-02-29 12:00:00 Europe/Berlin')).toBeVisible();
});

test('Run now of a schedule sees the clock, and each project has its own', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await platform.api('POST', '/api/agents/hello/skills/cron/use', { use: 'greet', entry: { id: 'night', cron: '0 3 * * *' } });
  await platform.api('POST', '/api/agents', { name: 'mia' });
  await page.reload();
  await page.getByRole('button', { name: 'Clock: live, change' }).click();
  await page.getByRole('menuitem', { name: /^10 s before clocks go forward/ }).click();
  await page.keyboard.press('Control+5');
  await expect(page.getByText('what Run now shows to functions')).toBeVisible();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'greet' }).first();
  await card.getByRole('button', { name: /^Run .* now$/ }).click();
  await card.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('dialog').getByText(/^clock: \d{4}-03-\d\d 01:59:50 Europe\/Berlin$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Agent hello, switch' }).click();
  await page.getByRole('menuitem', { name: /^mia/ }).click();
  await expect(page.getByRole('button', { name: 'Clock: live, change' })).toBeVisible();
});

import { check, issues } from './axe';
import { expect, test } from './fixtures';
import { layers } from './layers';
import { fill, places } from './places';
import { statePlaces } from './stateplaces';

// Colours are measured, so nothing may be on its way in or out: a dialog that is
// half there has half its contrast.
test.use({ colorScheme: 'light', contextOptions: { reducedMotion: 'reduce' } });

test('every place has no serious issue', async ({ console: page, platform }) => {
  await check(page, 'home, first visit');
  await page.getByRole('button', { name: /Hello tool/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await check(page, 'functions');
  await page.keyboard.press('Control+Enter');
  await page.getByText('That was').waitFor();
  await page.keyboard.press('Control+J');
  await check(page, 'functions after a run, with activity');
  await page.getByText('HTTP', { exact: true }).click();
  await page.getByRole('button', { name: 'Add a header' }).click();
  await check(page, 'functions, HTTP');
  await page.getByText('History', { exact: true }).click();
  await page.getByRole('listbox', { name: /^History/ }).waitFor();
  await check(page, 'history');
  await page.getByRole('listbox', { name: /^History/ }).getByRole('option').first().click();
  const details = page.getByRole('dialog');
  for (const tab of ['Waterfall', 'Permissions', 'Quotas', 'Source', 'Compare', 'Raw']) {
    await details.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await check(page, `details of a run, ${tab}`);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByText('Run', { exact: true }).first().click();
  await page.getByRole('button', { name: 'visits' }).first().click();
  await page.getByText('is declared but not set').waitFor();
  await check(page, 'functions, a secret is missing');
  await page.keyboard.press('Control+8');
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  await check(page, 'secrets');
  await page.getByRole('button', { name: 'Add a secret' }).click();
  await page.getByRole('dialog').waitFor();
  await check(page, 'add a secret');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).waitFor();
  await check(page, 'palette');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await check(page, 'keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+1');
  await page.getByRole('heading', { name: /Write a function/ }).waitFor();
  await check(page, 'home');
  await page.context().clearCookies();
  await page.goto(platform.url);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Benchtop' }).waitFor();
  await check(page, 'login');
});

test('every place with something in it has no serious issue', async ({ hello, console: page, platform }) => {
  test.setTimeout(600_000);
  await hello.opened('greet');
  await fill(platform);
  await page.reload();
  await hello.opened('greet');
  for (const place of [...places, ...statePlaces(platform)]) {
    await place.go(page);
    await check(page, place.name);
    await place.leave?.(page);
  }
});

test('every menu, list, question and hint has no serious issue', async ({ hello, console: page, platform }) => {
  test.setTimeout(300_000);
  await hello.opened('greet');
  await fill(platform);
  await page.reload();
  await hello.opened('greet');
  const found: string[] = [];
  for (const layer of layers(platform)) {
    await layer.go(page);
    found.push(...(await issues(page)).map((issue) => `${layer.name}: ${issue}`));
    await layer.leave?.(page);
  }
  expect(found).toEqual([]);
});

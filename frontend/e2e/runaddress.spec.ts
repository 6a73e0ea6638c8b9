import { expect, test } from './fixtures';

test('a run has an address: back, forward, reload, another tab and the palette lead to it', async ({ hello, console: page, platform }) => {
  await hello.runs();
  await page.getByRole('button', { name: 'Details' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('list', { name: 'What greet did' })).toBeVisible();
  await expect(page).toHaveURL(/#\/runs\/[0-9a-f-]{36}$/);
  const address = page.url();
  // The place it was opened from is still behind it, with all it holds.
  await expect(hello.editor.locator('.view-line').first()).toBeVisible();

  await page.goBack();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/#\/a\/hello\/functions\/greet$/);
  await page.goForward();
  await expect(drawer.getByText('greet').first()).toBeVisible();
  expect(page.url()).toBe(address);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/#\/a\/hello\/functions\/greet$/);

  // A run that is opened out of a run: closing leads back to the place.
  await page.goForward();
  await drawer.getByRole('button', { name: 'Replay' }).click();
  await expect(page).not.toHaveURL(address);
  await expect(drawer.getByText('greet').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/a\/hello\/functions\/greet$/);

  const tab = await page.context().newPage();
  await tab.goto(address);
  await expect(tab.getByRole('dialog').getByRole('list', { name: 'What greet did' })).toBeVisible();
  await tab.getByRole('button', { name: 'Copy the address of this run' }).click();
  await expect(tab.getByText('The address of this run is copied')).toBeVisible();
  expect(await tab.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await tab.keyboard.press('Escape');
  await expect(tab.getByRole('dialog')).toBeHidden();
  await expect(tab).toHaveURL(/#\/activity$/);
  await tab.close();

  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill(address);
  await expect(page.getByRole('button', { name: /Open the run of this id/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('greet').first()).toBeVisible();
  expect(page.url()).toBe(address);
  expect(address.startsWith(platform.url)).toBe(true);
});

test('a run that is not kept says so', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.goto(`${platform.url}/#/runs/0193f0c2-7a1e-7000-8000-0123456789ab`);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('There is no such run')).toBeVisible();
  await drawer.getByRole('button', { name: 'Show Activity' }).click();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/#\/activity$/);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, watch } from './fixtures';
import { Platform } from './platform';

test('without a session the page says how to get in', async ({ page, platform }) => {
  const faults = watch(page);
  await page.goto(platform.url);
  await expect(page.getByRole('heading', { name: 'Sign in to Benchtop' })).toBeVisible();
  await expect(page.getByText('benchtop open')).toBeVisible();
  await page.getByLabel('Owner key').fill('not the key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Owner key').fill(platform.ownerKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
  expect(faults).toEqual([]);
});

test('a login code works once and does not stay in the address', async ({ console: page, platform, browser }) => {
  expect(page.url()).toBe(`${platform.url}/`);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const other = await (await browser.newContext()).newPage();
  await other.goto(platform.loginUrl);
  await expect(other.getByRole('heading', { name: 'Sign in to Benchtop' })).toBeVisible();
  await expect(other.getByRole('alert')).toBeVisible();
  await other.context().close();
});

test('what is typed right after the palette was asked for is looked for', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.getByTestId('editor').locator('.view-line').first().click();
  const text = await page.getByTestId('editor').locator('.view-lines').innerText();
  // Nobody waits here for what a key did before the next one goes down.
  const browser = await page.context().newCDPSession(page);
  const down = (key: string, modifiers = 0) => browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0), modifiers, ...(modifiers ? {} : { text: key }) });
  await Promise.all([down('k', 2), ...[...'visits'].map((letter) => down(letter))]);
  const search = page.getByRole('textbox', { name: 'Search' });
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('visits');
  await page.keyboard.type(' x');
  await expect(search).toHaveValue('visits x');
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  expect(await page.getByTestId('editor').locator('.view-lines').innerText()).toBe(text);
});

test('everything is reached from the keyboard', async ({ hello, console: page }) => {
  await page.keyboard.press('Control+K');
  const search = page.getByRole('textbox', { name: 'Search' });
  await expect(search).toBeFocused();
  await search.fill('visits');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await hello.opened('visits');
  await page.keyboard.press('Control+P');
  await search.fill('gre');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await hello.opened('greet');
  await expect(search).toBeHidden();

  await page.keyboard.press('Control+1');
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Next problem');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+8');
  await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
});

test('panes, the last function and what was open are found again', async ({ hello, console: page }) => {
  await hello.open('visits');
  const list = page.getByRole('separator', { name: 'Width of the list' });
  await list.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+J');
  const height = page.getByRole('separator', { name: 'Height of activity' });
  await height.focus();
  await page.keyboard.press('ArrowUp');
  const values = async () => [await list.getAttribute('aria-valuenow'), await height.getAttribute('aria-valuenow')];
  const before = await values();
  await page.goto('about:blank');
  await page.goBack();
  await hello.opened('visits');
  expect(await values()).toEqual(before);
  const width = (await hello.tree.boundingBox())!.width;
  expect(width).toBeCloseTo(Number(before[0]), 0);
  // Without an address of its own the page comes back to the same agent and function.
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+2');
  await hello.opened('visits');
});

test('the theme is chosen and kept', async ({ console: page }) => {
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a folder is opened by its path, and a wrong path says what is wrong', async ({ hello, console: page, platform }) => {
  await page.keyboard.press('Control+1');
  await page.getByLabel('Path of the folder').fill('/nowhere/at/all');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('/nowhere/at/all');
  const { projects } = await platform.api<{ projects: { path: string }[] }>('GET', '/api/local/projects');
  await page.getByRole('button', { name: 'Close hello' }).click();
  await expect(page.getByRole('button', { name: 'Close hello' })).toBeHidden();
  await page.getByLabel('Path of the folder').fill(projects[0]!.path);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await hello.opened('greet');
});

test('a platform that stops and comes back is noticed', async ({ page }) => {
  const data = mkdtempSync(join(tmpdir(), 'benchtop-e2e-data-'));
  const first = await Platform.start({ data });
  const port = first.port;
  await page.goto(first.loginUrl);
  await expect(page.getByRole('button', { name: /^Live/ })).toBeVisible();
  await first.dispose();
  await expect(page.getByRole('button', { name: /^Reconnecting/ })).toBeVisible();
  const second = await Platform.start({ data, port });
  await expect(page.getByRole('button', { name: /^Live/ })).toBeVisible();
  // What happened meanwhile is there: the page asked again.
  await second.api('POST', '/api/local/projects', { sample: 'hello' });
  await expect(page.getByRole('button', { name: 'Close hello' })).toBeVisible();
  await second.dispose();
  rmSync(data, { recursive: true, force: true });
});

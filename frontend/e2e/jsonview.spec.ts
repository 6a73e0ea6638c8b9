import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { check } from './axe';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';
import type { Workbench } from './pages/Workbench';
import type { Platform } from './platform';

/** Makes greet return what an expression gives, and runs it. */
async function returns(hello: Workbench, platform: Platform, expression: string): Promise<Locator> {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/index.js'), () => `export default async () => (${expression});\n`);
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs();
  return hello.result;
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const item = (result: Locator, text: string) => result.getByRole('treeitem', { name: text });

test('a value is folded, walked through and copied by the keyboard', async ({ hello, console: page, platform }) => {
  const value = { who: { name: 'Ada', tags: ['a', 'b', 'c'] }, 'odd key': [1, { deep: true }], text: 'y'.repeat(900), more: { a: 1, b: 2, c: 3 } };
  const result = await returns(hello, platform, JSON.stringify(value));
  await result.getByRole('treeitem').first().focus();
  await check(page, 'a result');
  // Down to "who", folded and opened again.
  await page.keyboard.press('ArrowDown');
  await expect(item(result, '"who": {')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(item(result, '"who": {')).toHaveAttribute('aria-expanded', 'false');
  await expect(result).toContainText('2 members');
  // What stands for the members is between the braces, and not on them.
  const [row, inside] = [item(result, '"who": {'), result.getByText('2 members')];
  const [brace, words] = await Promise.all([
    row.evaluate((el) => {
      const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let n = walk.nextNode(); n; n = walk.nextNode()) {
        const at = n.textContent!.indexOf('{');
        if (at < 0) continue;
        range.setStart(n, at);
        range.setEnd(n, at + 1);
        return range.getBoundingClientRect().right;
      }
      throw new Error('no brace');
    }),
    inside.evaluate((el) => {
      const range = document.createRange();
      range.selectNodeContents(el);
      return range.getBoundingClientRect().left;
    }),
  ]);
  expect(words).toBeGreaterThanOrEqual(brace - 0.5);
  await expect(result).not.toContainText('Ada');
  await page.keyboard.press('ArrowDown');
  await expect(item(result, '"odd key": [')).toBeFocused();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await expect(item(result, '"deep": true')).toBeFocused();
  // What one is at is copied as value and as path.
  await page.keyboard.press('Control+C');
  expect(await clipboard(page)).toBe('true');
  await page.keyboard.press('Tab');
  await expect(result.getByRole('button', { name: 'Copy this value' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied', { exact: true }).first()).toBeVisible();
  expect(await clipboard(page)).toBe('$["odd key"][1].deep');
  // A long text is shortened, and whole when it is asked for.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await expect(result.getByText(/^show all 91\d B$/)).toBeVisible();
  await expect(result).not.toContainText('y'.repeat(900));
  await item(result, '"text"').focus();
  await page.keyboard.press('Enter');
  await expect(result).toContainText('y'.repeat(900));
  // All of it is selected and copied, also what is folded.
  await result.getByRole('button', { name: 'Collapse all' }).click();
  await item(result, '"who": {').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+C');
  expect(await clipboard(page)).toBe(JSON.stringify(value, null, 2));
  await result.getByRole('button', { name: 'Copy Result' }).click();
  await expect.poll(() => clipboard(page)).toBe(JSON.stringify(value, null, 2));
});

test('words are found in what is folded, one after the other', async ({ hello, console: page, platform }) => {
  const result = await returns(hello, platform, "{ list: Array.from({ length: 60 }, (_, i) => ({ id: i, name: i % 20 === 7 ? 'Needle ' + i : 'hay' })) }");
  await result.getByRole('button', { name: 'Collapse all' }).click();
  await expect(result).toContainText('60 items');
  await item(result, '{').first().focus();
  await page.keyboard.press('Control+F');
  const field = result.getByRole('textbox', { name: 'Find in Result' });
  await expect(field).toBeFocused();
  await page.keyboard.type('needle');
  await expect(result.getByRole('status')).toHaveText('3 found');
  await page.keyboard.press('Enter');
  await expect(result.getByRole('status')).toHaveText('1 of 3');
  await expect(result.getByText('Needle', { exact: true }).first()).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(result.getByRole('status')).toHaveText('3 of 3');
  await expect(item(result, 'Needle 47')).toBeInViewport();
  await page.keyboard.press('Shift+Enter');
  await expect(result.getByRole('status')).toHaveText('2 of 3');
  await page.keyboard.type('x');
  await expect(result.getByRole('status')).toHaveText('none');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
});

test('a hundred thousand items are there at once, and each can be reached', async ({ hello, console: page, platform }) => {
  const result = await returns(hello, platform, "Array.from({ length: 100000 }, (_, id) => ({ id, name: 'item ' + id }))");
  await expect(item(result, '[').first()).toBeVisible();
  // The rows on the page are those in sight.
  expect(await result.getByRole('treeitem').count()).toBeLessThan(700);
  await result.getByRole('textbox', { name: 'Find in Result' }).fill('item 99998');
  await page.keyboard.press('Enter');
  await expect(item(result, 'item 99998')).toBeInViewport();
  expect(await result.getByRole('treeitem').count()).toBeLessThan(1_000);
  await item(result, 'item 99998').hover();
  await result.getByRole('button', { name: 'Copy its path' }).first().click();
  await expect.poll(() => clipboard(page)).toBe('$[99998].name');
  // A selection from the end to the beginning holds everything between.
  const row = result.getByRole('treeitem').nth(0);
  await item(result, 'item 99998').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await expect(row).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+C');
  await expect.poll(async () => (await clipboard(page)).length).toBe(JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `item ${id}` })), null, 2).length);
  await result.getByRole('button', { name: 'Expand all' }).click();
  await expect(item(result, '"id": 0')).toBeVisible();
});

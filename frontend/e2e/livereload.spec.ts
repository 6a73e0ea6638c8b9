import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';

test('a file changed by another process is live on the next run', { tag: '@journey' }, async ({ hello, platform }) => {
  await hello.runs();
  await expect(hello.result).toContainText('Hello, Ada!');
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/index.js'), (t) => t.replace("'Hello'", "'Good day'"));
  await expect(hello.state('saved v2')).toBeVisible();
  await expect.poll(() => hello.text()).toContain('Good day');
  await hello.runs();
  await expect(hello.result).toContainText('Good day, Ada!');
  await hello.page.keyboard.press('Control+1');
  await expect(hello.page.getByText('Edit and save (done)')).toBeVisible();
});

test('what does not load is shown with its place, and the last version serves', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  const source = join(folder, 'functions/greet/index.js');
  editOutside(source, (t) => t.replace('return {', 'retrun {'));
  const problems = page.getByRole('region', { name: 'Problems of the function' });
  await expect(problems).toContainText('JS_COMPILE_ERROR');
  await expect(problems).toContainText('version 1 still serves');
  await expect(hello.tree.getByRole('img', { name: 'does not load' })).toBeVisible();
  await hello.runs();
  await expect(hello.result).toContainText('Hello, Ada!');

  await page.keyboard.press('F8');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).not.toHaveText('1');

  editOutside(source, (t) => t.replace('retrun {', 'return {'));
  await expect(hello.state(/^saved v/)).toBeVisible();
  await expect(hello.tree.getByRole('img', { name: 'does not load' })).toBeHidden();
});

test('a manifest that asks for nonsense says where', async ({ hello, console: page }) => {
  await hello.tab('manifest.json').click();
  await expect(hello.editor.locator('.view-line').first()).toBeVisible();
  await hello.type('{"runtime": "js-v1", "limits": {"wallMs": -1}}');
  await hello.save();
  await expect(page.getByRole('region', { name: 'Problems of the function' })).toContainText('INVALID_LIMITS');
  await expect(hello.state(/^broken, v1 serves$/)).toBeVisible();
});

test('functions come and go with their folders', async ({ hello, platform, console: page }) => {
  await page.keyboard.press('Control+Alt+N');
  await page.getByLabel('Name', { exact: true }).fill('quote');
  await page.getByRole('button', { name: 'Create' }).click();
  await hello.opened('quote');
  await hello.runs();
  await expect(hello.result).toContainText('"hello": "Ada"');
  const folder = await folderOf(platform, 'hello');
  rmSync(join(folder, 'functions/quote'), { recursive: true });
  await expect(hello.tree.getByRole('button', { name: 'quote' })).toBeHidden();
  await expect(page.getByText('There is no function quote')).toBeVisible();
  await page.getByRole('button', { name: 'Show the others' }).click();
  await expect(hello.tree.getByRole('button', { name: 'greet' })).toBeVisible();
});

test('removing a function keeps its files in the trash', async ({ hello, console: page, platform }) => {
  await page.getByRole('button', { name: 'Remove greet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(hello.tree.getByRole('button', { name: 'greet' })).toBeHidden();
  await expect(page.getByText('Its files are in .benchtop/trash')).toBeVisible();
  const { functions } = await platform.api<{ functions: { name: string }[] }>('GET', '/api/agents/hello/functions');
  expect(functions.map((f) => f.name)).toEqual(['visits']);
});

test('a removed function comes back with what AGENT.md and the editor had of it', async ({ hello, console: page, platform }) => {
  const agent = read(await folderOf(platform, 'hello'), 'AGENT.md');
  await hello.type('// not saved\n');
  await page.getByRole('button', { name: 'Remove greet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(hello.tree.getByRole('button', { name: 'greet' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await hello.opened('greet');
  await expect.poll(() => hello.text()).toContain('// not saved');
  await expect(hello.state('unsaved')).toBeVisible();
  expect(read(await folderOf(platform, 'hello'), 'AGENT.md')).toBe(agent);
});

test('a function is made like another', async ({ hello, console: page, platform }) => {
  await page.getByRole('button', { name: 'Duplicate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Duplicate greet' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('greet_2');
  await page.keyboard.press('Enter');
  await hello.opened('greet_2');
  await expect(page.getByRole('region', { name: /^Run greet/ })).toHaveCount(1);
  await hello.runs();
  await expect(hello.result).toContainText('Hello, Ada!');
  const folder = await folderOf(platform, 'hello');
  for (const file of ['index.js', 'manifest.json']) expect(read(folder, 'functions/greet_2', file)).toBe(read(folder, 'functions/greet', file));
});

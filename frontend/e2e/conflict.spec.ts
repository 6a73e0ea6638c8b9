import { join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';

const mine = (t: string) => t.replace("en: 'Hello'", "en: 'Mine'");
const theirs = (t: string) => t.replace("return { greeting: `${GREETINGS[lang]}, ${name}!`, lang };", "return { greeting: `${GREETINGS[lang]} there, ${name}!`, lang };");

test('two editors meet without losing text: merge', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  const path = join(folder, 'functions/greet/index.js');
  const before = read(folder, 'functions/greet/index.js');
  await hello.type(mine(before));
  await expect(hello.state('unsaved')).toBeVisible();
  editOutside(path, theirs);

  await expect(page.getByText('was changed outside while you edited it')).toBeVisible();
  await expect(hello.state('conflict')).toBeVisible();
  await expect(page.getByTestId('diff-editor')).toContainText('Mine');
  await expect(page.getByTestId('diff-editor')).toContainText('there,');
  await page.getByRole('button', { name: 'Merge both' }).click();
  await expect(page.getByText('Both sets of changes are in the text on the right')).toBeVisible();
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(hello.state(/^saved v/)).toBeVisible();
  expect(read(folder, 'functions/greet/index.js')).toBe(theirs(mine(before)));
  await hello.runs();
  await expect(hello.result).toContainText('Mine there, Ada!');
});

test('a save that comes too late overwrites nothing', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  const before = read(folder, 'functions/greet/index.js');
  // The page must not hear of the change before it saves.
  await page.route('**/api/local/events', (route) => route.abort());
  await page.route('**/api/local/agents/*/functions/greet', async (route) => {
    if (route.request().method() === 'PUT') return route.continue();
    return route.abort();
  });
  await hello.type(mine(before));
  editOutside(join(folder, 'functions/greet/index.js'), theirs);
  await expect.poll(async () => (await platform.api<{ version: number }>('GET', '/api/local/agents/hello/functions/greet')).version).toBe(2);
  await hello.save();
  await expect(page.getByText('was changed outside while you edited it')).toBeVisible();
  expect(read(folder, 'functions/greet/index.js')).toBe(theirs(before));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Take what is on disk' }).click();
  await expect.poll(() => hello.text()).toContain('there, ');
  await expect(hello.state(/^saved v/)).toBeVisible();
});

test('an edit survives a reload, and another place', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  await hello.type(mine(read(folder, 'functions/greet/index.js')));
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+2');
  await hello.opened('greet');
  await expect(hello.state('unsaved')).toBeVisible();
  await page.reload();
  await hello.opened('greet');
  await expect(hello.state('unsaved')).toBeVisible();
  await expect.poll(() => hello.text()).toContain("en: 'Mine'");
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  expect(read(folder, 'functions/greet/index.js')).toContain("en: 'Mine'");
});

test('running an edited function saves it first', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  await hello.type(mine(read(folder, 'functions/greet/index.js')));
  await expect(page.getByRole('button', { name: 'Save and run' })).toBeVisible();
  await hello.runs();
  await expect(hello.result).toContainText('Mine, Ada!');
});

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { editOutside, folderOf, read } from './disk';
import { expect } from './fixtures';
import { test, type Keyboard } from './keyboard';
import { Workbench } from './pages/Workbench';

// The first five things that an author does, with the keyboard alone.

/** Opens the sample from Home, as everybody begins. */
async function begin(page: Page, keys: Keyboard): Promise<Workbench> {
  await keys.choose(page.getByRole('button', { name: /^Hello tool/ }));
  const bench = new Workbench(page);
  await bench.opened('greet');
  return bench;
}

/** Goes to a function by its name. */
async function goTo(bench: Workbench, keys: Keyboard, name: string): Promise<void> {
  await keys.press('Control+P');
  await expect(bench.page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await keys.type(name);
  await keys.press('Enter');
  await bench.opened(name);
}

/** Puts the cursor into the text, at its beginning. */
async function write(bench: Workbench, keys: Keyboard): Promise<void> {
  await keys.press('Control+E');
  await expect(bench.editor.locator(':focus')).toHaveCount(1);
  await keys.press('Control+Home');
}

// The whole test has a minute, which is the promise of the first run.
test('the first run', { tag: '@journey' }, async ({ console: page, keys }) => {
  test.setTimeout(60_000);
  const bench = await begin(page, keys);
  await bench.runs();
  await expect(bench.result).toContainText('Hello, Ada!');
  await expect(page.getByTestId('announcer')).toContainText('Run finished');

  await keys.press('Control+`');
  await expect(bench.field('name')).toBeFocused();
  await keys.press('End');
  await keys.type(' Lovelace');
  await bench.runs();
  await expect(bench.result).toContainText('Ada Lovelace');

  const details = page.getByRole('button', { name: 'Details' });
  await keys.choose(details);
  await expect(page.getByRole('dialog').getByRole('list', { name: 'What greet did' })).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(details).toBeFocused();
});

test('edit here, and from another editor', { tag: '@journey' }, async ({ console: page, keys, platform }) => {
  const bench = await begin(page, keys);
  await write(bench, keys);
  await keys.type('// Written here.\n');
  await expect(bench.state('unsaved')).toBeVisible();
  await bench.save();
  await expect(bench.state('saved v2')).toBeVisible();

  const source = join(await folderOf(platform, 'hello'), 'functions/greet/index.js');
  editOutside(source, (t) => t.replace("'Hello'", "'Good day'"));
  await expect(bench.state('saved v3')).toBeVisible();
  await expect.poll(() => bench.text()).toContain('Good day');
  expect(await bench.text()).toContain('// Written here.');
  await bench.runs();
  await expect(bench.result).toContainText('Good day, Ada!');
});

test('a secret from missing to set', { tag: '@journey' }, async ({ console: page, keys }) => {
  const bench = await begin(page, keys);
  await goTo(bench, keys, 'visits');
  await bench.runs();
  await expect(bench.result).toContainText('"signed": false');
  await keys.press('Control+`');
  await keys.reach(page.getByLabel('Value of GREETING_SIGNATURE'), 'Shift+Tab');
  await keys.type('sealed and signed');
  await keys.press('Enter');
  await expect(page.getByText('is declared but not set')).toBeHidden();
  await bench.runs();
  await expect(bench.result).toContainText('"signed": true');
});

test('from denied to fixed', { tag: '@journey' }, async ({ console: page, keys, platform }) => {
  const bench = await begin(page, keys);
  await write(bench, keys);
  for (let i = 0; i < 5; i++) await keys.press('ArrowDown');
  await keys.press('End');
  await keys.press('Enter');
  await keys.type("await ctx.kv.put('last', 'Ada');");
  await bench.save();
  await expect(bench.state('saved v2')).toBeVisible();
  const folder = await folderOf(platform, 'hello');
  expect(read(folder, 'functions/greet/index.js')).toContain("function handler(ctx) {\n  await ctx.kv.put('last', 'Ada');\n");
  await bench.runs('error');
  await keys.press('Control+`');
  await keys.choose(page.getByRole('region', { name: 'Why kv.put was denied' }).getByRole('button', { name: /"kv": "rw"/ }));
  await expect(bench.state('saved v3')).toBeVisible();
  await bench.outcome('ok');
  await expect(bench.result).toContainText('Hello, Ada!');
  const manifest = JSON.parse(read(folder, 'functions/greet/manifest.json')) as { permissions: unknown };
  expect(manifest.permissions).toEqual({ kv: 'rw' });
});

test('a past run is edited, run again and compared', { tag: '@journey' }, async ({ console: page, keys, platform }) => {
  const bench = await begin(page, keys);
  await platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Bob', lang: 'fr' } });
  await keys.press('Control+`');
  const side = page.getByRole('radiogroup', { name: 'Run, history, versions or permissions' });
  await keys.reach(side.getByRole('radio', { name: 'Run' }), 'Shift+Tab');
  await keys.press('ArrowRight');
  await keys.choose(page.getByRole('listbox', { name: 'History of greet' }).getByRole('option', { name: /^manual/ }).first());
  const drawer = page.getByRole('dialog');
  await keys.choose(drawer.getByRole('button', { name: 'Edit the input and run' }));
  await expect(drawer).toBeHidden();
  await expect(bench.field('name')).toHaveValue('Bob');
  await keys.press('Control+`');
  await expect(bench.field('name')).toBeFocused();
  await keys.press('Control+A');
  await keys.type('Eve');
  await bench.runs();
  await expect(bench.result).toContainText('Bonjour, Eve!');
  await keys.choose(page.getByRole('button', { name: 'Details' }));
  await expect(drawer).toContainText('greet');
  await keys.press('Control+D');
  const result = drawer.getByRole('region', { name: 'Result compared' });
  await expect(result).toContainText('Bonjour, Bob!');
  await expect(result).toContainText('Bonjour, Eve!');
});

test('the watch over these tests sees a click and a text that nobody typed', async ({ console: page, faults }) => {
  const path = page.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill('/tmp');
  await expect.poll(() => faults).toEqual(['text without a key in INPUT Path of the folder']);
  faults.length = 0;
  await path.click();
  await expect.poll(() => faults).toEqual(['pointerdown on INPUT Path of the folder']);
  faults.length = 0;
});

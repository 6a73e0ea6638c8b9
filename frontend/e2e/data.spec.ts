import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderOf } from './disk';
import { expect, test } from './fixtures';
import { fill } from './places';

test('keys are looked through, written, imported, exported and deleted', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  await page.keyboard.press('Control+7');
  const keys = page.getByRole('listbox', { name: 'Keys' });
  await expect(keys.getByRole('option', { name: /orders:apples/ })).toBeVisible();
  await expect(keys.getByRole('option', { name: /session/ })).toContainText('goes in');
  await page.getByLabel('Prefix of the keys').fill('orders:p');
  await expect(keys.getByRole('option')).toHaveCount(2);
  await page.getByLabel('Prefix of the keys').fill('');

  await keys.getByRole('option', { name: /orders:apples/ }).click();
  const value = page.getByRole('textbox', { name: 'Value' });
  await expect(value).toHaveValue(/"paid": true/);
  await value.fill('{"paid": fals');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await value.fill('{"paid": false}');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(keys.getByRole('option', { name: /orders:apples/ })).toContainText('{"paid":false}');

  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Key', { exact: true }).fill('mine');
  await page.getByRole('textbox', { name: 'Value' }).fill('[1, 2]');
  await page.getByLabel('Goes after').fill('3600');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(keys.getByRole('option', { name: /mine/ })).toContainText('goes in');
  const stored = await platform.api('GET', '/api/local/agents/hello/kv/item?function=shop&key=mine');
  expect(stored).toMatchObject({ value: [1, 2], expiresAt: expect.any(String) as unknown });

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Keys' }).fill('{"mine": "kept", "fresh": {"a": 1}}');
  await dialog.getByRole('button', { name: 'Import 2 keys' }).click();
  await expect(keys.getByRole('option', { name: /fresh/ })).toBeVisible();
  await expect(keys.getByRole('option', { name: /mine/ })).toContainText('[1,2]');

  await page.getByRole('button', { name: 'More' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /^Export/ }).click()]);
  const lines = readFileSync(await file.path(), 'utf8').trim().split('\n').map((l) => JSON.parse(l) as { key: string });
  expect(lines.map((l) => l.key)).toEqual(['fresh', 'mine', 'orders:apples', 'orders:figs', 'orders:pears', 'orders:plums', 'session']);

  await keys.getByRole('option', { name: /fresh/ }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Delete' }).click();
  await expect(keys.getByRole('option', { name: /fresh/ })).toHaveCount(0);

  // What a function writes shows by itself.
  await platform.api('POST', '/api/agents/hello/functions/shop/invoke', { args: { text: 'cherries' } });
  await expect(keys.getByRole('option', { name: /orders:cherries/ })).toBeVisible();
});

test('an edit that a run was quicker than loses neither value, and survives a look elsewhere', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  const put = (key: string, value: unknown) => platform.api('PUT', '/api/local/agents/hello/kv/items', { function: 'shop', items: [{ key, value }] });
  const get = (key: string) => platform.api('GET', `/api/local/agents/hello/kv/item?function=shop&key=${encodeURIComponent(key)}`);
  await put(' spaced ', 1);
  await page.keyboard.press('Control+7');
  const keys = page.getByRole('listbox', { name: 'Keys' });
  const value = page.getByRole('textbox', { name: 'Value' });
  const save = page.getByRole('button', { name: 'Save' });
  const conflict = page.getByRole('main').getByRole('alert');
  await keys.getByRole('option', { name: /orders:apples/ }).click();
  await value.fill('{"paid": "mine"}');

  // Another key, another place and a reload: what was typed is still there.
  await keys.getByRole('option', { name: /orders:figs/ }).click();
  await expect(value).not.toHaveValue(/mine/);
  await page.keyboard.press('Control+8');
  await page.keyboard.press('Control+7');
  await page.reload();
  await keys.getByRole('option', { name: /orders:apples/ }).click();
  await expect(value).toHaveValue('{"paid": "mine"}');

  // Nobody told the page of this write: saving finds out, and asks.
  await put('orders:apples', { paid: 'theirs' });
  await save.click();
  await expect(conflict).toContainText('Something else has written this value');
  await expect(conflict).toContainText('theirs');
  await expect(value).toHaveValue('{"paid": "mine"}');
  expect(await get('orders:apples')).toMatchObject({ value: { paid: 'theirs' } });
  await conflict.getByRole('button', { name: 'Go on with mine' }).click();
  await expect(conflict).toHaveCount(0);
  await save.click();
  await expect(save).toBeDisabled();
  expect(await get('orders:apples')).toMatchObject({ value: { paid: 'mine' } });

  // The same when it is gone by then.
  await value.fill('{"paid": "again"}');
  await platform.api('DELETE', '/api/local/agents/hello/kv/item?function=shop&key=orders%3Aapples');
  await save.click();
  await expect(conflict).toContainText('The key went while you edited it');
  await save.click();
  await expect(conflict).toHaveCount(0);
  expect(await get('orders:apples')).toMatchObject({ value: { paid: 'again' } });

  // A new key never takes the place of one, and spaces in a name are a part of it.
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Key', { exact: true }).fill('orders:apples');
  await save.click();
  await expect(page.getByText('There is a key of that name')).toBeVisible();
  expect(await get('orders:apples')).toMatchObject({ value: { paid: 'again' } });
  await keys.getByRole('option', { name: /spaced/ }).click();
  await value.fill('2');
  await save.click();
  await expect(save).toBeDisabled();
  expect(await get(' spaced ')).toMatchObject({ value: 2 });
});

test('a value of megabytes is looked at, saved as a file and written anew, and the page stays quick', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  const rows = Array.from({ length: 60_000 }, (_, i) => ({ id: i, tags: ['a', 'b'] }));
  await platform.api('PUT', '/api/local/agents/hello/kv/items', { function: 'shop', items: [{ key: 'big', value: rows }] });
  await page.goto(`${platform.url}/#/a/hello/data/kv`);
  await page.getByRole('listbox', { name: 'Keys' }).getByRole('option', { name: /^big/ }).click();
  const beginning = page.getByRole('region', { name: 'Beginning of the value of big' });
  await expect(beginning).toContainText('"id": 0');
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveCount(0);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  expect(file.suggestedFilename()).toBe('big.json');
  expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toHaveLength(rows.length);
  await page.getByRole('button', { name: 'Write another value' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('[]');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(beginning).toBeVisible();
  await page.getByRole('button', { name: 'Write another value' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('[]');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('big is stored')).toBeVisible();
  expect(await platform.api('GET', '/api/local/agents/hello/kv/item?function=shop&key=big')).toMatchObject({ value: [] });
});

test('an import that fails half way says how far it came, where its text still stands', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.goto(`${platform.url}/#/a/hello/data/kv`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByRole('textbox', { name: 'Keys' });
  await text.fill('[{"key": "a", "value": 1, "ttlSeconds": "soon"}]');
  await expect(dialog.getByText(/"ttlSeconds" of item 1/)).toBeVisible();
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  await text.fill(`{${Array.from({ length: 120 }, (_, i) => `"k${i}": ${i}`).join()}, "deep": ${deep}}`);
  await dialog.getByRole('button', { name: 'Import 121 keys' }).click();
  await expect(dialog.getByRole('alert')).toContainText('100 keys are in, then:');
  await text.fill(JSON.stringify(Array.from({ length: 120 }, (_, i) => ({ key: `k${i}`, value: i }))));
  await dialog.getByRole('button', { name: 'Import 120 keys' }).click();
  await expect(page.getByText('20 keys are stored, 100 were there already')).toBeVisible();
});

test('content is uploaded, looked at, downloaded and deleted', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+7');
  await page.getByRole('tab', { name: 'Content' }).click();
  await expect(page.getByRole('heading', { name: 'No content yet' })).toBeVisible();
  const html = '<script>document.title = "hacked"</script><b>bold</b>';
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Upload' }).click()]);
  await chooser.setFiles([{ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from(html) }]);
  const list = page.getByRole('listbox', { name: 'Content' });
  await expect(list.getByRole('option', { name: /page\.html/ })).toContainText('text/html');
  // It is shown as what it is written in, never as a page.
  await expect(page.getByRole('region', { name: 'Preview of page.html' })).toHaveText(html);
  expect(await page.title()).not.toContain('hacked');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  expect(file.suggestedFilename()).toBe('page.html');
  expect(readFileSync(await file.path(), 'utf8')).toBe(html);

  const big = { name: 'big.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(8 * 1024 * 1024 + 1) };
  const [again] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Upload' }).click()]);
  // Its name ends in .png to an eye that does not see what turns its letters round.
  await again.setFiles([{ name: 'data\u202Egnp.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') }, big]);
  await expect(page.getByText(/big\.bin: it has 8\.0 MB/)).toBeVisible();
  await expect(list.getByRole('option', { name: 'data\\u202egnp.exe' })).toBeVisible();
  await expect(page.getByText('It is no picture')).toBeVisible();

  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(list.getByRole('option')).toHaveCount(left);
    if (left) await list.getByRole('option').click();
  }
  await expect(page.getByRole('heading', { name: 'No content yet' })).toBeVisible();
  expect(await platform.api('GET', '/api/local/agents/hello/content')).toMatchObject({ items: [] });
});

test('a key that runs out goes while it is looked at', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  await platform.api('PUT', '/api/local/agents/hello/kv/items', { function: 'shop', items: [{ key: 'brief', value: 1, ttlSeconds: 2 }] });
  await page.keyboard.press('Control+7');
  const keys = page.getByRole('listbox', { name: 'Keys' });
  await keys.getByRole('option', { name: /^brief/ }).click();
  await expect(keys.getByRole('option', { name: /^brief/ })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('1');
  await expect(page.getByRole('status').getByText('The key has gone.')).toBeVisible();
});

test('files of a name that is there take its place or stand beside it, as the person says', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const first = await platform.api<{ id: string }>('POST', '/api/local/agents/hello/content?name=a.txt', 'old');
  await page.goto(`${platform.url}/#/a/hello/data/content`);
  const list = page.getByRole('listbox', { name: 'Content' });
  await expect(list.getByRole('option')).toHaveCount(1);
  const choose = async (...texts: string[]) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Upload' }).click()]);
    await chooser.setFiles(texts.map((text, i) => ({ name: i ? 'b.txt' : 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })));
  };
  const dialog = page.getByRole('dialog', { name: 'a.txt is there already' });
  await choose('nothing');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await choose('new', 'other');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(list.getByRole('option')).toHaveCount(2);
  await list.getByRole('option', { name: /a\.txt/ }).click();
  await expect(page.getByRole('region', { name: 'Preview of a.txt' })).toHaveText('new');
  const stored = await platform.api<{ items: { id: string; displayName: string }[] }>('GET', '/api/local/agents/hello/content');
  expect(stored.items.find((it) => it.displayName === 'a.txt')?.id).toBe(first.id);
  await choose('third');
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(list.getByRole('option', { name: /a\.txt/ })).toHaveCount(2);
});

test('a folder that is dropped gives its files, and nothing that is dropped takes the place of the page', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const top = join(platform.home, 'dropped');
  for (const [name, text] of [['one.txt', '1'], ['in/two.txt', '2'], ['in/.hidden', '3']] as const) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  const browser = await page.context().newCDPSession(page);
  const drag = async (files: string[], ...types: ('dragEnter' | 'dragOver' | 'drop')[]) => {
    for (const type of types) await browser.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data: { items: [], files, dragOperationsMask: 1 } });
  };
  await page.goto(`${platform.url}/#/a/hello/data/content`);
  await expect(page.getByRole('heading', { name: 'No content yet' })).toBeVisible();
  await drag([join(top, 'in'), join(top, 'one.txt')], 'dragEnter', 'dragOver', 'drop');
  const list = page.getByRole('listbox', { name: 'Content' });
  await expect(list.getByRole('option')).toHaveCount(2);
  await expect(list.getByRole('option', { name: /two\.txt/ })).toBeVisible();

  await page.keyboard.press('Control+5');
  await page.getByRole('heading', { name: 'Schedules' }).waitFor();
  await drag([join(top, 'one.txt')], 'dragEnter', 'dragOver', 'drop');
  await page.keyboard.press('Control+8');
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  expect(page.context().pages()).toHaveLength(1);
});

test('folders show their files, and say why one is closed', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await fill(platform);
  await page.keyboard.press('Control+7');
  await page.getByRole('tab', { name: 'Folders' }).click();
  await page.getByRole('listbox', { name: 'Files' }).getByRole('option', { name: /readme\.txt/ }).click();
  await expect(page.getByRole('region', { name: 'Preview of readme.txt' })).toHaveText(/^Hello from/);
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: /outside/ }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('does not lie inside the project folder');

  // A project that is moved away while it is open is no fault of the platform's.
  const folder = await folderOf(platform, 'hello');
  const manifest = { runtime: 'js-v1', permissions: { folders: [{ alias: 'inside', path: 'papers', permissions: 'ro' }] } };
  mkdirSync(join(folder, 'functions/reader'));
  writeFileSync(join(folder, 'functions/reader/manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'functions/reader/index.js'), 'export default async () => 1;');
  await expect.poll(async () => JSON.stringify(await platform.api('GET', '/api/local/agents/hello/folders'))).toContain('inside');
  const answers: number[] = [];
  page.on('response', (r) => answers.push(r.status()));
  const inside = page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: /^inside/ });
  await page.reload();
  await inside.click();
  await expect(inside).toContainText('not there');
  await expect(page.getByRole('heading', { name: 'The directory is not there' })).toBeVisible();
  renameSync(folder, `${folder}-moved`);
  await page.reload();
  await inside.click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('the directory that it lies in is not there');
  expect(answers.filter((status) => status >= 500)).toEqual([]);
});

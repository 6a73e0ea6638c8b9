import { execFileSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';
import { binary, type Platform } from './platform';

// What a page's own numbers and objects would change.
const args = '{"n":12345678901234567890,"z":-0,"far":1e400,"money":0.1000,"pi":3.141592653589793238462643383279,"x":1,"x":2,"10":"ten","2":"two"}';
const tokens = ['"n": 12345678901234567890', '"z": -0', '"far": 1e400', '"money": 0.1000', '"pi": 3.141592653589793238462643383279', '"x": 1', '"x": 2'];

/** The text of an answer, as it came. */
async function text(platform: Platform, path: string): Promise<string> {
  return (await fetch(platform.url + path, { headers: { Authorization: `Bearer ${platform.ownerKey}` } })).text();
}

/** The inputs of the newest runs of a function, as the platform has them. */
async function inputs(platform: Platform, most: number): Promise<string[]> {
  const { invocations } = await platform.api<{ invocations: { id: string; source_skill: string }[] }>('GET', `/api/agents/hello/functions/greet/invocations?limit=${most}`);
  const runs = invocations.filter((r) => r.source_skill !== 'authoring');
  return Promise.all(runs.map(async (r) => /"input":(\{"args":.*?\}\})/.exec(await text(platform, `/api/local/invocations/${r.id}`))?.[1] ?? ''));
}

test('what is typed reaches the platform digit by digit, and comes back so', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/index.js'), () => 'export default async (ctx) => Object.keys(ctx.toolCall.params);\n');
  editOutside(join(folder, 'functions/greet/manifest.json'), () => '{"runtime": "js-v1"}');
  await expect(hello.args).toBeVisible();
  await expect(hello.state(/^saved v/)).toBeVisible();
  await expect.poll(() => hello.text()).toContain('Object.keys');
  await hello.args.fill(args);
  const holdsAll = async () => {
    for (const token of tokens) await expect(hello.args).toHaveValue(new RegExp(token.replace(/[.+]/g, '\\$&').replace(': ', ': ?')));
  };

  // A run, and the draft that is there after the page has gone.
  await hello.runs();
  expect(await inputs(platform, 1)).toEqual([`{"args":${args}}`]);
  await page.reload();
  await hello.opened('greet');
  await holdsAll();

  // A saved call, as the file and picked again.
  await page.keyboard.press('Control+Alt+S');
  const dialog = page.getByRole('dialog', { name: 'Save this call' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('big');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  for (const token of tokens) expect(read(folder, '.benchtop/calls/greet/big.json')).toContain(token);
  await page.getByRole('button', { name: 'Reset input' }).click();
  await page.getByRole('button', { name: /^Saved/ }).click();
  await page.getByRole('menuitem', { name: 'big', exact: true }).click();
  await holdsAll();
  await hello.runs();

  // The details of the run: shown, replayed, and put back into the panel.
  await page.getByRole('button', { name: 'Details' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'Input' }).click();
  const shown = drawer.getByRole('region', { name: 'Input' });
  for (const token of tokens) await expect(shown).toContainText(token);
  await shown.getByRole('button', { name: 'Copy Input' }).click();
  expect((await page.evaluate(() => navigator.clipboard.readText())).replace(/\s/g, '')).toBe(`{"args":${args}}`);
  const before = page.url();
  await drawer.getByRole('button', { name: 'Replay' }).click();
  await expect.poll(() => page.url()).not.toBe(before);
  await drawer.getByRole('button', { name: 'Edit the input and run' }).click();
  await expect(page.getByText(/^Input of the run of/)).toBeVisible();
  await holdsAll();
  expect(await inputs(platform, 3)).toEqual(Array.from({ length: 3 }, () => `{"args":${args}}`));

  // Copied calls, run by other programs.
  const env = { PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, HOME: platform.home, BENCHTOP_URL: platform.url, BENCHTOP_KEY: platform.ownerKey };
  for (const [form, run] of [
    ['curl', ['sh', '-c']],
    ['CLI', ['sh', '-c']],
    ['fetch', [process.execPath, '--input-type=module', '-e']],
  ] as const) {
    await hello.more(`Copy as ${form}`);
    await expect(page.getByText(`Copied as ${form}`)).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    execFileSync(run[0], [...run.slice(1), copied], { env });
    expect((await inputs(platform, 1))[0]?.replace(/\s/g, ''), form).toBe(`{"args":${args}}`);
  }
});

test('two runs whose numbers differ in their last digits are not the same', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/manifest.json'), () => '{"runtime": "js-v1"}');
  await expect(hello.args).toBeVisible();
  for (const n of ['12345678901234567891', '12345678901234567892']) {
    await hello.args.fill(`{"name": "Ada", "n": ${n}}`);
    await hello.runs();
  }
  await page.getByRole('button', { name: 'Details' }).click();
  await page.keyboard.press('Control+D');
  const compared = page.getByRole('region', { name: 'Input compared' });
  await expect(compared).toContainText('− ');
  await expect(compared).toContainText('12345678901234567891');
  await expect(compared).toContainText('12345678901234567892');
});

test('a stored value keeps its digits when it is looked at and saved', async ({ hello, console: page, platform }) => {
  const value = '{"id":12345678901234567890,"rate":1.50}';
  const put = await fetch(`${platform.url}/api/local/agents/hello/kv/items`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${platform.ownerKey}`, 'Content-Type': 'application/json' },
    body: `{"function":"","scope":"agent","items":[{"key":"k","value":${value}}]}`,
  });
  expect(put.ok).toBe(true);
  await hello.opened('greet');
  await page.keyboard.press('Control+7');
  await page.getByRole('listbox', { name: 'Keys' }).getByRole('option', { name: /1234567890/ }).click();
  const field = page.getByRole('textbox', { name: 'Value' });
  await expect(field).toHaveValue(/"id": 12345678901234567890,\s+"rate": 1\.50/);
  await field.fill((await field.inputValue()).replace('1.50', '2.500'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => text(platform, '/api/local/agents/hello/kv/item?function=&scope=agent&key=k')).toContain('{"id":12345678901234567890,"rate":2.500}');
});

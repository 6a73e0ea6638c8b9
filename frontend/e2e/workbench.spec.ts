import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';

const kvSource = `export default async function handler(ctx) {
  await ctx.kv.put('last', ctx.toolCall?.params?.name ?? 'nobody');
  return { stored: true };
}
`;

test('from denied to fixed in one press', { tag: '@journey' }, async ({ hello, console: page, platform }) => {
  await hello.type(kvSource);
  await expect(page.getByRole('region', { name: 'Problems of the function' })).toContainText('NOT_GRANTED');
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs('error');
  const why = page.getByRole('region', { name: 'Why kv.put was denied' });
  await expect(why).toContainText('permissions.kv');
  await expect(why).toContainText('ctx.kv.put "last"');
  await why.getByRole('button', { name: /"kv": "rw"/ }).click();
  await expect(hello.result).toContainText('"stored": true');
  await expect(hello.state('saved v3')).toBeVisible();
  await expect(page.getByText('NOT_GRANTED')).toBeHidden();
  const manifest = read(await folderOf(platform, 'hello'), 'functions/greet/manifest.json');
  expect(JSON.parse(manifest).permissions).toEqual({ kv: 'rw' });
  // The rest of the file is as its author wrote it.
  expect(manifest).toContain('"limits": { "wallMs": 2000 },');
});

test('a quick fix puts what is missing into the manifest', async ({ hello, console: page }) => {
  await hello.type(kvSource);
  const problem = page.getByRole('region', { name: 'Problems of the function' }).getByText('NOT_GRANTED');
  await expect(problem).toBeVisible();
  await page.keyboard.press('F8');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText('2');
  await page.keyboard.press('Control+.');
  await page.getByText('Add "kv": "rw" to the manifest').click();
  await expect(problem).toBeHidden();
  await expect(hello.tab('manifest.json').getByRole('img', { name: 'unsaved' })).toBeVisible();
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs();
});

test('a past run is edited, run again and compared', { tag: '@journey' }, async ({ hello, console: page, platform }) => {
  await platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Bob', lang: 'fr' } });
  const list = await hello.history();
  await list.getByRole('option', { name: /^manual/ }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Edit the input and run' }).click();
  await expect(drawer).toBeHidden();
  await expect(hello.field('name')).toHaveValue('Bob');
  await expect(page.getByText(/^Input of the run of/)).toBeVisible();
  await hello.field('name').fill('Eve');
  await hello.runs();
  await expect(hello.result).toContainText('Bonjour, Eve!');
  await page.getByRole('button', { name: 'Details' }).click();
  await page.keyboard.press('Control+D');
  const result = drawer.getByRole('region', { name: 'Result compared' });
  await expect(result).toContainText('Bonjour, Bob!');
  await expect(result).toContainText('Bonjour, Eve!');
  await expect(drawer.getByRole('region', { name: 'Logs compared' })).toContainText('"name":"Bob"');
});

test('a call is kept as a file of the project', async ({ hello, console: page, platform }) => {
  await hello.field('name').fill('Grace');
  await page.getByRole('button', { name: /^Saved/ }).click();
  await page.getByRole('menuitem', { name: 'Save this call…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('to Grace');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved as .benchtop/calls/greet/to Grace.json')).toBeVisible();
  const file = join(await folderOf(platform, 'hello'), '.benchtop/calls/greet/to Grace.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ body: { args: { name: 'Grace', lang: 'en' } } });

  await page.getByRole('button', { name: 'Reset input' }).click();
  await expect(hello.field('name')).toHaveValue('Ada');
  await page.getByRole('button', { name: 'Saved 1' }).click();
  await page.getByRole('menuitem', { name: 'to Grace', exact: true }).click();
  await expect(hello.field('name')).toHaveValue('Grace');
  await page.getByRole('button', { name: 'Saved 1' }).click();
  await page.getByRole('menuitem', { name: 'Remove the saved call to Grace' }).click();
  await expect(page.getByText('Nothing saved for greet yet')).toBeVisible();
  expect(existsSync(file)).toBe(false);
});

test('ten runs in a row, and the last one once more', async ({ hello, console: page }) => {
  await hello.more('Run ×10');
  const plot = page.getByRole('region', { name: 'Runs in a row' });
  await expect(plot.getByText('10 of 10')).toBeVisible();
  await expect(plot).toContainText('median');
  await plot.getByRole('button', { name: /^Run 10: ok/ }).click();
  await expect(page.getByRole('dialog').getByRole('list', { name: 'What greet did' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+R');
  await hello.outcome('ok');
  await expect(hello.result).toContainText('Hello, Ada!');
});

test('a call can be made as somebody else', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
  return { known: ctx.auth.authenticated, user: ctx.auth.userId };
}
`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs();
  await expect(hello.result).toContainText('"user": "owner"');
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: 'as anonymous' }).click();
  await hello.runs();
  await expect(hello.result).toContainText('"known": false');
});

test('what was never used is taken away', async ({ hello, console: page, platform }) => {
  await hello.open('visits');
  await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: {} });
  await hello.tab('manifest.json').click();
  await hello.type(`{
  "runtime": "js-v1",
  "permissions": {
    "kv": "rw",
    "secrets": ["GREETING_SIGNATURE"],
    "fetch": ["https://api.example.com"],
    "portal": ["notifyOwner"]
  },
  "parameters": { "type": "object" }
}
`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await page.getByText('Permissions', { exact: true }).click();
  const granted = page.getByRole('list', { name: 'What visits is granted' });
  await expect(granted.getByRole('listitem').filter({ hasText: 'fetch' })).toContainText('never used');
  await expect(granted.getByRole('listitem').filter({ hasText: 'kv rw' })).toContainText('used');
  // A run or two say little, and what was taken away comes back as it was.
  await expect(page.getByRole('note')).toContainText('little to judge by');
  const folder = await folderOf(platform, 'hello');
  const before = read(folder, 'functions/visits/manifest.json');
  await page.getByRole('button', { name: 'Take away what was never used' }).click();
  await expect(page.getByText('Everything it is granted was used.')).toBeVisible();
  expect(JSON.parse(read(folder, 'functions/visits/manifest.json')).permissions).toEqual({ kv: 'rw', secrets: ['GREETING_SIGNATURE'] });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The manifest is as it was before.')).toBeVisible();
  expect(read(folder, 'functions/visits/manifest.json')).toBe(before);
  await expect(granted.getByRole('listitem').filter({ hasText: 'fetch' })).toContainText('never used');
});

test('both texts that were typed in are formatted by one save, and a manifest that a fix alone changed keeps its layout', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const manifest = 'functions/greet/manifest.json';
  await hello.tab('manifest.json').click();
  await hello.type('{"runtime": "js-v1",\n"permissions": {},   "limits": {"wallMs": 4000}}\n');
  await hello.tab('index.js').click();
  await hello.type('export default async (ctx) => {\nreturn 1\n}\n');
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  expect(read(folder, 'functions/greet/index.js')).toContain('\n  return 1');
  expect(read(folder, manifest)).toBe('{\n  "runtime": "js-v1",\n  "permissions": {},\n  "limits": {\n    "wallMs": 4000\n  }\n}\n');
  const own = '{ "runtime": "js-v1",\n\n  "permissions": { "fetch": [] } }\n';
  editOutside(join(folder, manifest), () => own);
  await expect(hello.state('saved v3')).toBeVisible();
  await hello.type("export default async (ctx) => ctx.kv.get('a');\n");
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('ctx.kv.get is not granted');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  await page.getByText('Add "kv": "ro" to the manifest').click();
  await hello.save();
  await expect(hello.state('saved v4')).toBeVisible();
  expect(read(folder, manifest)).toBe('{ "runtime": "js-v1",\n\n  "permissions": { "fetch": [], "kv": "ro" } }\n');
});

test('an older version is compared and taken back', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
return 2
}
`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  // Formatted on the way.
  await expect.poll(() => hello.text()).toContain('  return 2');
  await page.getByText('Versions', { exact: true }).click();
  await page.getByRole('list', { name: 'Versions of greet' }).getByRole('button', { name: 'Compare with version 1' }).click();
  await expect(page.getByTestId('diff-editor')).toContainText('GREETINGS');
  await page.getByRole('button', { name: 'Take version 1' }).click();
  await expect(page.getByText('They are the same.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the editor' }).click();
  await hello.save();
  await expect(hello.state('saved v3')).toBeVisible();
  await page.getByText('Run', { exact: true }).first().click();
  await hello.runs();
  await expect(hello.result).toContainText('Hello, Ada!');
});

test('a manifest is a form, and its parameters make the form of the call', async ({ hello, console: page }) => {
  await hello.tab('manifest.json').click();
  await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
  await page.getByRole('group', { name: 'Manifest' }).getByRole('textbox', { name: 'wallMs' }).fill('1500');
  await page.getByRole('button', { name: 'Add a parameter' }).click();
  await page.getByLabel('Name of param3').fill('times');
  await page.getByRole('combobox', { name: 'Type of times' }).click();
  await page.getByRole('option', { name: 'integer' }).click();
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.field('times').fill('3x');
  await expect(page.getByText('times: not a number')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await hello.field('times').fill('3');
  await hello.runs();
  await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('JSON').click();
  await expect.poll(() => hello.text()).toContain('"wallMs": 1500');
});

test('values of the last run stand behind their lines, and nested runs lie inside', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
  const visit = await ctx.fn.invoke('visits', { visitor: 'Ada' });
  return visit;
}
`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs();
  await expect(hello.editor).toContainText('"visits":1');
  await page.getByRole('button', { name: 'Details' }).click();
  const waterfall = page.getByRole('dialog').getByRole('list', { name: 'What greet did' });
  await expect(waterfall.getByRole('list', { name: 'Inside fn.invoke' })).toContainText('kv.put');
  await waterfall.getByRole('button', { name: /^kv\.put,/ }).click();
  await expect(page.getByRole('region', { name: 'Sent by kv.put' })).toContainText('visits/Ada');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page.getByRole('button', { name: 'Show the whole run' })).toBeEnabled();
});

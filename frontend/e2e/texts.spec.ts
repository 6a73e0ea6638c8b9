import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from './disk';
import { expect, test } from './fixtures';
import { Workbench } from './pages/Workbench';

const source = 'export default async function handler(ctx) {\n  return 1;\n}\n';
const manifest = '{\n  "runtime": "js-v1",\n  "permissions": { "kv": "ro" },\n  "parameters": {\n    "type": "object",\n    "properties": { "size": { "type": "integer", "maximum": 9007199254740993 } }\n  }\n}\n';
const header = '/* @robutler-function\n{ "runtime": "js-v1", "permissions": {} }\n*/\nexport default async (ctx) => {\n  await ctx.kv.put("a", 1);\n};\n';

test.beforeEach(async ({ platform, console: page }) => {
  const dir = join(platform.home, 'proj');
  const put = (name: string, text: string) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  put('AGENT.md', '---\nname: proj\n---\n');
  put('functions/marked/index.js', `\ufeff${source}`);
  put('functions/marked/manifest.json', `\ufeff${manifest}`);
  put('functions/windows/index.js', source.replaceAll('\n', '\r\n'));
  put('functions/windows/manifest.json', manifest.replaceAll('\n', '\r\n'));
  put('functions/single.js', header);
  await platform.api('POST', '/api/local/projects', { path: dir });
  await page.goto(`${platform.url}/#/a/proj/functions`);
});

test('a file keeps its mark and its line ends', async ({ platform, console: page }) => {
  const bench = new Workbench(page);
  const dir = join(platform.home, 'proj/functions');
  for (const [name, want] of [['marked', `\ufeff${source}//`], ['windows', `${source.replaceAll('\n', '\r\n')}//`]] as const) {
    await bench.open(name);
    await expect(bench.state('saved v1')).toBeVisible();
    await bench.editor.locator('.view-lines').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('//');
    await bench.save();
    await expect(bench.state('saved v2')).toBeVisible();
    expect(read(dir, name, 'index.js')).toBe(want);
  }
});

test('the form changes one thing of a manifest and leaves the rest as it was written', async ({ platform, console: page }) => {
  const bench = new Workbench(page);
  const dir = join(platform.home, 'proj/functions');
  for (const [name, was] of [['marked', `\ufeff${manifest}`], ['windows', manifest.replaceAll('\n', '\r\n')]] as const) {
    await bench.open(name);
    await bench.tab('manifest.json').click();
    await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
    await page.getByRole('textbox', { name: 'entrypoint' }).fill('default');
    await bench.save();
    await expect(bench.state('saved v2')).toBeVisible();
    const end = name === 'windows' ? '\r\n' : '\n';
    expect(read(dir, name, 'manifest.json')).toBe(was.replace('"js-v1",', `"js-v1",${end}  "entrypoint": "default",`));
  }
});

test('a quick fix grants in the header of a single file', async ({ platform, console: page }) => {
  const bench = new Workbench(page);
  await bench.open('single');
  const problems = page.getByRole('region', { name: 'Problems of the function' });
  await expect(problems).toContainText('ctx.kv.put is not granted');
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  await page.getByText('Add "kv": "rw" to the manifest').click();
  await expect(problems).toBeHidden();
  await bench.save();
  await expect(bench.state('saved v2')).toBeVisible();
  expect(read(join(platform.home, 'proj/functions'), 'single.js')).toBe(header.replace('{} }', '{ "kv": "rw" } }'));
});

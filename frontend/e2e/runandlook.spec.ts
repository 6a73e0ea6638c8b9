import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';
import { binary } from './platform';

const echo = `export default async function handler(ctx) {
  return { params: ctx.toolCall?.params ?? null, user: ctx.auth.userId };
}
`;

test('a form holds objects, lists, choices, nulls, enums and formats, and loses no text', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const parameters = {
    type: 'object',
    properties: {
      who: { type: 'object', properties: { city: { type: 'string' }, born: { type: 'string', format: 'date' } } },
      tags: { type: 'array', items: { type: 'string' } },
      pay: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] },
          { type: 'object', properties: { kind: { const: 'bank' }, iban: { type: 'string' } }, required: ['kind', 'iban'] },
        ],
      },
      level: { enum: ['low', 'high'] },
      note: { type: ['string', 'null'] },
      count: { type: 'integer', default: 3 },
    },
  };
  editOutside(join(folder, 'functions/greet/index.js'), () => echo);
  editOutside(join(folder, 'functions/greet/manifest.json'), () => JSON.stringify({ runtime: 'js-v1', parameters }));
  // The form begins with what the schema gives: the default is there.
  await expect(hello.field('count')).toHaveValue('3');
  await (await hello.json()).fill('{"who": {"city": "Rome"}, "tags": ["a"], "pay": {"kind": "card", "number": "42"}, "level": "low", "note": null, "count": 3, "unknown": [1]}');
  await page.getByRole('radiogroup', { name: 'Form or JSON' }).getByText('Form').click();

  await hello.field('city').fill('Paris');
  await page.getByRole('button', { name: 'Add to tags' }).click();
  await hello.field('tags 2').fill('b');
  const kind = page.getByRole('combobox', { name: 'pay: kind' });
  await kind.click();
  await page.getByRole('option', { name: 'bank' }).click();
  await hello.field('iban').fill('DE02');
  await kind.click();
  await page.getByRole('option', { name: 'card' }).click();
  await expect(hello.field('number')).toHaveValue('42'); // what was left is not lost
  await kind.click();
  await page.getByRole('option', { name: 'bank' }).click();
  await expect(hello.field('iban')).toHaveValue('DE02');
  await page.getByRole('combobox', { name: 'level' }).click();
  await page.getByRole('option', { name: 'high' }).click();
  await page.getByRole('button', { name: 'Give note a value' }).click();
  await hello.field('note').fill('hi');
  // A text that is no value yet stays, and stops the call.
  await hello.field('count').fill('4x');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await page.reload();
  await hello.opened('greet');
  await expect(hello.field('count')).toHaveValue('4x');
  // It is there beside the JSON, too; a number of many digits is put in as it was typed.
  const json = await hello.json();
  const kept = page.getByRole('list', { name: 'Texts of the form that are not in this JSON' });
  await expect(kept).toContainText('count: 4x');
  await page.getByRole('radiogroup', { name: 'Form or JSON' }).getByText('Form').click();
  await hello.field('count').fill('12345678901234567890');
  await hello.json();
  await kept.getByRole('button', { name: 'Put count into the JSON' }).click();
  await expect(kept).toBeHidden();
  await json.fill((await json.inputValue()).replace('12345678901234567890', '4'));
  await page.getByRole('radiogroup', { name: 'Form or JSON' }).getByText('Form').click();
  await expect(hello.field('count')).toHaveValue('4');
  await hello.runs();
  const sent = JSON.parse(await (await hello.json()).inputValue()) as unknown;
  expect(sent).toEqual({ who: { city: 'Paris' }, tags: ['a', 'b'], pay: { kind: 'bank', iban: 'DE02' }, level: 'high', note: 'hi', count: 4, unknown: [1] });
  for (const text of ['"city": "Paris"', '"iban": "DE02"', '"level": "high"', '"note": "hi"', '"count": 4']) await expect(hello.result).toContainText(text);
});

test('a copied call does what the click does: as curl, command line and JavaScript', async ({ hello, console: page, platform }) => {
  editOutside(join(await folderOf(platform, 'hello'), 'functions/greet/index.js'), () => echo);
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.field('name').fill("O'Neil");
  await page.getByRole('combobox', { name: 'Caller' }).click();
  await page.getByRole('option', { name: 'as portal token' }).click();
  await hello.runs();
  await expect(hello.result).toContainText('"user": "test-user"');
  const env = { PATH: `${dirname(binary)}${delimiter}${process.env.PATH}`, HOME: platform.home, BENCHTOP_URL: platform.url, BENCHTOP_KEY: platform.ownerKey };
  for (const [form, run] of [
    ['curl', (text: string) => execFileSync('sh', ['-c', text], { env, encoding: 'utf8' })],
    ['CLI', (text: string) => execFileSync('sh', ['-c', text], { env, encoding: 'utf8' })],
    ['fetch', (text: string) => execFileSync(process.execPath, ['--input-type=module', '-e', text], { env, encoding: 'utf8' })],
  ] as const) {
    await hello.more(`Copy as ${form}`);
    await expect(page.getByText(`Copied as ${form}`)).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).not.toContain(platform.ownerKey);
    const answer = run(text);
    expect(answer, form).toContain('test-user');
    expect(answer, form).toContain("O'Neil");
  }
});

test('a refused address names its rule and what comes nearest, and one press allows it', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const manifest = join(folder, 'functions/greet/manifest.json');
  editOutside(manifest, (t) => JSON.stringify({ ...(JSON.parse(t) as object), permissions: { fetch: ['https://api.example.invalid/v2'] } }, null, 2));
  editOutside(join(folder, 'functions/greet/index.js'), () => "export default async (ctx) => (await ctx.fetch('https://api.example.invalid/v1/x')).status;\n");
  await expect.poll(() => hello.text()).toContain('/v1/x');
  await expect(hello.state(/^saved v/)).toBeVisible();
  await hello.runs('error');
  await expect(page.getByText('FETCH_FORBIDDEN').first()).toBeVisible();
  const why = page.getByRole('region', { name: /^Why .* was denied$/ });
  await expect(why).toContainText('https://api.example.invalid/v1/x');
  await expect(why).toContainText('permissions.fetch');
  await expect(why.getByText('https://api.example.invalid/v2').first()).toBeVisible();
  await why.getByRole('button', { name: /and run again$/ }).first().click();
  await expect(why).toBeHidden();
  await expect(page.getByText('FETCH_FAILED').first()).toBeVisible();
  expect((JSON.parse(readFileSync(manifest, 'utf8')) as { permissions: { fetch: string[] } }).permissions.fetch).toHaveLength(2);
  expect(read(folder, 'functions/greet/manifest.json')).toContain('https://api.example.invalid/v2');
});

test('what a called function was denied is fixed in its own manifest, by the keyboard', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/index.js'), () => "export default async (ctx) => {\n  try {\n    return await ctx.fn.invoke('visits', {});\n  } catch (e) {\n    return e.code;\n  }\n};\n");
  editOutside(join(folder, 'functions/visits/index.js'), () => "export default async (ctx) => ctx.portal.verifyHmac({ secretBinding: 'WH', payload: 'x', expected: 'aa' });\n");
  editOutside(join(folder, 'functions/visits/manifest.json'), () => JSON.stringify({ runtime: 'js-v1', permissions: { portal: ['verifyHmac'] } }));
  await expect.poll(() => hello.text()).toContain('ctx.fn.invoke');
  await expect(hello.state(/^saved v/)).toBeVisible();
  await hello.runs();
  await expect(hello.result).toContainText('PERMISSION_DENIED');
  const inside = page.getByRole('region', { name: 'What visits was denied' });
  await expect(inside).toContainText('ctx.portal.verifyHmac "WH"');
  await inside.getByRole('button', { name: /and run again$/ }).focus();
  await page.keyboard.press('Enter');
  // What it lacks now is the secret itself.
  await expect(hello.result).toContainText('INVALID_REQUEST');
  await expect(inside).toBeHidden();
  expect(JSON.parse(read(folder, 'functions/visits/manifest.json'))).toMatchObject({ permissions: { secrets: ['WH'] } });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test('details show what was left of the quotas, and two traces side by side', async ({ hello, console: page, platform }) => {
  await hello.open('visits');
  for (const visitor of ['Ada', 'Bob']) await platform.api('POST', '/api/agents/hello/functions/visits/invoke', { args: { visitor } });
  const list = await hello.history();
  await list.getByRole('option', { name: /^manual/ }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'Quotas' }).click();
  await expect(drawer.getByRole('img', { name: /: \d+ steps? down, .* left at the end$/ }).first()).toBeVisible();
  await drawer.getByRole('tab', { name: /^Waterfall/ }).click();
  await drawer.getByRole('button', { name: /^kv\.get,/ }).click();
  await expect(drawer.getByRole('region', { name: 'Sent by kv.get' })).toContainText('visits/Bob');
  await page.keyboard.press('Control+D');
  const trace = drawer.getByRole('region', { name: 'Trace compared' });
  await expect(trace).toContainText('visits/Ada');
  await expect(trace).toContainText('visits/Bob');
});

test('a run asked for before the manifest is there has the example of its form', async ({ hello, console: page }) => {
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await page.route(/\/api\/agents\/[^/]+\/functions\/visits$/, async (route) => {
    await held;
    await route.continue();
  });
  await hello.tree.getByRole('button', { name: 'visits' }).click();
  const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().includes('/functions/visits/invoke'));
  await page.getByRole('region', { name: 'Run visits' }).getByRole('button', { name: 'Run', exact: true }).click();
  answer();
  expect((await sent).postDataJSON()).toEqual({ args: { visitor: 'someone' } });
});

test('what an endpoint without a manifest was denied is allowed by one press, in a file beside it', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  await hello.opened('greet');
  mkdirSync(join(folder, 'endpoints'), { recursive: true });
  writeFileSync(join(folder, 'endpoints/count.js'), "export default async (ctx) => {\n  await ctx.kv.put('n', 1);\n  return { n: await ctx.kv.get('n') };\n};\n");
  editOutside(join(folder, 'AGENT.md'), (text) => text.replace(/^---\n/, '---\nendpoints:\n  - { path: "/count", scope: all, handler: endpoints/count.js }\n'));
  await expect.poll(async () => (await platform.api<{ endpoints: unknown[] }>('GET', '/api/local/agents/hello/endpoints')).endpoints.length).toBe(1);
  const call = () => fetch(`${platform.url}/api/agents/hello/count`);
  expect((await call()).status).not.toBe(200);
  const { invocations } = await platform.api<{ invocations: { id: string; source_skill: string }[] }>('GET', '/api/local/invocations?limit=10');
  await page.goto(`${platform.url}/#/runs/${invocations.find((r) => r.source_skill === 'endpoint')?.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: /^Permissions/ }).click();
  await drawer.getByRole('button', { name: 'Add "kv": "rw"' }).click();
  await expect(page.getByText('endpoints/count.json beside it now')).toBeVisible();
  expect(JSON.parse(read(folder, 'endpoints/count.json'))).toMatchObject({ permissions: { kv: 'rw' } });
  expect(await (await call()).json()).toEqual({ n: 1 });
});

test('a function that reads the bytes of a request, or calls itself, is told what it lacks', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  editOutside(join(folder, 'functions/greet/index.js'), () => "export default async (ctx) => {\n  const n = ctx.toolCall?.params?.n ?? ctx.request.rawBody?.length ?? 2;\n  return n === 0 ? 'the end' : ctx.fn.invoke('greet', { n: n - 1 });\n};\n");
  editOutside(join(folder, 'functions/greet/manifest.json'), () => JSON.stringify({ runtime: 'js-v1', permissions: {} }, null, 2));
  await expect.poll(() => hello.text()).toContain('rawBody');
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('ctx.request.rawBody is not granted: add "rawBody": true');
  await expect(problems).toContainText('greet calling itself is not granted: add "selfRecursion": true');
  await hello.args.fill('{"n": 2}');
  await hello.runs('error');
  const why = page.getByRole('region', { name: /^Why .* was denied$/ });
  await expect(why).toContainText('permissions.selfRecursion');
  await why.getByRole('button', { name: 'Add "selfRecursion": true and run again' }).click();
  await expect(hello.result).toContainText('the end');
  await expect(problems).not.toContainText('calling itself');
  expect(JSON.parse(read(folder, 'functions/greet/manifest.json'))).toMatchObject({ permissions: { selfRecursion: true } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The manifest is as it was before.')).toBeVisible();
  expect(JSON.parse(read(folder, 'functions/greet/manifest.json'))).toMatchObject({ permissions: {} });
});

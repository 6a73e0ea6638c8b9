import { expect, test } from './fixtures';

const destructured = `export default async function handler({ kv, secrets: { get } }) {
  const store = kv;
  await store.put('last', 1);
  return { stored: await get('GREETING') };
}
`;

test('what is taken out of ctx is held to the manifest, and a press grants it', async ({ hello, console: page }) => {
  await hello.type(destructured);
  const problems = page.getByRole('region', { name: 'Problems of the function' });
  await expect(problems).toContainText('ctx.kv.put is not granted: add "kv": "rw"');
  await expect(problems).toContainText('ctx.secrets.get("GREETING") is not granted');
  // With a declared type the language service says the same, of the same line.
  await hello.type(`/** @param {Ctx} ctx */\n${destructured}`);
  await expect(problems).toContainText('Not granted: add "kv": "rw" to the permissions of the manifest');
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  await page.getByText('Add "kv": "rw" to the manifest').click();
  await expect(problems).not.toContainText('"kv": "rw"');
  await hello.tab('manifest.json').click();
  await expect.poll(() => hello.text()).toContain('"kv": "rw"');
});

test('a symbol of the source is gone to', async ({ hello, console: page }) => {
  await hello.type(`const first = 1;

function second() {
  return first;
}

export default async function handler(ctx) {
  return second();
}
`);
  await page.keyboard.press('Control+Shift+O');
  await page.getByRole('textbox', { name: /narrow down results/ }).fill('@second');
  await page.getByRole('option', { name: /second/ }).first().click();
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText('3');
});

test('the text is compared with what is saved, and taken back', async ({ hello, console: page }) => {
  await hello.type('export default async () => 2;\n');
  await page.getByRole('button', { name: 'Compare and format' }).click();
  await page.getByRole('menuitem', { name: 'Compare with what is saved' }).click();
  await expect(page.getByTestId('diff-editor')).toContainText('GREETINGS');
  await page.getByRole('button', { name: 'Take what is saved' }).click();
  await expect(page.getByText('They are the same.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the editor' }).click();
  await expect(hello.state('saved v1')).toBeVisible();
});

test('the text is compared with the version that a past run ran', async ({ hello, console: page }) => {
  await hello.runs();
  await hello.type('export default async () => 2;\n');
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  const list = await hello.history();
  await list.getByRole('option', { name: /^manual/ }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('tab', { name: 'Source' }).click();
  await drawer.getByRole('link', { name: 'Compare with the text now' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByText('Version 1 and the text here.')).toBeVisible();
  await expect(page.getByTestId('diff-editor')).toContainText('GREETINGS');
});

test('values of the last run stand behind their lines, also when the function is opened again', async ({ hello, console: page }) => {
  await hello.open('visits');
  await hello.runs();
  await expect.poll(() => hello.text()).toMatch(/kv\.\w+\(.*→/);
  await page.reload();
  await hello.opened('visits');
  await expect.poll(() => hello.text()).toMatch(/kv\.\w+\(.*→/);
});

import { expect, test } from './fixtures';

test('a text is found in all files, saved or not, and gone to', async ({ hello, console: page }) => {
  await hello.type('// kv of mine\nexport default async () => 1;\n');
  await page.keyboard.press('Control+Shift+F');
  const panel = page.getByRole('region', { name: 'Find in all files' });
  const field = panel.getByRole('textbox', { name: 'Text to find' });
  await expect(field).toBeFocused();
  await page.keyboard.type('KV');
  await expect(panel.getByRole('group', { name: 'functions/greet/index.js' })).toContainText('// kv of mine');
  const manifest = panel.getByRole('group', { name: 'functions/visits/manifest.json' });
  await expect(manifest).toContainText('"kv": "rw"');
  await panel.getByRole('button', { name: 'Capitals count' }).click();
  await expect(panel.getByRole('status')).toHaveText('Nothing found in 5 files');
  await panel.getByRole('button', { name: 'Capitals count' }).click();

  // By the keyboard: down to the manifest's place, and there.
  await field.focus();
  const row = manifest.getByRole('button').first();
  while (!(await row.evaluate((e) => e === document.activeElement))) await page.keyboard.press('ArrowDown');
  const line = (await row.innerText()).split('\n')[0]!.trim();
  await page.keyboard.press('Enter');
  await expect(hello.tab('manifest.json')).toHaveAttribute('aria-selected', 'true');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText(line);
  await expect(hello.editor.locator(':focus')).toHaveCount(1);

  await page.keyboard.press('Control+Shift+F');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('KV');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(hello.tree).toBeVisible();
});

test('the keys of the editor work in its text', async ({ hello, console: page }) => {
  await hello.type('const twice = (n) => n * 2;\n\nexport default async () => {\n  return twice(twice(1));\n};\n');
  await page.keyboard.press('Control+Home');
  for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Control+D');
  await page.keyboard.type('double');
  await expect.poll(() => hello.text()).toContain('double(double(1))');
  await page.keyboard.press('Escape');

  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: /rename/i })).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('again');
  await page.keyboard.press('Enter');
  await expect.poll(() => hello.text()).toMatch(/const again = [^]*again\(again\(1\)\)/);

  const active = hello.editor.locator('.line-numbers.active-line-number');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(active).toHaveText('1');
  await page.keyboard.press('Control+/');
  await expect.poll(() => hello.text()).toContain('// const again');
  await page.keyboard.press('Control+H');
  await expect(page.getByRole('textbox', { name: 'Replace', exact: true })).toBeVisible();
});

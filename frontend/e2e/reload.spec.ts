import { folderOf, read } from './disk';
import { expect, test } from './fixtures';

test('another language loads the page again, and nothing that was typed is lost', async ({ hello, console: page, platform }) => {
  const before = read(await folderOf(platform, 'hello'), 'functions/greet/index.js');
  await hello.type(before.replace("en: 'Hello'", "en: 'Mine'"));
  await expect(hello.state('unsaved')).toBeVisible();
  await hello.field('name').fill('Zoë');
  await page.keyboard.press('Control+3');
  const path = page.getByRole('textbox', { name: 'Path' });
  await path.fill('/hello/typed?here=1');
  await page.keyboard.press('Control+,');
  const german = { language: 'de', messages: { Settings: 'Einstellungen', 'Forget the file': 'Datei vergessen' } };
  await page.locator('input[type=file]').setInputFiles({ name: 'de.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(german)) });
  await expect(page.getByRole('heading', { name: 'Einstellungen', exact: true })).toBeVisible();
  await page.keyboard.press('Control+3');
  await expect(path).toHaveValue('/hello/typed?here=1');
  await page.keyboard.press('Control+2');
  await hello.opened('greet');
  await expect.poll(() => hello.text()).toContain("en: 'Mine'");
  await expect(hello.state('unsaved')).toBeVisible();
  await expect(hello.field('name')).toHaveValue('Zoë');
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  expect(read(await folderOf(platform, 'hello'), 'functions/greet/index.js')).toContain("en: 'Mine'");
});

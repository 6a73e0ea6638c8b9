import { expect, test } from './fixtures';

test('a pasted .env sets what functions ask for, and nothing of it stays on the page', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const names = (...secrets: string[]) => ({ runtime: 'js-v1', permissions: { secrets } });
  for (const [name, manifest] of [['one', names('MAIL_KEY', 'DB_URL')], ['two', names('MAIL_KEY')]] as const) {
    await platform.api('POST', '/api/agents/hello/functions', { name, manifest, source: "export default (ctx) => ctx.secrets.get('MAIL_KEY')" });
  }
  await page.keyboard.press('Control+8');
  await page.getByRole('button', { name: 'Paste a .env' }).click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByRole('textbox', { name: 'Text of the file' });
  await text.fill('# mine\nMAIL_KEY="s3cret-mail"\nexport DB_URL=postgres://x\nOTHER=1\nnonsense');
  await expect(dialog.getByText('Line 5 is not NAME=value.')).toBeVisible();
  await expect(dialog.getByText('No function asks for OTHER')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'DB_URL of one' }).uncheck();
  await dialog.getByRole('button', { name: 'Set 2 secrets' }).click();
  await expect(dialog).toBeHidden();
  expect(await platform.api('POST', '/api/agents/hello/functions/two/invoke', { args: {} })).toMatchObject({ ok: true });
  const { secrets } = await platform.api<{ secrets: { function: string; binding: string; set: boolean }[] }>('GET', '/api/local/agents/hello/secrets');
  expect(secrets.filter((s) => s.set).map((s) => `${s.function}/${s.binding}`)).toEqual(['one/MAIL_KEY', 'two/MAIL_KEY']);

  await page.getByText('By name').click();
  const mail = page.getByRole('list', { name: 'Secrets by name' }).getByRole('listitem').filter({ hasText: 'MAIL_KEY' });
  await expect(mail.getByRole('button')).toHaveText(['one', 'two']);
  expect(await page.content()).not.toContain('s3cret-mail');

  // A file, as editors on other systems write it, with a key over several lines.
  await platform.api('POST', '/api/agents/hello/functions', { name: 'lines', manifest: names('PEM'), source: "export default async (ctx) => (await ctx.secrets.get('PEM')).split('\\n').length" });
  await page.getByRole('button', { name: 'Paste a .env' }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByRole('button', { name: 'Choose a file…' }).click()]);
  await chooser.setFiles([{ name: '.env', mimeType: '', buffer: Buffer.from('\uFEFFexport PEM="-----BEGIN\r\nabc\r\n-----END"\r\n') }]);
  await dialog.getByRole('button', { name: 'Set 1 secret' }).click();
  await expect(dialog).toBeHidden();
  expect(await platform.api('POST', '/api/agents/hello/functions/lines/invoke', { args: {} })).toMatchObject({ result: 3 });

  // The same key pasted into its own field keeps its lines, too.
  await page.getByText('By function').click();
  await page.getByRole('button', { name: 'Replace PEM of lines' }).click();
  await page.evaluate(() => navigator.clipboard.writeText('-----BEGIN\nabc\ndef\n-----END'));
  await page.keyboard.press('Control+V');
  await expect(page.getByText(/^4 lines, kept as they were pasted/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('PEM is set for lines')).toBeVisible();
  expect(await platform.api('POST', '/api/agents/hello/functions/lines/invoke', { args: {} })).toMatchObject({ result: 4 });
});

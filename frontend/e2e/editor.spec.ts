import { expect, test } from './fixtures';

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

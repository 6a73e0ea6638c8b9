import { check } from './axe';
import { expect, test } from './fixtures';

test.use({ colorScheme: 'light', contextOptions: { reducedMotion: 'reduce' } });

test('details of a denied run', async ({ hello, console: page }) => {
  await hello.type(`export default async function handler(ctx) {
  await ctx.kv.put('a', 1);
}
`);
  await hello.save();
  await expect(hello.state('saved v2')).toBeVisible();
  await hello.runs('error');
  await page.getByRole('region', { name: 'Why kv.put was denied' }).waitFor();
  await check(page, 'a denied run in the panel');
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog');
  await details.getByRole('button', { name: /^kv\.put,/ }).click();
  await check(page, 'waterfall');
  for (const tab of ['Permissions', 'Quotas', 'Source', 'Compare']) {
    await details.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await check(page, tab);
  }
});

test('the panels of a function', async ({ hello, console: page }) => {
  await hello.more('Run ×10');
  await page.getByText('10 of 10').waitFor();
  await check(page, 'runs in a row');
  await page.getByText('Permissions', { exact: true }).click();
  await page.getByText('It is granted nothing').waitFor();
  await check(page, 'least privilege');
  await page.getByText('Versions', { exact: true }).click();
  await page.getByRole('list', { name: 'Versions of greet' }).waitFor();
  await check(page, 'versions');
  await hello.tab('manifest.json').click();
  await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
  await check(page, 'manifest as a form');
});

import type { Page } from '@playwright/test';
import { issues, themes } from './axe';
import { expect, test } from './fixtures';

for (const theme of themes) {
  test.describe(`in the ${theme}`, () => {
    // Colours are measured, so nothing may be on its way in or out: a dialog that is
    // half there has half its contrast.
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: 'reduce' } });

    const held = async (page: Page, what: string) => expect(await issues(page, theme), what).toEqual([]);

    test('details of a denied run', async ({ hello, console: page }) => {
      await hello.type(`export default async function handler(ctx) {
  await ctx.kv.put('a', 1);
}
`);
      await hello.save();
      await expect(hello.state('saved v2')).toBeVisible();
      await hello.runs('error');
      await page.getByRole('region', { name: 'Why kv.put was denied' }).waitFor();
      await held(page, 'a denied run in the panel');
      await page.getByRole('button', { name: 'Details' }).click();
      const details = page.getByRole('dialog');
      await details.getByRole('button', { name: /^kv\.put,/ }).click();
      await held(page, 'waterfall');
      for (const tab of ['Permissions', 'Quotas', 'Source', 'Compare']) {
        await details.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
        await held(page, tab);
      }
    });

    test('the panels of a function', async ({ hello, console: page }) => {
      await hello.more('Run ×10');
      await page.getByText('10 of 10').waitFor();
      await held(page, 'runs in a row');
      await page.getByText('Permissions', { exact: true }).click();
      await page.getByText('It is granted nothing').waitFor();
      await held(page, 'least privilege');
      await page.getByText('Versions', { exact: true }).click();
      await page.getByRole('list', { name: 'Versions of greet' }).waitFor();
      await held(page, 'versions');
      await hello.tab('manifest.json').click();
      await page.getByRole('radiogroup', { name: 'Manifest as form or JSON' }).getByText('Form').click();
      await held(page, 'manifest as a form');
    });
  });
}

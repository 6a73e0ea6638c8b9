import type { Page } from '@playwright/test';
import { issues, themes } from './axe';
import { expect, test } from './fixtures';

// The first steps of somebody new, and what they lead to.

for (const theme of themes) {
  test.describe(`in the ${theme}`, () => {
    // Colours are measured, so nothing may be on its way in or out: a dialog that is
    // half there has half its contrast.
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: 'reduce' } });

    const held = async (page: Page, what: string) => expect(await issues(page, theme), what).toEqual([]);

    test('every place has no serious issue', async ({ console: page, platform }) => {
      await held(page, 'home, first visit');
      await page.getByRole('button', { name: /Hello tool/ }).click();
      await page.getByTestId('editor').locator('.view-line').first().waitFor();
      await held(page, 'functions');
      await page.keyboard.press('Control+Enter');
      await page.getByText('That was').waitFor();
      await page.keyboard.press('Control+J');
      await held(page, 'functions after a run, with activity');
      await page.getByText('HTTP', { exact: true }).click();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await held(page, 'functions, HTTP');
      await page.getByText('History', { exact: true }).click();
      await page.getByRole('listbox', { name: /^History/ }).waitFor();
      await held(page, 'history');
      await page.getByRole('listbox', { name: /^History/ }).getByRole('option').first().click();
      const details = page.getByRole('dialog');
      for (const tab of ['Waterfall', 'Permissions', 'Quotas', 'Source', 'Compare', 'Raw']) {
        await details.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
        await held(page, `details of a run, ${tab}`);
      }
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.getByText('Run', { exact: true }).first().click();
      await page.getByRole('button', { name: 'visits' }).first().click();
      await page.getByText('is declared but not set').waitFor();
      await held(page, 'functions, a secret is missing');
      await page.keyboard.press('Control+8');
      await page.getByRole('heading', { name: 'Secrets' }).waitFor();
      await held(page, 'secrets');
      await page.getByRole('button', { name: 'Add a secret' }).click();
      await page.getByRole('dialog').waitFor();
      await held(page, 'add a secret');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.keyboard.press('Control+K');
      await page.getByRole('textbox', { name: 'Search' }).waitFor();
      await held(page, 'palette');
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await held(page, 'keys');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+1');
      await page.getByRole('heading', { name: /Write a function/ }).waitFor();
      await held(page, 'home');
      await page.context().clearCookies();
      await page.goto(platform.url);
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in to Benchtop' }).waitFor();
      await held(page, 'login');
    });
  });
}

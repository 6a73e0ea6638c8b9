import { issues } from './axe';
import { expect, test } from './fixtures';

test('the documentation is there to be read, page by page', async ({ console: page }) => {
  await page.getByRole('button', { name: 'Docs', exact: true }).click();
  const doc = page.getByTestId('doc');
  await expect(doc.getByRole('heading', { level: 1, name: 'Getting started' })).toBeVisible();
  await doc.getByRole('link', { name: 'Reference' }).click();
  await expect(doc.getByRole('heading', { level: 1 })).toContainText('Reference');
  await expect(doc.getByRole('cell', { name: 'WALL_TIMEOUT', exact: true })).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
  for (let i = 0; i < (await pages.count()); i++) {
    await pages.nth(i).click();
    await expect(doc.getByRole('heading', { level: 1 })).toHaveText((await pages.nth(i).textContent()) ?? '');
    expect(await issues(page, 'light')).toEqual([]);
  }
});

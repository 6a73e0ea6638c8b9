import { renameSync } from 'node:fs';
import { folderOf } from './disk';
import { expect, test } from './fixtures';

test('home shows how the functions do, and leads to what failed', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+1');
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
  const health = page.getByRole('region', { name: 'How your functions do' });
  await expect(health).toBeHidden();
  for (let i = 0; i < 3; i++) await platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Ada' } });
  // Declared by another program, and failing on every call.
  await platform.api('POST', '/api/agents/hello/functions', {
    name: 'broken', manifest: { runtime: 'js-v1' }, source: "export default () => { throw new Error('no') }",
  });
  for (let i = 0; i < 2; i++) await platform.api('POST', '/api/agents/hello/functions/broken/invoke', { args: {} });
  const row = (name: string) => health.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('greet').getByRole('img', { name: /3 calls, 0 errors/ })).toBeVisible();
  await expect(row('broken').getByRole('button', { name: /100 %/ })).toBeVisible();
  await health.getByText('1 hour').click();
  await expect(row('greet')).toBeVisible();
  await row('broken').getByRole('button', { name: /100 %/ }).click();
  await expect(page.getByRole('textbox', { name: 'Filter' })).toHaveValue('fn:broken status:error after:1h');
  await expect(page.locator('button[data-row]')).toHaveCount(2);
});

test('several agents are told apart', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await platform.api('POST', '/api/agents', { name: 'noah' });
  await platform.api('POST', '/api/agents/noah/functions', { name: 'ping', manifest: { runtime: 'js-v1' }, source: 'export default () => 1' });
  await platform.api('POST', '/api/agents/noah/functions/ping/invoke', { args: {} });
  await platform.api('POST', '/api/agents/hello/functions/greet/invoke', { args: { name: 'Ada' } });
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'noah / ping' }).click();
  await expect(page).toHaveURL(/#\/a\/noah\/functions\/ping/);
  await expect(page.getByRole('button', { name: 'Agent noah, switch' })).toBeVisible();
});

test('nothing can be clicked before it stands where it stays', async ({ console: page }) => {
  let answer = () => {};
  const asked = new Promise<void>((done) => (answer = done));
  await page.route(/\/api\/local\/stats/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: /Write a function/ })).toBeVisible();
  const folder = page.getByRole('textbox', { name: 'Path of the folder' });
  const sample = page.getByRole('button', { name: /Hello tool/ });
  await expect(folder).toBeHidden();
  await expect(sample).toBeHidden();
  answer();
  await expect(sample).toBeVisible();
  await expect(folder).toBeVisible();
});

test('a closed project is among the recent ones, and opens again by a click', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const folder = await folderOf(platform, 'hello');
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'Close hello' }).click();
  const recent = page.getByRole('region', { name: 'Recent' });
  await recent.getByRole('button', { name: /^hello/ }).click();
  await hello.opened('greet');
  // One whose folder is gone says so and cannot be opened.
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'Close hello' }).click();
  await recent.waitFor();
  renameSync(folder, `${folder}-elsewhere`);
  await page.reload();
  await expect(recent.getByRole('button', { name: /^hello/ })).toBeDisabled();
  await expect(recent).toContainText('The folder is no longer there');
});

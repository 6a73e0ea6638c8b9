import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';

test('a message of a function arrives, is read and leads to its run', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const tell = `export default async function (ctx) {
    await ctx.portal.notifyOwner({ title: '<b>12</b> orders', body: 'Two failed.', severity: 'warning', deepLink: '/a/hello/activity' });
    await ctx.portal.notifyOwner({ title: 'See the site', body: '', deepLink: 'https://example.org/orders' });
  }`;
  await platform.api('POST', '/api/agents/hello/functions', { name: 'tell', manifest: { runtime: 'js-v1', permissions: { portal: ['notifyOwner'] } }, source: tell });
  await platform.api('POST', '/api/agents/hello/functions/tell/invoke', { args: {} });
  await expect(page.getByText('and 1 more in the inbox')).toBeVisible();
  await page.getByRole('button', { name: 'Inbox, 2 unread' }).click();
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  // Text, never markup.
  await expect(messages.filter({ hasText: '<b>12</b> orders' })).toBeVisible();
  await expect(messages.getByRole('button', { name: 'Open example.org' })).toBeVisible();
  await messages.filter({ hasText: 'Two failed' }).getByRole('button', { name: 'Mark as read' }).click();
  await expect(page.getByText('1 message unread')).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('Everything is read')).toBeVisible();
  await messages.filter({ hasText: 'Two failed' }).getByRole('button', { name: 'Its run' }).click();
  await expect(page.getByRole('dialog').getByText('tell').first()).toBeVisible();
});

test('a function that does not load any more is told about, until it does', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+1');
  const folder = await folderOf(platform, 'hello');
  const source = join(folder, 'functions/visits/index.js');
  writeFileSync(source, 'export default async (ctx) => {{');
  const notice = page.getByRole('alert').filter({ hasText: 'visits does not load' });
  await expect(notice).toBeVisible();
  // Broken in another way it is the same notice, not a second one.
  writeFileSync(source, '\n\nexport default async (ctx) => {{{');
  await expect(notice).toContainText('Version 1 still serves');
  await expect(notice).toHaveCount(1);
  writeFileSync(source, 'export default async (ctx) => 1');
  await expect(notice).toBeHidden();

  // The notice leads to the place, and goes when it was followed.
  writeFileSync(source, '\n\nexport default async (ctx) => {{{');
  await notice.getByRole('button', { name: 'Show' }).click();
  await hello.opened('visits');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).not.toHaveText('1');
  await expect(notice).toBeHidden();
});

test('an AGENT.md that cannot be read is told about, until it can', async ({ hello, console: page, platform }) => {
  await hello.opened('greet');
  const file = join(await folderOf(platform, 'hello'), 'AGENT.md');
  const before = readFileSync(file, 'utf8');
  editOutside(file, (text) => text.replace('---\n', '---\nskills: [\n'));
  const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'AGENT.md of hello has a problem' });
  await expect(notice).toContainText(/Line \d+/);
  await notice.getByRole('button', { name: 'Show' }).click();
  await hello.opened('AGENT.md');
  await expect(page.getByRole('region', { name: 'Problems of AGENT.md' })).toContainText(/AGENT\.md:\d+/);
  await expect(notice).toBeHidden();
  await page.keyboard.press('Control+1');
  await expect(page.getByRole('button', { name: /^hello .*AGENT\.md:\d+/ })).toBeVisible();
  editOutside(file, () => before.replace('---\n', '---\ntransports: {\n'));
  await expect(notice).toBeVisible();
  editOutside(file, () => before);
  await expect(notice).toBeHidden();
});

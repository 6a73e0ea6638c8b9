import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editOutside, folderOf, read } from './disk';
import { expect, test } from './fixtures';

test('AGENT.md is opened from the tree, edited, and counts when it is saved', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const before = read(folder, 'AGENT.md');
  await hello.open('AGENT.md');
  await expect(hello.tab('AGENT.md')).toBeVisible();
  await expect.poll(() => hello.text()).toContain('name: hello');
  const side = page.getByRole('region', { name: 'What AGENT.md says' });

  // Line ends and a byte order mark are the author's, and stay.
  writeFileSync(join(folder, 'AGENT.md'), `\ufeff${before}From elsewhere.\n`.replaceAll('\n', '\r\n'));
  await expect.poll(() => hello.text()).toContain('From elsewhere.');
  await hello.editor.locator('.view-lines').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  // What closes is typed, too: the editor closes brackets only once it knows the language.
  await page.keyboard.type('skills: { cron: { schedules: [{ id: nightly, cron: "0 3 * * *", use: greet }]}}');
  await expect(hello.state('unsaved')).toBeVisible();
  await hello.save();
  await expect(hello.state('saved')).toBeVisible();
  await expect(side.getByRole('list', { name: 'Schedules' })).toContainText('nightly');
  const after = readFileSync(join(folder, 'AGENT.md'), 'utf8');
  expect(after).toMatch(/^\ufeff---\r\nskills: \{ cron: \{ schedules: \[\{ id: nightly.*\}\]\}\}\r\n/);
  expect(after.replace(/skills: .*\r\n/, '').slice(1).replaceAll('\r\n', '\n')).toBe(`${before}From elsewhere.\n`);
  const { entries } = await platform.api<{ entries: { entryId: string }[] }>('GET', '/api/agents/hello/skills/cron/use');
  expect(entries.map((e) => e.entryId)).toEqual(['nightly']);

  // What it uses is one press away, and the address leads back.
  await side.getByRole('button', { name: 'Open greet' }).click();
  await hello.opened('greet');
  await page.goBack();
  await hello.opened('AGENT.md');
  await page.keyboard.press('Control+P');
  await page.keyboard.type('AGENT');
  await expect(page.getByRole('dialog').getByRole('button', { name: /AGENT\.md/ })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('problems of AGENT.md stand below it with their lines, and F8 goes to them', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const good = read(folder, 'AGENT.md');
  await hello.open('AGENT.md');
  await hello.type(good.replace('---\n', '---\nflavour: salt\nskills: { cron: { schedules: [{ id: nightly, cron: never, use: greet }] } }\n'));
  await hello.save();
  const problems = page.getByRole('region', { name: 'Problems of AGENT.md' });
  await expect(problems).toContainText('AGENT.md:3:');
  await expect(problems).toContainText('AGENT.md:2:1');
  await expect(hello.state('saved, with problems')).toBeVisible();
  await expect(hello.tree.getByRole('button', { name: 'AGENT.md' }).getByRole('img', { name: 'has problems' })).toBeVisible();
  // What is in view is not put before it a second time.
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText('3');
  await page.keyboard.press('F8');
  await expect(hello.editor.locator('.line-numbers.active-line-number')).toHaveText('2');

  await hello.type(good.replace('---\n', '---\nskills: [\n'));
  await hello.save();
  await expect(problems).toContainText('AGENT_FILE_INVALID');
  await hello.type(good);
  await hello.save();
  await expect(problems).toBeHidden();
  expect(read(folder, 'AGENT.md')).toBe(good);
});

test('an unsaved AGENT.md survives a reload, is compared, and collides with another editor visibly', async ({ hello, console: page, platform }) => {
  const folder = await folderOf(platform, 'hello');
  const before = read(folder, 'AGENT.md');
  await hello.open('AGENT.md');
  await hello.type(`${before}Mine.\n`);
  await expect(hello.state('unsaved')).toBeVisible();
  await page.reload();
  await hello.opened('AGENT.md');
  await expect.poll(() => hello.text()).toContain('Mine.');
  await expect(hello.tree.getByRole('button', { name: 'AGENT.md' }).getByRole('img', { name: 'unsaved' })).toBeVisible();
  await page.getByRole('button', { name: 'Compare and format' }).click();
  await page.getByRole('menuitem', { name: 'Compare with what is saved' }).click();
  await expect(page.getByTestId('diff-editor')).toContainText('Mine.');
  await page.getByRole('button', { name: 'Back to the editor' }).click();

  editOutside(join(folder, 'AGENT.md'), (t) => `${t}Theirs.\n`);
  await expect(hello.state('conflict')).toBeVisible();
  expect(read(folder, 'AGENT.md')).toBe(`${before}Theirs.\n`);
  await page.getByRole('button', { name: 'Save mine' }).click();
  await expect(hello.state('saved')).toBeVisible();
  expect(read(folder, 'AGENT.md')).toBe(`${before}Mine.\n`);

  // A comment from elsewhere changes nothing that serves, and is shown.
  editOutside(join(folder, 'AGENT.md'), (t) => t.replace('---\n', '---\n# from elsewhere\n'));
  await expect.poll(() => hello.text()).toContain('# from elsewhere');
});

test('an agent that gets another name in AGENT.md stays in view', async ({ hello, console: page, platform }) => {
  const before = read(await folderOf(platform, 'hello'), 'AGENT.md');
  await hello.open('AGENT.md');
  await hello.type(before.replace('name: hello', 'name: goodbye'));
  await hello.save();
  await expect(page.getByRole('button', { name: /^Agent goodbye/ })).toBeVisible();
  await expect(page).toHaveURL(/#\/a\/goodbye\/functions\/AGENT\.md$/);
  await hello.opened('AGENT.md');
  await expect(hello.state('saved')).toBeVisible();
});

import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { editOutside, folderOf } from './disk';
import { expect, test } from './fixtures';

// Notifications come while somebody works: they lie on nothing that is needed then.

const broken = (text: string) => text.replace('return {', 'retrun {');

async function box(locator: Locator): Promise<{ x: number; y: number; right: number; bottom: number }> {
  const b = (await locator.boundingBox())!;
  return { x: b.x, y: b.y, right: b.x + b.width, bottom: b.y + b.height };
}

/** Which of these a notification lies on. */
async function covered(page: Page, notice: Locator, over: Record<string, Locator>): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'));
  const n = await box(notice);
  const found: string[] = [];
  for (const [name, locator] of Object.entries(over)) {
    const b = await box(locator);
    if (n.x < b.right && b.x < n.right && n.y < b.bottom && b.y < n.bottom) found.push(name);
  }
  return found;
}

for (const viewport of [{ width: 1440, height: 900 }, { width: 900, height: 640 }]) {
  test(`a notification covers nothing that is needed, ${viewport.width} px wide`, async ({ hello, console: page, platform }) => {
    await page.setViewportSize(viewport);
    const folder = await folderOf(platform, 'hello');
    // What is in view says its own problems below its text, and in no notification.
    editOutside(join(folder, 'functions/greet/index.js'), broken);
    const problems = page.getByRole('region', { name: 'Problems of the function' });
    await expect(problems).toContainText('JS_COMPILE_ERROR');
    await expect(page.getByTestId('announcer')).toContainText('greet does not load');
    const notices = page.getByRole('alert').filter({ hasText: 'does not load' });
    await expect(notices).toHaveCount(0);
    editOutside(join(folder, 'functions/visits/index.js'), broken);
    await expect(notices).toContainText('visits does not load');
    const over = {
      problems,
      activity: page.getByRole('region', { name: 'Activity', exact: true }),
      save: page.getByRole('button', { name: 'Save', exact: true }),
      run: page.getByRole('button', { name: 'Run', exact: true }),
      'more ways to run': page.getByRole('button', { name: 'More ways to run' }),
    };
    expect(await covered(page, notices, over)).toEqual([]);
    await page.keyboard.press('Control+J');
    await expect(page.getByRole('listbox', { name: 'Invocations' })).toBeVisible();
    expect(await covered(page, notices, over)).toEqual([]);

    // Where its problems are in view, the notification has said what it had to.
    await hello.open('visits');
    await expect(notices).toHaveCount(0);
  });
}

test('a notification does not lie on what is being written to an agent', async ({ console: page }) => {
  await page.getByRole('button', { name: /Chat agent/ }).click();
  await page.getByTestId('editor').locator('.view-line').first().waitFor();
  await page.keyboard.press('Control+3');
  await page.getByRole('tab', { name: 'Chat' }).click();
  const say = page.getByRole('textbox', { name: 'What you say' });
  await say.fill('3 hours');
  await say.press('Enter');
  await expect(page.getByTestId('usage')).toBeVisible();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  expect(await covered(page, page.getByRole('alert').filter({ hasText: 'Copied as curl' }), { message: say })).toEqual([]);
});

test('a notification does not lie on a dialog, however tall', async ({ hello, console: page, platform }) => {
  await page.setViewportSize({ width: 900, height: 640 });
  await hello.opened('greet');
  await page.keyboard.press('Control+1');
  await page.getByRole('heading', { name: 'Write a function' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  editOutside(join(await folderOf(platform, 'hello'), 'functions/visits/index.js'), broken);
  const notice = page.getByRole('alert').filter({ hasText: 'visits does not load' });
  await notice.waitFor();
  expect(await covered(page, notice, { dialog })).toEqual([]);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, watch } from './fixtures';
import { Platform } from './platform';

test('the platform is killed and comes back while the page is open', async ({ page }) => {
  const data = mkdtempSync(join(tmpdir(), 'benchtop-away-'));
  const faults = watch(page);
  const first = await Platform.start({ data });
  let second: Platform | undefined;
  try {
    await first.api('POST', '/api/local/projects', { sample: 'hello' });
    await page.goto(first.loginUrl);
    await page.getByRole('button', { name: 'Agent hello, switch' }).waitFor();
    await first.kill();
    await expect(page.getByRole('button', { name: /^Reconnecting/ })).toBeVisible();

    // A place that was never shown: its part of the page cannot be had now.
    await page.keyboard.press('Control+8');
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('This place could not be loaded');
    await alert.getByRole('button', { name: 'Reload' }).click();
    await expect(alert).toContainText('Benchtop still does not answer');
    // The rest of the page is there.
    await page.keyboard.press('Control+1');
    await expect(page.getByRole('heading', { name: 'Start from a sample' })).toBeVisible();
    await page.keyboard.press('Control+8');
    await expect(alert).toBeVisible();

    second = await Platform.start({ data, port: first.port });
    await expect(page.getByRole('button', { name: /^Live/ })).toBeVisible();
    await alert.getByRole('button', { name: 'Reload' }).click();
    await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible();
    expect(faults).toEqual([]);
  } finally {
    await second?.dispose();
    await first.dispose();
    rmSync(data, { recursive: true, force: true });
  }
});

test('a machine that has lost its network still reaches itself', async ({ hello, console: page }) => {
  await hello.opened('greet');
  // What a browser tells a page when the cable is pulled.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.keyboard.press('Control+5');
  await expect(page.getByText(/^No schedule uses/)).toBeVisible();
  await page.keyboard.press('Control+2');
  await hello.opened('greet');
});

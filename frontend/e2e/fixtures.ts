import { test as base, type Page } from '@playwright/test';
import { Workbench } from './pages/Workbench';
import { Platform } from './platform';

interface Fixtures {
  /** A platform of this test's own. */
  platform: Platform;
  /** A page that is signed in and shows Home. A fault in the page fails the test. */
  console: Page;
  /** The page with the hello sample open. */
  hello: Workbench;
}

export const test = base.extend<Fixtures>({
  platform: async ({}, use) => {
    const platform = await Platform.start();
    await use(platform);
    await platform.dispose();
  },

  console: async ({ page, platform }, use) => {
    const faults = watch(page);
    await page.goto(platform.loginUrl);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await use(page);
    if (faults.length) throw new Error(`The page had faults:\n${faults.join('\n')}`);
  },

  hello: async ({ console: page }, use) => {
    await page.getByRole('button', { name: /Hello tool/ }).click();
    const bench = new Workbench(page);
    await bench.opened('greet');
    await use(bench);
  },
});

export { expect } from '@playwright/test';

/** Gathers what a page must never do: throw, break its own policy, or load from elsewhere. */
export function watch(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (e) => faults.push(e.stack || String(e))); // some have an empty stack
  page.on('console', (m) => {
    if (m.type() === 'error' && /Content Security Policy|Uncaught|React/.test(m.text())) faults.push(m.text());
  });
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (/^https?:$/.test(url.protocol) && url.hostname !== '127.0.0.1') faults.push(`asked ${r.url()}`);
  });
  return faults;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { editOutside, folderOf, read } from './disk';
import { expect, test, watch } from './fixtures';
import { Workbench } from './pages/Workbench';
import { Platform } from './platform';

const mine = (t: string) => t.replace("en: 'Hello'", "en: 'Mine'");
const source = 'functions/greet/index.js';

interface KeptDrafts {
  drafts: { name: string; file: string; text: string }[];
}

/** Waits until the platform itself has said that it has the text. */
async function kept(platform: Platform, text: string): Promise<void> {
  await expect.poll(async () => (await platform.api<KeptDrafts>('GET', '/api/local/drafts/hello')).drafts.map((d) => d.text).join()).toContain(text);
}

/** A browser that was never here: nothing stored, signed in anew. */
async function otherBrowser(browser: Browser, platform: Platform): Promise<Workbench> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(platform.loginUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`${platform.url}/#/a/hello/functions/greet`);
  return new Workbench(page);
}

test.describe('after a crash', () => {
  let data: string;
  test.beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'benchtop-drafts-'));
  });
  test.afterEach(() => rmSync(data, { recursive: true, force: true }));

  for (const moved of [false, true]) {
    test(`unsaved text is there again in another browser${moved ? ', beside what changed on disk' : ''}`, async ({ page, browser }) => {
      const faults = watch(page);
      const first = await Platform.start({ data });
      await page.goto(first.loginUrl);
      await page.getByRole('button', { name: /Hello tool/ }).click();
      const bench = new Workbench(page);
      await bench.opened('greet');
      const folder = await folderOf(first, 'hello');
      const before = read(folder, source);
      await bench.type(mine(before));
      await kept(first, "en: 'Mine'");
      await first.kill();
      if (moved) editOutside(join(folder, source), (t) => `// from elsewhere\n${t}`);

      const second = await Platform.start({ data });
      try {
        const again = await otherBrowser(browser, second);
        if (moved) {
          await expect(again.page.getByText('was changed outside while you edited it')).toBeVisible();
          await expect(again.page.getByTestId('diff-editor')).toContainText('from elsewhere');
          await expect(again.page.getByTestId('diff-editor')).toContainText('Mine');
          expect(read(folder, source)).toBe(`// from elsewhere\n${before}`);
          await again.page.getByRole('button', { name: 'Merge both' }).click();
          await again.page.getByRole('button', { name: 'Save mine' }).click();
        } else {
          await again.opened('greet');
          await expect(again.page.getByText(/^Unsaved text from \d\d:\d\d restored/)).toBeVisible();
          await expect.poll(() => again.text()).toContain("en: 'Mine'");
          expect(read(folder, source)).toBe(before);
          await again.page.getByRole('button', { name: 'Keep it' }).click();
          await expect(again.page.getByText(/^Unsaved text from/)).toBeHidden();
          await expect(again.state('unsaved')).toBeVisible();
          await again.save();
        }
        await expect(again.state(/^saved v/)).toBeVisible();
        expect(read(folder, source)).toBe(moved ? `// from elsewhere\n${mine(before)}` : mine(before));
        // What was saved is no draft any more.
        await expect.poll(async () => (await second.api<KeptDrafts>('GET', '/api/local/drafts/hello')).drafts).toEqual([]);
        await again.page.context().close();
      } finally {
        await second.dispose();
        await first.dispose();
      }
      expect(faults).toEqual([]);
    });
  }
});

test('text that came back can be thrown away, and that can be undone', async ({ hello, platform, browser }) => {
  await hello.type(mine(read(await folderOf(platform, 'hello'), source)));
  await kept(platform, "en: 'Mine'");
  const { url } = await platform.api<{ url: string }>('POST', '/api/local/login-code');
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Before the function is opened: the list says that it has unsaved text.
  await page.goto(`${platform.url}/#/a/hello/functions/visits`);
  const other = new Workbench(page);
  await other.opened('visits');
  await expect(other.tree.getByRole('button', { name: /greet/ }).getByRole('img', { name: 'unsaved' })).toBeVisible();
  await other.tree.getByRole('button', { name: /greet/ }).click();
  await other.opened('greet');
  await page.getByRole('button', { name: 'Throw it away' }).click();
  await expect(other.state('saved v1')).toBeVisible();
  await expect.poll(() => other.text()).toContain("en: 'Hello'");
  await expect.poll(async () => (await platform.api<KeptDrafts>('GET', '/api/local/drafts/hello')).drafts).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(other.state('unsaved')).toBeVisible();
  await expect.poll(() => other.text()).toContain("en: 'Mine'");
  await kept(platform, "en: 'Mine'");
  await page.context().close();
});

test('a function that is gone is made again from its unsaved text', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  const text = mine(read(folder, source));
  await hello.type(text);
  await kept(platform, "en: 'Mine'");
  await page.goto('about:blank');
  rmSync(join(folder, 'functions/greet'), { recursive: true });
  await expect.poll(async () => (await platform.api<{ functions: { name: string }[] }>('GET', '/api/agents/hello/functions')).functions.map((f) => f.name)).toEqual(['visits']);
  await page.goto(`${platform.url}/#/a/hello/functions/greet`);
  await expect(page.getByText('Text of it that was not saved is still here')).toBeVisible();
  await page.getByRole('button', { name: 'Make it again' }).click();
  await hello.opened('greet');
  expect(read(folder, source)).toBe(text);
});

test('a function that is removed while it is edited says so, and saving makes it again, manifest and all', async ({ hello, platform, console: page }) => {
  const folder = await folderOf(platform, 'hello');
  const [text, manifest] = [mine(read(folder, source)), read(folder, 'functions/greet/manifest.json')];
  await hello.type(text);
  await expect(hello.state('unsaved')).toBeVisible();
  rmSync(join(folder, 'functions/greet'), { recursive: true });
  await expect(page.getByText('greet was removed, or its folder was renamed')).toBeVisible();
  await hello.save();
  await expect(hello.state(/^saved v/)).toBeVisible();
  await expect(page.getByText('greet was removed')).toBeHidden();
  expect(read(folder, source)).toBe(text);
  expect(read(folder, 'functions/greet/manifest.json')).toBe(manifest);
  await hello.runs();
});

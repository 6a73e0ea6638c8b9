import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { fill } from './places';

/** Addresses with something to read, and the keys that open what has none. */
const addresses = [
  '/',
  '/a/hello/functions/greet',
  '/a/hello/functions/shop',
  '/a/hello/client',
  '/a/hello/client/chat',
  '/a/hello/client/a2a',
  '/activity',
  '/a/hello/schedules',
  '/payments',
  '/payments/locks',
  '/payments/ledger',
  '/payments/simulator',
  '/a/hello/data/kv',
  '/a/hello/data/content',
  '/a/hello/data/folders',
  '/a/hello/secrets',
  '/settings',
  '/a/hello/openapi',
  '/nowhere',
];

/** What is not the page's: what samples and functions say, words of protocols and of the platform, figures, keys. */
const others = new Set(
  [
    'hello, greet, visits, shop, nightly, orders, name, lang, text, fail, half, talk, night, often, never, session, box, outside, kv, ro, rw',
    'Who is greeted, The language of the greeting, What it is about, an order of kiwis, an order, A buyer, starting credit, The report of the night',
    'Greets people and counts their visits, Takes an order, Greets somebody in one of three languages, Invoke nightly, Invoke greet, Invoke shop, Invoke visits, Keeps orders',
    'Counts visits and signs the answer with a secret, Chat, secret set, functions, ok, active, locked, lock, mint, owner, deposit, portal, true, false, null',
    'order, manual, cron, error, declare, the shelf plums is empty, WebSocket, OpenAPI, Markdown, JSON-RPC, Benchtop, Ctrl, autosize measurement',
  ].flatMap((line) => line.split(', ')),
);
const figures = /[/_{}<>=@]|^\S*\d\S*$|\.\w|:\S|^[A-Z0-9_]+$|^[\d.,]+ (ms|s|KB|MB)$|^(Ctrl|Alt|Shift) |^(token|lock) [0-9a-f]{8}$|^At minute .* UTC$|^\w+, (ok|error)$|^in \d+ [a-z]+\.?$/;

test.use({ viewport: { width: 1440, height: 900 } });

test('everything that is read comes out of the catalogue, and has room to be longer', async ({ hello, console: page, platform }) => {
  test.setTimeout(300_000);
  await hello.opened('greet');
  await fill(platform);
  await page.goto(`${platform.url}/?language=en-XA`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en-XA');
  const { samples: known } = await platform.api<{ samples: { title: string; description: string }[] }>('GET', '/api/local/projects');
  const samples = new Set(known.flatMap((s) => [s.title, s.description]));
  const plain: string[] = [];
  const tight: string[] = [];
  const look = async (where: string) => {
    const seen = await readOf(page);
    expect(seen.marked, `${where} has texts of the page`).toBeGreaterThan(10);
    plain.push(...seen.plain.filter((text) => !others.has(text) && !figures.test(text) && !samples.has(text)).map((text) => `${where}: ${text}`));
    tight.push(...seen.tight.map((text) => `${where}: ${text}`));
  };
  for (const [n, address] of addresses.entries()) {
    // Another query is another load: nothing of the place before is left.
    await page.goto(`${platform.url}/?language=en-XA&n=${n}#${address}`);
    await page.waitForFunction(() => document.querySelector('main')?.textContent?.includes('⟦') && !document.querySelector('.mantine-Skeleton-root'));
    await look(address);
  }
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await look('the palette');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').locator('h3').first().waitFor();
  await look('the keys');
  expect(plain, 'texts that are not translated').toEqual([]);
  expect(tight, 'texts that do not fit').toEqual([]);
});

/** What can be read now: how many texts are the page's, which are not, and what is cut off. */
async function readOf(page: Page): Promise<{ marked: number; plain: string[]; tight: string[] }> {
  return page.evaluate(() => {
    const code = 'code, pre, kbd, samp, .monaco-editor, .view-lines, script, style, time';
    const plain = new Set<string>();
    let marked = 0;
    const note = (text: string | null | undefined) => {
      const said = text?.trim() ?? '';
      if (/[⟦⟧]/.test(said)) marked++; // a message with elements in it has its ends in two texts
      else if (/[A-Za-z]{2}/.test(said)) plain.add(said);
    };
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (element.closest(code) || element.getClientRects().length === 0 || !element.checkVisibility()) continue; // what is folded has its place, and is not read
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) note(node.textContent);
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) note(element.getAttribute(name));
    }
    const tight = [...document.querySelectorAll<HTMLElement>('button')]
      .filter((b) => b.textContent?.includes('⟦') && b.getClientRects().length > 0 && b.scrollWidth > b.clientWidth + 1)
      .map((b) => b.textContent ?? '');
    if (document.documentElement.scrollWidth > innerWidth) tight.push(`the page, by ${document.documentElement.scrollWidth - innerWidth} px`);
    return { marked, plain: [...plain], tight };
  });
}

test('a language is a file: opened in Settings, kept, and forgotten', async ({ hello, console: page }) => {
  await hello.opened('greet');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'texts.json', mimeType: 'application/json', buffer: Buffer.from('{"language": "de"}') });
  await expect(page.getByText('texts.json is no file of translations')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Get the English texts' }).click();
  expect((await download).suggestedFilename()).toBe('messages.en.json');
  const german = { language: 'de', messages: { Settings: 'Einstellungen', Language: 'Sprache', 'Forget the file': 'Datei vergessen', Theme: '<b>Aussehen</b>' } };
  await file.setInputFiles({ name: 'de.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(german)) });
  await expect(page.getByRole('heading', { name: 'Einstellungen', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText('<b>Aussehen</b>')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
  await page.reload();
  await expect(page.locator('input[aria-label="Sprache"]')).toHaveValue('Deutsch');
  await page.getByRole('button', { name: 'Datei vergessen' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

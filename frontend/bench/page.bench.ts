import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { Platform } from '../e2e/platform';
import { attempts, kb, line, mb, ms, quantile } from './figures';
import { countChanges, heap, probe, takeNotes } from './probe';

// Measures the built page in a browser, on a platform with a long history. It
// prints figures and fails only when something cannot be measured: run it by
// `make bench`, on a machine that does nothing else.

const program = process.env.BENCHTOP_BIN ?? resolve(import.meta.dirname, '../../build/bin/benchtop');
/** backend/bench, built: it writes the history and keeps the platform busy. */
const bench = process.env.BENCHTOP_BENCH ?? resolve(import.meta.dirname, '../../build/bin/benchtop-bench');
const rows = Number(process.env.BENCHTOP_BENCH_ROWS ?? 100_000);
const stormSeconds = Number(process.env.BENCHTOP_BENCH_SECONDS ?? 60);
const perSecond = 1_000;
const starts = 5;

let home: string;
let platform: Platform;
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

test.describe.configure({ timeout: 900_000 });

test.beforeAll(async ({ browser }) => {
  home = mkdtempSync(join(tmpdir(), 'benchtop-bench-'));
  execFileSync(bench, ['-role', 'fill', '-program', program, '-home', home, '-rows', String(rows)], { stdio: ['ignore', 'inherit', 'inherit'] });
  platform = await Platform.start({ data: join(home, 'data') });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(platform.loginUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  cookies = await context.cookies();
  await context.close();
});

test.afterAll(async () => {
  await platform?.dispose();
  rmSync(home, { recursive: true, force: true });
});

/** A page of a browser that has never been here, and is signed in. */
async function newcomer(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await settled(page);
  await probe(page);
  return page;
}

/** A window of the browser is not yet done with itself when its first page is there: pictures come evenly when it is. */
const settled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let even = 0;
        let last = performance.now();
        const picture = (now: number) => {
          even = now - last < 25 ? even + 1 : 0;
          last = now;
          if (even < 30) requestAnimationFrame(picture);
          else done();
        };
        requestAnimationFrame(picture);
      }),
  );

// By plain selectors: looking for roles and names takes the page's own time, which is what is measured.
const rowsOf = (page: Page) => page.locator('ul[aria-label="Activity"] > li > button');
const heading = (page: Page) => page.locator('h1').first();

async function openActivity(page: Page): Promise<void> {
  await page.goto(`${platform.url}/#/activity`);
  await rowsOf(page).first().waitFor();
  await expect(page.getByTestId('follow')).toHaveText('Following');
}

test('beginning', async ({ browser }) => {
  const paints: number[] = [];
  const editors: number[] = [];
  const typing: number[] = [];
  let script = 0;
  let style = 0;
  for (let i = 0; i < starts; i++) {
    const page = await newcomer(browser);
    const sent: Promise<{ url: string; type: string; bytes: number }>[] = [];
    page.on('response', (res) => {
      const type = res.request().resourceType();
      if (type !== 'script' && type !== 'stylesheet') return;
      // What is still on its way when the page is closed belongs to what it fetches for later.
      const size = res.body().then((body) => gzipSync(body).length, () => 0);
      sent.push(size.then((bytes) => ({ url: res.url(), type, bytes })));
    });
    await page.goto(`${platform.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    paints.push(await firstPaint(page));
    await page.waitForLoadState('load'); // never idle: the live stream stays open
    // What the page fetches for later, when it is idle, is not what it begins with.
    const later = new Set(await page.locator('link[data-for]').evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href)));
    const begins = (await Promise.all(sent)).filter(({ url }) => !later.has(url));
    const sum = (of: string) => begins.filter(({ type }) => type === of).reduce((n, { bytes }) => n + bytes, 0);
    script = sum('script');
    style = sum('stylesheet');
    await page.context().close();

    const author = await newcomer(browser);
    await author.goto(`${platform.url}/#/a/bench/functions/hello`);
    await author.getByTestId('editor').locator('.view-line').first().click();
    await author.keyboard.type('zq');
    // What was typed is on the screen: the editor is there and answers.
    await author.getByTestId('editor').locator('.view-line', { hasText: 'zq' }).first().waitFor();
    typing.push(await author.evaluate(() => performance.now()));
    // The page notes when its text was on the screen in an editor that takes keys.
    editors.push(await author.evaluate(() => performance.getEntriesByName('editor.ready')[0]!.startTime));
    await author.context().close();
  }
  console.log('\nthe page, served to a browser that has not been here');
  attempts('address to first paint', paints, '1 s');
  attempts('address to the editor', editors, '2 s');
  attempts('address to text typed by a driver', typing, '2 s');
  line('initial JavaScript, gzip', kb(script), '450 KB');
  line('initial styles, gzip', kb(style));
});

const firstPaint = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) =>
        new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').forEach((e) => done(e.startTime))).observe({ type: 'paint', buffered: true }),
      ),
  );

test('scrolling', async ({ browser }) => {
  const page = await newcomer(browser);
  const cdp = await page.context().newCDPSession(page);
  await openActivity(page);
  const before = await heap(cdp);
  const size = async () => Number(await page.locator('ul[aria-label="Activity"] > li').first().getAttribute('aria-setsize'));
  const atEnd = () => page.evaluate(() => document.querySelector('[data-testid="end"]')!.textContent!.includes('to the beginning'));
  console.log(`\nActivity with ${rows.toLocaleString('en')} rows`);

  await page.mouse.move(700, 500);
  await takeNotes(page);
  const began = Date.now();
  while (!(await atEnd())) await page.mouse.wheel(0, 3_000);
  tell('by wheel to the end', await takeNotes(page));
  line('rows read', (await size()).toLocaleString('en'));
  line('time to the end', `${((Date.now() - began) / 1000).toFixed(1)} s`);
  line('memory of the page, per 100,000 rows', mb(((await heap(cdp)) - before) / ((await size()) / 100_000)));

  await rowsOf(page).last().focus();
  await takeNotes(page);
  for (const key of ['PageUp', 'k', 'ArrowUp', 'Home', 'PageDown', 'j', 'End']) {
    for (let i = 0; i < 30; i++) await page.keyboard.press(key);
  }
  tell('by keys among all rows', await takeNotes(page));
  await page.context().close();
});

type Notes = Awaited<ReturnType<typeof takeNotes>>;

function tell(how: string, notes: Notes): void {
  line(`longest frame ${how}`, ms(Math.max(...notes.frames)), `50 ms; 95 %: ${ms(quantile(notes.frames, 0.95))}, of ${notes.frames.length} frames`);
  if (notes.long.length) line('  long animation frames', `${notes.long.length}`, `0; longest ${ms(Math.max(...notes.long))}`);
}

/** Has the platform run a function so often that that many events come in a second. */
async function storm(seconds: number): Promise<{ calls: number; failed: number; ms: number }> {
  const child = spawn(bench, ['-role', 'load', '-url', platform.url, '-rate', String(perSecond / 2), '-span', `${seconds}s`], {
    env: { ...process.env, BENCHTOP_KEY: platform.ownerKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (d: Buffer) => (out += d));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`the load ended with ${code}`);
  return JSON.parse(out) as { calls: number; failed: number; ms: number };
}

for (const place of ['Activity, following', 'Activity, held', 'Home'] as const) {
  test(`a storm of events: ${place}`, async ({ browser }) => {
    const page = await newcomer(browser);
    const cdp = await page.context().newCDPSession(page);
    if (place === 'Home') {
      await page.goto(`${platform.url}/`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page); // what it loads for the way to the editor is there
    } else {
      await openActivity(page);
      await countChanges(page);
    }
    if (place === 'Activity, held') await page.getByRole('button', { name: 'Pause' }).click();
    const before = await heap(cdp);
    await takeNotes(page);
    let over = false;
    const load = storm(stormSeconds).finally(() => (over = true));
    // Somebody works meanwhile.
    while (!over) {
      if (place !== 'Home') await rowsOf(page).first().focus();
      for (const key of ['ArrowDown', 'ArrowUp']) await page.keyboard.press(key, { delay: 60 });
      await (place === 'Home' ? heading(page) : page.getByTestId('follow')).click({ delay: 60 });
    }
    const done = await load;
    const notes = await takeNotes(page);
    const after = await heap(cdp);
    console.log(`\n${perSecond} events a second for ${stormSeconds} s: ${place}`);
    line('calls', `${Math.round(done.calls / (done.ms / 1000))} /s`, `${perSecond / 2} /s; ${done.failed} failed`);
    line('events that reached the page', `${Math.round(notes.events / (done.ms / 1000))} /s`, `${perSecond} /s`);
    line('gaps in the stream', `${notes.gaps}`, '0');
    if (notes.changes) line('events in a change of the list', (notes.events / notes.changes).toFixed(1));
    line('memory before', mb(before));
    line('growth of memory', mb(after - before), '20 MB');
    line('longest input delay', ms(Math.max(...notes.delays)), `100 ms; 95 %: ${ms(quantile(notes.delays, 0.95))}, of ${notes.delays.length} inputs`);
    if (notes.answers.length) line('longest input to picture', ms(Math.max(...notes.answers)), `; 95 %: ${ms(quantile(notes.answers, 0.95))}`);
    tell('meanwhile', notes);
    await page.context().close();
  });
}

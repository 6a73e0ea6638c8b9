import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { editOutside, folderOf } from './disk';
import { emptyPlaces } from './emptyplaces';
import { test, expect } from './fixtures';
import { Workbench } from './pages/Workbench';
import { layers } from './layers';
import { fill, places, type Place } from './places';
import { runPlaces } from './runplaces';
import { statePlaces } from './stateplaces';
import { work } from './work';
import { workPlaces } from './workplaces';

// Pictures of every place in both themes, to be looked at: npm run screenshots.
const out = process.env.BENCHTOP_SCREENSHOTS ?? resolve(import.meta.dirname, '../../build/screenshots');
mkdirSync(out, { recursive: true });

const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 640 },
];

/** Goes from place to place and takes a picture of each. */
async function tour(page: Page, list: readonly Place[], suffix: string): Promise<void> {
  for (const place of list) {
    await place.go(page);
    await settled(page);
    await page.screenshot({ path: join(out, `${place.name}-${suffix}.png`) });
    await place.leave?.(page);
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of sizes) {
    test.describe(`${colorScheme} ${viewport.width}`, () => {
      test.use({ colorScheme, viewport });

      test('every place', async ({ console: page, platform }) => {
        const shot = async (name: string) => {
          await settled(page);
          await page.screenshot({ path: join(out, `${name}-${colorScheme}-${viewport.width}.png`) });
        };
        await shot('home-first');
        await page.getByRole('button', { name: /Hello tool/ }).click();
        const bench = new Workbench(page);
        await bench.opened('greet');
        await shot('functions');
        await bench.runs();
        await page.keyboard.press('Control+J');
        await shot('functions-ran');
        await bench.open('visits');
        await bench.runs();
        await page.getByRole('tab', { name: 'Logs 2' }).click();
        await shot('functions-secret-missing');
        await page.getByText('HTTP', { exact: true }).click();
        await shot('functions-http');
        await (await bench.history()).getByRole('option').first().waitFor();
        await shot('history');
        await (await bench.history()).getByRole('option').first().click();
        await page.getByRole('dialog').getByRole('tab', { name: /^Waterfall/ }).click();
        await shot('run');
        await page.keyboard.press('Escape');
        await bench.open('greet');
        await bench.tab('manifest.json').click();
        await shot('manifest');
        await bench.tab('index.js').click();
        const source = join(await folderOf(platform, 'hello'), 'functions/greet/index.js');
        await bench.type(readFileSync(source, 'utf8').replace("'Hello'", "'Good morning'"));
        editOutside(source, (t) => t.replace("'Hola'", "'Buenas'"));
        await page.getByText('was changed outside').waitFor();
        await page.getByTestId('diff-editor').locator('.view-line').first().waitFor();
        await page.getByTestId('diff-editor').locator('.line-insert').first().waitFor();
        await shot('conflict');
        await page.getByRole('button', { name: 'Take what is on disk' }).click();
        editOutside(source, (t) => t.replace('return {', 'retrun {'));
        await page.getByText('JS_COMPILE_ERROR').first().waitFor();
        await shot('broken');
        await page.keyboard.press('Control+8');
        await page.getByRole('heading', { name: 'Secrets' }).waitFor();
        await shot('secrets');
        await page.keyboard.press('Control+K');
        await page.getByRole('textbox', { name: 'Search' }).waitFor();
        await shot('palette');
        await page.keyboard.press('Escape');
        await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'hidden' });
        await page.keyboard.press('Control+1');
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        await shot('keys');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toBeHidden();
        await shot('home');
        await page.context().clearCookies();
        await page.goto(platform.url);
        await page.reload();
        await page.getByRole('heading', { name: 'Sign in to Benchtop' }).waitFor();
        await shot('login');
      });

      test('every place with something in it', async ({ hello, console: page, platform }) => {
        test.setTimeout(600_000);
        await hello.opened('greet');
        await fill(platform);
        await page.reload();
        await hello.opened('greet');
        await tour(page, [...places, ...layers(platform), ...runPlaces(platform), ...statePlaces(platform)], `${colorScheme}-${viewport.width}`);
      });

      test('every place with nothing in it', async ({ console: page, platform }) => {
        await platform.api('POST', '/api/agents', { name: 'mia' });
        await page.reload();
        await page.getByRole('button', { name: 'Agent mia, switch' }).waitFor();
        await tour(page, emptyPlaces, `${colorScheme}-${viewport.width}`);
      });

      test('the samples at work', async ({ console: page, platform }) => {
        test.setTimeout(600_000);
        await work(platform);
        await page.reload();
        await tour(page, workPlaces(platform), `${colorScheme}-${viewport.width}`);
      });
    });
  }
}

/** Waits until nothing moves: two frames after fonts and transitions are done. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((a) => (a.effect?.getTiming().iterations === Infinity ? undefined : a.finished.catch(() => undefined))));
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
  });
}

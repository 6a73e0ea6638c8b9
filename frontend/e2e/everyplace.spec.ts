import type { Page } from '@playwright/test';
import { issues } from './axe';
import { emptyPlaces } from './emptyplaces';
import { expect, test } from './fixtures';
import { layers } from './layers';
import { misfits } from './misfits';
import { fill, places, type Place } from './places';
import { runPlaces } from './runplaces';
import { statePlaces } from './stateplaces';

// Every place and what lies over it: in narrow windows and with large text it
// fits, and in both themes axe has nothing against it. Each window and theme has
// a walk of its own: getting to a place takes less than turning the page about.

type Look = (page: Page) => Promise<string[]>;

const light: Look = (page) => issues(page, 'light');
const dark: Look = (page) => issues(page, 'dark');

/** How the page is looked at; `over` is for menus, lists and hints, which cover what is under them. */
const views: readonly { name: string; use: Parameters<typeof test.use>[0]; at: Look[]; over: Look[] }[] = [
  { name: '900 px wide', use: { viewport: { width: 900, height: 640 } }, at: [misfits], over: [] },
  // What misfits points at gets its title then, which would be a name to axe.
  { name: '1440 px wide, light', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }, at: [light, misfits], over: [light] },
  { name: '1440 px wide, dark', use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }, at: [dark], over: [dark] },
  { name: 'at 150 %', use: { viewport: { width: 960, height: 600 }, deviceScaleFactor: 1.5 }, at: [misfits], over: [] },
];

for (const { name, use, at, over } of views) {
  test.describe(name, () => {
    test.use({ ...use, contextOptions: { reducedMotion: 'reduce' } });

    const look = async (page: Page, place: string, looks: Look[]): Promise<string[]> => {
      const wrong: string[] = [];
      for (const each of looks) wrong.push(...(await each(page)));
      return wrong.map((what) => `${name}, ${place}: ${what}`);
    };

    const walk = async (page: Page, list: readonly Place[], looks: Look[]): Promise<string[]> => {
      const wrong: string[] = [];
      if (looks.length === 0) return wrong;
      for (const place of list) {
        await place.go(page);
        wrong.push(...(await look(page, place.name, looks)));
        await place.leave?.(page);
      }
      return wrong;
    };

    test('every place', async ({ hello, console: page, platform }) => {
      test.setTimeout(600_000);
      await hello.opened('greet');
      await fill(platform);
      await page.reload();
      await hello.opened('greet');
      const layered = layers(platform);
      const asked = layered.filter((layer) => layer.name.startsWith('ask-'));
      const found = await look(page, 'functions', at);
      found.push(...(await walk(page, places, at)));
      found.push(...(await walk(page, asked, at)));
      found.push(...(await walk(page, layered.filter((layer) => !asked.includes(layer)), over)));
      found.push(...(await walk(page, runPlaces(platform), at)));
      found.push(...(await walk(page, statePlaces(platform), at)));
      expect(found).toEqual([]);
    });

    test('every place with nothing in it', async ({ console: page, platform }) => {
      test.setTimeout(600_000);
      const found = await look(page, 'home', at);
      await platform.api('POST', '/api/agents', { name: 'mia' });
      await page.reload();
      await page.getByRole('button', { name: 'Agent mia, switch' }).waitFor();
      found.push(...(await walk(page, emptyPlaces, at)));
      expect(found).toEqual([]);
    });
  });
}

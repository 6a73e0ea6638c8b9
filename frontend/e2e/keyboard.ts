import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from './fixtures';

/** More presses than this are no way to get anywhere. */
const farthest = 40;

/** The hands of somebody who has no mouse: keys, and nothing that a page is not told by keys. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  press(keys: string): Promise<void> {
    return this.page.keyboard.press(keys);
  }

  /** Types a text, one key after the other. */
  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Goes from what has the focus to something else, and gives how many presses it took. */
  async reach(target: Locator, by: 'Tab' | 'Shift+Tab' | 'ArrowDown' | 'ArrowRight' | 'ArrowLeft' = 'Tab'): Promise<number> {
    await expect(target).toBeAttached();
    const passed: string[] = [];
    for (let presses = 0; presses <= farthest; presses++) {
      if (await target.evaluate((e) => e === document.activeElement)) return presses;
      await this.press(by);
      passed.push(await this.page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.slice(0, 30)}`));
    }
    throw new Error(`${target} is not reached by ${by}: ${passed.join(', ')}`);
  }

  /** Reaches something and presses Enter on it. */
  async choose(target: Locator, by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.reach(target, by);
    await this.press('Enter');
  }
}

interface Fixtures {
  keys: Keyboard;
  /** What was pointed at, and texts that nobody typed. What is left here at the end fails the test. */
  faults: string[];
}

/** A test for the keyboard alone: the page itself watches that nothing is pointed at, and that no text appears without a key. */
export const test = base.extend<Fixtures>({
  faults: async ({}, use) => {
    const faults: string[] = [];
    await use(faults);
    expect(faults, 'this test is for the keyboard alone').toEqual([]);
  },
  page: async ({ page, faults }, use) => {
    await page.exposeFunction('faultOfHands', (fault: string) => void faults.push(fault));
    await page.addInitScript(() => {
      const tell = (fault: string) => (window as unknown as { faultOfHands: (f: string) => void }).faultOfHands(fault);
      const name = (e: Event) => (e.target instanceof Element ? `${e.target.tagName} ${e.target.getAttribute('aria-label') ?? e.target.textContent?.slice(0, 30)}` : 'the page');
      for (const kind of ['pointerdown', 'touchstart', 'wheel']) {
        window.addEventListener(kind, (e) => e.isTrusted && tell(`${kind} on ${name(e)}`), { capture: true });
      }
      let down = false;
      window.addEventListener('keydown', () => (down = true), { capture: true });
      window.addEventListener('keyup', () => (down = false), { capture: true });
      window.addEventListener('input', (e) => e.isTrusted && !down && tell(`text without a key in ${name(e)}`), { capture: true });
    });
    await use(page);
    if (!page.isClosed()) await page.evaluate(() => 0); // what the page told before has arrived
  },
  keys: async ({ page }, use) => use(new Keyboard(page)),
});

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules that look at colours: what the others find does not depend on the theme. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/**
 * What axe has against the page as it is now, in words, in the light and in the
 * dark: serious and critical issues only. Whoever asks has the page in the light.
 */
export async function issues(page: Page): Promise<string[]> {
  const light = await found(page);
  await turn(page, 'dark');
  const dark = await found(page, aboutColours);
  await turn(page, 'light');
  return [...light, ...dark.map((issue) => `in the dark, ${issue}`)];
}

async function turn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

async function found(page: Page, rules?: string[]): Promise<string[]> {
  // Colours are measured, so nothing may be on its way in or out.
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity));
  // The inside of the editor is Monaco's; its frame, name and keys are ours and are checked.
  // There are no frames, so nothing is to be put together in a page of its own, and
  // nobody reads what passed: both would take most of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).exclude('.monaco-editor');
  if (rules) axe.withRules(rules);
  const { violations } = await axe.analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? n.all[0]?.message ?? ''})`).join(' | ')}`);
}

export async function check(page: Page, what: string): Promise<void> {
  expect(await issues(page), what).toEqual([]);
}

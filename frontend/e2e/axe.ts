import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Theme = 'light' | 'dark';

/** Rules that look at colours: what the others find does not depend on the theme. */
const aboutColours = ['color-contrast', 'link-in-text-block'];

/**
 * What axe has against the page as it is now, in words: serious and critical
 * issues only. In the light it looks at everything, in the dark at colours.
 * Whoever looks at many things walks to them once in each theme: a page takes
 * longer to be painted in the other than to be led to the next place.
 */
export async function issues(page: Page, theme: Theme): Promise<string[]> {
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
  // Colours are measured, so nothing may be on its way in or out.
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity));
  // Axe stays in a page that it was put into, and need not be read again there.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined;
  // The inside of the editor is Monaco's; its frame, name and keys are ours and are checked.
  // There are no frames, so nothing is to be put together in a page of its own, and
  // nobody reads what passed: both would take most of the time.
  const axe = new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ['violations'] }).exclude('.monaco-editor');
  if (theme === 'dark') axe.withRules(aboutColours);
  const { violations } = await axe.analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? n.all[0]?.message ?? ''})`).join(' | ')}`);
}

/** Holds one thing to both themes. Whoever asks has the page in the light. */
export async function check(page: Page, what: string): Promise<void> {
  expect(await issues(page, 'light'), what).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await issues(page, 'dark'), `${what}, in the dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor();
}

export const themes = ['light', 'dark'] as const satisfies readonly Theme[];

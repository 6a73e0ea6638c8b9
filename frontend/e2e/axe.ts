import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe has against the page as it is now, in words: serious and critical issues only. */
export async function issues(page: Page): Promise<string[]> {
  // Colours are measured, so nothing may be on its way in or out.
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity));
  const { violations } = await new AxeBuilder({ page })
    // The inside of the editor is Monaco's; its frame, name and keys are ours and are checked.
    .exclude('.monaco-editor')
    .analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? n.all[0]?.message ?? ''})`).join(' | ')}`);
}

export async function check(page: Page, what: string): Promise<void> {
  expect(await issues(page), what).toEqual([]);
}

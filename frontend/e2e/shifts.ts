import type { Page } from '@playwright/test';

// What moves on the page without anybody having asked for it.

interface Shift {
  value: number;
  /** What moved, and from where to where. */
  moved: string[];
}

declare global {
  interface Window {
    shifts?: { value: number; moved: string[] }[];
    takeShifts?: () => Shift[];
  }
}

/** Notes shifts from the next load on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const all: Shift[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[] })[]) {
        if (entry.hadRecentInput) continue;
        const at = (r: DOMRectReadOnly) => `${Math.round(r.x)},${Math.round(r.y)} ${Math.round(r.width)}×${Math.round(r.height)}`;
        const called = (node: Node | undefined) => (node instanceof Element ? `${node.tagName.toLowerCase()}.${String(node.className).split(' ').at(-1)}` : (node?.nodeName ?? 'something gone'));
        all.push({ value: entry.value, moved: entry.sources.map((s) => `${called(s.node)} ${at(s.previousRect)} → ${at(s.currentRect)}`) });
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    window.takeShifts = () => {
      note(observer.takeRecords());
      return all.splice(0);
    };
  });
}

/** What moved since the last time, when that is more than an eye forgives: in words, or nothing. */
export async function shiftsOf(page: Page, where: string, most = 0.02): Promise<string[]> {
  // All that was asked for has come, and nothing is on its way in.
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [data-waiting]'));
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity));
  // Shifts are told after the frame in which they happened.
  const shifts = await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((r) => requestIdleCallback(r));
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(r))));
    return window.takeShifts!();
  });
  const sum = shifts.reduce((n, s) => n + s.value, 0);
  if (process.env.BENCHTOP_SHIFTS) console.log(`${where}: ${sum.toFixed(4)}`);
  return sum < most ? [] : [`${where}: ${sum.toFixed(4)}: ${shifts.map((s) => `${s.value.toFixed(4)} ${s.moved.join('; ')}`).join(' | ')}`];
}

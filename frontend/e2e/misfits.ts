import type { Page } from '@playwright/test';

/**
 * What does not fit, in words: everything is still there, nothing lies on
 * anything else, and a text that is cut off says the rest as a title.
 */
export async function misfits(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running' || a.effect?.getTiming().iterations === Infinity));
  return page.evaluate(async () => {
    const out: string[] = [];
    const box = (r: DOMRect) => `${Math.round(r.left)},${Math.round(r.top)} ${Math.round(r.width)}×${Math.round(r.height)}`;
    const called = (el: Element) => `<${el.tagName.toLowerCase()} ${el.className.toString().split(' ')[0]}> “${(el.getAttribute('aria-label') ?? el.textContent ?? '').trim().slice(0, 40)}” ${box(el.getBoundingClientRect())}`;
    const ours = (el: Element) => !el.closest('.monaco-editor, .visually-hidden, [aria-hidden="true"], [inert]') && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const scrolls = (el: Element) => {
      const s = getComputedStyle(el);
      return /auto|scroll|hidden|clip/.test(s.overflowX + s.overflowY);
    };
    /** The part of the window in which an element can be seen. */
    const frame = (el: Element) => {
      let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
      for (let up = el.parentElement; up; up = up.parentElement) {
        if (!scrolls(up)) continue;
        const r = up.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, r.left), Math.max(top, r.top), Math.min(right, r.right), Math.min(bottom, r.bottom)];
      }
      return { left, top, right, bottom };
    };
    /** Whether it is part of what stays in sight while the rest scrolls under it. */
    const stays = (el: Element) => {
      for (let up: Element | null = el; up; up = up.parentElement) if (getComputedStyle(up).position === 'sticky') return true;
      return false;
    };
    /** Whether something around it can be scrolled sideways. */
    const reachable = (el: Element) => {
      for (let up = el.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
      return false;
    };

    if (document.documentElement.scrollWidth > innerWidth) out.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    const main = document.getElementById('main');
    if (main && main.scrollWidth > main.clientWidth) out.push(`the place is ${main.scrollWidth} px wide, and has ${main.clientWidth}`);

    for (const el of document.body.querySelectorAll<HTMLElement>('*')) {
      if (!ours(el) || el.clientWidth === 0 || el.scrollWidth <= el.clientWidth + 1 || el.matches('input, textarea, svg *')) continue;
      const style = getComputedStyle(el);
      if (!/hidden|clip/.test(style.overflowX)) continue;
      const own = [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim());
      if (style.textOverflow !== 'ellipsis') {
        if (own) out.push(`cut off: ${called(el)}`);
        continue;
      }
      el.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      // In a list that has just scrolled, a text has its title a moment later.
      const patience = performance.now() + 2_000;
      while (!el.closest('[title]') && el.isConnected && performance.now() < patience) await new Promise(requestAnimationFrame);
      if (!el.closest('[title]') && el.isConnected) out.push(`cut off without a title: ${called(el)}`);
    }

    for (const list of document.querySelectorAll('[role=tablist]')) {
      const lines = new Set([...list.querySelectorAll('[role=tab]')].map((tab) => Math.round(tab.getBoundingClientRect().top)));
      if (ours(list) && lines.size > 1) out.push(`tabs in ${lines.size} lines: ${called(list)}`);
    }

    const dialog = document.querySelector('[role=dialog]');
    for (const el of (dialog ?? document.body).querySelectorAll('button, a[href], input, textarea, [role=tab], [role=option], [role=radio], [role=switch]')) {
      if (!ours(el) || (el.matches('input') && el.closest('[role=switch], [role=radiogroup], label'))) continue;
      const r = el.getBoundingClientRect();
      if (r.width === 0 || r.height === 0) continue;
      if ((r.right > innerWidth + 1 || r.left < -1) && !reachable(el)) {
        if (!el.matches('a[href="#main"]')) out.push(`out of the window: ${called(el)}`);
        continue;
      }
      const { left, top, right, bottom } = frame(el);
      const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
      if (x < left || x >= right || y < top || y >= bottom - 1) continue;
      const seen = document.elementFromPoint(x, y);
      if (seen && !el.contains(seen) && !seen.contains(el) && !stays(seen)) out.push(`covered: ${called(el)} by ${called(seen)}`);
    }
    return out;
  });
}

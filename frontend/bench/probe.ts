import type { CDPSession, Page } from '@playwright/test';

/** What the page notes about itself while it is measured. Times are in ms. */
export interface Notes {
  /** From one picture to the next. */
  frames: number[];
  /** Long animation frames: work between two pictures that took more than 50 ms. */
  long: number[];
  /** From a key or a click to the page's being told of it. */
  delays: number[];
  /** From a key or a click to the next picture, where that took 16 ms or more. */
  answers: number[];
  /** Events of the platform that arrived, and gaps in their stream. */
  events: number;
  gaps: number;
  /** How often the list changed. */
  changes: number;
}

declare global {
  interface Window {
    notes: Notes;
  }
}

/** Has every document of a page take notes from its beginning. */
export async function probe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const empty = (): Notes => ({ frames: [], long: [], delays: [], answers: [], events: 0, gaps: 0, changes: 0 });
    window.notes = empty();
    let last = performance.now();
    const tick = (now: number) => {
      window.notes.frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const observe = (type: string, take: (entry: PerformanceEntry) => void, options = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, ...options });
    observe('long-animation-frame', (e) => window.notes.long.push(e.duration));
    observe('event', (e) => e.name !== 'pointerenter' && window.notes.answers.push(e.duration), { durationThreshold: 16 });
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, (e) => window.notes.delays.push(performance.now() - e.timeStamp), { capture: true });

    // Counts what comes over the live stream on its way to the page.
    const { fetch } = window;
    window.fetch = async (...args) => {
      const res = await fetch(...args);
      const url = new URL(args[0] instanceof Request ? args[0].url : args[0], location.href);
      if (!url.pathname.endsWith('/api/local/events') || !res.body) return res;
      let rest = '';
      const text = new TextDecoder();
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, out) {
          const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
          rest = lines.pop()!;
          for (const line of lines) {
            if (!line.startsWith('event: ')) continue;
            window.notes.events++;
            if (line === 'event: stream.gap') window.notes.gaps++;
          }
          out.enqueue(chunk);
        },
      });
      return new Response(res.body.pipeThrough(counter), res);
    };
  });
}

/** Begins the notes anew and gives what was noted until now. */
export function takeNotes(page: Page): Promise<Notes> {
  return page.evaluate(() => {
    const { notes } = window;
    window.notes = { frames: [], long: [], delays: [], answers: [], events: 0, gaps: 0, changes: 0 };
    return notes;
  });
}

/** Counts from now on how often the list of activity changes. */
export async function countChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    const list = document.querySelector('ul[aria-label="Activity"]')!;
    new MutationObserver(() => window.notes.changes++).observe(list, { childList: true, subtree: true, attributes: true, characterData: true });
  });
}

/** Bytes of the page's JavaScript that are in use, once nothing is left to collect. */
export async function heap(cdp: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

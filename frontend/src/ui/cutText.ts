/** How long a list lies still before a text of it may be read, in ms: less than a title takes to show. */
const stillMs = 120;

/**
 * Gives a text that is cut off with "…" its whole self as a title while the
 * pointer is on it. One listener for all lists and names: what fits has none.
 * A list that runs under the pointer is not measured: that would lay it out once
 * more for each picture.
 */
export function titleCutTexts(root: HTMLElement): () => void {
  const look = (target: Element) => {
    for (let el: Element | null = target; el instanceof HTMLElement && el !== root; el = el.parentElement) {
      if (el.dataset.cut === undefined && el.title) return; // somebody knew better
      const cut = isCut(el);
      if (cut) el.title = el.innerText;
      else if (el.dataset.cut !== undefined) el.removeAttribute('title');
      if (cut) el.dataset.cut = '';
      else delete el.dataset.cut;
      if (cut) return;
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let scrolledAt = -stillMs;
  const onScroll = () => void (scrolledAt = performance.now());
  const onOver = ({ target }: Event) => {
    clearTimeout(timer);
    if (!(target instanceof Element)) return;
    if (performance.now() - scrolledAt >= stillMs) look(target);
    else timer = setTimeout(() => look(target), stillMs);
  };
  const scrolls = { capture: true, passive: true };
  root.addEventListener('mouseover', onOver);
  root.addEventListener('scroll', onScroll, scrolls);
  return () => {
    clearTimeout(timer);
    root.removeEventListener('mouseover', onOver);
    root.removeEventListener('scroll', onScroll, scrolls);
  };
}

/** Whether some of an element's text is hidden behind an ellipsis. */
function isCut(el: HTMLElement): boolean {
  if (el.scrollWidth <= el.clientWidth || el instanceof HTMLInputElement) return false;
  const { textOverflow, overflowX } = getComputedStyle(el);
  return textOverflow === 'ellipsis' && overflowX !== 'visible';
}

/** How long a pointer rests on a text before somebody may want to read it all, in ms: less than a title takes to show. */
const restMs = 120;

/**
 * Gives a text that is cut off with "…" its whole self as a title while the
 * pointer is on it. One listener for all lists and names: what fits has none.
 * A list that runs away under the pointer is not measured.
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
  const onOver = (event: Event) => {
    clearTimeout(timer);
    const { target } = event;
    timer = setTimeout(() => target instanceof Element && look(target), restMs);
  };
  root.addEventListener('mouseover', onOver);
  return () => {
    clearTimeout(timer);
    root.removeEventListener('mouseover', onOver);
  };
}

/** Whether some of an element's text is hidden behind an ellipsis. */
function isCut(el: HTMLElement): boolean {
  if (el.scrollWidth <= el.clientWidth || el instanceof HTMLInputElement) return false;
  const { textOverflow, overflowX } = getComputedStyle(el);
  return textOverflow === 'ellipsis' && overflowX !== 'visible';
}

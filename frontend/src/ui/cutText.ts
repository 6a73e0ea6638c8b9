/**
 * Gives a text that is cut off with "…" its whole self as a title while the
 * pointer is on it. One listener for all lists and names: what fits has none.
 */
export function titleCutTexts(root: HTMLElement): () => void {
  const onOver = (event: Event) => {
    for (let el = event.target as Element | null; el instanceof HTMLElement && el !== root; el = el.parentElement) {
      if (el.dataset.cut === undefined && el.title) return; // somebody knew better
      const cut = isCut(el);
      if (cut) el.title = el.innerText;
      else if (el.dataset.cut !== undefined) el.removeAttribute('title');
      if (cut) el.dataset.cut = '';
      else delete el.dataset.cut;
      if (cut) return;
    }
  };
  root.addEventListener('mouseover', onOver);
  return () => root.removeEventListener('mouseover', onOver);
}

/** Whether some of an element's text is hidden behind an ellipsis. */
function isCut(el: HTMLElement): boolean {
  if (el.scrollWidth <= el.clientWidth || el instanceof HTMLInputElement) return false;
  const { textOverflow, overflowX } = getComputedStyle(el);
  return textOverflow === 'ellipsis' && overflowX !== 'visible';
}

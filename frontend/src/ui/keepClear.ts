// Notifications stand at the bottom of the page, where lists of problems and what
// happens stand as well. What calls keepClear is never under them: they begin
// above the highest of these.

const kept = new Set<Element>();
let observer: ResizeObserver | undefined;

function measure(): void {
  let bottom = 0;
  for (const element of kept) {
    const { top, height } = element.getBoundingClientRect();
    if (height > 0) bottom = Math.max(bottom, innerHeight - top);
  }
  document.documentElement.style.setProperty('--bt-clear', `${Math.round(bottom)}px`);
}

/** A ref: as long as its element is on the page, notifications stay above it. */
export function keepClear(element: Element | null): (() => void) | undefined {
  if (!element) return undefined;
  if (!observer) {
    observer = new ResizeObserver(measure);
    addEventListener('resize', measure);
  }
  kept.add(element);
  observer.observe(element);
  return () => {
    kept.delete(element);
    observer?.unobserve(element);
    measure();
  };
}

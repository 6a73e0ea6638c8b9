/** A value kept until the tab is closed; undefined when there is none that can be read. Storage that is full or forbidden is no error. */
export function readTab<T>(key: string, storage: Storage = sessionStorage): T | undefined {
  try {
    return (JSON.parse(storage.getItem(`benchtop:${key}`) ?? 'null') as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeTab(key: string, value: unknown, storage: Storage = sessionStorage): void {
  try {
    storage.setItem(`benchtop:${key}`, JSON.stringify(value));
  } catch {
    // Only comfort is lost.
  }
}

interface HandedOn {
  subscribe: (listener: () => void) => () => void;
  /** Changes when there is something to be kept at once, and not with each frame that comes. */
  mark: () => string;
  keep: () => unknown;
}

/** Keeps a store's state for the page that is loaded next in this tab: as its mark changes, and whole when the page goes. */
export function handOn(key: string, { subscribe, mark, keep }: HandedOn, storage?: Storage): void {
  let before = mark();
  let gone = false;
  const write = () => {
    before = mark();
    writeTab(key, keep(), storage);
  };
  subscribe(() => {
    if (!gone && mark() !== before) write();
  });
  window.addEventListener('pagehide', () => {
    write();
    gone = true; // what breaks off because the page goes is no end of its own
  });
  window.addEventListener('pageshow', () => (gone = false));
}

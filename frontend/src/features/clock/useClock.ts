import { useCallback, useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../ui/stored';
import { here } from '../../ui/zones';
import { readMoment } from './moment';

const changed = 'benchtop:clock';

/** The clock that runs of an agent see which are started by hand: the text of a moment, or undefined for the real time. */
export function clockOf(agent: string | undefined): string | undefined {
  const text = agent ? readStored<unknown>(`clock:${agent}`, undefined) : undefined;
  return readMoment(text) ? (text as string) : undefined;
}

export function setClock(agent: string, clock: string | undefined): void {
  writeStored(`clock:${agent}`, clock);
  const zone = readMoment(clock)?.zone;
  if (zone) writeStored('clock.zone', zone);
  window.dispatchEvent(new Event(changed));
}

/** The time zone that clocks are chosen in: that of last time, else where one is. */
export function clockZone(): string {
  const zone = readStored<unknown>('clock.zone', undefined);
  return typeof zone === 'string' && readMoment(`2000-01-01T00:00:00Z[${zone}]`)?.zone ? zone : here();
}

// Other tabs of this browser show the same project.
function watch(onChange: () => void): () => void {
  window.addEventListener(changed, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** The same, kept up to date, and how it is changed. */
export function useClock(agent: string | undefined): [string | undefined, (clock: string | undefined) => void] {
  const clock = useSyncExternalStore(watch, () => clockOf(agent));
  const set = useCallback((next: string | undefined) => agent && setClock(agent, next), [agent]);
  return [clock, set];
}

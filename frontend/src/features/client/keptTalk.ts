import { t } from '../../i18n/t';
import { withoutFormsDeep } from './credentials';
import type { WireEvent } from './wire';

/** What is kept of a conversation: what was said, newest last, and what went over the wire. */
export interface KeptTalk<M> {
  said: readonly M[];
  events: readonly WireEvent[];
}

interface Store {
  subscribe: (listener: () => void) => () => void;
  /** Changes when a turn begins or ends, and with all that is chosen. */
  mark: () => string;
  /** All that is kept, without credentials of its callers. What is under way ends with the page. */
  keep: () => { now: KeptTalk<unknown>; aside?: KeptTalk<unknown> | undefined };
  bring: (kept: never) => void;
}

/** Characters of what was said in one conversation that are kept, and of its events. */
export const keptOfSaid = 256 * 1024;
export const keptOfEvents = 256 * 1024;

export const endedByReload = (): string => t('The page was loaded anew, which ended it.');

/**
 * Gives a conversation to the page that is loaded next in this tab, which goes
 * on with it: by the rules of what was sent, so without what has the form of a
 * credential, and bounded, the oldest going first.
 */
export function keepTalk<S extends Store>(store: S, name: string, agent: string, storage: Storage = sessionStorage): S {
  const key = `benchtop:client.${name}:${agent}`;
  try {
    const kept = storage.getItem(key);
    if (kept !== null) store.bring(JSON.parse(kept) as never);
  } catch {
    // Written by something else: there is nothing to go on with.
  }
  let before = store.mark();
  let gone = false;
  const write = () => {
    before = store.mark();
    try {
      const { now, aside, ...rest } = store.keep();
      storage.setItem(key, JSON.stringify({ ...rest, now: small(now), aside: aside && small(aside) }));
    } catch {
      // Full or forbidden: only comfort is lost.
    }
  };
  store.subscribe(() => {
    if (!gone && store.mark() !== before) write();
  });
  window.addEventListener('pagehide', () => {
    write();
    gone = true; // what breaks off because the page goes is no end of its own
  });
  window.addEventListener('pageshow', () => (gone = false));
  return store;
}

/** Events bring what was said in pieces: where it had a credential, its pieces go as well. */
function small<M>(talk: KeptTalk<M>): KeptTalk<M> {
  const said = withoutFormsDeep(talk.said);
  const clean = JSON.stringify(said) === JSON.stringify(talk.said);
  return { ...talk, said: newest(said, keptOfSaid), events: clean ? newest(withoutFormsDeep(talk.events), keptOfEvents) : [] };
}

/** As many of the last ones as there is room for. */
function newest<T>(list: readonly T[], room: number): readonly T[] {
  let left = room;
  const at = list.findLastIndex((one) => (left -= JSON.stringify(one).length) < 0);
  return list.slice(at + 1);
}

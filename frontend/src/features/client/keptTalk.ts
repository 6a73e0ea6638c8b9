import { t } from '../../i18n/t';
import { handOn, readTab } from '../../ui/tabStored';
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
  const key = `client.${name}:${agent}`;
  try {
    const kept = readTab(key, storage);
    if (kept !== undefined) store.bring(kept as never);
  } catch {
    // Written by something else: there is nothing to go on with.
  }
  const keep = () => {
    const { now, aside, ...rest } = store.keep();
    return { ...rest, now: small(now), aside: aside && small(aside) };
  };
  handOn(key, { subscribe: (listener) => store.subscribe(listener), mark: () => store.mark(), keep }, storage);
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

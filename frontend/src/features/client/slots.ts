import { t } from '../../i18n/t';

/**
 * Requests that may be under way: a browser has six connections to the platform,
 * in all of its tabs together. One is the live stream's, and the page needs some.
 */
export const atOnce = 3;

type Locks = Pick<LockManager, 'request'>;

/** How long a place that has just been left may take to be free, in ms. */
const settles = 250;

/**
 * Takes one of the places that all tabs of a browser share, until it is given
 * back or the tab goes. Throws when all are taken. Where a page cannot find out
 * about others, as in the window, there are none.
 */
export async function takeSlot(locks: Locks | undefined = globalThis.navigator?.locks): Promise<() => void> {
  if (!locks) return () => undefined;
  for (const last of [false, true]) {
    for (let i = 0; i < atOnce; i++) {
      const leave = await tryLock(locks, `benchtop.client.${i}`);
      if (leave) return leave;
    }
    if (!last) await new Promise((resolve) => setTimeout(resolve, settles));
  }
  throw new Error(t('{atOnce} requests of this browser are under way, some of them in other tabs. End one of them first: a browser has six connections to the platform.', { atOnce }));
}

/** A lock, when it is free: the answer gives it back. */
function tryLock(locks: Locks, name: string): Promise<(() => void) | undefined> {
  return new Promise((given, failed) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return given(undefined);
        return new Promise<void>((leave) => given(leave));
      })
      .catch(failed);
  });
}

import { isAbort } from './errors';
import type { StreamState } from './events';
import type { SseMessage } from './sse';

/** What tabs tell each other about the live stream. */
export type TabMessage =
  /** A tab leads from now on, and wants to know whether anybody listens. */
  | { kind: 'lead' }
  /** A tab listens. */
  | { kind: 'follow' }
  /** How the leader's stream is; also said for no other reason than to say something. */
  | { kind: 'state'; state: StreamState; lastId?: string }
  | { kind: 'events'; messages: SseMessage[] };

/** The tabs of one browser that show the same platform. One of them leads at a time. */
export interface Tabs {
  /**
   * Works once this tab leads, until the work ends or another tab steps in front,
   * which the work is told. Stepping in front needs no waiting; waiting ends with
   * the signal.
   */
  lead(work: (lost: AbortSignal) => Promise<void>, turn: { signal: AbortSignal } | { stepInFront: true }): Promise<void>;
  /** Tells all other tabs. */
  tell(message: TabMessage): void;
  /** Adds a listener; the answer removes it. */
  listen(listener: (message: TabMessage) => void): () => void;
}

/** The tabs of this browser; undefined where a page cannot find out about others. */
export function browserTabs(name = 'benchtop.events'): Tabs | undefined {
  if (!globalThis.navigator?.locks || !globalThis.BroadcastChannel) return undefined;
  const channel = new BroadcastChannel(name);
  return {
    async lead(work, turn) {
      const lost = new AbortController();
      const options = 'signal' in turn ? { signal: turn.signal } : { steal: true };
      try {
        await navigator.locks.request(name, options, () => work(lost.signal));
      } catch (error) {
        if (!isAbort(error)) throw error;
      } finally {
        lost.abort();
      }
    },
    tell: (message) => channel.postMessage(message),
    listen(listener) {
      const hear = (event: MessageEvent) => listener(event.data as TabMessage);
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
  };
}

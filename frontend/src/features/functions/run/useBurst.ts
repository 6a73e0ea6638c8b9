import { useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/ApiContext';
import type { InvokeResult } from '../../../api/contract.gen';
import { isAbort } from '../../../api/errors';
import { invokePath } from '../../../api/invoke';
import { t } from '../../../i18n/t';
import { useAnnounce } from '../../../ui/Announcer';
import { refusalOf, type Refusal } from './runState';

/** One run of several. */
export interface Shot {
  id: string;
  ok: boolean;
  code?: string;
  ms: number;
}

export interface Burst {
  of: number;
  shots: readonly Shot[];
  running: boolean;
  /** Its author wants no more of it: the run that is under way is being cancelled, or was. */
  stopped?: boolean;
  /** Why it ended early. */
  problem?: Refusal;
}

/** A burst under way. The run that it waits for is recognised in the stream of events by its key. */
interface Flight {
  abort: AbortController;
  key: string;
  id?: string;
  stopped: boolean;
}

/** Runs a function several times, one after the other, to see how long it takes. */
export function useBurst(agent: string, name: string) {
  const { client, events } = useApi();
  const announce = useAnnounce();
  const [burst, setBurst] = useState<Burst>();
  const flight = useRef<Flight>(undefined);
  useEffect(() => () => flight.current?.abort.abort(), []);

  // A refusal to cancel says that the run has ended: its answer is on its way.
  const cancel = useCallback((id: string) => void client.call('POST /api/local/invocations/:id/cancel', { params: { id } }).catch(() => undefined), [client]);
  useEffect(
    () =>
      events.subscribe((event) => {
        const mine = flight.current;
        if (!mine || event.event !== 'invocation.started' || event.data.idempotency_key !== mine.key || event.data.agent_id !== agent || event.data.function_name !== name) return;
        mine.id = event.data.invocation_id;
        if (mine.stopped) cancel(mine.id);
      }),
    [events, agent, name, cancel],
  );

  const start = useCallback(
    async (body: string, of: number, headers: Record<string, string>) => {
      flight.current?.abort.abort();
      const mine: Flight = { abort: new AbortController(), key: '', stopped: false };
      flight.current = mine;
      setBurst({ of, shots: [], running: true });
      const shots: Shot[] = [];
      let problem: Refusal | undefined;
      try {
        while (shots.length < of && !mine.stopped) {
          mine.key = `console-${crypto.randomUUID()}`;
          mine.id = undefined;
          const res = await client.send(invokePath(agent, name), {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': mine.key },
            body,
            signal: mine.abort.signal,
          });
          const r = (await res.json()) as InvokeResult;
          // How long one took that was cancelled by its author says nothing.
          if (mine.stopped && r.errorCode === 'INVOCATION_CANCELLED') break;
          shots.push({ id: r.invocationId, ok: r.ok, code: r.errorCode, ms: r.durationMs });
          setBurst((b) => b && { ...b, shots: [...shots] });
        }
      } catch (error) {
        if (!isAbort(error)) problem = refusalOf(error);
      }
      if (flight.current !== mine) return;
      flight.current = undefined;
      setBurst({ of, shots: [...shots], running: false, stopped: mine.stopped && shots.length < of, problem });
      const failed = shots.filter((s) => !s.ok).length;
      announce(failed ? t('{n, plural, one {# run} other {# runs}} finished, {failed} failed', { n: shots.length, failed }) : t('{n, plural, one {# run} other {# runs}} finished, all ok', { n: shots.length }));
    },
    [client, agent, name, announce],
  );
  /** Ends it with the run that is under way; asked a second time, without waiting for that one. */
  const stop = useCallback(() => {
    const mine = flight.current;
    if (!mine) return;
    if (mine.stopped) return mine.abort.abort();
    mine.stopped = true;
    setBurst((b) => b && { ...b, stopped: true });
    if (mine.id) cancel(mine.id);
  }, [cancel]);
  const clear = useCallback(() => setBurst(undefined), []);
  return { burst, start, stop, clear };
}

/** The value below which a share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

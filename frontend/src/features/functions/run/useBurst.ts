import { useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/ApiContext';
import type { InvokeResult } from '../../../api/contract.gen';
import { isAbort, messageOf } from '../../../api/errors';
import { invokePath } from '../../../api/invoke';
import { t } from '../../../i18n/t';
import { useAnnounce } from '../../../ui/Announcer';

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
  /** Why it ended early. */
  problem?: string;
}

/** Runs a function several times, one after the other, to see how long it takes. */
export function useBurst(agent: string, name: string) {
  const { client } = useApi();
  const announce = useAnnounce();
  const [burst, setBurst] = useState<Burst>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = useCallback(
    async (body: string, of: number, headers: Record<string, string>) => {
      abort.current?.abort();
      const mine = (abort.current = new AbortController());
      setBurst({ of, shots: [], running: true });
      const shots: Shot[] = [];
      let problem: string | undefined;
      try {
        while (shots.length < of && !mine.signal.aborted) {
          const res = await client.send(invokePath(agent, name), {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body,
            signal: mine.signal,
          });
          const r = (await res.json()) as InvokeResult;
          shots.push({ id: r.invocationId, ok: r.ok, code: r.errorCode, ms: r.durationMs });
          setBurst({ of, shots: [...shots], running: true });
        }
      } catch (error) {
        if (!isAbort(error)) problem = messageOf(error);
      }
      if (abort.current !== mine) return;
      setBurst({ of, shots: [...shots], running: false, problem });
      const failed = shots.filter((s) => !s.ok).length;
      announce(failed ? t('{n, plural, one {# run} other {# runs}} finished, {failed} failed', { n: shots.length, failed }) : t('{n, plural, one {# run} other {# runs}} finished, all ok', { n: shots.length }));
    },
    [client, agent, name, announce],
  );
  const stop = useCallback(() => abort.current?.abort(), []);
  const clear = useCallback(() => {
    abort.current?.abort();
    abort.current = undefined;
    setBurst(undefined);
  }, []);
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

import { useCallback, useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/ApiContext';
import { isAbort, messageOf } from '../../../api/errors';
import { invoke } from '../../../api/invoke';
import { t } from '../../../i18n/t';
import { duration } from '../../../ui/format';
import { useAnnounce } from '../../../ui/Announcer';
import type { Caller } from './input';
import { idle, refusalOf, type RunState } from './runState';

/** Lines of one run the panel keeps while it runs; the history has them all. */
const keptLines = 1_000;

/**
 * Runs a function and follows it. The answer and the emitted events come on the
 * request's own stream, log lines on the page's. The run is recognised there by
 * an idempotency key: the author's, or one made for this run.
 */
export function useRun(agent: string, name: string) {
  const { client, events } = useApi();
  const announce = useAnnounce();
  const [state, setState] = useState<RunState>(idle);
  const current = useRef<{ key: string; abort: AbortController; id?: string }>(undefined);

  useEffect(
    () =>
      events.subscribe((event) => {
        const run = current.current;
        if (!run) return;
        if (event.event === 'invocation.started' || event.event === 'invocation.finished') {
          const row = event.data;
          if (row.agent_id !== agent || row.function_name !== name || row.idempotency_key !== run.key) return;
          run.id = row.invocation_id;
          setState((s) => ({ ...s, invocationId: row.invocation_id }));
        } else if (event.event === 'invocation.log' && event.data.invocationId === run.id) {
          const { level, message, data, ts } = event.data;
          setState((s) => (s.phase === 'running' ? { ...s, logs: [...s.logs, { level, message, data, ts }].slice(-keptLines) } : s));
        }
      }),
    [events, agent, name],
  );
  useEffect(() => () => current.current?.abort.abort(), []);

  const run = useCallback(
    async (body: string, key?: string, caller?: Caller, clock?: string) => {
      current.current?.abort.abort();
      const mine = { key: key ?? `console-${crypto.randomUUID()}`, abort: new AbortController() };
      current.current = mine;
      setState({ ...idle, phase: 'running', startedAt: Date.now(), sent: body, key, caller, clock });
      try {
        const { result, replayed } = await invoke(client, {
          agent,
          name,
          body,
          idempotencyKey: mine.key,
          caller,
          clock,
          signal: mine.abort.signal,
          onEmit: (e) => setState((s) => ({ ...s, events: [...s.events, e].slice(-keptLines) })),
        });
        setState((s) => ({
          ...s,
          phase: 'done',
          result,
          replayed,
          invocationId: result.invocationId,
          logs: result.logs ?? s.logs,
        }));
        announce(result.ok ? t('Run finished, {time}, ok', { time: duration(result.durationMs) }) : t('Run failed, {errorCode}', { errorCode: result.errorCode ?? t('error') }));
      } catch (error) {
        if (isAbort(error)) return;
        const problem = refusalOf(error);
        setState((s) => ({ ...s, phase: 'refused', problem }));
        announce(t('Not run. {message}', { message: problem.message }));
      }
    },
    [client, agent, name, announce],
  );

  const cancel = useCallback(async () => {
    const id = current.current?.id;
    if (!id) return;
    setState((s) => ({ ...s, cancelling: true }));
    try {
      await client.call('POST /api/local/invocations/:id/cancel', { params: { id } });
    } catch (error) {
      setState((s) => ({ ...s, cancelling: false }));
      announce(messageOf(error));
    }
  }, [client, announce]);

  /** Nothing is shown any more: something else ran since. */
  const forget = useCallback(() => setState((s) => (s.phase === 'running' ? s : idle)), []);
  return { state, run, cancel, forget };
}

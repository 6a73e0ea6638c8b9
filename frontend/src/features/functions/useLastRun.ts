import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { isFunction, useInvocation } from '../../api/queries';
import { hintsOf, type Hint } from './editor/hints';

/** Runs that end within this time are one: only the last of them is looked up. */
const calmMs = 250;

const none: Hint[] = [];

/**
 * What the newest run of a function did, by line; empty when that run was of
 * another version than the one in the editor.
 */
export function useLastRun(agent: string, name: string, version: number): readonly Hint[] {
  const { client, events } = useApi();
  const [id, setId] = useState<string>();
  useEffect(() => {
    if (!isFunction(name)) return;
    const abort = new AbortController();
    client
      .call('GET /api/agents/:agent/functions/:name/invocations', { params: { agent, name }, query: { limit: 20 }, signal: abort.signal })
      .then(({ invocations }) => {
        const last = invocations.find((r) => r.source_skill !== 'authoring' && r.status !== 'running');
        // What ran meanwhile is newer.
        if (last) setId((now) => now ?? last.id);
      })
      .catch(() => undefined); // values of the last run are a comfort: the next run brings them
    return () => abort.abort();
  }, [client, agent, name]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let newest: string | undefined;
    const stop = events.subscribe((event) => {
      if (event.event !== 'invocation.finished' || event.data.agent_id !== agent || event.data.function_name !== name || event.data.source_skill === 'authoring') return;
      newest = event.data.id;
      timer ??= setTimeout(() => {
        timer = undefined;
        setId(newest);
      }, calmMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [events, agent, name]);
  const run = useInvocation(id).data;
  return useMemo(() => (run && run.status !== 'running' && run.function_version === version ? hintsOf(run.trace ?? []) : none), [run, version]);
}

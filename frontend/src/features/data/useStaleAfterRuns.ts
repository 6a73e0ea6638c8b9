import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../../api/ApiContext';

/** How often a storm of runs has what they keep read again, in ms. */
const atMostEvery = 1500;

/** Reads data again after runs of the agent that called the host: what they keep may have changed. */
export function useStaleAfterRuns(agentId: string, key: QueryKey): void {
  const { events } = useApi();
  const cache = useQueryClient();
  const name = JSON.stringify(key);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    const unsubscribe = events.subscribe((event) => {
      if (event.event !== 'invocation.finished' || event.data.agent_id !== agentId || event.data.host_calls === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        last = Date.now();
        void cache.invalidateQueries({ queryKey: JSON.parse(name) as QueryKey });
      }, Math.max(0, last + atMostEvery - Date.now()));
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [agentId, cache, events, name]);
}

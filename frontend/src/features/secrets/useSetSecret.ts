import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/ApiContext';
import { keys } from '../../api/keys';
import { tick } from '../../ui/checks';

/** Gives a secret of an agent its value, of a function or, without one, of the model; then what shows it is read again. */
export function useSetSecret(agent: string): { set: (fn: string, binding: string, value: string) => Promise<void>; refresh: () => Promise<unknown> } {
  const { client } = useApi();
  const cache = useQueryClient();
  const set = useCallback(
    async (fn: string, binding: string, value: string) => {
      const body = { binding, value };
      if (fn === '') await client.call('POST /api/local/agents/:agent/secret', { params: { agent }, body });
      else await client.call('POST /api/agents/:agent/functions/:name/secret', { params: { agent, name: fn }, body });
      tick('secret');
    },
    [agent, client],
  );
  const refresh = useCallback(() => Promise.all([keys.secrets(agent), keys.work(agent)].map((queryKey) => cache.invalidateQueries({ queryKey }))), [agent, cache]);
  return { set, refresh };
}

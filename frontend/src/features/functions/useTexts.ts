import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext';
import type { WorkFunction } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { readWork } from '../../api/queries';

const atOnce = 6;

/** The functions and modules of an agent and its AGENT.md with their texts; what is known already is not asked for again. */
export function useTexts(agent: string, names: readonly string[], enabled: boolean) {
  const { client } = useApi();
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...keys.texts(agent), names],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const out: WorkFunction[] = [];
      for (let i = 0; i < names.length && !signal.aborted; i += atOnce) {
        const asked = names.slice(i, i + atOnce).map((name) =>
          cache.fetchQuery({
            queryKey: keys.workFunction(agent, name),
            staleTime: 30_000,
            queryFn: (own) => readWork(client, agent, name, own.signal),
          }),
        );
        // One that was removed meanwhile is not looked through.
        for (const answer of await Promise.allSettled(asked)) if (answer.status === 'fulfilled') out.push(answer.value);
      }
      return out;
    },
  });
}

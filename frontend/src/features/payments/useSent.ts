import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { fillPath } from '../../api/client';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import type { Answer, CallInput, RouteName } from '../../api/routes';

/** A request that a button sent, and what came back: an author does the same from code. */
export interface Sent {
  method: string;
  path: string;
  body: unknown;
  answer: unknown;
  failed: boolean;
}

/** Sends what the buttons of this place ask for, and keeps the last request to be shown. */
export function useSent() {
  const { client } = useApi();
  const cache = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const send = useCallback(
    async <K extends RouteName>(route: K, input: CallInput<K>): Promise<Answer<K>> => {
      const [method = '', template = ''] = route.split(' ');
      const { params, body } = input as { params?: Record<string, string>; body?: unknown };
      const shown = { method, path: fillPath(template, params), body };
      try {
        const answer = await client.call(route, input);
        setSent({ ...shown, answer: withoutToken(answer), failed: false });
        return answer;
      } catch (error) {
        setSent({ ...shown, answer: messageOf(error), failed: true });
        throw error;
      } finally {
        void cache.invalidateQueries({ queryKey: keys.payments });
      }
    },
    [client, cache],
  );
  return { sent, send, forget: () => setSent(undefined) };
}

/** A new token is shown once, where it can be copied, and not here. */
function withoutToken(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('token' in answer) || typeof answer.token !== 'string') return answer;
  return { ...answer, token: `${answer.token.slice(0, 12)}…` };
}

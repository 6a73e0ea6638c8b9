import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef } from 'react';
import { useApi } from '../../../api/ApiContext';
import type { Agent, InvocationDetail } from '../../../api/contract.gen';
import { messageOf } from '../../../api/errors';
import { t } from '../../../i18n/t';
import { dateTime } from '../../../ui/format';
import { callerOf } from '../../runs/callerOf';
import type { Caller } from './input';

/** What should be put into the run panel. */
export type Wish = { run: string } | { call: string };

/**
 * Fetches the input of a past run or of a saved call when it is wished for.
 * lastInput gives that of the newest run and who made it, or undefined when there is none.
 */
export function useWish(agent: Agent, name: string, wish: Wish | undefined, onInput: (body: unknown, origin: string, as: Caller, clock?: string) => void) {
  const { client } = useApi();
  const put = useRef(onInput);
  useEffect(() => {
    put.current = onInput;
  });
  useEffect(() => {
    if (!wish) return;
    const abort = new AbortController();
    const { signal } = abort;
    const fetchIt = async () => {
      if ('run' in wish) {
        const run = await client.call('GET /api/local/invocations/:id', { params: { id: wish.run }, signal });
        put.current(whole(run), t('run of {when}', { when: dateTime(run.started_at) }), callerOf(run), run.replay.clock);
        return;
      }
      const { calls } = await client.call('GET /api/local/agents/:agent/calls', { params: { agent: agent.id }, signal });
      const call = calls.find((c) => c.function === name && c.name === wish.call);
      if (!call) throw new Error(t('There is no saved call {call} of {name}.', { call: wish.call, name }));
      put.current(call.body, t('saved call {name}', { name: call.name }), (call.caller as Caller | undefined) ?? 'owner');
    };
    fetchIt().catch((error: unknown) => {
      if (!signal.aborted) notifications.show({ color: 'red', message: messageOf(error) });
    });
    return () => abort.abort();
  }, [agent.id, client, name, wish]);

  const lastInput = useCallback(async (): Promise<{ body: unknown; caller: Caller } | undefined> => {
    const page = await client.call('GET /api/agents/:agent/functions/:name/invocations', { params: { agent: agent.id, name }, query: { limit: 20 } });
    const row = page.invocations.find((r) => r.source_skill !== 'authoring');
    if (!row) return undefined;
    const run = await client.call('GET /api/local/invocations/:id', { params: { id: row.id } });
    return { body: whole(run), caller: callerOf(run) };
  }, [agent.id, client, name]);
  return { lastInput };
}

/** The input of a run, which can be sent again only when all of it was kept. */
function whole(run: InvocationDetail): unknown {
  if (run.input === undefined) throw new Error(t('The input of that run was not kept.'));
  if (run.cut?.includes('input')) throw new Error(t('The input of that run was too long to be kept whole.'));
  return run.input;
}

import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Client } from '../../api/client';
import type { Agent, ClientCall } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { links, unpacked } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import type { A2aStore } from './a2aTalk';
import type { ChatStore } from './chat';
import type { Draft, RequestKind } from './draft';
import { callerOf, draftOfCall, OpenedStore, streaming, type Saved, type Tab } from './saved';
import { ClientStore, keptIn, useKept } from './store';

/** What the tabs of an agent hold. */
export interface Stores {
  store: ClientStore;
  chat: ChatStore;
  a2a: A2aStore;
}

/** Opens saved calls in their tabs: those that are chosen, and the one that the address names. */
export function useSavedCalls(agent: Agent, rest: string, go: ScreenProps['go'], { store, chat, a2a }: Stores): Saved {
  const { client } = useApi();
  const opened = useKept('opened', agent.id, () => new OpenedStore());

  const put = useCallback(
    ({ name, sha256 = '', call }: ClientCall, replace: boolean) => {
      if (!call) return;
      const tab = call.tab as Tab;
      if (tab === 'http' || tab === 'websocket' || tab === 'sse') store.fill(tab, draftOfCall(call, agent.username));
      if (tab === 'chat') {
        chat.clear();
        chat.setCaller(callerOf(call));
        chat.setOver(call.path?.includes('completions') ? 'completions' : 'uamp');
      }
      if (tab === 'a2a') {
        a2a.clear();
        a2a.setCaller(callerOf(call));
        a2a.setStream(call.method === streaming);
      }
      if (tab === 'uamp') store.setUampCaller(callerOf(call));
      opened.open(tab, name, sha256, call);
      go(links.client(agent.username, tab), { replace });
    },
    [a2a, agent.username, chat, go, opened, store],
  );

  const [word, part] = rest.split('/');
  const wanted = word === 'saved' && part ? unpacked(part) : undefined;
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    const find = async () => {
      const list = await client.call('GET /api/local/agents/:agent/calls', { params: { agent: agent.id }, signal: abort.signal });
      const call = list.client.find((c) => c.name === wanted);
      if (!call) throw new Error(t('There is no saved call {wanted}.', { wanted }));
      if (!call.call) throw new Error(t('The saved call {wanted} is broken: {problem}', { wanted, problem: call.problem }));
      put(call, true);
    };
    find().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      notifications.show({ color: 'red', message: messageOf(error) });
      go(links.client(agent.username), { replace: true });
    });
    return () => abort.abort();
  }, [agent.id, agent.username, client, go, put, wanted]);

  return useMemo(() => ({ agent, opened, open: (call: ClientCall) => put(call, false) }), [agent, opened, put]);
}

/** Fills in a request from another place. Whoever was chosen as its caller stays chosen. */
export function fillClient(cache: QueryClient, client: Client, agent: Agent, kind: RequestKind, draft: Omit<Draft, 'caller'>): void {
  keptIn(cache, 'requests', agent.id, () => new ClientStore(client, agent.username)).fill(kind, draft);
  keptIn(cache, 'opened', agent.id, () => new OpenedStore()).forget(kind);
}

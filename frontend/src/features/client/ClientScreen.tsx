import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { A2aTab } from './A2aTab';
import { A2aStore } from './a2aTalk';
import { ChatStore } from './chat';
import { ChatTab } from './ChatTab';
import classes from './Client.module.css';
import { draftFor, servedOf, type Served } from './draft';
import type { Exchange } from './exchange';
import { keepTalk } from './keptTalk';
import { NotSpoken } from './NotSpoken';
import { RequestTab } from './RequestTab';
import { SavedProvider } from './saved';
import { SavedList } from './SavedList';
import { ServedList } from './ServedList';
import { ClientStore, useKept, useStoreState } from './store';
import { UampTab } from './UampTab';
import { useSavedCalls } from './useSavedCalls';

const tabs = [
  { value: 'http', label: 'HTTP' },
  { value: 'websocket', label: 'WebSocket' },
  { value: 'sse', label: 'SSE' },
  { value: 'chat', label: t('Chat') },
  { value: 'a2a', label: 'A2A' },
  { value: 'uamp', label: 'UAMP' },
] as const;

type Tab = (typeof tabs)[number]['value'];

/** Requests to an agent as its clients send them, and what comes back. */
export default function ClientScreen({ agent, rest, go, openRun }: ScreenProps) {
  return agent ? <OfAgent key={agent.id} agent={agent} rest={rest} go={go} openRun={openRun} /> : null;
}

function OfAgent({ agent, rest, go, openRun }: Pick<ScreenProps, 'rest' | 'go' | 'openRun'> & { agent: Agent }) {
  const { client } = useApi();
  const store = useKept('requests', agent.id, () => new ClientStore(client, agent.username));
  const chat = useKept('chat', agent.id, () => keepTalk(new ChatStore(client, agent.username), 'chat', agent.id));
  const a2a = useKept('a2a', agent.id, () => keepTalk(new A2aStore(client, agent.username), 'a2a', agent.id));
  const stores = useMemo(() => ({ store, chat, a2a }), [store, chat, a2a]);
  const saved = useSavedCalls(agent, rest, go, stores);
  const { exchanges, drafts } = useStoreState(store);
  const list = useQuery({
    queryKey: keys.endpoints(agent.id),
    staleTime: 0,
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/endpoints', { params: { agent: agent.id }, signal }),
  });
  const served = useMemo(() => list.data && servedOf(list.data), [list.data]);
  const tab: Tab = tabs.find((t) => t.value === rest.split('/')[0])?.value ?? 'http';
  const speaks = (transport: string) => served?.some((s) => s.route.kind === transport);
  const show = (to: string) => go(links.client(agent.username, to));
  const spoken = (['uamp', 'completions'] as const).filter((t) => speaks(t));
  const hasCard = speaks('a2a') || served?.some((s) => s.route.path === '/.well-known/agent-card.json');
  const spokenNow = (['completions', 'a2a', 'uamp', 'hello'] as const).filter((transport) => speaks(transport));
  const notSpoken = (transport: string, what: string) => <NotSpoken agent={agent} transport={transport} what={what} speaks={spokenNow} />;
  const pick = (s: Served) => {
    const other = tabFor(s);
    if (other === 'chat') chat.setOver('completions');
    if (other) return show(other);
    const kind = s.kind;
    store.fill(kind, draftFor(agent.username, s, drafts[kind].caller));
    saved.opened.forget(kind);
    show(kind);
  };
  const reopen = (x: Exchange) => {
    const kind = store.reopen(x);
    saved.opened.forget(kind);
    show(kind);
  };
  return (
    <SavedProvider value={saved}>
      <div className={classes.screen}>
        <h1 className="visually-hidden">{t('Client')}</h1>
        <ServedList agent={agent.username} served={served} error={list.error} onRetry={() => void list.refetch()} onServed={pick} saved={<SavedList />} exchanges={exchanges} onExchange={reopen} />
        <Tabs value={tab} onChange={(t) => show(t ?? 'http')} keepMounted={false} className={classes.tabs}>
          <Tabs.List className={classes.tabList}>
            {tabs.map((t) => (
              <Tabs.Tab key={t.value} value={t.value}>
                {t.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {(['http', 'websocket', 'sse'] as const).map((kind) => (
            <Tabs.Panel key={kind} value={kind} className={classes.panel}>
              <RequestTab kind={kind} store={store} />
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="chat" className={classes.panel}>
            {spoken.length > 0 && <ChatTab store={chat} agent={agent.username} spoken={spoken} openRun={openRun} />}
            {served && spoken.length === 0 && notSpoken('completions', t('Chat completions'))}
          </Tabs.Panel>
          <Tabs.Panel value="a2a" className={classes.panel}>
            {hasCard && <A2aTab store={a2a} agent={agent.username} agentId={agent.id} {...(speaks('a2a') ? {} : { silent: notSpoken('a2a', 'A2A') })} />}
            {hasCard === false && notSpoken('a2a', 'A2A')}
          </Tabs.Panel>
          <Tabs.Panel value="uamp" className={classes.panel}>
            {speaks('uamp') && <UampTab store={store} agent={agent.username} />}
            {speaks('uamp') === false && notSpoken('uamp', 'UAMP')}
          </Tabs.Panel>
        </Tabs>
      </div>
    </SavedProvider>
  );
}

/** The tab that knows more about a route than an editor does. */
function tabFor({ route }: Served): Tab | undefined {
  if (route.kind === 'completions' && route.path.endsWith('/chat/completions')) return 'chat';
  if (route.kind === 'a2a' && (route.path === '/a2a' || route.path.endsWith('/agent-card.json'))) return 'a2a';
  if (route.kind === 'uamp' && route.path === '/uamp' && route.method === 'GET') return 'uamp';
  return undefined;
}

import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, WorkFunction } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { StatusChip } from '../../ui/StatusChip';
import { draftFor, servedOf } from '../client/draft';
import { ClientStore, useKept } from '../client/store';
import classes from './FunctionsScreen.module.css';
import { History } from './History';
import own from './ModuleSide.module.css';

interface Props {
  agent: Agent;
  work: WorkFunction;
  width: number;
  go: ScreenProps['go'];
  openRun: (id: string) => void;
}

const kinds: Record<string, string> = { ws: 'WebSocket', sse: t('event stream') };

/** Beside a module: the endpoints that its handlers answer, and what they did. */
export function ModuleSide({ agent, work, width, go, openRun }: Props) {
  const { client } = useApi();
  const store = useKept('requests', agent.id, () => new ClientStore(client, agent.username));
  const list = useQuery({
    queryKey: keys.endpoints(agent.id),
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/endpoints', { params: { agent: agent.id }, signal }),
  }).data;
  const [side, setSide] = useState('endpoints');
  const handlers = work.handlers ?? [];
  const open = (id: string) => {
    const served = list && servedOf(list).find((s) => s.endpoint?.id === id);
    if (!served) return go(links.client(agent.username));
    store.setDraft(served.kind, draftFor(agent.username, served, { kind: 'owner' }));
    go(links.client(agent.username, served.kind));
  };
  return (
    <section className={classes.side} style={{ width }} aria-label={t('Endpoints of {name}', { name: work.name })}>
      <div className={classes.sideHead}>
        <SegmentedControl
          aria-label={t('Endpoints or history')}
          value={side}
          onChange={setSide}
          data={[
            { value: 'endpoints', label: t('Endpoints') },
            { value: 'history', label: t('History') },
          ]}
        />
      </div>
      {side === 'history' ? (
        <div className={classes.sideBody}>
          <History agent={agent.id} name={work.name} openRun={openRun} />
        </div>
      ) : (
        <div className={own.body}>
          {handlers.length === 0 ? (
            <p className={own.none}>{t('Nothing of this file serves yet. Mend its problems and save: it counts at once.')}</p>
          ) : (
            <ul className={own.list}>
              {handlers.map((h) => {
                const endpoint = list?.endpoints.find((e) => e.id === h.id);
                return (
                  <li key={h.id} className={own.item}>
                    <div className={own.head}>
                      <code className={own.id}>{h.id}</code>
                      <Button size="compact-xs" variant="default" aria-label={t('Open {id} in Client', { id: h.id })} onClick={() => open(h.id)}>
                        {t('Open in Client')}
                      </Button>
                    </div>
                    <p className={own.about}>
                      {[h.export ? `export ${h.export}` : t('default export'), kinds[h.kind], endpoint && scopeWords(endpoint.scopes)].filter(Boolean).join(' · ')}
                      {endpoint && !endpoint.enabled && <StatusChip tone="dim">{t('off')}</StatusChip>}
                    </p>
                    {endpoint?.description && <p className={own.about}>{endpoint.description}</p>}
                    {h.own && <p className={own.about}>{t('What it may do stands in its entry in AGENT.md.')}</p>}
                  </li>
                );
              })}
            </ul>
          )}
          <p className={own.none}>
            {rich('Routes, scopes and prices stand under <1>endpoints</1> in AGENT.md.', [<code />])}
          </p>
        </div>
      )}
    </section>
  );
}

function scopeWords(scopes: readonly string[]): string {
  if (scopes.includes('all')) return t('for everybody');
  return scopes.length ? t('for {scopes}', { scopes: scopes.join(' and ') }) : t('for nobody');
}

import { Button } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, KeyInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago } from '../../ui/format';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Settings.module.css';
import { ShownOnce } from './ShownOnce';

/** Whose key it is: an agent's, or the admin's when there is none. */
type Holder = Agent | undefined;

/** API keys of the agents, and of the admin of custom endpoints. */
export function Keys({ agents }: { agents: readonly Agent[] }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [made, setMade] = useState<{ whose: string; value: string }>();
  const holders: Holder[] = [...agents, undefined];
  const lists = useQueries({
    queries: holders.map((holder) => ({
      queryKey: [...keys.credentials, 'keys', holder?.id ?? 'admin'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        holder ? client.call('GET /api/agents/:agent/api-key', { params: { agent: holder.id }, signal }) : client.call('GET /api/local/admin-key', { signal }),
    })),
  });
  const failed = lists.find((l) => l.isError);
  const refresh = () => cache.invalidateQueries({ queryKey: keys.credentials });
  const nameOf = (holder: Holder) => holder?.username ?? t('Admin');
  const make = (holder: Holder) =>
    act(`make:${nameOf(holder)}`, async () => {
      const key = holder ? await client.call('POST /api/agents/:agent/api-key', { params: { agent: holder.id } }) : await client.call('POST /api/local/admin-key', {});
      setMade({ whose: nameOf(holder), value: key.rawKey });
      await refresh();
    });
  const drop = (holder: Holder, key: KeyInfo) =>
    act(
      `drop:${key.id}`,
      async () => {
        if (holder) await client.call('DELETE /api/agents/:agent/api-key/:id', { params: { agent: holder.id, id: key.id } });
        else await client.call('DELETE /api/local/admin-key/:id', { params: { id: key.id } });
        await refresh();
      },
      t('The key no longer counts'),
    );
  return (
    <section className={classes.section} aria-labelledby="keys">
      <h2 id="keys" tabIndex={-1} className={classes.title}>
        {t('API keys')}
      </h2>
      <p className={classes.about}>{t("An agent's key acts as that agent. The admin is a person of custom endpoints with the scope admin, and manages nothing.")}</p>
      {failed && <ErrorBox title={messageOf(failed.error)} onRetry={() => void failed.refetch()} />}
      {holders.map((holder, i) => (
        <div key={holder?.id ?? 'admin'} className={classes.holder}>
          <div className={classes.item}>
            <span className={classes.itemName}>
              {nameOf(holder)}
              {!holder && <span className={page.dim}>{t('of custom endpoints')}</span>}
            </span>
            <Button size="compact-xs" variant="default" leftSection={<Plus size={12} />} loading={busy === `make:${nameOf(holder)}`} aria-label={t('New key for {nameOf}', { nameOf: nameOf(holder) })} onClick={() => void make(holder)}>
              {t('New key')}
            </Button>
          </div>
          {(lists[i]?.data?.keys ?? []).map((key) => (
            <div key={key.id} className={classes.key}>
              <code>{key.keyPrefix}…</code>
              <span className={page.dim}>{t('made {when}', { when: ago(key.createdAt) })}</span>
              <Button size="compact-xs" variant="subtle" color="red" loading={busy === `drop:${key.id}`} aria-label={t('End the key {keyPrefix}', { keyPrefix: key.keyPrefix })} onClick={() => void drop(holder, key)}>
                {t('End')}
              </Button>
            </div>
          ))}
        </div>
      ))}
      {made && <ShownOnce title={t('New key for {whose}', { whose: made.whose })} text={t('Send it as Authorization: Bearer, or as X-API-Key.')} value={made.value} onClose={() => setMade(undefined)} />}
    </section>
  );
}

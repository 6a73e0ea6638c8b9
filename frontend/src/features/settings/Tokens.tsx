import { Button, Checkbox, Modal, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, TokenInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, dateTime, until } from '../../ui/format';
import page from '../../ui/page.module.css';
import { StatusChip } from '../../ui/StatusChip';
import { useAct } from '../../ui/useAct';
import classes from './Settings.module.css';
import { ShownOnce } from './ShownOnce';

const lives = [
  { value: '3600', label: t('An hour') },
  { value: '86400', label: t('A day') },
  { value: '2592000', label: t('30 days') },
  { value: '31536000', label: t('A year') },
];

/** Portal tokens: what other programs call the management API with. */
export function Tokens({ agents }: { agents: readonly Agent[] }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const list = useQuery({ queryKey: [...keys.credentials, 'tokens'], queryFn: ({ signal }) => client.call('GET /api/local/tokens', { signal }) });
  const refresh = () => cache.invalidateQueries({ queryKey: keys.credentials });
  const revoke = (token: TokenInfo) =>
    act(
      `revoke:${token.id}`,
      async () => {
        await client.call('DELETE /api/local/tokens/:id', { params: { id: token.id } });
        await refresh();
      },
      t('The token no longer counts'),
    );
  const agentOf = (id: string | undefined) => (id ? (agents.find((a) => a.id === id)?.username ?? t('an agent that is gone')) : t('all agents'));
  return (
    <section className={classes.section} aria-labelledby="tokens">
      <div className={classes.head}>
        <h2 id="tokens" tabIndex={-1} className={classes.title}>
          {t('Portal tokens')}
        </h2>
        <Button variant="default" size="compact-sm" leftSection={<Plus size={13} />} onClick={() => setMaking(true)}>
          {t('New token')}
        </Button>
      </div>
      <p className={classes.about}>{t('For programs that call the management API: they may do what their scopes say, never touch secrets, and end when you revoke them.')}</p>
      {list.isError && <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      <ul className={page.list}>
        {(list.data?.tokens ?? []).map((token) => (
          <li key={token.id} className={classes.item}>
            <span className={classes.itemName}>
              {agentOf(token.agentId)}
              <span className={page.dim}>{token.scopes.join(', ') || t('no scopes')}</span>
            </span>
            <span className={page.dim} title={dateTime(token.issuedAt)}>
              {t('made {when}', { when: ago(token.issuedAt) })}
            </span>
            {token.revokedAt ? (
              <StatusChip tone="dim">{t('revoked')}</StatusChip>
            ) : (
              <>
                <span className={page.dim} title={dateTime(token.expiresAt)}>
                  {t('ends {when}', { when: until(token.expiresAt) })}
                </span>
                <Button size="compact-xs" variant="subtle" color="red" loading={busy === `revoke:${token.id}`} aria-label={t('Revoke the token for {agentOf}', { agentOf: agentOf(token.agentId) })} onClick={() => void revoke(token)}>
                  {t('Revoke')}
                </Button>
              </>
            )}
          </li>
        ))}
        {list.data?.tokens.length === 0 && <li className={classes.none}>{t('No token counts.')}</li>}
      </ul>
      {making && (
        <NewToken
          agents={agents}
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            void refresh();
          }}
        />
      )}
      {made && <ShownOnce title={t('New portal token')} text={t('Send it as Authorization: Bearer.')} value={made} onClose={() => setMade(undefined)} />}
    </section>
  );
}

const scopes = [
  { value: 'read', label: t('read: functions, versions, history') },
  { value: 'invoke', label: t('invoke: run functions') },
  { value: 'write', label: t('write: declare, remove, attach') },
];

function NewToken({ agents, onClose, onMade }: { agents: readonly Agent[]; onClose: () => void; onMade: (token: string) => void }) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const [agent, setAgent] = useState('');
  const [chosen, setChosen] = useState(['read', 'invoke']);
  const [life, setLife] = useState('86400');
  const make = () =>
    act('make', async () => {
      const body = { scopes: chosen, expiresInSeconds: Number(life), ...(agent && { agent }) };
      onMade((await client.call('POST /api/local/tokens', { body })).token);
    });
  return (
    <Modal opened onClose={onClose} title={t('New portal token')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className={page.form}>
        <Select label={t('For')} allowDeselect={false} data={[{ value: '', label: t('All agents') }, ...agents.map((a) => ({ value: a.id, label: a.username }))]} value={agent} onChange={(v) => setAgent(v ?? '')} />
        <Checkbox.Group label={t('Scopes')} value={chosen} onChange={setChosen}>
          <div className={classes.checks}>
            {scopes.map((s) => (
              <Checkbox key={s.value} size="xs" value={s.value} label={s.label} />
            ))}
          </div>
        </Checkbox.Group>
        <Select label={t('Ends after')} allowDeselect={false} data={lives} value={life} onChange={(v) => v && setLife(v)} />
        <div className={page.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button disabled={chosen.length === 0} loading={busy === 'make'} onClick={() => void make()}>
            {t('Make it')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

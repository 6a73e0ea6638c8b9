import { ActionIcon, Button, PasswordInput, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Coins, X } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import type { ClientCaller } from '../../api/contract.gen';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { useAct } from '../../ui/useAct';
import classes from './Client.module.css';
import { mintFor } from './payment';
import { useSaved } from './saved';

const newVisitor = 'new-visitor';

interface Props {
  caller: ClientCaller;
  onChange: (caller: ClientCaller) => void;
  problem?: string | undefined;
}

/** As whom a request is sent, and what it is paid with. What is typed here stays in this page. */
export function CallerField({ caller, onChange, problem }: Props) {
  const { client } = useApi();
  const { agent } = useSaved();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const visitors = useQuery({ queryKey: keys.visitors, queryFn: ({ signal }) => client.call('GET /api/local/visitors', { signal }) }).data?.visitors;
  const pays = caller.payment === undefined ? {} : { payment: caller.payment };
  const data = [
    { value: 'owner', label: t('You, the owner') },
    { value: 'anonymous', label: t('Nobody (anonymous)') },
    ...(visitors ?? []).map((v) => ({ value: `visitor:${v.id}`, label: t('Visitor {name}', { name: v.name }) })),
    ...(visitors?.length === 0 ? [{ value: newVisitor, label: t('A visitor (adds Ada)') }] : []),
    { value: 'admin', label: t('An admin') },
    { value: 'bearer', label: t('A portal token or API key') },
  ];
  const addVisitor = () =>
    act('visitor', async () => {
      const { id } = await client.call('POST /api/local/visitors', { body: { name: 'Ada' } });
      await cache.invalidateQueries({ queryKey: keys.credentials });
      onChange({ kind: 'visitor', id, ...pays });
    });
  const makeToken = () =>
    act('token', async () => {
      const { token } = await client.call('POST /api/local/tokens', { body: { agent: agent.id, scopes: ['read', 'invoke'], expiresInSeconds: 3600 } });
      await cache.invalidateQueries({ queryKey: keys.credentials });
      onChange({ kind: 'bearer', token, ...pays });
    }, t('A portal token for {agent} that lasts an hour', { agent: agent.username }));
  const mint = () => act('mint', async () => onChange({ ...caller, payment: await mintFor(client, agent.username) }), t('A test token of one credit that lasts an hour'));
  return (
    <div className={classes.caller}>
      <Select
        aria-label={t('Caller')}
        w={196}
        data={data}
        value={caller.kind === 'visitor' ? `visitor:${caller.id}` : caller.kind}
        allowDeselect={false}
        onChange={(v) => {
          if (v === newVisitor) return void addVisitor();
          const [kind = 'owner', id] = (v ?? 'owner').split(':');
          onChange({ kind, ...(id ? { id } : {}), ...pays });
        }}
      />
      {caller.kind === 'bearer' && (
        <div className={classes.credential}>
          <PasswordInput aria-label={t('Token')} placeholder={t('Portal token or API key')} w={210} value={caller.token ?? ''} error={problem} onChange={(e) => onChange({ ...caller, token: e.currentTarget.value })} autoComplete="off" />
          <Button variant="default" loading={busy === 'token'} onClick={() => void makeToken()}>
            {t('Make one')}
          </Button>
        </div>
      )}
      {caller.payment === undefined ? (
        <Button variant="default" leftSection={<Coins size={13} />} title={t('Send a payment token along')} onClick={() => onChange({ ...caller, payment: '' })}>
          {t('Pay…')}
        </Button>
      ) : (
        <div className={classes.credential}>
          <PasswordInput aria-label={t('Payment token')} placeholder={t('Payment token')} title={t('Goes along in the header X-PAYMENT')} w={190} value={caller.payment} onChange={(e) => onChange({ ...caller, payment: e.currentTarget.value })} autoComplete="off" />
          <Button variant="default" loading={busy === 'mint'} onClick={() => void mint()}>
            {t('Mint one')}
          </Button>
          <ActionIcon size={30} aria-label={t('Pay with nothing')} title={t('Pay with nothing')} onClick={() => onChange(withoutPayment(caller))}>
            <X size={14} />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}

function withoutPayment({ payment: _, ...caller }: ClientCaller): ClientCaller {
  return caller;
}

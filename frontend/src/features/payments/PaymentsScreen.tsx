import { Button, Modal, Skeleton, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Coins, Copy, Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { PaymentLock, PaymentToken } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links, unpacked } from '../../api/links';
import { useAgents, useStatus } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import { useNow } from '../../ui/useNow';
import { Balances } from './Balances';
import { Forms, type Doing } from './Forms';
import { Ledger } from './Ledger';
import { LockTable } from './LockTable';
import { filterText, money, readFilter, short } from './money';
import classes from './Payments.module.css';
import { SentRequest } from './SentRequest';
import { SimulatorTab } from './SimulatorTab';
import { TokenTree } from './TokenTree';
import { usePages } from './usePages';
import { useSent } from './useSent';

/** Money that is not real: who holds how much, and every way it can move. */
export default function PaymentsScreen({ rest, go, openRun }: ScreenProps) {
  const { client, events } = useApi();
  const cache = useQueryClient();
  const native = useNative();
  const { busy, act } = useAct();
  const { sent, send, forget } = useSent();
  const now = useNow(5_000);
  const found = useAgents().data;
  const agents = found ?? [];
  const names = useMemo(() => new Map((found ?? []).map((a) => [a.id, a.username])), [found]);
  const faults = (useStatus().data?.notices ?? []).filter((n) => n.code.startsWith('payments_simulator'));
  const [part = '', packedFilter = ''] = rest.split('/');
  const tab = ['tokens', 'locks', 'ledger', 'simulator'].includes(part) ? part : 'tokens';
  const filter = readFilter(unpacked(packedFilter));
  const [doing, setDoing] = useState<Doing>();
  const [minted, setMinted] = useState<string>();
  const [revoking, setRevoking] = useState<PaymentToken>();

  // Whatever moves money says so; the page looks again.
  useEffect(
    () =>
      events.subscribe((e) => {
        if (e.event.startsWith('payment.')) void cache.invalidateQueries({ queryKey: keys.payments });
      }),
    [events, cache],
  );

  const balances = useQuery({ queryKey: keys.balances, queryFn: ({ signal }) => client.call('GET /api/local/payments/balances', { signal }) });
  const tokens = usePages(keys.paymentTokens, (cursor, signal) => client.call('GET /api/local/payments/tokens', { query: { limit: 100, cursor }, signal }));
  const locks = usePages(keys.locks, (cursor, signal) => client.call('GET /api/local/payments/locks', { query: { limit: 200, cursor }, signal }), tab === 'locks');
  const lockList = locks.data?.pages.flatMap((p) => p.locks) ?? [];

  const toEntries = (f: Parameters<typeof filterText>[0]) => go(links.payments('ledger', filterText(f)));
  const release = (l: PaymentLock) => act(`release:${l.id}`, () => send('POST /api/payments/settle', { body: { lockId: l.id, amount: 0, release: true } }), t('The lock is released'));
  const check = () =>
    act('check', async () => {
      const found = await client.call('GET /api/local/payments/check', {});
      if (!found.ok) throw new Error(found.problems.join('; '));
    }, t('All sums agree'));
  const list = tokens.data?.pages.flatMap((p) => p.tokens) ?? [];
  const accounts = [
    { value: 'owner', label: t('owner') },
    { value: 'fee', label: t('platform fee') },
    ...agents.map((a) => ({ value: `agent:${a.id}`, label: a.username })),
    ...list.map((token) => ({ value: `token:${token.id}`, label: token.description || t('token {id}', { id: short(token.id) }) })),
  ];

  return (
    <div className={page.page}>
      <header className={page.header}>
        <div>
          <h1 className={page.title}>{t('Payments')}</h1>
          <p className={page.lead}>{t('Credits that cost nothing: one is a dollar. Every movement is written down and can be provoked to fail.')}</p>
        </div>
        <div className={classes.buttons}>
          <Button variant="default" loading={busy === 'check'} onClick={() => void check()}>
            {t('Check the sums')}
          </Button>
          <Button variant="default" onClick={() => setDoing({ what: 'deposit' })}>
            {t('Add credit')}
          </Button>
          <Button leftSection={<Plus size={14} />} onClick={() => setDoing({ what: 'mint' })}>
            {t('Mint a test token')}
          </Button>
        </div>
      </header>
      {faults.map((n) => (
        <div key={n.message} className={classes.banner}>
          <ErrorBox tone="warn" title={n.message} />
        </div>
      ))}
      {balances.isError && <ErrorBox title={messageOf(balances.error)} onRetry={() => void balances.refetch()} />}
      {balances.data ? <Balances balances={balances.data} /> : balances.isPending && <Skeleton height={62} mb={20} radius="md" />}
      {minted && (
        <div className={classes.minted} role="status">
          <span>
            {rich('<1>The token</1>, shown this once:', [<b />])}
          </span>
          <code data-testid="minted">{minted}</code>
          <Button size="compact-xs" leftSection={<Copy size={12} />} onClick={() => void act('copy', () => native.copy(minted), t('Copied'))}>
            {t('Copy')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => setMinted(undefined)}>
            {t('Done')}
          </Button>
        </div>
      )}
      <Tabs value={tab} onChange={(v) => go(links.payments(v ?? 'tokens'))} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="tokens">{t('Tokens')}</Tabs.Tab>
          <Tabs.Tab value="locks">{t('Locks')}</Tabs.Tab>
          <Tabs.Tab value="ledger">{t('Ledger')}</Tabs.Tab>
          <Tabs.Tab value="simulator">{t('Simulator')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tokens" className={classes.panel}>
          {tokens.isError && <ErrorBox title={messageOf(tokens.error)} onRetry={() => void tokens.refetch()} />}
          {tokens.data && list.length === 0 && (
            <EmptyState icon={<Coins size={20} />} title={t('Nobody has locked credits')} action={<Button onClick={() => setDoing({ what: 'mint' })}>{t('Mint a test token')}</Button>}>
              {rich('A token is what a caller pays with: send it in <1>X-PAYMENT</1>. What it buys is locked first, then settled.', [<code />])}
            </EmptyState>
          )}
          <TokenTree
            tokens={list}
            now={now}
            names={names}
            onAction={(action, token) => {
              if (action === 'entries') toEntries({ token: token.id });
              else if (action === 'revoke') setRevoking(token);
              else setDoing({ what: action, token });
            }}
          />
          <Older of={tokens} label={t('Older tokens')} />
        </Tabs.Panel>
        <Tabs.Panel value="locks" className={classes.panel}>
          <p className={classes.rule}>
            {t('A plain settle closes its lock and gives the rest back. With a charge type or usage the lock stays open for more, until it is released or its time is up.')}
          </p>
          {locks.isError && <ErrorBox title={messageOf(locks.error)} onRetry={() => void locks.refetch()} />}
          {locks.data && lockList.length === 0 && <EmptyState title={t('No locks')}>{t('A lock holds an amount while the work is done. Lock some of a token, or call something that has a price.')}</EmptyState>}
          {lockList.length > 0 && (
            <LockTable
              locks={lockList}
              now={now}
              names={names}
              openRun={openRun}
              onAction={(action, lock) => {
                if (action === 'entries') toEntries({ lock: lock.id });
                else if (action === 'release') void release(lock);
                else setDoing({ what: action, lock });
              }}
            />
          )}
          <Older of={locks} label={t('Older locks')} />
        </Tabs.Panel>
        <Tabs.Panel value="ledger" className={classes.panel}>
          <Ledger filter={filter} setFilter={(f) => go(links.payments('ledger', filterText(f)), { replace: true })} accounts={accounts} names={names} openRun={openRun} />
        </Tabs.Panel>
        <Tabs.Panel value="simulator" className={classes.panel}>
          <SimulatorTab agents={agents} send={send} />
        </Tabs.Panel>
      </Tabs>
      {sent && <SentRequest sent={sent} onClose={forget} />}
      {doing && <Forms key={doing.what} doing={doing} agents={agents} send={send} onClose={() => setDoing(undefined)} onToken={setMinted} />}
      <Modal opened={revoking !== undefined} onClose={() => setRevoking(undefined)} title={t('Revoke the token?')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <p className={page.ask}>
          {t('It pays for nothing from now on, nor does what was handed on from it. {money} goes back to where it came from.', { money: money(revoking?.remainingCredits) })}
        </p>
        <div className={page.buttons}>
          <Button variant="default" onClick={() => setRevoking(undefined)}>
            {t('Keep it')}
          </Button>
          <Button
            color="red"
            onClick={() => {
              const id = revoking!.id;
              setRevoking(undefined);
              void act('revoke', () => send('DELETE /api/payments/tokens/:id', { params: { id } }), t('The token is revoked'));
            }}
          >
            {t('Revoke')}
          </Button>
        </div>
      </Modal>
    </div>
  );
}

/** The way to the rest of a list. */
function Older({ of, label }: { of: ReturnType<typeof usePages>; label: string }) {
  if (!of.hasNextPage) return null;
  return (
    <div className={classes.more}>
      <Button variant="default" loading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}

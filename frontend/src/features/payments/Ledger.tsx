import { Button, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { files } from '../../api/routes';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { ErrorBox } from '../../ui/ErrorBox';
import { NoMatch } from '../../ui/NoMatch';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import { accountName, type Filter, filterText, readFilter } from './money';
import { LedgerRows } from './LedgerRows';
import classes from './Payments.module.css';

const kinds = ['deposit', 'mint', 'topup', 'delegate', 'lock', 'settle', 'commission', 'release', 'expire', 'return'];

interface Props {
  filter: Filter;
  setFilter: (filter: Filter) => void;
  accounts: { value: string; label: string }[];
  names: ReadonlyMap<string, string>;
  openRun: (id: string) => void;
}

/** Every movement, the newest first. With an account, what it held afterwards. */
export function Ledger({ filter, setFilter, accounts, names, openRun }: Props) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const ledger = useInfiniteQuery({
    queryKey: keys.ledger(filterText(filter)),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => client.call('GET /api/local/payments/entries', { query: { ...filter, limit: 100, cursor: pageParam }, signal }),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
  // Entries are numbered from one on: the newest one's number is how many there are.
  const newest = useQuery({
    queryKey: keys.ledger('newest'),
    enabled: ledger.data?.pages[0]?.entries.length === 0,
    queryFn: ({ signal }) => client.call('GET /api/local/payments/entries', { query: { limit: 1 }, signal }),
  });
  const entries = ledger.data?.pages.flatMap((p) => p.entries) ?? [];
  const narrowed = filterText(filter) !== '';
  const rest: Filter = { ...filter };
  delete rest.account;
  delete rest.kind;
  const latest = useRef(setFilter);
  useEffect(() => {
    latest.current = setFilter;
  });
  const onAccount = useCallback((account: string) => latest.current({ account }), []);
  const known = accounts.some((a) => a.value === filter.account);
  const download = () =>
    act('csv', async () => {
      const res = await client.send(`${files.ledger}?${new URLSearchParams(filter as Record<string, string>)}`, { headers: { Accept: '*/*' } });
      saveFile('ledger.csv', await res.blob());
    });
  return (
    <>
      <div className={classes.filters}>
        <Select
          w={160}
          label={t('Account')}
          placeholder={t('all')}
          clearable
          data={filter.account && !known ? [...accounts, { value: filter.account, label: accountName(filter.account, names) }] : accounts}
          value={filter.account ?? null}
          onChange={(v) => setFilter({ ...filter, account: v ?? undefined })}
        />
        <Select w={130} label={t('Kind')} placeholder={t('all')} clearable data={kinds} value={filter.kind ?? null} onChange={(v) => setFilter({ ...filter, kind: v ?? undefined })} />
        <TextInput
          label={t('Also')}
          w={260}
          spellCheck={false}
          placeholder="token:… lock:… invocation:…"
          key={filterText(rest)}
          defaultValue={filterText(rest)}
          onBlur={(e) => setFilter({ ...readFilter(e.currentTarget.value), account: filter.account, kind: filter.kind })}
          onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()}
        />
        {narrowed && (
          <Button variant="subtle" color="gray" leftSection={<X size={13} />} onClick={() => setFilter({})}>
            {t('Clear filters')}
          </Button>
        )}
        <span className={classes.grow} />
        <Button variant="default" leftSection={<Download size={13} />} loading={busy === 'csv'} disabled={entries.length === 0} onClick={() => void download()}>
          {t('Export as CSV')}
        </Button>
      </div>
      {ledger.isError && <ErrorBox title={messageOf(ledger.error)} onRetry={() => void ledger.refetch()} />}
      {ledger.data && entries.length === 0 && (narrowed ? <NoMatch of={newest.data?.entries[0]?.seq ?? 0} onClear={() => setFilter({})} /> : <p className={page.dim}>{t('Nothing has moved yet.')}</p>)}
      {entries.length > 0 && (
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('Entries')}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col" className={classes.number}>
                  {t('No.')}
                </th>
                <th scope="col">{t('When')}</th>
                <th scope="col">{t('Kind')}</th>
                <th scope="col">{t('From')}</th>
                <th scope="col">{t('To')}</th>
                <th scope="col" className={classes.number}>
                  {t('Amount')}
                </th>
                <th scope="col" className={classes.number}>
                  {filter.account ? t('Held afterwards') : t('From holds')}
                </th>
                {!filter.account && (
                  <th scope="col" className={classes.number}>
                    {t('To holds')}
                  </th>
                )}
                <th scope="col">{t('What for')}</th>
                <th scope="col">{t('Run')}</th>
              </tr>
            </thead>
            {ledger.data?.pages.map((p, i) => <LedgerRows key={i} entries={p.entries} account={filter.account} names={names} onAccount={onAccount} openRun={openRun} />)}
          </table>
        </div>
      )}
      {ledger.hasNextPage && (
        <div className={classes.more}>
          <Button variant="default" loading={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
            {t('Older entries')}
          </Button>
        </div>
      )}
    </>
  );
}

import { Button, Menu, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Database, Download, Ellipsis, Plus, Search, Upload } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, KVItem, KVNamespace } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { rich, t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { useCommand } from '../../ui/commands';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { until, visible } from '../../ui/format';
import { NoMatch } from '../../ui/NoMatch';
import { RowList } from '../../ui/RowList';
import { useAct } from '../../ui/useAct';
import { useNow } from '../../ui/useNow';
import classes from './Data.module.css';
import { ImportKeys } from './ImportKeys';
import { KeyEditor } from './KeyEditor';
import { exportLines, namespaceTitle, preview } from './keys';
import { useStaleAtExpiry } from './useStaleAtExpiry';
import { useStaleAfterRuns } from './useStaleAfterRuns';

const page = 200;
/** Keys that one export writes at most. */
const exportMost = 50_000;

const idOf = (ns: Pick<KVNamespace, 'function' | 'scope'>) => `${ns.function} ${ns.scope}`;

/** Keys and values by namespace. */
export function KvView({ agent }: { agent: Agent }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const now = useNow(10_000);
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState('');
  const [prefix] = useDebouncedValue(typed, 200);
  const [open, setOpen] = useState<{ key: string | undefined }>();
  const [importing, setImporting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useCommand('filter', () => field.current?.focus());
  useStaleAfterRuns(agent.id, keys.kv(agent.id));

  const namespaces = useQuery({
    queryKey: [...keys.kv(agent.id), 'namespaces'],
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/kv', { params: { agent: agent.id }, signal }),
  });
  // Those with something in them come first, in the order they are given.
  const list = useMemo(() => (namespaces.data?.namespaces ?? []).toSorted((a, b) => Number(b.keys > 0) - Number(a.keys > 0)), [namespaces.data]);
  // Until somebody chooses: where there is something to see.
  const ns = list.find((n) => idOf(n) === chosen) ?? list.find((n) => n.keys > 0) ?? list[0];
  const at = { function: ns?.function ?? '', scope: ns?.scope ?? 'fn' };
  const items = useInfiniteQuery({
    queryKey: [...keys.kv(agent.id), 'items', at.function, at.scope, prefix],
    enabled: ns !== undefined,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /api/local/agents/:agent/kv/items', {
        params: { agent: agent.id },
        query: { ...at, prefix, cursor: pageParam, limit: page, values: true },
        signal,
      }),
    getNextPageParam: (p) => p.nextCursor ?? undefined,
  });
  // Once per answer: a value may have megabytes, and rows are drawn often.
  const rows = useMemo(() => items.data?.pages.flatMap((p) => p.items.map((it) => ({ key: it.key, expiresAt: it.expiresAt, text: preview(it.value) }))) ?? [], [items.data]);
  const expiries = useMemo(() => rows.map((it) => it.expiresAt), [rows]);
  useStaleAtExpiry(keys.kv(agent.id), expiries);
  const refresh = () => cache.invalidateQueries({ queryKey: keys.kv(agent.id) });

  const download = () =>
    act('export', async () => {
      const all: KVItem[] = [];
      let cursor: string | undefined;
      do {
        const p = await client.call('GET /api/local/agents/:agent/kv/items', {
          params: { agent: agent.id },
          query: { ...at, prefix, cursor, limit: 250, values: true },
        });
        all.push(...p.items);
        cursor = p.nextCursor ?? undefined;
      } while (cursor && all.length < exportMost);
      saveFile(`${agent.username}-${at.function || at.scope}.jsonl`, exportLines(all, Date.now()), 'application/x-ndjson');
      if (cursor) throw new Error(t('Only the first {all} keys are in the file; export the rest by prefix.', { all: all.length }));
    });

  if (namespaces.isError) {
    return (
      <div className={classes.pad}>
        <ErrorBox title={messageOf(namespaces.error)} onRetry={() => void namespaces.refetch()} />
      </div>
    );
  }
  if (namespaces.isPending) {
    return (
      <div className={classes.pad}>
        <Skeleton height={120} radius="md" />
      </div>
    );
  }
  if (!ns) {
    return (
      <EmptyState icon={<Database size={20} />} title={t('No function keeps anything yet')}>
        {rich("<1>await ctx.kv.put('name', value)</1> stores a value, and it shows here. Write a function first.", [<code />])}
      </EmptyState>
    );
  }
  return (
    <div className={classes.split}>
      <nav className={classes.side} aria-label={t('Namespaces')}>
        <h2 className={classes.sideTitle}>{t('Whose keys')}</h2>
        {list.map((n) => (
          <button
            key={idOf(n)}
            type="button"
            className={classes.sideItem}
            aria-current={idOf(n) === idOf(ns) || undefined}
            onClick={() => {
              setChosen(idOf(n));
              setOpen(undefined);
            }}
          >
            <span className={classes.sideName}>{namespaceTitle(n)}</span>
            <span className={classes.count}>{n.keys >= 1000 ? '1,000+' : n.keys}</span>
          </button>
        ))}
      </nav>
      <section className={classes.middle} aria-label={t('Keys of {namespaceTitle}', { namespaceTitle: namespaceTitle(ns) })}>
        <div className={classes.tools}>
          <TextInput
            ref={field}
            className={classes.grow}
            aria-label={t('Prefix of the keys')}
            placeholder={t('Prefix')}
            spellCheck={false}
            leftSection={<Search size={13} aria-hidden />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
          <Button variant="default" leftSection={<Plus size={13} />} onClick={() => setOpen({ key: undefined })}>
            {t('New key')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" px={8} aria-label={t('More')} loading={busy === 'export'}>
                <Ellipsis size={15} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Upload size={14} />} onClick={() => setImporting(true)}>
                {t('Import…')}
              </Menu.Item>
              <Menu.Item leftSection={<Download size={14} />} disabled={rows.length === 0} onClick={() => void download()}>
                {prefix ? t('Export what begins with “{prefix}”', { prefix }) : t('Export all keys')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
        <div className={classes.listBox}>
          {items.isError && (
            <div className={classes.pad}>
              <ErrorBox title={messageOf(items.error)} onRetry={() => void items.refetch()} />
            </div>
          )}
          {!items.isPending && !items.isError && (
            <RowList
              label={t('Keys')}
              items={rows}
              keyOf={(it) => it.key}
              rowHeight={34}
              selected={open?.key}
              onOpen={(it) => setOpen({ key: it.key })}
              onEnd={() => {
                if (items.hasNextPage && !items.isFetchingNextPage) void items.fetchNextPage();
              }}
              render={(it) => (
                <>
                  <span className={classes.key}>{visible(it.key)}</span>
                  <span className={classes.value}>{it.text}</span>
                  {it.expiresAt && <span className={classes.ttl}>{t('goes {when}', { when: until(it.expiresAt, now) })}</span>}
                </>
              )}
              empty={
                prefix ? (
                  <NoMatch of={ns.keys >= 1000 ? '1,000+' : ns.keys} onClear={() => setTyped('')}>
                    {t('No key begins with “{prefix}”.', { prefix })}
                  </NoMatch>
                ) : (
                  <EmptyState icon={<Database size={20} />} title={t('{namespaceTitle} keeps nothing yet', { namespaceTitle: namespaceTitle(ns) })}>
                    {rich("<1>await ctx.kv.put('name', value)</1> in the function, or a new key here.", [<code />])}
                  </EmptyState>
                )
              }
            />
          )}
        </div>
      </section>
      {open && (
        <KeyEditor
          key={`${idOf(ns)} ${open.key ?? ''}`}
          agent={agent}
          at={at}
          name={open.key}
          onClose={() => setOpen(undefined)}
          onSaved={(key) => {
            setOpen({ key });
            void refresh();
          }}
          onDeleted={() => {
            setOpen(undefined);
            void refresh();
          }}
        />
      )}
      {importing && (
        <ImportKeys
          agent={agent}
          at={at}
          title={namespaceTitle(ns)}
          onClose={() => setImporting(false)}
          onChanged={() => void refresh()}
        />
      )}
    </div>
  );
}

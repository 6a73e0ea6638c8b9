import { ActionIcon, Button, Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ArrowUp, Download, Pause, Play } from 'lucide-react';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { links, unpacked } from '../../api/links';
import { useAgents } from '../../api/queries';
import { files } from '../../api/routes';
import type { ScreenProps } from '../../app/screen';
import { locale } from '../../i18n/language';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { EmptyState } from '../../ui/EmptyState';
import { NoMatch } from '../../ui/NoMatch';
import { ErrorBox } from '../../ui/ErrorBox';
import { Hint } from '../../ui/Keys';
import { ActivityList } from './ActivityList';
import { ActivityRow, nameOf } from './ActivityRow';
import classes from './ActivityScreen.module.css';
import type { ListedRow } from './listed';
import { OpenRow } from './OpenRow';
import { isEmpty, parseQuery, searchParams, type Query } from './query';
import { QueryBar } from './QueryBar';
import { useFeed } from './useFeed';

/** Everything that happened and happens, on a page of its own. The filter is in the address. */
export default function ActivityScreen({ rest, go, openRun }: ScreenProps) {
  const agents = useAgents();
  const list = useMemo(() => agents.data ?? [], [agents.data]);
  const text = unpacked(rest);
  const query = useMemo(() => parseQuery(text), [text]);
  const [feed, state] = useFeed(query, list);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [paused, setPaused] = useState(false);
  const [atTop, setAtTop] = useState(true);
  const [toTop, setToTop] = useState(0);
  const following = !paused && atTop && open.size === 0;
  useEffect(() => feed.follow(following), [feed, following]);
  useEffect(() => setOpen(new Set()), [feed]);

  const toggle = useCallback(
    (id: string) =>
      setOpen((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const agentOf = useCallback((id: string) => list.find((a) => a.id === id)?.username ?? '', [list]);
  const shownAgent = useCallback((id: string) => (list.length > 1 ? agentOf(id) : ''), [agentOf, list]);
  const render = useCallback((row: ListedRow) => <ActivityRow row={row} agent={shownAgent(row.agent_id)} />, [shownAgent]);
  const name = useCallback((row: ListedRow) => nameOf(row, shownAgent(row.agent_id)), [shownAgent]);
  const details = useCallback(
    (row: ListedRow) => (
      <OpenRow
        id={row.id}
        onFull={() => openRun(row.id)}
        onFunction={agentOf(row.agent_id) ? () => go(links.function(agentOf(row.agent_id), row.function_name)) : undefined}
      />
    ),
    [agentOf, go, openRun],
  );
  const setQuery = useCallback((next: string) => go(links.activity(next.trim()), { replace: true }), [go]);
  const showNew = () => {
    feed.show();
    setToTop((n) => n + 1);
  };
  const { rows, waiting, more, loading, error } = state;
  const status = paused ? t('Paused') : following ? t('Following') : t('Held while you read');
  return (
    <div className={classes.page}>
      <h1 className="visually-hidden">{t('Activity')}</h1>
      <div className={classes.bar}>
        <QueryBar text={text} problems={query.problems} onChange={setQuery} />
        <span className={classes.state} data-state={paused ? 'paused' : following ? 'live' : 'held'} data-testid="follow">
          <span className={classes.dot} aria-hidden />
          {status}
        </span>
        <Tools paused={paused} onPause={setPaused} query={query} />
      </div>
      <div className={classes.body}>
        {waiting > 0 && (
          <Button className={classes.waiting} size="compact-sm" radius="xl" leftSection={<ArrowUp size={13} />} onClick={showNew}>
            {t('{waiting} new', { waiting: waiting.toLocaleString(locale()) })}
          </Button>
        )}
        {error && rows.length === 0 ? (
          <div className={classes.error}>
            <ErrorBox title={error} onRetry={() => feed.reload()} />
          </div>
        ) : rows.length === 0 && !loading && !more ? (
          isEmpty(query) ? (
            <EmptyState title={t('Nothing has happened yet')}>{t('Run a function, save one or set a secret: it shows here while it happens.')}</EmptyState>
          ) : (
            <NoMatch of={state.of ?? 0} onClear={() => setQuery('')}>
              <code className={classes.code}>{text}</code>
            </NoMatch>
          )
        ) : (
          <ActivityList
            rows={rows}
            render={render}
            nameOf={name}
            details={details}
            open={open}
            onToggle={toggle}
            onOpenFull={openRun}
            onTop={setAtTop}
            onEnd={feed.loadMore}
            toTop={toTop}
            // Another footer once there are rows: what stands where they come would have to leave.
            footer={<Footer key={rows.length === 0 ? 'first' : 'below'} loading={loading} error={error} count={more ? undefined : rows.length} onRetry={feed.loadMore} />}
          />
        )}
      </div>
    </div>
  );
}

/** Pause and export. What happens on the list is nothing to them. */
const Tools = memo(function Tools({ paused, onPause, query }: { paused: boolean; onPause: (paused: boolean) => void; query: Query }) {
  const { client } = useApi();
  const [exporting, setExporting] = useState(false);
  const download = async () => {
    setExporting(true);
    try {
      const search = new URLSearchParams();
      for (const [key, value] of Object.entries(searchParams(query))) {
        for (const one of Array.isArray(value) ? value : [value]) search.append(key, one);
      }
      const res = await client.send(`${files.activity}?${search}`, { headers: { Accept: '*/*' } });
      saveFile('activity.jsonl', await res.blob());
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    } finally {
      setExporting(false);
    }
  };
  return (
    <>
      <Hint label={paused ? t('Go on') : t('Pause')}>
        <ActionIcon variant="default" size={30} aria-label={paused ? t('Go on') : t('Pause')} onClick={() => onPause(!paused)}>
          {paused ? <Play size={15} /> : <Pause size={15} />}
        </ActionIcon>
      </Hint>
      <Hint label={t('Export what matches, as lines of JSON')}>
        <ActionIcon variant="default" size={30} aria-label={t('Export')} loading={exporting} onClick={() => void download()}>
          <Download size={15} />
        </ActionIcon>
      </Hint>
    </>
  );
});

/** What is below the last row: more to come, or, when their number is known, that these are all. */
const Footer = memo(function Footer({ loading, error, count, onRetry }: { loading: boolean; error?: string; count?: number; onRetry: () => void }) {
  return (
    <div className={classes.footer} data-testid="end">
      {loading && <Loader size={14} aria-label={t('Loading')} />}
      {error && <ErrorBox title={error} onRetry={onRetry} />}
      {count !== undefined && count > 0 && !loading && <span>{t('{n, plural, one {# row} other {# rows}}, to the beginning', { n: count })}</span>}
    </div>
  );
});

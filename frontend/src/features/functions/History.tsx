import { Skeleton } from '@mantine/core';
import { History as HistoryIcon } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { InvocationRow } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { useHistory } from '../../api/queries';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { clock, dateTime, duration } from '../../ui/format';
import { RowList } from '../../ui/RowList';
import { StatusChip, toneOf } from '../../ui/StatusChip';
import classes from './History.module.css';

/** Every invocation and every change of a function, newest first. */
export function History({ agent, name, openRun }: { agent: string; name: string; openRun: (id: string) => void }) {
  const history = useHistory(agent, name);
  const rows = useMemo(() => history.data?.pages.flatMap((p) => p.invocations ?? []) ?? [], [history.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (history.isPending) return <Skeleton height={120} radius={0} />;
  if (history.isError && rows.length === 0) {
    return (
      <div className={classes.failed}>
        <ErrorBox title={messageOf(history.error)} onRetry={() => void history.refetch()} />
      </div>
    );
  }
  return (
    <RowList
      label={t('History of {name}', { name })}
      items={rows}
      keyOf={keyOf}
      nameOf={(r) => `${wordOf(r)}, ${dateTime(r.started_at)}, ${r.status}`}
      rowHeight={44}
      onOpen={(r) => openRun(r.id)}
      onEnd={onEnd}
      render={(r) => <Row row={r} />}
      empty={
        <EmptyState icon={<HistoryIcon size={18} />} title={t('Nothing has happened yet')}>
          {t('Runs and saved versions of this function are listed here.')}
        </EmptyState>
      }
    />
  );
}

const keyOf = (r: InvocationRow) => r.id;

function wordOf(row: InvocationRow): string {
  if (row.source_skill !== 'authoring') return row.source_skill.replace('custom_', '');
  return (row.authoring_action ?? 'authoring').replace('_', ' ');
}

function Row({ row }: { row: InvocationRow }) {
  const authoring = row.source_skill === 'authoring';
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        {authoring ? <StatusChip tone="dim">{wordOf(row)}</StatusChip> : <StatusChip tone={toneOf(row.status)} busy={row.status === 'running'}>{row.status}</StatusChip>}
        <span className={classes.word}>{authoring ? (row.authoring_surface ?? '') : wordOf(row)}</span>
        <span className={classes.space} />
        <span className={classes.number}>{authoring || row.status === 'running' ? '' : duration(row.duration_ms)}</span>
      </div>
      <div className={classes.line}>
        <span className={classes.when} title={dateTime(row.started_at)}>
          {clock(row.started_at)}
        </span>
        <span className={classes.error}>{row.error_code}</span>
        <span className={classes.space} />
        {row.function_version ? <span className={classes.number}>v{row.function_version}</span> : null}
      </div>
    </div>
  );
}

import { ActionIcon, SegmentedControl } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { useActivity } from '../api/activity';
import type { Agent, InvocationRow } from '../api/contract.gen';
import { t } from '../i18n/t';
import { EmptyState } from '../ui/EmptyState';
import { CodedError } from '../ui/CodedError';
import { clock, duration } from '../ui/format';
import { keepClear } from '../ui/keepClear';
import { Hint } from '../ui/Keys';
import { RowList } from '../ui/RowList';
import { Splitter } from '../ui/Splitter';
import { StatusChip, toneOf } from '../ui/StatusChip';
import classes from './ActivityBand.module.css';

interface Props {
  agent: string | undefined;
  agents: readonly Agent[];
  open: boolean;
  height: number;
  selected: string | undefined;
  onToggle: () => void;
  onHeight: (height: number) => void;
  openRun: (id: string) => void;
}

/** What happens, as it happens, at the bottom of every screen. */
export function ActivityBand({ agent, agents, open, height, selected, onToggle, onHeight, openRun }: Props) {
  const rows = useActivity(agent);
  const [filter, setFilter] = useState('all');
  const shown = filter === 'errors' ? rows.filter((r) => r.status === 'error') : rows;
  const running = rows.filter((r) => r.status === 'running').length;
  const newest = rows[0];
  const nameOf = (id: string) => (agents.length > 1 ? (agents.find((a) => a.id === id)?.username ?? '') : '');
  return (
    <section ref={keepClear} className={classes.band} aria-label={t('Activity')}>
      {open && <Splitter label={t('Height of activity')} orientation="horizontal" reverse value={height} min={110} max={480} onChange={onHeight} />}
      <div className={classes.head}>
        <button type="button" className={classes.toggle} aria-expanded={open} onClick={onToggle}>
          {t('Activity')}
          <span className={classes.count}>{rows.length}</span>
        </button>
        {open ? (
          <SegmentedControl
            aria-label={t('Which invocations')}
            size="xs"
            className={classes.filter}
            value={filter}
            onChange={setFilter}
            data={[
              { value: 'all', label: t('All') },
              { value: 'errors', label: t('Errors') },
            ]}
          />
        ) : (
          newest && (
            <button type="button" className={classes.newest} onClick={() => openRun(newest.id)}>
              <RunStatus row={newest} />
              <span className={classes.name}>{[nameOf(newest.agent_id), newest.function_name].filter(Boolean).join(' / ')}</span>
              <span className={classes.dim}>{clock(newest.started_at)}</span>
            </button>
          )
        )}
        <span className={classes.space} />
        {running > 0 && (
          <StatusChip tone="run" busy>
            {t('{running} running', { running })}
          </StatusChip>
        )}
        <Hint label={open ? t('Hide activity') : t('Show activity')} command="toggleActivity">
          <ActionIcon aria-label={open ? t('Hide activity') : t('Show activity')} onClick={onToggle}>
            {open ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
          </ActionIcon>
        </Hint>
      </div>
      {open && (
        <div className={classes.list} style={{ height }}>
          <RowList
            label={t('Invocations')}
            items={shown}
            keyOf={(r) => r.id}
            nameOf={(r) => `${r.function_name}, ${r.source_skill === 'authoring' ? actionOf(r) : r.status}, ${clock(r.started_at)}`}
            rowHeight={30}
            selected={selected}
            onOpen={(r) => openRun(r.id)}
            render={(r) => <Row row={r} agent={nameOf(r.agent_id)} />}
            empty={
              filter === 'errors' && rows.length > 0 ? (
                <EmptyState title={t('0 of {rows} match', { rows: rows.length })} action={<button type="button" className={classes.link} onClick={() => setFilter('all')}>{t('Clear filter')}</button>} />
              ) : (
                <EmptyState title={t('Nothing has run yet')}>{t('Run a function, and it shows here while it runs.')}</EmptyState>
              )
            }
          />
        </div>
      )}
    </section>
  );
}

function RunStatus({ row }: { row: InvocationRow }) {
  if (row.source_skill === 'authoring') return <StatusChip tone="dim">{actionOf(row)}</StatusChip>;
  return (
    <StatusChip tone={toneOf(row.status)} busy={row.status === 'running'}>
      {row.status}
    </StatusChip>
  );
}

/** What was done to a function, for an audit row. */
function actionOf(row: InvocationRow): string {
  return (row.authoring_action ?? 'authoring').replace('_', ' ');
}

function Row({ row, agent }: { row: InvocationRow; agent: string }) {
  return (
    <>
      <span className={classes.time}>{clock(row.started_at)}</span>
      <span className={classes.status}><RunStatus row={row} /></span>
      <span className={`${classes.name} ${classes.cell}`}>{agent && <span className={classes.agent}>{agent} / </span>}{row.function_name}</span>
      <span className={classes.skill}>{row.source_skill === 'authoring' ? row.authoring_surface : row.source_skill.replace('custom_', '')}</span>
      <span className={classes.duration}>{row.status === 'running' ? '…' : row.source_skill === 'authoring' ? '' : duration(row.duration_ms)}</span>
      <span className={classes.error}>{row.error_code && <CodedError code={row.error_code} message={row.error_message} />}</span>
    </>
  );
}

import { memo } from 'react';
import type { InvocationRow } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { CodedError } from '../../ui/CodedError';
import { clock, dateTime, day, duration } from '../../ui/format';
import { StatusChip, toneOf } from '../../ui/StatusChip';
import classes from './ActivityRow.module.css';

const today = () => new Date().toDateString();

/** What was done to a function, for an audit row. */
export function actionOf(row: InvocationRow): string {
  return (row.authoring_action ?? 'authoring').replace('_', ' ');
}

/** A row as one line says it, for screen readers. */
export function nameOf(row: InvocationRow, agent = ''): string {
  const what = row.source_skill === 'authoring' ? actionOf(row) : row.status;
  return [agent && `${agent} /`, `${row.function_name},`, `${what},`, row.error_code && `${row.error_code},`, clock(row.started_at)].filter(Boolean).join(' ');
}

/** One thing that happened, in columns. */
export const ActivityRow = memo(function ActivityRow({ row, agent }: { row: InvocationRow; agent?: string }) {
  const authoring = row.source_skill === 'authoring';
  const old = new Date(row.started_at).toDateString() !== today();
  return (
    <>
      <span className={classes.time} title={dateTime(row.started_at)}>
        {old && <span className={classes.day}>{day(row.started_at)}</span>}
        {clock(row.started_at)}
      </span>
      <span className={classes.status}>
        {authoring ? (
          <StatusChip tone="dim">{actionOf(row)}</StatusChip>
        ) : (
          <StatusChip tone={toneOf(row.status)} busy={row.status === 'running'}>
            {row.status}
          </StatusChip>
        )}
      </span>
      <span className={classes.name}>
        {agent && <span className={classes.agent}>{agent} / </span>}
        {row.function_name}
      </span>
      <span className={classes.skill}>{authoring ? t('by {authoring_surface}', { authoring_surface: row.authoring_surface ?? 'api' }) : row.source_skill.replace('custom_', '')}</span>
      <span className={classes.duration}>{authoring ? '' : row.status === 'running' ? '…' : duration(row.duration_ms)}</span>
      <span className={classes.calls}>{row.host_calls > 0 ? t('{host_calls} {n, plural, one {call} other {calls}}', { host_calls: row.host_calls, n: row.host_calls }) : ''}</span>
      <span className={classes.error}>
        {row.error_code && <CodedError code={row.error_code} message={row.error_message} />}
      </span>
    </>
  );
});

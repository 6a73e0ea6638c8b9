import { memo } from 'react';
import { t } from '../../i18n/t';
import { CodedError } from '../../ui/CodedError';
import { clock, dateTime, day, duration, isToday } from '../../ui/format';
import { StatusChip, toneOf } from '../../ui/StatusChip';
import classes from './ActivityRow.module.css';
import type { ListedRow } from './listed';

/** What was done to a function, for an audit row. */
export function actionOf(row: ListedRow): string {
  return (row.authoring_action ?? 'authoring').replace('_', ' ');
}

/** A row as one line says it, for screen readers. */
export function nameOf(row: ListedRow, agent = ''): string {
  const what = row.source_skill === 'authoring' ? actionOf(row) : row.status;
  return [agent && `${agent} /`, `${row.function_name},`, `${what},`, row.error_code && `${row.error_code},`, clock(row.started_at)].filter(Boolean).join(' ');
}

/** One thing that happened, in columns. */
export const ActivityRow = memo(function ActivityRow({ row, agent }: { row: ListedRow; agent?: string }) {
  const authoring = row.source_skill === 'authoring';
  return (
    <>
      <span className={classes.time} title={dateTime(row.started_at)}>
        {isToday(row.started_at) ? clock(row.started_at) : `${day(row.started_at)} ${clock(row.started_at)}`}
      </span>
      <StatusChip className={classes.status} tone={authoring ? 'dim' : toneOf(row.status)} busy={!authoring && row.status === 'running'}>
        {authoring ? actionOf(row) : row.status}
      </StatusChip>
      <span className={classes.name}>
        {agent && <span className={classes.agent}>{agent} / </span>}
        {row.function_name}
      </span>
      <span className={classes.skill}>{authoring ? t('by {authoring_surface}', { authoring_surface: row.authoring_surface ?? 'api' }) : row.source_skill.replace('custom_', '')}</span>
      <span className={classes.duration}>{authoring ? '' : row.status === 'running' ? '…' : duration(row.duration_ms)}</span>
      <span className={classes.calls}>{row.host_calls > 0 ? t('{host_calls} {n, plural, one {call} other {calls}}', { host_calls: row.host_calls, n: row.host_calls }) : ''}</span>
      {row.error_code && (
        <span className={classes.error}>
          <CodedError code={row.error_code} message={row.error_message} />
        </span>
      )}
    </>
  );
});

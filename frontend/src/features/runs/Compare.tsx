import { Select, Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { InvocationDetail, InvocationRow, TraceEntry } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { useHistory, useInvocation } from '../../api/queries';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { besideCode } from '../../ui/errorText';
import { writeJson } from '../../ui/exact';
import { bytes, dateTime, duration } from '../../ui/format';
import { jsonText, layOut } from '../../ui/json';
import { TextDiff } from '../../ui/TextDiff';
import { momentText } from '../clock/moment';
import classes from './Compare.module.css';

/** A run beside another of the same function: figures, input, result, logs and trace. */
export function Compare({ run }: { run: InvocationDetail }) {
  const history = useHistory(run.agent_id, run.function_name);
  const others = useMemo(() => (history.data?.pages ?? []).flatMap((p) => p.invocations ?? []).filter((r) => r.source_skill !== 'authoring' && r.status !== 'running' && r.id !== run.id), [history.data, run.id]);
  const before = others.find((r) => r.started_at < run.started_at) ?? others[0];
  const [picked, setPicked] = useState<string>();
  const id = picked ?? before?.id;
  const other = useInvocation(id);
  if (history.isPending) return <Skeleton height={160} radius={0} />;
  if (!id) return <EmptyState title={t('Nothing to compare with')}>{t('{function_name} has run only once.', { function_name: run.function_name })}</EmptyState>;
  return (
    <div className={classes.compare}>
      <Select
        label={t('Compare with')}
        searchable
        value={id}
        allowDeselect={false}
        onChange={(v) => setPicked(v ?? undefined)}
        onDropdownClose={() => history.hasNextPage && void history.fetchNextPage()}
        data={others.slice(0, 200).map((r) => ({ value: r.id, label: labelOf(r, before) }))}
      />
      {other.isError && <ErrorBox title={messageOf(other.error)} onRetry={() => void other.refetch()} />}
      {other.data && <Sides left={other.data} right={run} />}
    </div>
  );
}

function labelOf(r: InvocationRow, before: InvocationRow | undefined): string {
  return `${dateTime(r.started_at)} · ${r.status} · ${duration(r.duration_ms)}${r.function_version ? ` · v${r.function_version}` : ''}${r.id === before?.id ? ` · ${t('the run before')}` : ''}`;
}

function Sides({ left, right }: { left: InvocationDetail; right: InvocationDetail }) {
  const facts: [string, (r: InvocationDetail) => string][] = [
    [t('Started'), (r) => dateTime(r.started_at)],
    [t('Status'), (r) => r.error_code ?? r.status],
    [t('Version'), (r) => (r.function_version ? `v${r.function_version}` : '–')],
    [t('Took'), (r) => duration(r.duration_ms)],
    ['CPU', (r) => duration(r.cpu_ms)],
    [t('Host calls'), (r) => String(r.host_calls)],
    [t('Received'), (r) => bytes(r.ingress_bytes)],
    [t('Sent'), (r) => bytes(r.egress_bytes)],
    ...(left.replay.clock || right.replay.clock ? [[t('Clock'), clockText] as [string, (r: InvocationDetail) => string]] : []),
  ];
  const parts: [string, (r: InvocationDetail) => string, part?: string][] = [
    [t('Input'), (r) => kept(r, 'input'), 'input'],
    [t('Result'), (r) => (r.status === 'ok' ? kept(r, 'result') : `${r.error_code ?? r.status}: ${besideCode(r.error_code, r.error_message)}`), 'result'],
    [t('Logs'), (r) => (r.logs ?? []).map((l) => `${l.level} ${l.message}${l.data === undefined ? '' : ` ${writeJson(l.data)}`}`).join('\n')],
    [t('Trace'), (r) => [...(r.trace ?? [])].sort((a, b) => a.startUs - b.startUs).map(traceLine).join('\n')],
  ];
  return (
    <>
      <table className={classes.facts}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('The other')}</th>
            <th scope="col">{t('This run')}</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, of]) => (
            <tr key={name} data-differs={of(left) !== of(right) || undefined}>
              <th scope="row">{name}</th>
              <td>{of(left)}</td>
              <td>{of(right)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {parts.map(([name, of, part]) => (
        <section key={name} aria-label={t('{name} compared', { name })}>
          <h3 className={classes.title}>{name}</h3>
          {part && [left, right].some((r) => r.cut?.includes(part)) && <p className={classes.note}>{t('Of a value that is too long only the beginning was kept: what lies behind it may differ.')}</p>}
          <TextDiff left={of(left)} right={of(right)} label={t('{name}, the other run beside this one', { name })} />
        </section>
      ))}
    </>
  );
}

const clockText = (r: InvocationDetail): string => (r.replay.clock ? momentText(r.replay.clock) : t('live'));

/** A value as it was kept, laid out. */
function kept(r: InvocationDetail, part: 'input' | 'result'): string {
  const value = r[part];
  return r.cut?.includes(part) && typeof value === 'string' ? layOut(value) : jsonText(value);
}

/** What an entry did in one line, without its times: those always differ. */
function traceLine(e: TraceEntry): string {
  const kind = e.kind === 'event' || e.kind === 'log' ? e.kind : '';
  const said = e.kind === 'log' ? e.result : e.args;
  const value = said === undefined ? '' : writeJson(said);
  return `${kind ? `${kind} ` : ''}${e.name} ${value}${e.error ? ` → ${e.error.code}` : ''}`;
}

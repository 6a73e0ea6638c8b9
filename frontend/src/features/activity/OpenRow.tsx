import { Button, Tabs } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Maximize2 } from 'lucide-react';
import { useInvocation } from '../../api/queries';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { CodedError } from '../../ui/CodedError';
import { ErrorBox } from '../../ui/ErrorBox';
import { EventLines } from '../../ui/EventLines';
import { JsonView } from '../../ui/JsonView';
import { LogLines } from '../../ui/LogLines';
import { ClockChip } from '../clock/ClockChip';
import { RunWaterfall } from '../runs/RunWaterfall';
import classes from './OpenRow.module.css';

/** What is shown of a run below its row; everything is one click away. */
export function OpenRow({ id, onFull, onFunction }: { id: string; onFull: () => void; onFunction?: () => void }) {
  const native = useNative();
  const run = useInvocation(id);
  const detail = run.data;
  if (run.isError) {
    return (
      <div className={classes.box}>
        <ErrorBox title={messageOf(run.error)} onRetry={() => void run.refetch()} />
      </div>
    );
  }
  if (!detail) return <div className={classes.box} aria-busy />;
  const copy = (text: string) =>
    void native
      .copy(text)
      .then(() => notifications.show({ message: t('Copied') }))
      .catch((error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }));
  const logs = detail.logs ?? [];
  const events = detail.events ?? [];
  const trace = detail.trace ?? [];
  const tabs = [
    ...(trace.length ? [{ value: 'trace', label: t('Waterfall {trace}', { trace: trace.length }), body: <RunWaterfall run={detail} onCopy={copy} /> }] : []),
    ...(detail.result !== undefined ? [{ value: 'result', label: t('Result'), body: <JsonView value={detail.result} cut={detail.cut?.includes('result')} label={t('Result')} onCopy={copy} /> }] : []),
    ...(detail.input !== undefined ? [{ value: 'input', label: t('Input'), body: <JsonView value={detail.input} cut={detail.cut?.includes('input')} label={t('Input')} onCopy={copy} /> }] : []),
    ...(logs.length ? [{ value: 'logs', label: t('Logs {logs}', { logs: logs.length }), body: <LogLines lines={logs} onCopy={copy} /> }] : []),
    ...(events.length ? [{ value: 'events', label: t('Events {events}', { events: events.length }), body: <EventLines events={events} onCopy={copy} /> }] : []),
    { value: 'raw', label: t('Raw'), body: <JsonView value={detail} label={t('Raw')} onCopy={copy} /> },
  ];
  return (
    <div className={classes.box}>
      {detail.error_code && (
        <div className={classes.error}>
          <CodedError code={detail.error_code} message={detail.error_message} />
          {detail.error_at && (
            <span className={classes.at}>
              {detail.error_at.file}:{detail.error_at.line}:{detail.error_at.column}
            </span>
          )}
        </div>
      )}
      {detail.replay.clock && (
        <div className={classes.clock}>
          <ClockChip clock={detail.replay.clock} />
        </div>
      )}
      {/* A run that ends meanwhile has other tabs: the first of them is shown again. */}
      <Tabs key={tabs[0]?.value} defaultValue={tabs[0]?.value} keepMounted={false}>
        <div className={classes.head}>
          <Tabs.List className={classes.list}>
            {tabs.map((t) => (
              <Tabs.Tab key={t.value} value={t.value}>
                {t.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {onFunction && (
            <Button size="compact-xs" variant="subtle" onClick={onFunction}>
              {t('Open {function_name}', { function_name: detail.function_name })}
            </Button>
          )}
          <Button size="compact-xs" variant="default" leftSection={<Maximize2 size={12} />} onClick={onFull}>
            {t('All details')}
          </Button>
        </div>
        {tabs.map((t) => (
          <Tabs.Panel key={t.value} value={t.value} className={classes.panel}>
            {t.body}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

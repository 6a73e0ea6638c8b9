import { Button, Tabs } from '@mantine/core';
import { Copy, FileCode2, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorTable, type Code, type InvokeResult } from '../../../api/contract.gen';
import { useInvocation } from '../../../api/queries';
import { rich, t } from '../../../i18n/t';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorBox } from '../../../ui/ErrorBox';
import { besideCode } from '../../../ui/errorText';
import { EventLines } from '../../../ui/EventLines';
import { bytes, duration } from '../../../ui/format';
import { JsonView } from '../../../ui/JsonView';
import { LogLines } from '../../../ui/LogLines';
import { StatusChip } from '../../../ui/StatusChip';
import { ClockChip } from '../../clock/ClockChip';
import { Denied } from '../../runs/Denied';
import classes from './RunOutput.module.css';
import { NotRun } from './NotRun';
import type { RunState } from './runState';

interface Props {
  state: RunState;
  /** The manifest was changed so that what was denied is allowed: runs again. */
  onFixed: () => void;
  path: string;
  onCurl: () => void;
  onDetails: (id: string) => void;
  onPlace: (line: number, column: number) => void;
  onRun: () => void;
  onCopy: (text: string) => void;
}

/** What came of the run: while it runs, and after. */
export function RunOutput({ state, onFixed, path, onCurl, onDetails, onPlace, onRun, onCopy }: Props) {
  const [tab, setTab] = useState<string | null>('result');
  if (state.phase === 'idle') {
    return (
      <EmptyState icon={<Play size={18} />} title={t('Run it')} action={<Button variant="default" onClick={onRun}>{t('Run with this input')}</Button>}>
        {t('The result, events and logs show here while it runs.')}
      </EmptyState>
    );
  }
  if (state.phase === 'refused') {
    return (
      <div className={classes.refused}>
        {state.problem && <NotRun problem={state.problem} />}
      </div>
    );
  }
  const { result } = state;
  return (
    <section className={classes.output} aria-label={t('Output of the run')}>
      <div className={classes.status}>
        {result ? <Outcome result={result} replayed={state.replayed} /> : <Running since={state.startedAt} />}
        <span className={classes.space} />
        {state.invocationId && result && (
          <Button variant="subtle" size="compact-xs" onClick={() => onDetails(state.invocationId ?? '')}>
            {t('Details')}
          </Button>
        )}
      </div>
      {state.clock && (
        <div className={classes.clock}>
          <ClockChip clock={state.clock} />
        </div>
      )}
      {result && !result.ok && <Failure result={result} onPlace={onPlace} />}
      {result && state.invocationId && !state.replayed && <DeniedHere id={state.invocationId} onFixed={onFixed} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="result">{t('Result')}</Tabs.Tab>
          <Tabs.Tab value="events">{t('Events {events}', { events: state.events.length })}</Tabs.Tab>
          <Tabs.Tab value="logs">{t('Logs {logs}', { logs: state.logs.length })}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="result" className={classes.panel}>
          {result?.ok ? <JsonView value={result.result} label={t('Result')} onCopy={onCopy} /> : <EmptyState title={result ? t('No result') : t('Running…')} />}
        </Tabs.Panel>
        <Tabs.Panel value="events" className={classes.panel}>
          {state.events.length ? (
            <EventLines events={state.events} onCopy={onCopy} />
          ) : (
            <EmptyState title={state.replayed ? t('A replayed answer has no events') : t('This function has not emitted')}>
              <code className={classes.code}>{"ctx.emit('progress', { done: 1 })"}</code>
            </EmptyState>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="logs" className={classes.panel}>
          {state.logs.length ? (
            <LogLines lines={state.logs} onCopy={onCopy} />
          ) : (
            <EmptyState title={t('Nothing was logged')}>
              <code className={classes.code}>{"ctx.log.info('here', value)"}</code>
            </EmptyState>
          )}
        </Tabs.Panel>
      </Tabs>
      {result && (
        <div className={classes.curl}>
          <span className={classes.was}>
            {rich('That was <1>POST {path}</1>', [<code />], { path })}
          </span>
          <Button variant="subtle" size="compact-xs" leftSection={<Copy size={12} />} onClick={onCurl}>
            {t('Copy as curl')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Outcome({ result, replayed }: { result: InvokeResult; replayed?: boolean }) {
  const cancelled = result.errorCode === 'INVOCATION_CANCELLED';
  return (
    <>
      <StatusChip tone={result.ok ? 'ok' : cancelled ? 'warn' : 'bad'}>{result.ok ? t('ok') : cancelled ? t('cancelled') : t('error')}</StatusChip>
      <span className={classes.meter}>{duration(result.durationMs)}</span>
      {result.version ? <span className={classes.meter}>v{result.version}</span> : null}
      {result.ingressBytes + result.egressBytes > 0 && (
        <span className={classes.meter}>
          ↓ {bytes(result.ingressBytes)} ↑ {bytes(result.egressBytes)}
        </span>
      )}
      {replayed && <StatusChip tone="dim">{t('replayed')}</StatusChip>}
    </>
  );
}

function Running({ since }: { since?: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <StatusChip tone="run" busy>
        {t('running')}
      </StatusChip>
      <span className={classes.meter}>{duration(Math.max(0, Math.floor((now - (since ?? now)) / 100) * 100))}</span>
    </>
  );
}

/** What the run was denied, also where the function caught it. */
function DeniedHere({ id, onFixed }: { id: string; onFixed: () => void }) {
  const run = useInvocation(id).data;
  return run ? (
    <div className={classes.denied}>
      <Denied run={run} onFixed={onFixed} />
    </div>
  ) : null;
}

function Failure({ result, onPlace }: { result: InvokeResult; onPlace: Props['onPlace'] }) {
  const at = result.errorAt;
  const code = result.errorCode as Code | undefined;
  return (
    <div className={classes.failure}>
      <ErrorBox title={code ?? t('error')} tone={code === 'INVOCATION_CANCELLED' ? 'warn' : 'bad'}>
        <div>{besideCode(code, result.errorMessage)}</div>
        {code && errorTable[code] && code !== 'INVOCATION_CANCELLED' && <div className={classes.meaning}>{errorTable[code].meaning}</div>}
        {at && (
          <Button mt={8} size="compact-xs" variant="default" leftSection={<FileCode2 size={13} />} onClick={() => onPlace(at.line, at.column)}>
            {at.file}:{at.line}:{at.column}
          </Button>
        )}
      </ErrorBox>
    </div>
  );
}

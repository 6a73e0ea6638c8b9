import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { InvocationDetail } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { deniedIn, deniedInside } from '../../manifest/why';
import { useCommand } from '../../ui/commands';
import { EmptyState } from '../../ui/EmptyState';
import { EventLines } from '../../ui/EventLines';
import { JsonView } from '../../ui/JsonView';
import { LogLines } from '../../ui/LogLines';
import { Compare } from './Compare';
import { DeniedInside } from './Denied';
import { PermissionsTab } from './PermissionsTab';
import { QuotasTab } from './QuotasTab';
import classes from './RunDrawer.module.css';
import { RunWaterfall } from './RunWaterfall';
import { SourceTab } from './SourceTab';
import { WhyDenied } from './WhyDenied';

interface Props {
  run: InvocationDetail;
  openRun: (id: string) => void;
  onCopy: (text: string) => void;
  /** The manifest was changed so that it should work now: runs again. */
  onFixed: (() => void) | undefined;
}

/** Everything that was kept of a run, by what one looks for. */
export function RunTabs({ run, openRun, onCopy, onFixed }: Props) {
  const authoring = run.source_skill === 'authoring';
  const [tab, setTab] = useState<string | null>('waterfall');
  useCommand('diffPrevious', () => setTab('compare'), !authoring);
  const logs = run.logs ?? [];
  const events = run.events ?? [];
  const trace = run.trace ?? [];
  const denied = deniedIn(trace);
  const inside = deniedInside(trace);
  const refusals = denied.length + inside.length;
  if (authoring) return <JsonView value={run} label={t('Raw')} onCopy={onCopy} />;
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes.tabs}>
      <Tabs.List className={classes.list}>
        <Tabs.Tab value="waterfall">{t('Waterfall {trace}', { trace: trace.length })}</Tabs.Tab>
        <Tabs.Tab value="input">{t('Input')}</Tabs.Tab>
        <Tabs.Tab value="result">{t('Result')}</Tabs.Tab>
        <Tabs.Tab value="events">{t('Events {events}', { events: events.length })}</Tabs.Tab>
        <Tabs.Tab value="logs">{t('Logs {logs}', { logs: logs.length })}</Tabs.Tab>
        <Tabs.Tab value="permissions">{refusals > 0 ? t('Permissions ({denied} denied)', { denied: refusals }) : t('Permissions')}</Tabs.Tab>
        <Tabs.Tab value="quotas">{t('Quotas')}</Tabs.Tab>
        <Tabs.Tab value="source">{t('Source')}</Tabs.Tab>
        <Tabs.Tab value="compare">{t('Compare')}</Tabs.Tab>
        <Tabs.Tab value="raw">{t('Raw')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="waterfall" className={classes.panel}>
        {trace.length ? (
          <RunWaterfall
            run={run}
            openRun={openRun}
            onCopy={onCopy}
            renderDetail={(entry) =>
              denied.includes(entry) ? (
                <WhyDenied agent={run.agent_id} name={run.function_name} entry={entry} manifest={run.manifest} onFixed={onFixed} />
              ) : inside.includes(entry.invocationId ?? '') ? (
                <DeniedInside id={entry.invocationId ?? ''} onFixed={onFixed} />
              ) : null
            }
          />
        ) : (
          <EmptyState title={t('It made no calls')}>{t('Host calls, fetches, events and logs show here with their times.')}</EmptyState>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="input" className={classes.panel}>
        {run.input === undefined ? <EmptyState title={t('No input was kept')} /> : <JsonView value={run.input} cut={run.cut?.includes('input')} label={t('Input')} onCopy={onCopy} />}
      </Tabs.Panel>
      <Tabs.Panel value="result" className={classes.panel}>
        {run.status === 'ok' ? <JsonView value={run.result} cut={run.cut?.includes('result')} label={t('Result')} onCopy={onCopy} /> : <EmptyState title={run.status === 'running' ? t('Still running') : t('No result')} />}
      </Tabs.Panel>
      <Tabs.Panel value="events" className={classes.panel}>
        {events.length ? <EventLines events={events} onCopy={onCopy} /> : <EmptyState title={t('Nothing was emitted')}>{t("ctx.emit('progress', …) shows here.")}</EmptyState>}
      </Tabs.Panel>
      <Tabs.Panel value="logs" className={classes.panel}>
        {logs.length ? <LogLines lines={logs} onCopy={onCopy} /> : <EmptyState title={t('Nothing was logged')}>{t('ctx.log.info(…) and console.log(…) show here.')}</EmptyState>}
      </Tabs.Panel>
      <Tabs.Panel value="permissions" className={classes.panel}>
        <PermissionsTab run={run} onFixed={onFixed} />
      </Tabs.Panel>
      <Tabs.Panel value="quotas" className={classes.panel}>
        <QuotasTab run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="source" className={classes.panel}>
        <SourceTab run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="compare" className={classes.panel}>
        <Compare run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" className={classes.panel}>
        <JsonView value={run} label={t('Raw')} onCopy={onCopy} />
      </Tabs.Panel>
    </Tabs>
  );
}

import { ActionIcon, Button, Drawer, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Coins, FileCode2, History, Link2, Maximize2, Minimize2, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, InvocationDetail } from '../../api/contract.gen';
import { ApiError, messageOf } from '../../api/errors';
import { invoke } from '../../api/invoke';
import { links } from '../../api/links';
import { useInvocation } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { tick } from '../../ui/checks';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { writeJson } from '../../ui/exact';
import { besideCode } from '../../ui/errorText';
import { bytes, dateTime, duration } from '../../ui/format';
import { StatusChip, toneOf } from '../../ui/StatusChip';
import { useStored } from '../../ui/stored';
import { ClockChip } from '../clock/ClockChip';
import { clockOf } from '../clock/useClock';
import { callerOf } from './callerOf';
import classes from './RunDrawer.module.css';
import { RunTabs } from './RunTabs';

interface Props {
  id: string | undefined;
  agents: readonly Agent[];
  onClose: () => void;
  go: (to: string) => void;
  openRun: (id: string) => void;
}

/** Everything that was kept of one invocation. */
export function RunDrawer({ id, agents, onClose, go, openRun }: Props) {
  const run = useInvocation(id);
  const detail = run.data;
  const [wide, setWide] = useStored('run.wide', false);
  const { client } = useApi();
  const native = useNative();
  const gone = run.error instanceof ApiError && run.error.status === 404;
  const copyLink = () =>
    void native
      .copy(client.absolute(`/#${links.run(id ?? '')}`))
      .then(() => notifications.show({ message: t('The address of this run is copied') }))
      .catch((error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }));
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size={wide ? '100%' : 760}
      title={
        <span className={classes.title}>
          {detail ? <Title run={detail} /> : t('Invocation')}
          {!gone && (
            <ActionIcon aria-label={t('Copy the address of this run')} title={t('Copy the address of this run')} onClick={copyLink}>
              <Link2 size={14} />
            </ActionIcon>
          )}
          <ActionIcon aria-label={wide ? t('Show beside the screen') : t('Show on the whole screen')} aria-pressed={wide} onClick={() => setWide(!wide)}>
            {wide ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
          </ActionIcon>
        </span>
      }
      closeButtonProps={{ 'aria-label': t('Close') }}
      classNames={{ body: classes.body, content: classes.content, header: classes.header }}
    >
      {gone ? (
        <EmptyState icon={<History size={20} />} title={t('There is no such run')} action={<Button variant="default" onClick={() => go(links.activity())}>{t('Show Activity')}</Button>}>
          {rich('The history keeps the newest runs, as long as Settings say. This one, <1>{id}</1>, is not in it.', [<code className={classes.id} />], { id })}
        </EmptyState>
      ) : (
        run.isError && <ErrorBox title={messageOf(run.error)} onRetry={() => void run.refetch()} />
      )}
      {run.isPending && <Skeleton height={220} radius={4} />}
      {detail && <Details key={detail.id} run={detail} agents={agents} go={go} openRun={openRun} />}
    </Drawer>
  );
}

function Title({ run }: { run: InvocationDetail }) {
  return (
    <>
      <span className={classes.name}>{run.function_name}</span>
      <StatusChip tone={toneOf(run.status)} busy={run.status === 'running'}>
        {run.status}
      </StatusChip>
    </>
  );
}

function Details({ run, agents, go, openRun }: Omit<Props, 'id' | 'onClose'> & { run: InvocationDetail }) {
  const native = useNative();
  const { client } = useApi();
  const [busy, setBusy] = useState(false);
  const agent = agents.find((a) => a.id === run.agent_id);
  const failed = (error: unknown) => notifications.show({ color: 'red', message: messageOf(error) });
  const copy = (text: string) =>
    void native
      .copy(text)
      .then(() => notifications.show({ message: t('Copied') }))
      .catch(failed);
  const at = run.error_at;
  const [cancelling, setCancelling] = useState(false);
  const cancel = async () => {
    setCancelling(true);
    try {
      await client.call('POST /api/local/invocations/:id/cancel', { params: { id: run.id } });
    } catch (error) {
      setCancelling(false); // else until the run has ended
      failed(error);
    }
  };
  // What an endpoint was asked for is its caller's to repeat, in Client; what was cut cannot be sent again.
  const can = run.source_skill !== 'authoring' && run.source_skill !== 'endpoint' && run.status !== 'running' && run.input !== undefined && !run.cut?.includes('input');
  /** Runs the function with the same input and shows that run instead. */
  const again = async () => {
    tick('replay');
    setBusy(true);
    try {
      const { result } = await invoke(client, { agent: run.agent_id, name: run.function_name, body: writeJson(run.input), caller: callerOf(run), clock: run.replay.clock ?? clockOf(run.agent_id) });
      openRun(result.invocationId);
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Facts run={run} />
      {run.replay.clock && (
        <div className={classes.clock}>
          <ClockChip clock={run.replay.clock} />
        </div>
      )}
      {run.error_code && (
        <div className={classes.failure}>
          <ErrorBox title={run.error_code}>
            {besideCode(run.error_code, run.error_message)}
            {at && agent && (
              <div>
                <Button
                  mt={8}
                  size="compact-xs"
                  variant="default"
                  leftSection={<FileCode2 size={13} />}
                  onClick={() => {
                    go(links.line(agent.username, run.function_name, at.line, at.column));
                  }}
                >
                  {at.file}:{at.line}:{at.column}
                </Button>
              </div>
            )}
          </ErrorBox>
        </div>
      )}
      <div className={classes.actions}>
        {run.status === 'running' && (
          <Button variant="default" loading={cancelling} onClick={() => void cancel()}>
            {t('Cancel the run')}
          </Button>
        )}
        {can && agent && (
          <>
            <Button variant="default" leftSection={<RotateCcw size={13} />} loading={busy} onClick={() => void again()}>
              {t('Replay')}
            </Button>
            <Button
              variant="default"
              leftSection={<Pencil size={13} />}
              onClick={() => {
                go(links.replay(agent.username, run.function_name, run.id));
              }}
            >
              {t('Edit the input and run')}
            </Button>
          </>
        )}
        {costs(run) && (
          <Button
            variant="default"
            leftSection={<Coins size={13} />}
            onClick={() => {
              go(links.payments('ledger', `invocation:${run.id}`));
            }}
          >
            {t('Ledger entries')}
          </Button>
        )}
        {run.parent_invocation_id && (
          <Button variant="subtle" onClick={() => openRun(run.parent_invocation_id ?? '')}>
            {t('Show the caller')}
          </Button>
        )}
      </div>
      <RunTabs run={run} openRun={openRun} onCopy={copy} onFixed={can ? () => void again() : undefined} />
    </>
  );
}

const costs = (run: InvocationDetail): boolean => Boolean(run.cost_nanocents) && run.cost_nanocents !== '0';

function Facts({ run }: { run: InvocationDetail }) {
  const facts: [string, string | undefined][] = [
    [t('Started'), dateTime(run.started_at)],
    [t('Took'), run.status === 'running' ? '…' : duration(run.duration_ms)],
    ['CPU', run.status === 'running' ? '…' : duration(run.cpu_ms)],
    [t('Version'), run.function_version ? `v${run.function_version}` : undefined],
    [t('From'), run.authoring_action ? t('{action} by {surface}', { action: run.authoring_action, surface: run.authoring_surface ?? 'api' }) : run.source_skill],
    [t('Caller'), run.source_skill === 'authoring' ? undefined : (run.caller_user_id ?? run.caller_agent_id ?? t('nobody'))],
    [t('Host calls'), String(run.host_calls)],
    [t('Received'), bytes(run.ingress_bytes)],
    [t('Sent'), bytes(run.egress_bytes)],
    [t('Cost'), costs(run) ? t('{cost_nanocents} nanocents', { cost_nanocents: Number(run.cost_nanocents).toLocaleString('en-US') }) : undefined],
    [t('Idempotency key'), run.idempotency_key],
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes.fact} data-wide={name === t('Idempotency key') || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

import { ActionIcon, Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useApi } from '../../../api/ApiContext';
import type { Agent, SavedCall, WorkFunction } from '../../../api/contract.gen';
import { messageOf } from '../../../api/errors';
import { clockHeader, invokePath } from '../../../api/invoke';
import { keys } from '../../../api/keys';
import { useStatus } from '../../../api/queries';
import { t } from '../../../i18n/t';
import { useNative } from '../../../native/NativeContext';
import { tick } from '../../../ui/checks';
import { useCommand } from '../../../ui/commands';
import { writeJson } from '../../../ui/exact';
import { readStored, writeStored } from '../../../ui/stored';
import { ClockChip } from '../../clock/ClockChip';
import { useClock } from '../../clock/useClock';
import { BurstPlot } from './BurstPlot';
import { asCli, asCurl, asFetch, type CallText } from './copies';
import { buildBody, firstInput, inputOf, type Built, type Caller, type Kind, type RunInput } from './input';
import { InputForm } from './InputForm';
import { MissingSecrets } from './MissingSecrets';
import { RunButtons, type CopyForm } from './RunButtons';
import { RunOutput } from './RunOutput';
import classes from './RunPanel.module.css';
import { SavedCalls } from './SavedCalls';
import { useBurst } from './useBurst';
import { useRun } from './useRun';
import { useWish, type Wish } from './useWish';

interface Props {
  agent: Agent;
  work: WorkFunction;
  /** The served manifest: its parameters make the form and fill the first input. */
  manifest: unknown;
  /** The same, once it is there. */
  manifestNow: () => Promise<unknown>;
  dirty: boolean;
  /** Saves first; false when that did not work. */
  save: () => Promise<boolean>;
  openRun: (id: string) => void;
  onPlace: (line: number, column: number) => void;
  /** An input to be put in: that of a past run, or a saved call. A new object is a new wish. */
  wish: Wish | undefined;
}

const copyForms: Record<CopyForm, (call: CallText) => string> = { curl: asCurl, CLI: asCli, fetch: asFetch };

/** Calls the function in view, in each of the ways it can be called. */
export function RunPanel({ agent, work, manifest, manifestNow, dirty, save, openRun, onPlace, wish }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const native = useNative();
  const status = useStatus().data;
  const name = work.name;
  const stored = `input:${agent.id}/${name}`;
  const [typed, setTyped] = useState<RunInput | undefined>(() => readStored<RunInput | undefined>(stored, undefined));
  const [from, setFrom] = useState<string>();
  const input = typed ?? firstInput(manifest);
  const caller: Caller = input.caller ?? 'owner';
  const { state, run, cancel, forget } = useRun(agent.id, name);
  const { burst, start: startBurst, stop: stopBurst, clear: clearBurst } = useBurst(agent.id, name);
  const exact = (manifest as { permissions?: { rawBody?: boolean } } | undefined)?.permissions?.rawBody === true;
  const built = buildBody(input, exact);
  const bursting = burst?.running === true;
  const [pageClock, setPageClock] = useClock(agent.id);
  const clock = input.clock ?? pageClock;
  const running = state.phase === 'running' || bursting;
  const panel = useRef<HTMLDivElement>(null);
  const output = useRef<HTMLDivElement>(null);

  const put = useCallback(
    (next: RunInput | undefined, origin?: string) => {
      setTyped(next);
      setFrom(origin);
      writeStored(stored, next);
    },
    [stored],
  );
  const change = (part: Partial<RunInput>) => put({ ...input, ...part }, from);
  const pick = (call: SavedCall) => put(inputOf(call.body, { ...input, caller: (call.caller as Caller | undefined) ?? 'owner' }), t('saved call {name}', { name: call.name }));
  const { lastInput } = useWish(agent, name, wish, (body, origin, as, own) =>
    put({ ...inputOf(body, { ...(typed ?? firstInput(manifest)), caller: as }), clock: own }, origin),
  );

  const savedFirst = async (): Promise<boolean> => {
    if (!dirty || (await save())) return true;
    notifications.show({ color: 'yellow', message: t('Not run: what is in the editor could not be saved as a version that loads.') });
    return false;
  };
  // A run that is asked for before the manifest is there begins with what the
  // form will show, and not with nothing.
  const ready = async (): Promise<Built> => (typed || manifest !== undefined ? built : buildBody(firstInput(await manifestNow()), exact));
  const start = async () => {
    if (running || !built.ok || !(await savedFirst())) return;
    const first = await ready();
    if (!first.ok) return;
    if (input.kind === 'http') tick('http');
    if (wish && 'run' in wish) tick('replay');
    clearBurst();
    await run(first.body, input.key.trim() || undefined, caller, clock);
  };
  const again = async () => {
    if (running || !(await savedFirst())) return;
    tick('replay');
    clearBurst();
    if (state.sent !== undefined) return run(state.sent, undefined, state.caller, clock);
    try {
      const last = await lastInput();
      if (last === undefined) notifications.show({ message: t('{name} has not run yet.', { name }) });
      else await run(writeJson(last.body), undefined, last.caller, clock);
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  };
  const many = async () => {
    if (running || !built.ok || !(await savedFirst())) return;
    const first = await ready();
    if (!first.ok) return;
    forget();
    await startBurst(first.body, 10, { ...(caller !== 'owner' && { 'Benchtop-Caller': caller }), ...(clock && { [clockHeader]: clock }) });
  };
  useCommand('run', () => void start());
  useCommand('runMany', () => void many());
  useCommand('replayLast', () => void again());
  useCommand('focusRun', () => firstField(panel.current)?.focus());

  const copyText = (text: string, what: string) =>
    void native
      .copy(text)
      .then(() => notifications.show({ message: what }))
      .catch((error: unknown) => notifications.show({ color: 'red', message: messageOf(error) }));
  const copyCall = (form: CopyForm, body: string, key: string | undefined, as: Caller | undefined, at: string | undefined) => {
    tick('http');
    copyText(copyForms[form]({ url: client.absolute(invokePath(agent.username, name)), agent: agent.username, name, body, dataDir: status?.dataDir, key, caller: as, clock: at }), t('Copied as {form}', { form }));
  };

  const setSecret = useCallback(
    async (binding: string, value: string) => {
      await client.call('POST /api/agents/:agent/functions/:name/secret', {
        params: { agent: agent.id, name },
        body: { binding, value },
      });
      tick('secret');
      notifications.show({ message: t('{binding} is set', { binding }) });
      await Promise.all([
        cache.invalidateQueries({ queryKey: keys.work(agent.id) }),
        cache.invalidateQueries({ queryKey: keys.secrets(agent.id) }),
      ]);
    },
    [agent.id, cache, client, name],
  );

  const missing = (work.requiresUserAction ?? []).filter((a) => a.kind === 'set_function_secret').map((a) => a.binding);
  return (
    <div className={classes.panel}>
      <div className={classes.form} ref={panel}>
        <div className={classes.kind}>
          <SegmentedControl
            aria-label={t('Call as')}
            value={input.kind}
            onChange={(kind) => change({ kind: kind as Kind })}
            data={[
              { value: 'tool', label: t('Tool') },
              { value: 'http', label: 'HTTP' },
              { value: 'cron', label: t('Cron') },
            ]}
          />
          <Select
            className={classes.caller}
            aria-label={t('Caller')}
            value={caller}
            allowDeselect={false}
            onChange={(v) => change({ caller: (v as Caller | null) ?? 'owner' })}
            data={[
              { value: 'owner', label: t('as owner') },
              { value: 'portal', label: t('as portal token') },
              { value: 'anonymous', label: t('as anonymous') },
            ]}
          />
          <span className={classes.space} />
          <SavedCalls agent={agent} name={name} body={built.ok ? built.body : undefined} caller={caller} onPick={pick} />
        </div>
        {(typed || from) && (
          <div className={classes.from}>
            <span>{from ? t('Input of the {from}', { from }) : t('Your input')}</span>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => put(undefined)}>
              {t('Reset input')}
            </Button>
          </div>
        )}
        {missing.length > 0 && <MissingSecrets agent={agent.id} bindings={missing} onSave={setSecret} />}
        <InputForm input={input} built={built} parameters={(manifest as { parameters?: unknown } | undefined)?.parameters} onChange={change} />
        <TextInput
          label={t('Idempotency key')}
          placeholder={t('none: every run is a new one')}
          spellCheck={false}
          value={input.key}
          onChange={(e) => change({ key: e.currentTarget.value })}
          rightSection={
            <ActionIcon size="sm" aria-label={t('New idempotency key')} onClick={() => change({ key: crypto.randomUUID() })}>
              <RefreshCw size={13} />
            </ActionIcon>
          }
        />
        {clock && (
          <ClockChip
            clock={clock}
            note={input.clock ? t('of the run that this input is from') : undefined}
            clearLabel={input.clock ? t('Use the clock of the page') : t('Clock: back to live')}
            onClear={() => (input.clock ? change({ clock: undefined }) : setPageClock(undefined))}
          />
        )}
        <RunButtons
          running={running}
          cancelling={bursting ? burst.stopped : state.cancelling}
          canCancel={bursting || Boolean(state.invocationId)}
          canRun={built.ok}
          dirty={dirty}
          onRun={() => void start()}
          onCancel={() => (bursting ? stopBurst() : void cancel())}
          onMany={() => void many()}
          onAgain={() => void again()}
          onCopy={(form) => built.ok && copyCall(form, built.body, input.key.trim() || undefined, caller, clock)}
        />
      </div>
      <div className={classes.output} ref={output} tabIndex={-1}>
        {burst && <BurstPlot burst={burst} onStop={stopBurst} onClose={clearBurst} onOpen={openRun} />}
        {!(burst && state.phase === 'idle') && (
          <RunOutput
            state={state}
            onFixed={() => {
              // The button that was pressed goes away with what was denied.
              output.current?.focus();
              void again();
            }}
            path={invokePath(agent.username, name)}
            onCurl={() => state.sent !== undefined && copyCall('curl', state.sent, state.key, state.caller, state.clock)}
            onDetails={openRun}
            onPlace={onPlace}
            onRun={() => void start()}
            onCopy={(text) => copyText(text, t('Copied'))}
          />
        )}
      </div>
    </div>
  );
}

/** The field a person who comes to the panel wants first: of the call, not of how it is made. */
function firstField(panel: HTMLElement | null): HTMLElement | null | undefined {
  return panel?.querySelector<HTMLElement>('[aria-label="Parameters"] input, [aria-label="Parameters"] textarea') ?? panel?.querySelector<HTMLElement>('textarea') ?? panel?.querySelector('input');
}

import { Button, NumberInput, SegmentedControl, Select, Skeleton, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent, Simulator } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { rich, t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import classes from './Payments.module.css';
import type { useSent } from './useSent';

const switches: { key: 'insufficientBalance' | 'expiredToken' | 'settleFails' | 'duplicateSettle'; label: string; description: string }[] = [
  { key: 'insufficientBalance', label: t('Insufficient balance'), description: t('No token has enough, whatever it holds.') },
  { key: 'expiredToken', label: t('Expired token'), description: t('Every token counts as expired.') },
  { key: 'settleFails', label: t('Settle fails after the work'), description: t('A settle answers 503 and moves nothing.') },
  { key: 'duplicateSettle', label: t('Settle arrives twice'), description: t('As when a client repeats a request whose answer got lost.') },
];

const figures: { key: 'lockLifetimeMs' | 'partialSettlePercent' | 'settleDelayMs' | 'latencyMs'; label: string; description: string; suffix: string; max: number }[] = [
  { key: 'lockLifetimeMs', label: t('A lock ends after'), description: t('Whatever was asked for. 0 leaves it alone.'), suffix: ' ms', max: 60_000 },
  { key: 'partialSettlePercent', label: t('A settle charges'), description: t('A part of what it should. 0 leaves it alone.'), suffix: ' %', max: 100 },
  { key: 'settleDelayMs', label: t('A settle is held back for'), description: t('0 leaves it alone.'), suffix: ' ms', max: 60_000 },
  { key: 'latencyMs', label: t('Every call takes longer by'), description: t('0 leaves it alone.'), suffix: ' ms', max: 60_000 },
];

/** Whether anything is on. */
const simulates = (s: Simulator | undefined): boolean => s !== undefined && Object.values(s).some((v) => v !== false && v !== 0 && v !== '' && v !== undefined);

/** Faults of payments to be provoked, for one agent. They are a file of its project. */
export function SimulatorTab({ agents, send }: { agents: readonly Agent[]; send: ReturnType<typeof useSent>['send'] }) {
  const { client } = useApi();
  const { busy, act } = useAct();
  const [chosen, setChosen] = useState<string>();
  const agent = agents.find((a) => a.id === chosen) ?? agents[0];
  const id = agent?.id ?? '';
  const state = useQuery({
    queryKey: keys.simulator(id),
    enabled: Boolean(agent),
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/simulator', { params: { agent: id }, signal }),
  });
  if (!agent) return <p className={page.dim}>{t('Open a project first: faults are provoked for one agent.')}</p>;
  const s = state.data;
  const set = (change: Partial<Simulator>) => void act('simulator', () => send('PUT /api/local/agents/:agent/simulator', { params: { agent: id }, body: { ...s, ...change } }));
  return (
    <div className={classes.faults}>
      <p className={classes.rule}>
        {rich('Every failure that real payments have, to try what your code makes of it. What is on stays on, here and in tests, until you put it off: it is kept in <1>.benchtop/simulator.json</1>.', [<code />])}
      </p>
      {agents.length > 1 && <Select label={t('Agent')} data={agents.map((a) => ({ value: a.id, label: a.username }))} value={agent.id} onChange={(v) => setChosen(v ?? undefined)} allowDeselect={false} />}
      {state.isError && <ErrorBox title={messageOf(state.error)} onRetry={() => void state.refetch()} />}
      {state.isPending && <Skeleton height={260} radius="md" />}
      {s && (
        <>
          {switches.map((f) => (
            <Switch key={f.key} label={f.label} description={f.description} checked={s[f.key] === true} disabled={busy !== undefined} onChange={(e) => set({ [f.key]: e.currentTarget.checked })} />
          ))}
          {figures.map((f) => (
            <Figure key={`${id}${f.key}${s[f.key] ?? 0}`} label={f.label} description={f.description} suffix={f.suffix} max={f.max} value={s[f.key] ?? 0} onSet={(v) => set({ [f.key]: v })} />
          ))}
          <div>
            <div className={page.heading} id="dies">
              {t('The platform dies between lock and settle')}
            </div>
            <SegmentedControl
              aria-labelledby="dies"
              value={s.dies ?? ''}
              onChange={(v) => set({ dies: v })}
              data={[
                { value: '', label: t('No') },
                { value: 'before', label: t('Before the settle') },
                { value: 'after', label: t('After it, before its answer') },
              ]}
            />
          </div>
          <div>
            <Button variant="default" disabled={!simulates(s)} loading={busy === 'off'} onClick={() => void act('off', () => send('PUT /api/local/agents/:agent/simulator', { params: { agent: id }, body: {} }), t('All faults are off'))}>
              {t('Put everything off')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** A number that is sent when the field is left or Enter is pressed. */
function Figure({ label, description, suffix, max, value, onSet }: { label: string; description: string; suffix: string; max: number; value: number; onSet: (value: number) => void }) {
  const [typed, setTyped] = useState<string | number>(value);
  const done = () => {
    const n = Math.round(Number(typed) || 0);
    if (n !== value) onSet(Math.min(Math.max(0, n), max));
  };
  return (
    <NumberInput size="xs" w={300} label={label} description={description} suffix={suffix} min={0} max={max} allowDecimal={false} value={typed} onChange={setTyped} onBlur={done} onKeyDown={(e) => e.key === 'Enter' && done()} />
  );
}

import { Button, Modal, Skeleton, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Plus, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Schedule, WorkFunction } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { clockHeader } from '../../api/invoke';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { useProjects, useWork } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { useCommand } from '../../ui/commands';
import { EmptyState } from '../../ui/EmptyState';
import { besideCode } from '../../ui/errorText';
import { ErrorBox } from '../../ui/ErrorBox';
import { NoMatch } from '../../ui/NoMatch';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import { useNow } from '../../ui/useNow';
import { here } from '../../ui/zones';
import { ClockChip } from '../clock/ClockChip';
import { momentText } from '../clock/moment';
import { useClock } from '../clock/useClock';
import { presets } from './presets';
import { ScheduleCard } from './ScheduleCard';
import { ScheduleForm } from './ScheduleForm';
import classes from './Schedules.module.css';

/** So many are looked through rather than read. */
const many = 8;

/** What keeps a function from running as it is written; nothing when nothing does. */
function whyBroken(f: WorkFunction | undefined): string | undefined {
  if (!f) return t('There is no function of that name: its runs fail until there is.');
  if (!f.broken) return undefined;
  return f.version > 0 ? t('The function does not load as it is saved; version {version} runs.', { version: f.version }) : t('The function does not load: its runs fail until it does.');
}

/** When functions run by themselves, and what came of it. */
export default function SchedulesScreen({ agent, go, openRun }: ScreenProps) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const [asking, setAsking] = useState<{ cron: string; schedule?: Schedule }>();
  const [removing, setRemoving] = useState<Schedule>();
  const id = agent?.id ?? '';
  const list = useQuery({
    queryKey: keys.schedules(id),
    enabled: Boolean(agent),
    queryFn: ({ signal }) => client.call('GET /api/local/agents/:agent/schedules', { params: { agent: id }, signal }),
  });
  const now = useNow(20_000);
  const [clock, setClock] = useClock(agent?.id);
  const work = useWork(agent?.id);
  const functions = (work.data?.functions ?? []).map((f) => f.name);
  const project = useProjects().data?.projects.find((p) => p.agentId === agent?.id);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useCommand('filter', () => field.current?.focus());
  if (!agent) return null;

  const refresh = () => cache.invalidateQueries({ queryKey: keys.schedules(id) });
  const runNow = (s: Schedule) =>
    act(
      `run:${s.entryId}`,
      async () => {
        const run = await client.call('POST /api/local/agents/:agent/schedules/:id/run', { params: { agent: id, id: s.entryId }, headers: clock ? { [clockHeader]: clock } : undefined });
        await refresh();
        if (!run.ok) throw new Error(`${run.errorCode ?? t('It failed')}: ${besideCode(run.errorCode, run.errorMessage) || t('see its run')}`);
      },
      clock ? t('{use} ran at {moment}', { use: s.use, moment: momentText(clock) }) : t('{use} ran', { use: s.use }),
    );
  const enable = (s: Schedule, enabled: boolean) =>
    act(`enable:${s.entryId}`, async () => {
      await client.call('PATCH /api/agents/:agent/skills/:skill/use/:id', {
        params: { agent: id, skill: 'cron', id: s.entryId },
        body: { entry: { enabled } },
      });
      await refresh();
    });
  const remove = (s: Schedule) =>
    act(
      `remove:${s.entryId}`,
      async () => {
        setRemoving(undefined);
        await client.call('DELETE /api/agents/:agent/skills/:skill/use/:id', { params: { agent: id, skill: 'cron', id: s.entryId } });
        await refresh();
      },
      t('The schedule {entryId} is removed', { entryId: s.entryId }),
    );

  const schedules = list.data?.schedules ?? [];
  const wanted = typed.trim().toLowerCase();
  const shown = schedules.filter((s) => [s.entryId, s.use, s.sentence, s.description ?? ''].some((text) => text.toLowerCase().includes(wanted)));
  // Entries whose function is missing are shown with their card; these have none.
  const leftOut = project?.problems.filter((p) => p.path?.startsWith('skills.cron') && p.code !== 'FN_NOT_FOUND') ?? [];
  return (
    <div className={page.page}>
      <header className={page.header}>
        <div>
          <h1 className={page.title}>{t('Schedules')}</h1>
          <p className={page.lead}>
            {schedules.length === 0 ? t('Functions that run by themselves.') : here() === 'UTC' ? t('{n, plural, one {# schedule} other {# schedules}}. Times are those of UTC, where you are, which cron expressions count in too.', { n: schedules.length }) : t('{n, plural, one {# schedule} other {# schedules}}. Times are those of {zone}, where you are, and of UTC, which cron expressions count in.', { n: schedules.length, zone: here() })}
          </p>
        </div>
        <Button flex="none" variant="default" leftSection={<Plus size={14} />} disabled={functions.length === 0} onClick={() => setAsking({ cron: '' })}>
          {t('Add a schedule')}
        </Button>
      </header>
      {list.isError && <ErrorBox title={messageOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={150} radius="md" />}
      {list.data && work.data && schedules.length === 0 && (
        <div className={classes.empty}>
          <EmptyState
            icon={<CalendarClock size={20} />}
            title={functions.length === 1 ? t('No schedule uses this function') : t('No schedule uses a function')}
            action={
              functions.length === 0 ? (
                <Button onClick={() => go(links.place(agent.username, 'functions'))}>{t('Write a function')}</Button>
              ) : (
                <div className={classes.presets}>
                  {presets.map((p) => (
                    <Button key={p.cron} variant="default" onClick={() => setAsking({ cron: p.cron })}>
                      {p.title}
                    </Button>
                  ))}
                </div>
              )
            }
          >
            {functions.length === 0 ? t('Write a function first; then choose when it runs.') : t('Choose when one should run by itself. A run gets no arguments, and two of one schedule never overlap.')}
          </EmptyState>
        </div>
      )}
      {leftOut.length > 0 && (
        <div className={classes.leftOut}>
          <ErrorBox tone="warn" title={t('{n, plural, one {An entry of AGENT.md does not count} other {# entries of AGENT.md do not count}}', { n: leftOut.length })}>
            {leftOut.map((p) => (
              <div key={`${p.path}${p.message}`}>{p.line ? t('Line {line}: {message}', { line: p.line, message: p.message }) : p.message}</div>
            ))}
          </ErrorBox>
        </div>
      )}
      {schedules.length > many && (
        <TextInput
          ref={field}
          mb={12}
          aria-label={t('Find a schedule')}
          placeholder={t('Find a schedule')}
          spellCheck={false}
          leftSection={<Search size={13} aria-hidden />}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
        />
      )}
      {schedules.length > 0 && shown.length === 0 && <NoMatch of={schedules.length} onClear={() => setTyped('')} />}
      {clock && schedules.length > 0 && (
        <div className={classes.clock}>
          <ClockChip clock={clock} note={t('what Run now shows to functions')} clearLabel={t('Clock: back to live')} onClear={() => setClock(undefined)} />
        </div>
      )}
      <ul className={`${page.list} ${classes.cards}`}>
        {shown.map((s) => (
          <ScheduleCard
            key={s.entryId}
            agent={agent.id}
            schedule={s}
            broken={work.data && whyBroken(work.data.functions.find((f) => f.name === s.use))}
            now={now}
            busy={busy}
            onRun={() => void runNow(s)}
            onEnable={(enabled) => void enable(s, enabled)}
            onChange={() => setAsking({ cron: '', schedule: s })}
            onRemove={() => setRemoving(s)}
            onFunction={() => go(links.function(agent.username, s.use))}
            onHistory={() => go(links.activity(`fn:${s.use} skill:cron`))}
            openRun={openRun}
          />
        ))}
      </ul>
      <Modal opened={removing !== undefined} onClose={() => setRemoving(undefined)} title={t('Remove {entryId}?', { entryId: removing?.entryId ?? '' })} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <p className={page.ask}>{t('{use} no longer runs by itself. The function and what it did stay.', { use: removing?.use })}</p>
        <div className={page.buttons}>
          <Button variant="default" onClick={() => setRemoving(undefined)}>
            {t('Keep it')}
          </Button>
          <Button color="red" onClick={() => removing && void remove(removing)}>
            {t('Remove')}
          </Button>
        </div>
      </Modal>
      {asking && (
        <ScheduleForm
          agent={agent}
          functions={functions}
          cron={asking.cron}
          schedule={asking.schedule}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            setAsking(undefined);
            void refresh();
          }}
        />
      )}
    </div>
  );
}

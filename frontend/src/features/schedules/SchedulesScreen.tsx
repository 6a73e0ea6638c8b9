import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Schedule } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { useWork } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { besideCode } from '../../ui/errorText';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import { useAct } from '../../ui/useAct';
import { useNow } from '../../ui/useNow';
import { presets } from './presets';
import { ScheduleCard } from './ScheduleCard';
import { ScheduleForm } from './ScheduleForm';
import classes from './Schedules.module.css';
import { here } from './when';

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
  const work = useWork(agent?.id);
  const functions = (work.data?.functions ?? []).map((f) => f.name);
  if (!agent) return null;

  const refresh = () => cache.invalidateQueries({ queryKey: keys.schedules(id) });
  const runNow = (s: Schedule) =>
    act(
      `run:${s.entryId}`,
      async () => {
        const run = await client.call('POST /api/local/agents/:agent/schedules/:id/run', { params: { agent: id, id: s.entryId } });
        await refresh();
        if (!run.ok) throw new Error(`${run.errorCode ?? t('It failed')}: ${besideCode(run.errorCode, run.errorMessage) || t('see its run')}`);
      },
      t('{use} ran', { use: s.use }),
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
  return (
    <div className={page.page}>
      <header className={page.header}>
        <div>
          <h1 className={page.title}>{t('Schedules')}</h1>
          <p className={page.lead}>
            {schedules.length === 0 ? t('Functions that run by themselves.') : t('{n, plural, one {# schedule} other {# schedules}}. Times are those of {zone}, where you are, and of UTC, which cron expressions count in.', { n: schedules.length, zone: here() })}
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
      <ul className={`${page.list} ${classes.cards}`}>
        {schedules.map((s) => (
          <ScheduleCard
            key={s.entryId}
            schedule={s}
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

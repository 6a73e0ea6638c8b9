import { Button, Switch } from '@mantine/core';
import { Pencil, Play, Trash2 } from 'lucide-react';
import type { Schedule, ScheduleRun } from '../../api/contract.gen';
import { locale } from '../../i18n/language';
import { t } from '../../i18n/t';
import { CodedError } from '../../ui/CodedError';
import { ago, dateTime } from '../../ui/format';
import { Hint } from '../../ui/Keys';
import page from '../../ui/page.module.css';
import { StatusChip, type Tone } from '../../ui/StatusChip';
import { useStored } from '../../ui/stored';
import { RunTimes } from './RunTimes';
import classes from './Schedules.module.css';

interface Props {
  /** Whose schedule it is. */
  agent: string;
  schedule: Schedule;
  now: number;
  busy: string | undefined;
  /** What keeps its function from running as it is written. */
  broken?: string;
  onRun: () => void;
  onEnable: (enabled: boolean) => void;
  onChange: () => void;
  onRemove: () => void;
  onFunction: () => void;
  onHistory: () => void;
  openRun: (id: string) => void;
}

/** One schedule: when it fires, what comes next, what came of the last time. */
export function ScheduleCard({ agent, schedule: s, now, busy, broken, onRun, onEnable, onChange, onRemove, onFunction, onHistory, openRun }: Props) {
  const expression = expressionOf(s.entry);
  const [putAway, setPutAway] = useStored(`missed:${agent}/${s.entryId}`, '');
  return (
    <li className={`${page.card} ${classes.card}`} aria-label={s.entryId}>
      <div className={classes.top}>
        <div className={classes.what}>
          <h2 className={classes.sentence}>{s.sentence}</h2>
          <div className={classes.meta}>
            {t('runs')}{' '}
            <button type="button" className={`${page.link} ${classes.fn}`} onClick={onFunction}>
              {s.use}
            </button>
            {expression && <code className={classes.code}>{expression}</code>}
            <span>{s.entryId}</span>
            {s.running && (
              <StatusChip tone="run" busy>
                {t('running')}
              </StatusChip>
            )}
          </div>
          {broken && <p className={classes.missed}>{broken}</p>}
          {s.description && <p className={classes.text}>{s.description}</p>}
        </div>
        <div className={page.actions}>
          <Switch
            size="sm"
            aria-label={t('{entryId} fires by itself', { entryId: s.entryId })}
            label={s.enabled ? t('On') : t('Off')}
            checked={s.enabled}
            disabled={busy === `enable:${s.entryId}`}
            onChange={(e) => onEnable(e.currentTarget.checked)}
            className={classes.switch}
          />
          <Button variant="default" leftSection={<Play size={13} />} loading={busy === `run:${s.entryId}`} onClick={onRun} aria-label={t('Run {entryId} now', { entryId: s.entryId })}>
            {t('Run now')}
          </Button>
          <Hint label={t('Change')}>
            <Button variant="subtle" px={8} aria-label={t('Change {entryId}', { entryId: s.entryId })} onClick={onChange}>
              <Pencil size={14} />
            </Button>
          </Hint>
          <Hint label={t('Remove')}>
            <Button variant="subtle" color="red" px={8} aria-label={t('Remove {entryId}', { entryId: s.entryId })} onClick={onRemove}>
              <Trash2 size={14} />
            </Button>
          </Hint>
        </div>
      </div>
      <div className={classes.columns}>
        <section aria-label={t('Next runs')}>
          <h3 className={page.heading}>{t('Next runs')}</h3>
          {s.next.length === 0 ? (
            <p className={page.dim}>{s.enabled ? t('It never comes.') : t('It is off.')}</p>
          ) : (
            <RunTimes at={s.next} now={now} />
          )}
        </section>
        <section aria-label={t('Last run')}>
          <h3 className={page.heading}>{t('Last run')}</h3>
          {s.lastRun ? <LastRun run={s.lastRun} now={now} openRun={openRun} /> : <p className={`${page.dim} ${classes.never}`}>{t('It has not run yet.')}</p>}
          <button type="button" className={`${page.link} ${classes.all}`} onClick={onHistory}>
            {t('All its runs')}
          </button>
          {s.missed && s.missed.notedAt !== putAway && (
            <p className={classes.missed}>
              {s.missed.more ? t('More than {count} missed between {when} and {when2}: the machine slept, or Benchtop was off. They are not made up for; run it now if it matters.', { count: s.missed.count.toLocaleString(locale()), when: dateTime(s.missed.from), when2: dateTime(s.missed.to) }) : t('{count} missed between {when} and {when2}: the machine slept, or Benchtop was off. They are not made up for; run it now if it matters.', { count: s.missed.count.toLocaleString(locale()), when: dateTime(s.missed.from), when2: dateTime(s.missed.to) })}{' '}
              <button type="button" className={page.link} aria-label={t('Put away what {entryId} missed', { entryId: s.entryId })} onClick={() => setPutAway(s.missed?.notedAt ?? '')}>
                {t('Put away')}
              </button>
            </p>
          )}
        </section>
      </div>
    </li>
  );
}

const outcomes: Record<string, { tone: Tone; word: string }> = {
  ok: { tone: 'ok', word: 'ok' },
  error: { tone: 'bad', word: 'error' },
  running: { tone: 'run', word: 'running' },
  skipped: { tone: 'warn', word: 'skipped' },
  interrupted: { tone: 'warn', word: 'interrupted' },
};

function LastRun({ run, now, openRun }: { run: ScheduleRun; now: number; openRun: (id: string) => void }) {
  const { tone, word } = outcomes[run.outcome] ?? { tone: 'dim' as Tone, word: run.outcome };
  return (
    <div>
      <div className={classes.last}>
        <StatusChip tone={tone} busy={run.outcome === 'running'}>
          {word}
        </StatusChip>
        <span title={dateTime(run.firedAt)}>{ago(run.firedAt, now)}</span>
        {run.manual && <span className={page.dim}>{t('by hand')}</span>}
        {run.invocationId && (
          <button type="button" className={page.link} onClick={() => openRun(run.invocationId ?? '')}>
            {t('Show')}
          </button>
        )}
      </div>
      {run.errorCode && (
        <p className={classes.failure}>
          <CodedError code={run.errorCode} message={run.errorMessage} />
        </p>
      )}
      {run.outcome === 'skipped' && <p className={page.dim}>{t('The run before was still under way.')}</p>}
    </div>
  );
}

/** The expression in an entry, when that is how its author wrote it. */
function expressionOf(entry: unknown): string | undefined {
  const at = entry as { cron?: unknown; schedule?: unknown };
  return typeof at.cron === 'string' ? at.cron : typeof at.schedule === 'string' ? at.schedule : undefined;
}

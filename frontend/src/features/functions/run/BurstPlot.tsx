import { Button } from '@mantine/core';
import { t } from '../../../i18n/t';
import { duration } from '../../../ui/format';
import { StatusChip } from '../../../ui/StatusChip';
import classes from './BurstPlot.module.css';
import { NotRun } from './NotRun';
import { quantile, type Burst } from './useBurst';

/** How long each of several runs took, as bars that lead to the runs. */
export function BurstPlot({ burst, onStop, onClose, onOpen }: { burst: Burst; onStop: () => void; onClose: () => void; onOpen: (id: string) => void }) {
  const times = burst.shots.map((s) => s.ms);
  const most = Math.max(...times, 0.001);
  const failed = burst.shots.filter((s) => !s.ok);
  const codes = [...new Set(failed.map((s) => s.code ?? t('error')))].join(', ');
  return (
    <section className={classes.plot} aria-label={t('Runs in a row')}>
      <div className={classes.head}>
        <StatusChip tone={burst.running ? 'run' : failed.length || burst.problem ? 'bad' : burst.stopped ? 'warn' : 'ok'} busy={burst.running}>
          {burst.stopped && !burst.running ? t('stopped after {shots} of {of}', { shots: burst.shots.length, of: burst.of }) : t('{shots} of {of}', { shots: burst.shots.length, of: burst.of })}
        </StatusChip>
        {times.length > 0 && (
          <span className={classes.figures}>
            {t('median {time} · p95 {time2} · slowest {time3}', { time: duration(quantile(times, 0.5)), time2: duration(quantile(times, 0.95)), time3: duration(most) })}
            {failed.length > 0 && t(' · {failed} failed: {codes}', { failed: failed.length, codes })}
          </span>
        )}
        <span className={classes.space} />
        <Button size="compact-xs" variant="subtle" onClick={burst.running ? onStop : onClose}>
          {burst.running ? t('Stop') : t('Close')}
        </Button>
      </div>
      {burst.problem && <NotRun problem={burst.problem} />}
      {!(burst.problem && burst.shots.length === 0) && (
        <ol className={classes.bars}>
          {Array.from({ length: burst.of }, (_, i) => {
            const shot = burst.shots[i];
            return (
              <li key={i} className={classes.slot}>
                {shot && (
                  <button
                    type="button"
                    className={classes.bar}
                    data-ok={shot.ok || undefined}
                    aria-label={shot.ok ? t('Run {n}: ok, {time}', { n: i + 1, time: duration(shot.ms) }) : t('Run {n}: {code}, {time}', { n: i + 1, code: shot.code ?? t('error'), time: duration(shot.ms) })}
                    title={shot.ok ? t('ok, {time}', { time: duration(shot.ms) }) : t('{code}, {time}', { code: shot.code ?? t('error'), time: duration(shot.ms) })}
                    onClick={() => onOpen(shot.id)}
                  >
                    <span className={classes.fill} style={{ height: `${Math.max(6, (shot.ms / most) * 100)}%` }} />
                  </button>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

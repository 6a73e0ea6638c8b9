import { Button } from '@mantine/core';
import { ErrorBox } from '../../../ui/ErrorBox';
import { duration } from '../../../ui/format';
import { StatusChip } from '../../../ui/StatusChip';
import classes from './BurstPlot.module.css';
import { quantile, type Burst } from './useBurst';

/** How long each of several runs took, as bars that lead to the runs. */
export function BurstPlot({ burst, onStop, onClose, onOpen }: { burst: Burst; onStop: () => void; onClose: () => void; onOpen: (id: string) => void }) {
  const times = burst.shots.map((s) => s.ms);
  const most = Math.max(...times, 0.001);
  const failed = burst.shots.filter((s) => !s.ok).length;
  return (
    <section className={classes.plot} aria-label="Runs in a row">
      <div className={classes.head}>
        <StatusChip tone={burst.running ? 'run' : failed || burst.problem ? 'bad' : 'ok'} busy={burst.running}>
          {burst.shots.length} of {burst.of}
        </StatusChip>
        {times.length > 0 && (
          <span className={classes.figures}>
            median {duration(quantile(times, 0.5))} · p95 {duration(quantile(times, 0.95))} · slowest {duration(most)}
            {failed > 0 && ` · ${failed} failed`}
          </span>
        )}
        <span className={classes.space} />
        <Button size="compact-xs" variant="subtle" onClick={burst.running ? onStop : onClose}>
          {burst.running ? 'Stop' : 'Close'}
        </Button>
      </div>
      {burst.problem && <ErrorBox title="Stopped">{burst.problem}</ErrorBox>}
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
                  aria-label={`Run ${i + 1}: ${shot.ok ? 'ok' : (shot.code ?? 'error')}, ${duration(shot.ms)}`}
                  title={`${shot.ok ? 'ok' : (shot.code ?? 'error')}, ${duration(shot.ms)}`}
                  onClick={() => onOpen(shot.id)}
                >
                  <span className={classes.fill} style={{ height: `${Math.max(6, (shot.ms / most) * 100)}%` }} />
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

import { localMinute, until, utcMinute } from '../../ui/format';
import page from '../../ui/page.module.css';
import classes from './Schedules.module.css';

/** Moments to come, on the clock of whoever looks and in UTC, in which schedules are often written. */
export function RunTimes({ at, now }: { at: readonly string[]; now: number }) {
  return (
    <ol className={`${page.list} ${classes.next}`}>
      {at.map((when) => (
        <li key={when}>
          <span>{localMinute(when)}</span>
          <span className={page.dim}>{utcMinute(when)}</span>
          <span className={page.dim}>{until(when, now)}</span>
        </li>
      ))}
    </ol>
  );
}

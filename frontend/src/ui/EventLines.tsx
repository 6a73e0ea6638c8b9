import { t } from '../i18n/t';
import classes from './EventLines.module.css';
import { clockMs } from './format';

interface Emitted {
  event: string;
  payload?: unknown;
  ts: number;
}

/** What a function emitted, in order. */
export function EventLines({ events }: { events: readonly Emitted[] }) {
  return (
    <ol className={classes.list} aria-label={t('Events')}>
      {events.map((e, i) => (
        <li key={i} className={classes.line}>
          <span className={classes.time}>{clockMs(e.ts)}</span>
          <span className={classes.name}>{e.event}</span>
          <span className={classes.payload}>{e.payload === undefined ? '' : JSON.stringify(e.payload)}</span>
        </li>
      ))}
    </ol>
  );
}

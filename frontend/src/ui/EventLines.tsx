import { t } from '../i18n/t';
import classes from './EventLines.module.css';
import { clockMs } from './format';
import { JsonInLine } from './JsonView';

interface Emitted {
  event: string;
  payload?: unknown;
  ts: number;
}

/** What a function emitted, in order. */
export function EventLines({ events, onCopy }: { events: readonly Emitted[]; onCopy?: (text: string) => void }) {
  return (
    <ol className={classes.list} aria-label={t('Events')}>
      {events.map((e, i) => (
        <li key={i} className={classes.line}>
          <span className={classes.time}>{clockMs(e.ts)}</span>
          <span className={classes.name}>{e.event}</span>
          <span className={classes.payload}><JsonInLine value={e.payload} label={t('value of {name}', { name: e.event })} onCopy={onCopy} /></span>
        </li>
      ))}
    </ol>
  );
}

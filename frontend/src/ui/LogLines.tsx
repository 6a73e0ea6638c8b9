import { t } from '../i18n/t';
import classes from './LogLines.module.css';
import { clockMs } from './format';
import { JsonInLine } from './JsonView';

interface Line {
  level: string;
  message: string;
  data?: unknown;
  ts: number;
}

/** What a function logged, in order. */
export function LogLines({ lines, onCopy }: { lines: readonly Line[]; onCopy?: (text: string) => void }) {
  return (
    <ol className={classes.list} aria-label={t('Logs')}>
      {lines.map((line, i) => (
        <li key={i} className={classes.line} data-level={line.level}>
          <span className={classes.time}>{clockMs(line.ts)}</span>
          <span className={classes.level}>{line.level}</span>
          <span className={classes.message}>
            {line.message}
            {line.data !== undefined && <span className={classes.data}> <JsonInLine value={line.data} label={t('value of line {n}', { n: i + 1 })} onCopy={onCopy} /></span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

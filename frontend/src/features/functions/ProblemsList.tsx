import { CircleAlert, TriangleAlert } from 'lucide-react';
import { t } from '../../i18n/t';
import classes from './ProblemsList.module.css';
import type { PlacedProblem } from './problems';

/** What is wrong, with a jump to each place. */
export function ProblemsList({ problems, file, onJump }: { problems: readonly PlacedProblem[]; /** What they are of, where there is one text. */ file?: string; onJump: (p: PlacedProblem) => void }) {
  return (
    <ul className={classes.list} aria-label={t('Problems')}>
      {problems.map((p, i) => (
        <li key={i}>
          <button type="button" className={classes.item} onClick={() => onJump(p)}>
            {p.severity === 'error' ? (
              <CircleAlert size={14} className={classes.error} role="img" aria-label={t('Error')} />
            ) : (
              <TriangleAlert size={14} className={classes.warning} role="img" aria-label={t('Warning')} />
            )}
            <span className={classes.message}>{p.message}</span>
            <span className={classes.code}>{p.code}</span>
            <span className={classes.place}>
              {file ?? p.part}
              {p.line > 0 && `:${p.line}:${p.column}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

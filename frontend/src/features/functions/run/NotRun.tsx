import { t } from '../../../i18n/t';
import { ErrorBox } from '../../../ui/ErrorBox';
import { besideCode } from '../../../ui/errorText';
import classes from './RunOutput.module.css';
import type { Refusal } from './runState';

/** Why the platform did not run a function, and what it found wrong with the call. */
export function NotRun({ problem }: { problem: Refusal }) {
  const { code, message, details } = problem;
  return (
    <ErrorBox title={code ? t('Not run: {code}', { code }) : t('Not run')}>
      {besideCode(code, message)}
      {details?.length ? (
        <ul className={classes.details}>
          {details.map((d) => (
            <li key={d}>{d}</li>
          ))}
        </ul>
      ) : null}
    </ErrorBox>
  );
}

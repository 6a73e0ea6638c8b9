import { useSyncExternalStore } from 'react';
import { useApi } from '../api/ApiContext';
import { t } from '../i18n/t';
import classes from './SlowBar.module.css';

/** A line at the top of the window while an answer takes longer than a moment. */
export function SlowBar() {
  const { client } = useApi();
  const slow = useSyncExternalStore(client.waiting.watch, client.waiting.slow);
  return slow ? <div className={classes.bar} role="progressbar" aria-label={t('Waiting for the platform')} /> : null;
}

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FileClock } from 'lucide-react';
import { t } from '../../i18n/t';
import { clock, dateTime } from '../../ui/format';
import classes from './RestoredNotice.module.css';

interface Props {
  /** When the text was typed. */
  at: string;
  onKeep: () => void;
  /** Gives what brings the text back. */
  onDiscard: () => () => void;
}

/** An unsaved text came back from an earlier visit: the author says what becomes of it. */
export function RestoredNotice({ at, onKeep, onDiscard }: Props) {
  const discard = () => {
    const undo = onDiscard();
    notifications.show({
      id: 'draft-discarded',
      message: (
        <>
          {t('The unsaved text is thrown away.')}{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              notifications.hide('draft-discarded');
              undo();
            }}
          >
            {t('Undo')}
          </Button>
        </>
      ),
      autoClose: 15_000,
    });
  };
  return (
    <div className={classes.notice} role="status">
      <FileClock size={15} className={classes.icon} aria-hidden />
      <span className={classes.text} title={dateTime(at)}>
        {t('Unsaved text from {whenOf} restored.', { whenOf: whenOf(at) })}
      </span>
      <Button size="compact-xs" variant="default" onClick={onKeep}>
        {t('Keep it')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={discard}>
        {t('Throw it away')}
      </Button>
    </div>
  );
}

/** The time of day, with the day when it was not today. */
function whenOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'before';
  return date.toDateString() === new Date().toDateString() ? clock(at).slice(0, 5) : dateTime(at);
}

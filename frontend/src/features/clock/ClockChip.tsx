import { CloseButton } from '@mantine/core';
import { Clock } from 'lucide-react';
import { t } from '../../i18n/t';
import classes from './ClockChip.module.css';
import { momentText } from './moment';

interface Props {
  clock: string;
  /** What follows the moment, such as whose it is. */
  note?: string;
  onClear?: () => void;
  clearLabel?: string;
}

/** Says that a run had, or will have, a clock of its own, and which. */
export function ClockChip({ clock, note, onClear, clearLabel }: Props) {
  const text = t('clock: {moment}', { moment: momentText(clock) });
  return (
    <span className={classes.chip} title={note ? `${text} · ${note}` : text}>
      <Clock size={13} aria-hidden />
      <span className={classes.text}>
        {text}
        {note && <span className={classes.note}> · {note}</span>}
      </span>
      {onClear && <CloseButton size="xs" className={classes.clear} aria-label={clearLabel} title={clearLabel} onClick={onClear} />}
    </span>
  );
}

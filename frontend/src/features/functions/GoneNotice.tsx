import { Button } from '@mantine/core';
import { FolderX } from 'lucide-react';
import { t } from '../../i18n/t';
import classes from './RestoredNotice.module.css';

interface Props {
  name: string;
  busy: boolean;
  onMake: () => void;
  onDiscard: () => void;
}

/** The function was removed while it was edited: its author says whether it comes back. */
export function GoneNotice({ name, busy, onMake, onDiscard }: Props) {
  return (
    <div className={classes.notice} role="status">
      <FolderX size={15} className={classes.icon} aria-hidden />
      <span className={classes.text}>{t('{name} was removed, or its folder was renamed. Your text is still here; saving makes it again.', { name })}</span>
      <Button size="compact-xs" variant="default" loading={busy} onClick={onMake}>
        {t('Make it again')}
      </Button>
      <Button size="compact-xs" variant="subtle" disabled={busy} onClick={onDiscard}>
        {t('Throw the text away')}
      </Button>
    </div>
  );
}

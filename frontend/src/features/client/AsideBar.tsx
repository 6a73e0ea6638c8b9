import { ActionIcon, Button } from '@mantine/core';
import { Undo2, X } from 'lucide-react';
import { t } from '../../i18n/t';
import classes from './Saved.module.css';

/** What made way for something else: it is not lost, and one click brings it back. */
export function AsideBar({ text, onBack, onForget }: { text: string; onBack: () => void; onForget: () => void }) {
  return (
    <div className={classes.aside} role="status" data-testid="aside">
      <span className={classes.asideText}>{text}</span>
      <Button size="compact-xs" variant="default" leftSection={<Undo2 size={12} />} onClick={onBack}>
        {t('Bring it back')}
      </Button>
      <ActionIcon size="sm" aria-label={t('Forget it')} title={t('Forget it')} onClick={onForget}>
        <X size={12} />
      </ActionIcon>
    </div>
  );
}

import { ActionIcon, Button, Menu } from '@mantine/core';
import { ChevronDown, Copy, Play, RotateCcw, Square, Zap } from 'lucide-react';
import { t } from '../../../i18n/t';
import { Hint } from '../../../ui/Keys';
import classes from './RunPanel.module.css';

export type CopyForm = 'curl' | 'CLI' | 'fetch';

interface Props {
  running: boolean;
  cancelling: boolean | undefined;
  canCancel: boolean;
  canRun: boolean;
  dirty: boolean;
  onRun: () => void;
  onCancel: () => void;
  onMany: () => void;
  onAgain: () => void;
  onCopy: (form: CopyForm) => void;
}

/** Run, and what else can be done with the call. */
export function RunButtons({ running, cancelling, canCancel, canRun, dirty, onRun, onCancel, onMany, onAgain, onCopy }: Props) {
  return (
    <div className={classes.buttons}>
      {running ? (
        <Button className={classes.run} size="sm" color="red" variant="light" leftSection={<Square size={13} />} loading={cancelling} disabled={!canCancel} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      ) : (
        <Hint label={dirty ? t('Save and run') : t('Run')} command="run">
          <Button className={classes.run} size="sm" leftSection={<Play size={14} />} disabled={!canRun} onClick={onRun}>
            {dirty ? t('Save and run') : t('Run')}
          </Button>
        </Hint>
      )}
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon size={36} variant="default" aria-label={t('More ways to run')}>
            <ChevronDown size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Zap size={14} />} disabled={!canRun || running} onClick={onMany}>
            {t('Run ×10')}
          </Menu.Item>
          <Menu.Item leftSection={<RotateCcw size={14} />} disabled={running} onClick={onAgain}>
            {t('Replay the last run')}
          </Menu.Item>
          <Menu.Divider />
          {(['curl', 'CLI', 'fetch'] as const).map((form) => (
            <Menu.Item key={form} leftSection={<Copy size={14} />} disabled={!canRun} onClick={() => onCopy(form)}>
              {t('Copy as {form}', { form })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

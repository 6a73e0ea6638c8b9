import { ActionIcon, Button, Menu } from '@mantine/core';
import { ChevronDown, Copy, Play, RotateCcw, Square, Zap } from 'lucide-react';
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
          Cancel
        </Button>
      ) : (
        <Hint label={dirty ? 'Save and run' : 'Run'} command="run">
          <Button className={classes.run} size="sm" leftSection={<Play size={14} />} disabled={!canRun} onClick={onRun}>
            {dirty ? 'Save and run' : 'Run'}
          </Button>
        </Hint>
      )}
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon size={36} variant="default" aria-label="More ways to run">
            <ChevronDown size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Zap size={14} />} disabled={!canRun || running} onClick={onMany}>
            Run ×10
          </Menu.Item>
          <Menu.Item leftSection={<RotateCcw size={14} />} disabled={running} onClick={onAgain}>
            Replay the last run
          </Menu.Item>
          <Menu.Divider />
          {(['curl', 'CLI', 'fetch'] as const).map((form) => (
            <Menu.Item key={form} leftSection={<Copy size={14} />} disabled={!canRun} onClick={() => onCopy(form)}>
              Copy as {form}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

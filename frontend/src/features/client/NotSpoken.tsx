import { Button } from '@mantine/core';
import { Copy, FolderOpen, MessagesSquare } from 'lucide-react';
import type { Agent } from '../../api/contract.gen';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { EmptyState } from '../../ui/EmptyState';
import { useAct } from '../../ui/useAct';
import classes from './Client.module.css';

interface Props {
  agent: Agent;
  transport: string;
  /** What people call it. */
  what: string;
  /** The transports that it has now. */
  speaks: readonly string[];
}

/** What a tab shows for a transport that AGENT.md does not list: the line that it is to have. */
export function NotSpoken({ agent, transport, what, speaks }: Props) {
  const native = useNative();
  const { act } = useAct();
  const line = ['transports:', `[${[...speaks, transport].join(', ')}]`].join(' ');
  const file = agent.folder && `${agent.folder}/AGENT.md`;
  return (
    <EmptyState
      icon={<MessagesSquare size={20} />}
      title={t('{agent} does not speak {what} yet', { agent: agent.username, what })}
      action={
        <div className={classes.todo}>
          <Button leftSection={<Copy size={13} />} onClick={() => void act('copy', () => native.copy(line), t('Copied'))}>
            {t('Copy the line')}
          </Button>
          {file && native.reveal && (
            <Button variant="default" leftSection={<FolderOpen size={13} />} onClick={() => void act('reveal', () => native.reveal!(file))}>
              {t('Show AGENT.md')}
            </Button>
          )}
        </div>
      }
    >
      <span title={file}>
        {speaks.length > 0 ? rich('Change the line of its transports in <1>AGENT.md</1> and save: it counts at once.', [<code />]) : rich('Add a line to the front matter of its <1>AGENT.md</1> and save: it counts at once.', [<code />])}
      </span>
      <code className={classes.theLine}>{line}</code>
    </EmptyState>
  );
}

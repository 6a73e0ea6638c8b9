import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, FolderOpen, MessagesSquare, Plus } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { keys } from '../../api/keys';
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

/** What a tab shows for a transport that AGENT.md does not list: the line that it is to have, and a button that writes it. */
export function NotSpoken({ agent, transport, what, speaks }: Props) {
  const native = useNative();
  const { client } = useApi();
  const cache = useQueryClient();
  const { busy, act } = useAct();
  const change = async (to: 'spoken' | 'silent') => {
    const params = { agent: agent.id, transport };
    const answer = await (to === 'spoken' ? client.call('PUT /api/local/agents/:agent/transports/:transport', { params }) : client.call('DELETE /api/local/agents/:agent/transports/:transport', { params }));
    await cache.invalidateQueries({ queryKey: keys.endpoints(agent.id) });
    return answer;
  };
  const add = () =>
    act('add', async () => {
      const { warnings = [] } = await change('spoken');
      const id = `transport-${agent.id}-${transport}`;
      const undo = () => {
        notifications.hide(id);
        void act('undo', () => change('silent'));
      };
      notifications.show({
        id,
        ...(warnings.length ? { color: 'yellow', autoClose: false } : { autoClose: 12_000 }),
        title: t('{agent} speaks {what} now', { agent: agent.username, what }),
        message: (
          <>
            {agent.folder ? rich('<1>transports</1> in AGENT.md has it.', [<code />]) : t('It counts at once.')}
            {warnings.map((w) => ` ${w.message}`)}{' '}
            <Button size="compact-xs" variant="default" onClick={undo}>
              {t('Undo')}
            </Button>
          </>
        ),
      });
    });
  const line = ['transports:', `[${[...speaks, transport].join(', ')}]`].join(' ');
  const file = agent.folder && `${agent.folder}/AGENT.md`;
  return (
    <EmptyState
      icon={<MessagesSquare size={20} />}
      title={t('{agent} does not speak {what} yet', { agent: agent.username, what })}
      action={
        <div className={classes.todo}>
          <Button leftSection={<Plus size={13} />} loading={busy === 'add'} onClick={() => void add()}>
            {agent.folder ? t('Add it to AGENT.md') : t('Add it')}
          </Button>
          {agent.folder && (
            <Button variant="default" leftSection={<Copy size={13} />} onClick={() => void act('copy', () => native.copy(line), t('Copied'))}>
              {t('Copy the line')}
            </Button>
          )}
          {file && native.reveal && (
            <Button variant="default" leftSection={<FolderOpen size={13} />} onClick={() => void act('reveal', () => native.reveal!(file))}>
              {t('Show AGENT.md')}
            </Button>
          )}
        </div>
      }
    >
      {agent.folder ? (
        <>
          <span title={file}>{rich('This is what its <1>AGENT.md</1> is to say; whatever else it says stays as it is.', [<code />])}</span>
          <code className={classes.theLine}>{line}</code>
        </>
      ) : (
        t('It serves nothing of the kind so far.')
      )}
    </EmptyState>
  );
}

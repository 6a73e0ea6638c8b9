import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { SquareFunction } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { agentFile, isFunction, isModule, saveWork } from '../../api/queries';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { parts, type Docs } from './docs';

interface Props {
  agent: string;
  name: string;
  docs: Docs;
  onGone: () => void;
}

/** A function that is not there any more; a text of it that was never saved still is. */
export function GoneFunction({ agent, name, docs, onGone }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const id = `${agent}/${name}`;
  const kept = parts.some((part) => docs.drafts.waits(id, part)) || docs.request(id) !== undefined;
  const makeAgain = async () => {
    setBusy(true);
    docs.stored(id, {});
    const body = docs.request(id);
    try {
      if (!body) return;
      const now = await saveWork(client, agent, name, body);
      docs.saved(id, body, now);
      cache.setQueryData(keys.workFunction(agent, name), now);
      await cache.invalidateQueries({ queryKey: keys.work(agent) });
    } catch (error) {
      notifications.show({ color: 'red', message: t('Not saved: {problem}', { problem: messageOf(error) }) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <EmptyState
      icon={<SquareFunction size={20} />}
      title={name === agentFile ? t('This agent has no folder, so it has no AGENT.md') : isModule(name) ? t('No endpoint names {name}', { name }) : t('There is no function {name}', { name })}
      action={
        <Group gap={8} justify="center">
          {kept && (
            <>
              {/* A module that AGENT.md does not name has no place to go to. */}
              {isFunction(name) && (
                <Button loading={busy} onClick={() => void makeAgain()}>
                  {t('Make it again')}
                </Button>
              )}
              <Button variant="default" disabled={busy} onClick={() => docs.forget(id)}>
                {t('Throw the text away')}
              </Button>
            </>
          )}
          <Button variant={kept ? 'subtle' : 'default'} onClick={onGone}>
            {t('Show the others')}
          </Button>
        </Group>
      }
    >
      {name === agentFile ? t('What it is stands in the platform alone.') : isModule(name) ? t('Its entry under endpoints in AGENT.md is gone, or names another file.') : t('It was removed, or its folder was renamed.')}{kept && t(' Text of it that was not saved is still here.')}
    </EmptyState>
  );
}

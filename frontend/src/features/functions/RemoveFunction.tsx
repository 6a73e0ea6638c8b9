import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { Agent } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { parts, type Docs } from './docs';
import classes from './FunctionsScreen.module.css';

interface Props {
  agent: Agent;
  name: string;
  docs: Docs;
  opened: boolean;
  onClose: () => void;
  onRemoved: () => void;
  /** It is there again. */
  onBack: () => void;
}

/** Asks whether to remove a function, and offers to take that back. */
export function RemoveFunction({ agent, name, docs, opened, onClose, onRemoved, onBack }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const id = `${agent.id}/${name}`;
  const params = { agent: agent.id, name };
  const note = `removed:${id}`;

  const restore = async (unsaved: readonly (string | undefined)[]) => {
    notifications.hide(note);
    try {
      const { function: now, entriesLeft } = await client.call('POST /api/local/agents/:agent/functions/:name/restore', { params });
      cache.setQueryData(keys.workFunction(agent.id, name), now);
      docs.stored(id, now);
      // What was not saved when it was removed is not saved now.
      for (const [i, part] of parts.entries()) if (unsaved[i] !== undefined) docs.edit(id, part, unsaved[i]);
      await cache.invalidateQueries({ queryKey: keys.work(agent.id) });
      notifications.show({ message: entriesLeft ? t('{name} is back. AGENT.md was changed since, so entries that used it are not.', { name }) : t('{name} is back.', { name }) });
      onBack();
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  };
  const remove = async () => {
    setBusy(true);
    const before = docs.get(id);
    const unsaved = docs.isDirty(id) ? parts.map((p) => before[p]?.mine) : [];
    try {
      await client.call('DELETE /api/agents/:agent/functions/:name', { params });
      onClose();
      await cache.invalidateQueries({ queryKey: keys.work(agent.id), exact: true });
      notifications.show({
        id: note,
        autoClose: agent.folder ? 15_000 : undefined,
        message: agent.folder ? (
          <>
            {t('{name} is removed. Its files are in .benchtop/trash.', { name })}{' '}
            <Button size="compact-xs" variant="default" onClick={() => void restore(unsaved)}>
              {t('Undo')}
            </Button>
          </>
        ) : (
          t('{name} is removed.', { name })
        ),
      });
      docs.forget(id);
      onRemoved();
    } catch (error) {
      onClose();
      notifications.show({ color: 'red', message: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t('Remove {name}?', { name })} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
      <p className={classes.ask}>{agent.folder ? t('Its files move to .benchtop/trash in the project folder. Calls to it will answer FN_NOT_FOUND.') : t('It is removed with its source. Calls to it will answer FN_NOT_FOUND.')}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Keep it')}
        </Button>
        <Button color="red" loading={busy} onClick={() => void remove()}>
          {t('Remove')}
        </Button>
      </div>
    </Modal>
  );
}

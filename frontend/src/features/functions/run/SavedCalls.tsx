import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../../api/ApiContext';
import type { Agent, SavedCall } from '../../../api/contract.gen';
import { messageOf } from '../../../api/errors';
import { keys } from '../../../api/keys';
import { useCalls } from '../../../api/queries';
import { t } from '../../../i18n/t';
import { useCommand } from '../../../ui/commands';
import { readJson } from '../../../ui/exact';
import classes from './SavedCalls.module.css';
import type { Caller } from './input';

interface Props {
  agent: Agent;
  name: string;
  /** The body that would be sent now; undefined while it cannot be. */
  body: string | undefined;
  caller: Caller;
  onPick: (call: SavedCall) => void;
}

/** The calls that are kept as files of the project: pick one, keep this one. */
export function SavedCalls({ agent, name, body, caller, onPick }: Props) {
  const { client } = useApi();
  const cache = useQueryClient();
  const calls = useCalls(agent.folder ? agent.id : undefined);
  const [naming, setNaming] = useState(false);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const mine = calls.data?.calls.filter((c) => c.function === name) ?? [];
  const begin = () => {
    setProblem(undefined);
    setNaming(true);
  };
  useCommand('saveCall', begin, Boolean(agent.folder && body));

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!body || !text.trim()) return;
    setBusy(true);
    try {
      const kept = await client.call('PUT /api/local/agents/:agent/functions/:name/calls/:call', {
        params: { agent: agent.id, name, call: text.trim() },
        body: { body: readJson(body), ...(caller === 'owner' ? {} : { caller }) },
      });
      await cache.invalidateQueries({ queryKey: keys.calls(agent.id) });
      notifications.show({ message: t('Saved as {path}', { path: kept.path }) });
      setNaming(false);
      setText('');
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const remove = async (call: SavedCall) => {
    try {
      await client.call('DELETE /api/local/agents/:agent/functions/:name/calls/:call', { params: { agent: agent.id, name, call: call.name } });
      await cache.invalidateQueries({ queryKey: keys.calls(agent.id) });
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  };
  const saved = t('Saved{what}', { what: mine.length > 0 ? ` ${mine.length}` : '' });
  return (
    <>
      <Menu position="bottom-end" width={260} onOpen={() => void calls.refetch()} disabled={!agent.folder}>
        <Menu.Target>
          <Button variant="subtle" color="gray" size="compact-xs" leftSection={<Bookmark size={13} />} disabled={!agent.folder} aria-label={saved} title={agent.folder ? t('Saved calls') : t('Saved calls are files of a project folder, which this agent has not')}>
            <span className={classes.word}>{saved}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mine.length === 0 && <Menu.Label>{t('Nothing saved for {name} yet', { name })}</Menu.Label>}
          {mine.map((call) => (
            <div key={call.name} className={classes.row}>
              <Menu.Item className={classes.item} onClick={() => onPick(call)}>
                {call.name}
                {call.caller && <span className={classes.caller}> {t('as {caller}', { caller: call.caller })}</span>}
              </Menu.Item>
              <Menu.Item className={classes.remove} closeMenuOnClick={false} aria-label={t('Remove the saved call {name}', { name: call.name })} onClick={() => void remove(call)}>
                <Trash2 size={13} aria-hidden />
              </Menu.Item>
            </div>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!body} onClick={begin}>
            {t('Save this call…')}
          </Menu.Item>
          {calls.data?.problems.map((p) => (
            <Menu.Label key={p.message}>{p.message}</Menu.Label>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title={t('Save this call')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <form className={classes.form} onSubmit={(e) => void save(e)}>
          <TextInput label={t('Name')} description={t('Becomes .benchtop/calls/{name}/<name>.json', { name })} data-autofocus spellCheck={false} value={text} error={problem} onChange={(e) => setText(e.currentTarget.value)} />
          {mine.some((c) => c.name === text.trim()) && <p className={classes.note}>{t('There is one of that name; saving replaces it.')}</p>}
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => setNaming(false)}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!text.trim()}>
              {t('Save')}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}

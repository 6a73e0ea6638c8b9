import { ActionIcon, Button, Menu, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Ellipsis } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { ClientCall } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { useCalls } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import client from './Client.module.css';
import { NoFolder } from './SaveCall';
import classes from './Saved.module.css';
import { kindWord, useSaved } from './saved';

type Asked = { what: 'rename' | 'remove'; call: ClientCall };

/** The calls of this place that are files of the project. Others may write them, too. */
export function SavedList() {
  const { agent, open } = useSaved();
  const calls = useCalls(agent.folder ? agent.id : undefined);
  const [asked, setAsked] = useState<Asked>();
  const list = calls.data?.client ?? [];
  return (
    <section className={classes.list} aria-label={t('Saved calls')} tabIndex={0}>
      <h2 className={client.sideTitle}>{t('Saved calls')}</h2>
      {!agent.folder && (
        <div className={classes.none}>
          <NoFolder />
        </div>
      )}
      {calls.isError && <ErrorBox title={messageOf(calls.error)} onRetry={() => void calls.refetch()} />}
      {calls.data && list.length === 0 && <p className={`${classes.note} ${classes.none}`}>{t('None yet. “Save…” keeps a call as a file of the project.')}</p>}
      <ul className={client.sideList}>
        {list.map((c) => (
          <Row key={c.name} call={c} onOpen={() => open(c)} onAsk={(what) => setAsked({ what, call: c })} />
        ))}
      </ul>
      <Modal opened={asked?.what === 'rename'} onClose={() => setAsked(undefined)} title={t('Rename the saved call')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        {asked && <Rename call={asked.call} onDone={() => setAsked(undefined)} />}
      </Modal>
      <Modal opened={asked?.what === 'remove'} onClose={() => setAsked(undefined)} title={t('Delete the saved call')} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        {asked && <Remove call={asked.call} onDone={() => setAsked(undefined)} />}
      </Modal>
    </section>
  );
}

function Row({ call, onOpen, onAsk }: { call: ClientCall; onOpen: () => void; onAsk: (what: Asked['what']) => void }) {
  const native = useNative();
  const { agent } = useSaved();
  const onKeyDown = (e: KeyboardEvent) => {
    const what = e.key === 'F2' ? 'rename' : e.key === 'Delete' ? 'remove' : undefined;
    if (!what || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    e.preventDefault();
    onAsk(what);
  };
  return (
    <li className={classes.row} data-testid="saved-call">
      {call.call ? (
        <button type="button" className={client.sideItem} onClick={onOpen} onKeyDown={onKeyDown} title={call.file}>
          <span className={client.method}>{kindWord(call.call)}</span>
          <span className={classes.name}>{call.name}</span>
        </button>
      ) : (
        <div className={classes.broken} title={call.file} onKeyDown={onKeyDown}>
          <CircleAlert size={14} aria-hidden />
          <div>
            <div className={classes.name}>{call.name}</div>
            <div className={classes.reason}>{t('Broken: {problem}', { problem: call.problem })}</div>
          </div>
        </div>
      )}
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon className={classes.more} size="sm" aria-label={t('More for {name}', { name: call.name })} onKeyDown={onKeyDown}>
            <Ellipsis size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {call.call && <Menu.Item onClick={onOpen}>{t('Open')}</Menu.Item>}
          <Menu.Item onClick={() => onAsk('rename')}>{t('Rename…')}</Menu.Item>
          <Menu.Item onClick={() => onAsk('remove')}>{t('Delete…')}</Menu.Item>
          <Menu.Item onClick={() => void native.copy(`${agent.folder}/${call.file}`)}>{t('Copy path')}</Menu.Item>
          {native.reveal && <Menu.Item onClick={() => void native.reveal?.(`${agent.folder}/${call.file}`)}>{t('Show in folder')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** Does something to a file and says why it did not work. */
function useChange(onDone: () => void) {
  const { agent } = useSaved();
  const cache = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const change = async (run: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await run();
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
      await cache.invalidateQueries({ queryKey: keys.calls(agent.id) });
    }
  };
  return { problem, busy, change };
}

function Rename({ call, onDone }: { call: ClientCall; onDone: () => void }) {
  const { client } = useApi();
  const { agent, opened } = useSaved();
  const [name, setName] = useState(call.name);
  const { problem, busy, change } = useChange(onDone);
  const to = name.trim();
  const rename = () =>
    change(async () => {
      await client.call('POST /api/local/agents/:agent/calls/client/:call/rename', { params: { agent: agent.id, call: call.name }, body: { name: to } });
      opened.renamed(call.name, to);
    });
  return (
    <form
      className={page.form}
      onSubmit={(e) => {
        e.preventDefault();
        if (to && to !== call.name && !busy) void rename();
      }}
    >
      <TextInput label={t('New name')} data-autofocus spellCheck={false} value={name} error={problem} onChange={(e) => setName(e.currentTarget.value)} onFocus={(e) => e.currentTarget.select()} />
      <div className={page.buttons}>
        <Button variant="default" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" disabled={!to || to === call.name} loading={busy}>
          {t('Rename')}
        </Button>
      </div>
    </form>
  );
}

function Remove({ call, onDone }: { call: ClientCall; onDone: () => void }) {
  const { client } = useApi();
  const { agent } = useSaved();
  const { problem, busy, change } = useChange(onDone);
  const remove = () => change(() => client.call('DELETE /api/local/agents/:agent/calls/client/:call', { params: { agent: agent.id, call: call.name } }));
  return (
    <>
      <p className={page.ask}>
        {rich('Delete <1>{name}</1>? Its file {file} is removed from the project. This cannot be undone here.', [<b />], { name: call.name, file: call.file })}
      </p>
      {problem && <ErrorBox title={problem} />}
      <div className={page.buttons}>
        <Button variant="default" data-autofocus onClick={onDone}>
          {t('Keep it')}
        </Button>
        <Button color="red" loading={busy} onClick={() => void remove()}>
          {t('Delete')}
        </Button>
      </div>
    </>
  );
}

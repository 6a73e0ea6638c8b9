import { ActionIcon, Button, Menu, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Ellipsis } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { ClientCall } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { useCalls } from '../../api/queries';
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
    <section className={classes.list} aria-label="Saved calls" tabIndex={0}>
      <h2 className={client.sideTitle}>Saved calls</h2>
      {!agent.folder && (
        <div className={classes.none}>
          <NoFolder />
        </div>
      )}
      {calls.isError && <ErrorBox title={messageOf(calls.error)} onRetry={() => void calls.refetch()} />}
      {calls.data && list.length === 0 && <p className={`${classes.note} ${classes.none}`}>None yet. “Save…” keeps a call as a file of the project.</p>}
      <ul className={client.sideList}>
        {list.map((c) => (
          <Row key={c.name} call={c} onOpen={() => open(c)} onAsk={(what) => setAsked({ what, call: c })} />
        ))}
      </ul>
      <Modal opened={asked?.what === 'rename'} onClose={() => setAsked(undefined)} title="Rename the saved call" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
        {asked && <Rename call={asked.call} onDone={() => setAsked(undefined)} />}
      </Modal>
      <Modal opened={asked?.what === 'remove'} onClose={() => setAsked(undefined)} title="Delete the saved call" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
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
            <div className={classes.reason}>Broken: {call.problem}</div>
          </div>
        </div>
      )}
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon className={classes.more} size="sm" aria-label={`More for ${call.name}`} onKeyDown={onKeyDown}>
            <Ellipsis size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {call.call && <Menu.Item onClick={onOpen}>Open</Menu.Item>}
          <Menu.Item onClick={() => onAsk('rename')}>Rename…</Menu.Item>
          <Menu.Item onClick={() => onAsk('remove')}>Delete…</Menu.Item>
          <Menu.Item onClick={() => void native.copy(`${agent.folder}/${call.file}`)}>Copy path</Menu.Item>
          {native.reveal && <Menu.Item onClick={() => void native.reveal?.(`${agent.folder}/${call.file}`)}>Show in folder</Menu.Item>}
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
      <TextInput label="New name" data-autofocus spellCheck={false} value={name} error={problem} onChange={(e) => setName(e.currentTarget.value)} onFocus={(e) => e.currentTarget.select()} />
      <div className={page.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" disabled={!to || to === call.name} loading={busy}>
          Rename
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
        Delete <b>{call.name}</b>? Its file {call.file} is removed from the project. This cannot be undone here.
      </p>
      {problem && <ErrorBox title={problem} />}
      <div className={page.buttons}>
        <Button variant="default" data-autofocus onClick={onDone}>
          Keep it
        </Button>
        <Button color="red.9" loading={busy} onClick={() => void remove()}>
          Delete
        </Button>
      </div>
    </>
  );
}

import { Button, Modal, SegmentedControl, Select, Skeleton, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { ClipboardPaste, KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { SecretInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { useSecrets, useWork } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { tick } from '../../ui/checks';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, dateTime, plural } from '../../ui/format';
import { SecretForm } from '../../ui/SecretForm';
import { StatusChip } from '../../ui/StatusChip';
import { ByName } from './ByName';
import { PasteEnv } from './PasteEnv';
import classes from './SecretsScreen.module.css';
import { readerOf } from './reader';

/** The secrets of an agent, by function: what is declared, what is set. Never a value. */
export default function SecretsScreen({ agent, go }: ScreenProps) {
  const { client } = useApi();
  const cache = useQueryClient();
  const secrets = useSecrets(agent?.id);
  const work = useWork(agent?.id);
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<SecretInfo>();
  const [adding, setAdding] = useState(false);
  const [pasting, setPasting] = useState(false);
  const [view, setView] = useState('function');
  const groups = useMemo(() => groupByFunction(secrets.data?.secrets ?? []), [secrets.data]);
  if (!agent) return null;

  const refresh = () => cache.invalidateQueries({ queryKey: keys.secrets(agent.id) });
  const put = async (fn: string, binding: string, value: string) => {
    const body = { binding, value };
    if (fn === '') await client.call('POST /api/local/agents/:agent/secret', { params: { agent: agent.id }, body });
    else await client.call('POST /api/agents/:agent/functions/:name/secret', { params: { agent: agent.id, name: fn }, body });
    tick('secret');
    setEditing(undefined);
    setAdding(false);
    notifications.show({ message: `${binding} is set for ${readerOf(fn)}` });
    await refresh();
  };
  const remove = async (s: SecretInfo) => {
    setRemoving(undefined);
    try {
      const query = { binding: s.binding };
      if (s.function === '') await client.call('DELETE /api/local/agents/:agent/secret', { params: { agent: agent.id }, query });
      else await client.call('DELETE /api/agents/:agent/functions/:name/secret', { params: { agent: agent.id, name: s.function }, query });
      notifications.show({ message: `${s.binding} is removed from ${readerOf(s.function)}` });
      await refresh();
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  };

  const missing = (secrets.data?.secrets ?? []).filter((s) => s.declared && !s.set).length;
  const functions = (work.data?.functions ?? []).map((f) => f.name);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <h1 className={classes.title}>Secrets</h1>
          <p className={classes.lead}>
            {secrets.data
              ? `Sealed with a key from ${secrets.data.store === 'keychain' ? "the system's keychain" : 'a file in the data directory'}. Values go in and never come out.`
              : 'Values go in and never come out.'}
            {missing > 0 && <span className={classes.missing}> {plural(missing, 'binding')} declared and not set.</span>}
          </p>
        </div>
        <div className={classes.tools}>
          {groups.length > 0 && (
            <SegmentedControl
              aria-label="Order"
              value={view}
              onChange={setView}
              data={[
                { value: 'function', label: 'By function' },
                { value: 'name', label: 'By name' },
              ]}
            />
          )}
          <Button variant="default" leftSection={<ClipboardPaste size={14} />} disabled={groups.length === 0} onClick={() => setPasting(true)}>
            Paste a .env
          </Button>
          <Button variant="default" leftSection={<Plus size={14} />} disabled={functions.length === 0} onClick={() => setAdding(true)}>
            Add a secret
          </Button>
        </div>
      </header>
      {secrets.isError && <ErrorBox title={messageOf(secrets.error)} onRetry={() => void secrets.refetch()} />}
      {secrets.isPending && <Skeleton height={160} radius="md" />}
      {secrets.data && groups.length === 0 && (
        <EmptyState icon={<KeyRound size={20} />} title="No function asks for a secret">
          List a name under <code>permissions.secrets</code> in a manifest, read it with <code>ctx.secrets.get(name)</code>, and give it
          its value here.
        </EmptyState>
      )}
      {view === 'name' && groups.length > 0 && <ByName secrets={secrets.data?.secrets ?? []} onFunction={(fn) => go(links.function(agent.username, fn))} />}
      {view === 'function' && groups.map(([fn, list]) => (
        <section key={fn} className={classes.group} aria-label={readerOf(fn)}>
          <h2 className={classes.function}>
            {fn === '' ? (
              'The agent’s model'
            ) : (
              <button type="button" className={classes.link} onClick={() => go(links.function(agent.username, fn))}>
                {fn}
              </button>
            )}
          </h2>
          <ul className={classes.list}>
            {list.map((s) => {
              const id = `${s.function}/${s.binding}`;
              return (
                <li key={s.binding} className={classes.row}>
                  <span className={classes.binding}>{s.binding}</span>
                  <span className={classes.state}>
                    {s.set ? <StatusChip tone="ok">set</StatusChip> : <StatusChip tone="warn">not set</StatusChip>}
                  </span>
                  <span className={classes.when} title={s.setAt ? dateTime(s.setAt) : undefined}>
                    {s.setAt ? ago(s.setAt) : ''}
                    {!s.declared && <span className={classes.undeclared}>not in {s.function === '' ? 'AGENT.md' : 'the manifest'}</span>}
                  </span>
                  <span className={classes.actions}>
                    {editing === id ? (
                      <SecretForm binding={s.binding} autoFocus onSave={(v) => put(s.function, s.binding, v)} onCancel={() => setEditing(undefined)} />
                    ) : (
                      <>
                        {s.set && <span className={classes.mask} aria-hidden>••••••••</span>}
                        <Button size="compact-sm" variant={s.set ? 'default' : 'filled'} aria-label={`${s.set ? 'Replace' : 'Set'} ${s.binding} of ${readerOf(s.function)}`} onClick={() => setEditing(id)}>
                          {s.set ? 'Replace' : 'Set'}
                        </Button>
                        {s.set && (
                          <Button size="compact-sm" variant="subtle" color="red" aria-label={`Remove ${s.binding} of ${readerOf(s.function)}`} onClick={() => setRemoving(s)}>
                            Remove
                          </Button>
                        )}
                      </>
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      <Modal opened={removing !== undefined} onClose={() => setRemoving(undefined)} title={`Remove ${removing?.binding ?? ''}?`} size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
        <p className={classes.ask}>
          {removing?.function === '' ? 'The model cannot answer without it.' : <>{removing?.function} will read <code>undefined</code> on its next call.</>} The value cannot be brought back.
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setRemoving(undefined)}>
            Keep it
          </Button>
          <Button color="red" onClick={() => removing && void remove(removing)}>
            Remove
          </Button>
        </div>
      </Modal>
      {pasting && <PasteEnv secrets={secrets.data?.secrets ?? []} onSet={put} onClose={() => setPasting(false)} />}
      <AddSecret opened={adding} onClose={() => setAdding(false)} functions={functions} onSave={put} />
    </div>
  );
}

function AddSecret({ opened, onClose, functions, onSave }: { opened: boolean; onClose: () => void; functions: string[]; onSave: (fn: string, binding: string, value: string) => Promise<void> }) {
  const [fn, setFn] = useState<string | null>(null);
  const [binding, setBinding] = useState('');
  const chosen = fn ?? functions[0] ?? '';
  return (
    <Modal opened={opened} onClose={onClose} title="Add a secret" size="md" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={classes.add}>
        <Select label="Function" data={functions} value={chosen} onChange={setFn} allowDeselect={false} />
        <TextInput label="Binding" description="The name the function reads it by" placeholder="API_KEY" spellCheck={false} value={binding} onChange={(e) => setBinding(e.currentTarget.value)} />
        <SecretForm
          binding={binding}
          label="Value"
          onSave={async (value) => {
            if (!binding.trim()) throw new Error('Give the binding a name first.');
            await onSave(chosen, binding.trim(), value);
            setBinding('');
          }}
        />
      </div>
    </Modal>
  );
}

function groupByFunction(secrets: readonly SecretInfo[]): [string, SecretInfo[]][] {
  const groups = new Map<string, SecretInfo[]>();
  for (const s of secrets) groups.set(s.function, [...(groups.get(s.function) ?? []), s]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}

import { Button, Modal, SegmentedControl, Select, Skeleton, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ClipboardPaste, KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { SecretInfo } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { links } from '../../api/links';
import { useSecrets, useWork } from '../../api/queries';
import type { ScreenProps } from '../../app/screen';
import { rich, t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { ago, dateTime } from '../../ui/format';
import page from '../../ui/page.module.css';
import { SecretForm } from '../../ui/SecretForm';
import { StatusChip } from '../../ui/StatusChip';
import { ByName } from './ByName';
import { PasteEnv } from './PasteEnv';
import { useSetSecret } from './useSetSecret';
import classes from './SecretsScreen.module.css';
import { readerOf } from './reader';

/** The secrets of an agent, by function: what is declared, what is set. Never a value. */
export default function SecretsScreen({ agent, go }: ScreenProps) {
  const { client } = useApi();
  const { set, refresh } = useSetSecret(agent?.id ?? '');
  const secrets = useSecrets(agent?.id);
  const work = useWork(agent?.id);
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<SecretInfo>();
  const [adding, setAdding] = useState(false);
  const [pasting, setPasting] = useState(false);
  const [view, setView] = useState('function');
  const groups = useMemo(() => groupByFunction(secrets.data?.secrets ?? []), [secrets.data]);
  if (!agent) return null;

  const put = async (fn: string, binding: string, value: string) => {
    await set(fn, binding, value);
    setEditing(undefined);
    setAdding(false);
    notifications.show({ message: t('{binding} is set for {readerOf}', { binding, readerOf: readerOf(fn) }) });
    await refresh();
  };
  const remove = async (s: SecretInfo) => {
    setRemoving(undefined);
    try {
      const query = { binding: s.binding };
      if (s.function === '') await client.call('DELETE /api/local/agents/:agent/secret', { params: { agent: agent.id }, query });
      else await client.call('DELETE /api/agents/:agent/functions/:name/secret', { params: { agent: agent.id, name: s.function }, query });
      notifications.show({ message: t('{binding} is removed from {readerOf}', { binding: s.binding, readerOf: readerOf(s.function) }) });
      await refresh();
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  };

  const missing = (secrets.data?.secrets ?? []).filter((s) => s.declared && !s.set).length;
  const functions = (work.data?.functions ?? []).map((f) => f.name);
  return (
    <div className={page.page}>
      <header className={page.header}>
        <div>
          <h1 className={page.title}>{t('Secrets')}</h1>
          <p className={page.lead}>
            {secrets.data
              ? secrets.data.store === 'keychain' ? t("Sealed with a key from the system's keychain. Values go in and never come out.") : t('Sealed with a key from a file in the data directory. Values go in and never come out.')
              : t('Values go in and never come out.')}
            {missing > 0 && <span className={classes.missing}> {t('{n, plural, one {# binding} other {# bindings}} declared and not set.', { n: missing })}</span>}
          </p>
        </div>
        <div className={classes.tools}>
          {groups.length > 0 && (
            <SegmentedControl
              aria-label={t('Order')}
              value={view}
              onChange={setView}
              data={[
                { value: 'function', label: t('By function') },
                { value: 'name', label: t('By name') },
              ]}
            />
          )}
          <Button variant="default" leftSection={<ClipboardPaste size={14} />} disabled={groups.length === 0} onClick={() => setPasting(true)}>
            {t('Paste a .env')}
          </Button>
          <Button variant="default" leftSection={<Plus size={14} />} disabled={functions.length === 0} onClick={() => setAdding(true)}>
            {t('Add a secret')}
          </Button>
        </div>
      </header>
      {secrets.isError && <ErrorBox title={messageOf(secrets.error)} onRetry={() => void secrets.refetch()} />}
      {secrets.isPending && <Skeleton height={160} radius="md" />}
      {secrets.data && groups.length === 0 && (
        <EmptyState icon={<KeyRound size={20} />} title={t('No function asks for a secret')}>
          {rich('List a name under <1>permissions.secrets</1> in a manifest, read it with <2>ctx.secrets.get(name)</2>, and give it its value here.', [<code />, <code />])}
        </EmptyState>
      )}
      {view === 'name' && groups.length > 0 && <ByName secrets={secrets.data?.secrets ?? []} onFunction={(fn) => go(links.function(agent.username, fn))} />}
      {view === 'function' && groups.map(([fn, list]) => (
        <section key={fn} className={classes.group} aria-label={readerOf(fn)}>
          <h2 className={classes.function}>
            {fn === '' ? (
              t('The agent’s model')
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
                  <span>
                    {s.set ? <StatusChip tone="ok">{t('set')}</StatusChip> : <StatusChip tone="warn">{t('not set')}</StatusChip>}
                  </span>
                  <span className={classes.when} title={s.setAt ? dateTime(s.setAt) : undefined}>
                    {s.setAt ? ago(s.setAt) : ''}
                    {!s.declared && <span className={classes.undeclared}>{s.function === '' ? t('not in AGENT.md') : t('not in the manifest')}</span>}
                  </span>
                  <span className={classes.actions}>
                    {editing === id ? (
                      <SecretForm binding={s.binding} autoFocus onSave={(v) => put(s.function, s.binding, v)} onCancel={() => setEditing(undefined)} />
                    ) : (
                      <>
                        {s.set && <span className={classes.mask} aria-hidden>••••••••</span>}
                        <Button size="compact-sm" variant={s.set ? 'default' : 'filled'} aria-label={s.set ? t('Replace {binding} of {readerOf}', { binding: s.binding, readerOf: readerOf(s.function) }) : t('Set {binding} of {readerOf}', { binding: s.binding, readerOf: readerOf(s.function) })} onClick={() => setEditing(id)}>
                          {s.set ? t('Replace') : t('Set')}
                        </Button>
                        {s.set && (
                          <Button size="compact-sm" variant="subtle" color="red" aria-label={t('Remove {binding} of {readerOf}', { binding: s.binding, readerOf: readerOf(s.function) })} onClick={() => setRemoving(s)}>
                            {t('Remove')}
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
      <Modal opened={removing !== undefined} onClose={() => setRemoving(undefined)} title={t('Remove {binding}?', { binding: removing?.binding ?? '' })} size="sm" closeButtonProps={{ 'aria-label': t('Close') }}>
        <p className={page.ask}>
          {removing?.function === '' ? t('The model cannot answer without it.') : <>{rich('{function} will read <1>undefined</1> on its next call.', [<code />], { function: removing?.function })}</>} {t('The value cannot be brought back.')}
        </p>
        <div className={page.buttons}>
          <Button variant="default" onClick={() => setRemoving(undefined)}>
            {t('Keep it')}
          </Button>
          <Button color="red" onClick={() => removing && void remove(removing)}>
            {t('Remove')}
          </Button>
        </div>
      </Modal>
      {pasting && <PasteEnv agent={agent.id} secrets={secrets.data?.secrets ?? []} onClose={() => setPasting(false)} />}
      <AddSecret opened={adding} onClose={() => setAdding(false)} functions={functions} onSave={put} />
    </div>
  );
}

function AddSecret({ opened, onClose, functions, onSave }: { opened: boolean; onClose: () => void; functions: string[]; onSave: (fn: string, binding: string, value: string) => Promise<void> }) {
  const [fn, setFn] = useState<string | null>(null);
  const [binding, setBinding] = useState('');
  const chosen = fn ?? functions[0] ?? '';
  return (
    <Modal opened={opened} onClose={onClose} title={t('Add a secret')} size="md" closeButtonProps={{ 'aria-label': t('Close') }}>
      <div className={classes.add}>
        <Select label={t('Function')} data={functions} value={chosen} onChange={setFn} allowDeselect={false} />
        <TextInput label={t('Binding')} description={t('The name the function reads it by')} placeholder="API_KEY" spellCheck={false} value={binding} onChange={(e) => setBinding(e.currentTarget.value)} />
        <SecretForm
          binding={binding}
          label={t('Value')}
          onSave={async (value) => {
            if (!binding.trim()) throw new Error(t('Give the binding a name first.'));
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

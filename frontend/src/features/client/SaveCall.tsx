import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useApi } from '../../api/ApiContext';
import type { ClientCallContent } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { links } from '../../api/links';
import { useCalls } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useCommand } from '../../ui/commands';
import { ErrorBox } from '../../ui/ErrorBox';
import page from '../../ui/page.module.css';
import classes from './Saved.module.css';
import { brief, kindWord, useOpened, useSaved, withheldHeaders, type Tab } from './saved';

/** Saves what a tab holds as a file of the project. what makes the call, or throws why there is none. */
export function SaveCall({ tab, what, onSaved }: { tab: Tab; what: () => ClientCallContent; onSaved?: () => void }) {
  const { agent } = useSaved();
  const [call, setCall] = useState<ClientCallContent>();
  const begin = () => {
    try {
      setCall(what());
    } catch (error) {
      notifications.show({ color: 'red', title: t('This cannot be saved yet'), message: messageOf(error) });
    }
  };
  useCommand('saveCall', begin);
  return (
    <>
      <Button variant="default" leftSection={<Bookmark size={13} />} onClick={begin}>
        {t('Save…')}
      </Button>
      <Modal opened={call !== undefined} onClose={() => setCall(undefined)} title={t('Save this call')} closeButtonProps={{ 'aria-label': t('Close') }}>
        {call && (agent.folder ? <Form tab={tab} call={call} onSaved={onSaved} onDone={() => setCall(undefined)} /> : <NoFolder />)}
      </Modal>
    </>
  );
}

/** Why nothing can be saved for an agent without a folder. */
export function NoFolder() {
  const { agent } = useSaved();
  return (
    <p className={classes.note}>
      {rich('Saved calls are files of a project folder, and {username} has none. <1>Open a folder on Home</1> to have them.', [<a href={`#${links.home()}`} />], { username: agent.username })}
    </p>
  );
}

function Form({ tab, call, onSaved, onDone }: { tab: Tab; call: ClientCallContent; onSaved: (() => void) | undefined; onDone: () => void }) {
  const { client } = useApi();
  const { agent, opened } = useSaved();
  const cache = useQueryClient();
  const calls = useCalls(agent.id);
  const [name, setName] = useState(useOpened(tab)?.name ?? '');
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const to = name.trim();
  const there = calls.data?.client.find((c) => c.name === to);
  const messages = call.messages ?? [];
  const withheld = withheldHeaders(call.headers);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // a form of the page around it
    if (!to || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const kept = await client.call('PUT /api/local/agents/:agent/calls/client/:call', {
        params: { agent: agent.id, call: to },
        body: { call: { ...call, messages: messages.filter((_, i) => !left.has(i)) }, ...(there?.sha256 ? { base: there.sha256 } : {}) },
      });
      opened.open(tab, kept.name, kept.sha256 ?? '', kept.call ?? call);
      notifications.show({ title: t('Saved as {file}', { file: kept.file }), message: kept.withheld?.length ? t('Left out, because a file must not hold credentials: {withheld}.', { withheld: kept.withheld.join(', ') }) : undefined, autoClose: kept.withheld?.length ? 9000 : 5000 });
      onSaved?.();
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
      await cache.invalidateQueries({ queryKey: keys.calls(agent.id) });
    }
  };
  return (
    <form className={page.form} aria-label={t('Save this call')} onSubmit={(e) => void save(e)}>
      <TextInput label={t('Name')} description={t('Becomes .benchtop/calls/client/<name>.json in the project')} data-autofocus spellCheck={false} value={name} error={problem} onChange={(e) => setName(e.currentTarget.value)} />
      <p className={classes.summary}>
        <code>
          {kindWord(call)} {call.path}
        </code>
      </p>
      {messages.length > 0 && (
        <fieldset className={classes.messages}>
          <legend>{t('{n, plural, one {# message} other {# messages}} to send again', { n: messages.length - left.size })}</legend>
          {messages.map((m, i) => (
            <Checkbox
              key={i}
              size="xs"
              checked={!left.has(i)}
              label={brief(m)}
              onChange={(e) => {
                const next = new Set(left);
                if (e.currentTarget.checked) next.delete(i);
                else next.add(i);
                setLeft(next);
              }}
            />
          ))}
        </fieldset>
      )}
      <p className={classes.note}>
        {t('Credentials are never saved: no tokens, no signing secrets, and no values of headers such as Authorization or Cookie. Their names stay, so that you see what to fill in.')}
        {withheld.length > 0 && <> {t('Here that is {withheld}.', { withheld: withheld.join(', ') })}</>}
      </p>
      {there && (
        <ErrorBox tone="warn" title={t('There is a saved call {to} already', { to })}>
          {there.problem ? t('It is broken: {problem}. Replacing it writes over its file.', { problem: there.problem }) : t('Replacing it writes over its file.')}
        </ErrorBox>
      )}
      <div className={page.buttons}>
        <Button variant="default" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button type="submit" disabled={!to} loading={busy}>
          {there ? t('Replace it') : t('Save')}
        </Button>
      </div>
    </form>
  );
}

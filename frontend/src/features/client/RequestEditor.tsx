import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { BodyField } from './BodyField';
import { CallerField } from './CallerField';
import classes from './Client.module.css';
import { CopyCurl } from './CopyCurl';
import { fileOf, methods, problemOf, requestOf, takesBody, type Draft, type RequestKind } from './draft';
import { isRunning, type Exchange } from './exchange';
import { SaveCall } from './SaveCall';
import { callOf, useOpened, useSaved } from './saved';
import { SignForm } from './SignForm';
import type { ClientStore } from './store';

const verbs: Record<RequestKind, string> = { http: t('Send'), websocket: t('Connect'), sse: t('Listen') };

/** The editor of one request. Its problems are shown once it was tried to be sent. */
export function RequestEditor({ kind, draft, store, current }: { kind: RequestKind; draft: Draft; store: ClientStore; current: Exchange | undefined }) {
  const { agent } = useSaved();
  const opened = useOpened(kind);
  const [tried, setTried] = useState(false);
  const problem = problemOf(draft);
  const told = (field: string) => (tried && problem?.field === field ? problem.text : undefined);
  const set = (change: Partial<Draft>) => store.setDraft(kind, change);
  const running = current !== undefined && isRunning(current);
  const send = () => {
    setTried(problem !== undefined);
    if (problem || running) return;
    try {
      store.start(requestOf(kind, draft, crypto.randomUUID()), undefined, [], fileOf(draft));
    } catch (error) {
      notifications.show({ color: 'red', title: t('That was not sent'), message: messageOf(error) });
    }
  };
  return (
    <form
      className={classes.editor}
      aria-label={t('Request')}
      onSubmit={(e) => {
        e.preventDefault();
        send();
      }}
      onKeyDown={(e) => {
        if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey) || !e.currentTarget.contains(e.target as Node)) return; // not from a dialog over it
        e.preventDefault();
        e.stopPropagation();
        send();
      }}
    >
      <div className={classes.line}>
        {kind !== 'websocket' && <Select aria-label={t('Method')} w={104} data={methods.includes(draft.method) ? methods : [...methods, draft.method]} value={draft.method} onChange={(v) => set({ method: v ?? 'GET' })} allowDeselect={false} />}
        <TextInput className={classes.path} classNames={{ input: classes.code }} aria-label={t('Path')} value={draft.path} error={told('path')} onChange={(e) => set({ path: e.currentTarget.value })} spellCheck={false} />
        {running ? (
          <Button variant="default" leftSection={<Square size={13} />} onClick={() => void store.end(current.id)}>
            {t('End')}
          </Button>
        ) : (
          <Button type="submit" leftSection={<Play size={13} />}>
            {verbs[kind]}
          </Button>
        )}
      </div>
      <div className={classes.line}>
        <CallerField caller={draft.caller} onChange={(caller) => set({ caller })} problem={told('token')} />
        <span className={classes.grow} />
        {kind !== 'websocket' && (
          <Switch
            size="xs"
            className={classes.follow}
            label={t('Follow redirects')}
            title={t('Goes where an answer leads, on this platform alone. Credentials go along to addresses of the same agent and to no others.')}
            checked={!draft.noFollow}
            onChange={(e) => set({ noFollow: e.currentTarget.checked ? undefined : true })}
          />
        )}
        {kind === 'http' && takesBody(draft.method) && <SignForm draft={draft} onSigned={(headers) => set({ headers })} />}
        {kind !== 'websocket' && <CopyCurl request={() => requestOf(kind, draft, '')} file={fileOf(draft)} />}
        <SaveCall tab={kind} onSaved={() => store.kept(kind)} what={() => callOf(kind, draft, agent.username, said(current) ?? opened?.call.messages ?? [])} />
      </div>
      <div className={classes.texts} data-two={kind !== 'websocket' && takesBody(draft.method)}>
        <Textarea label={t('Headers')} classNames={{ input: classes.code }} placeholder={t('Name: value')} autosize minRows={2} maxRows={8} value={draft.headers} error={told('headers')} onChange={(e) => set({ headers: e.currentTarget.value })} spellCheck={false} />
        {kind !== 'websocket' && takesBody(draft.method) && <BodyField draft={draft} filled={store.snapshot().filled[kind].headers} problem={told('file')} onChange={set} />}
      </div>
    </form>
  );
}

/** What was said in a WebSocket; undefined when nothing was. */
function said(x: Exchange | undefined): string[] | undefined {
  const texts = x?.items.filter((item) => item.sent && !item.binary).map((item) => item.text) ?? [];
  return x?.request.webSocket && texts.length ? texts : undefined;
}

import { Button, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Cable, Square } from 'lucide-react';
import { useState } from 'react';
import type { ClientCallContent, ClientCaller } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { AnswerView } from './AnswerView';
import { CallerField } from './CallerField';
import chat from './Chat.module.css';
import classes from './Client.module.css';
import { isRunning } from './exchange';
import { OpenedBar } from './OpenedBar';
import { SaveCall } from './SaveCall';
import { callerOf, portable, savedCaller, useOpened } from './saved';
import { SendBox } from './SendBox';
import { useStoreState, type ClientStore } from './store';

const begin = JSON.stringify({ type: 'session.create', uamp_version: '1.0', session: { modalities: ['text'] } });

/** A session over a WebSocket with the events of both sides as they are. */
export function UampTab({ store, agent }: { store: ClientStore; agent: string }) {
  const { exchanges, shown } = useStoreState(store);
  const opened = useOpened('uamp');
  const [caller, setCaller] = useState<ClientCaller>(() => callerOf(opened?.call));
  const [raw, setRaw] = useState(false);
  const current = exchanges.find((x) => x.id === shown.uamp);
  const running = current !== undefined && isRunning(current);
  const open = running && current.head?.status === 101;
  const connect = () => {
    try {
      const as = caller.token ? { ...caller, token: caller.token.trim() } : caller;
      store.start({ id: crypto.randomUUID(), webSocket: true, path: `/${agent}/uamp`, headers: [], caller: as }, 'uamp', [begin]);
    } catch (error) {
      notifications.show({ color: 'red', title: t('That was not sent'), message: messageOf(error) });
    }
  };
  const send = async (text: string) => {
    if (!current) return;
    if (raw) return store.say(current.id, asEvent(text));
    await store.say(current.id, JSON.stringify({ type: 'input.text', text }));
    await store.say(current.id, JSON.stringify({ type: 'response.create' }));
  };
  const call = (): ClientCallContent => {
    const sent = current?.items.filter((i) => i.sent && !i.binary && i.text !== begin).map((i) => i.text) ?? [];
    return { tab: 'uamp', path: portable(`/${agent}/uamp`, agent), caller: savedCaller(caller), messages: sent.length ? sent : (opened?.call.messages ?? []) };
  };
  return (
    <div className={classes.request}>
      <div className={chat.bar}>
        <CallerField caller={caller} onChange={setCaller} />
        <code className={chat.address}>WS /{agent}/uamp</code>
        {running ? (
          <Button variant="default" leftSection={<Square size={13} />} onClick={() => void store.end(current.id)}>
            {t('End')}
          </Button>
        ) : (
          <Button leftSection={<Cable size={13} />} onClick={connect}>
            {t('Open a session')}
          </Button>
        )}
        <SaveCall tab="uamp" what={call} />
      </div>
      <OpenedBar tab="uamp" onSend={(text) => (current ? store.say(current.id, text) : Promise.resolve())} waits={open ? undefined : t('Open a session to send its messages.')} />
      {current ? (
        <AnswerView key={current.id} x={current} />
      ) : (
        <EmptyState icon={<Cable size={20} />} title={t('No session')}>
          {t('Open one, and the events of both sides are listed here as they are.')}
        </EmptyState>
      )}
      {current && (
        <div className={chat.uampSend}>
          <Switch size="xs" label={t('Events in JSON')} checked={raw} onChange={(e) => setRaw(e.currentTarget.checked)} />
          <SendBox
            label={raw ? t('Event') : t('Text for the agent')}
            action={t('Send')}
            placeholder={!open ? t('Open a session first') : raw ? '{"type": "ping"}' : t('Hello')}
            disabled={!open}
            onSend={send}
          />
        </div>
      )}
    </div>
  );
}

/** A typed event on one line. Throws when it is no JSON object, as the other side would refuse it. */
function asEvent(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(t('An event is a JSON object: {problem}', { problem: messageOf(error) }));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(t('An event is a JSON object, such as {"type": "ping"}'));
  return JSON.stringify(value);
}

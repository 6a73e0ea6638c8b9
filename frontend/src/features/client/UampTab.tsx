import { Button, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Cable, RotateCw, Square } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ClientCallContent } from '../../api/contract.gen';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { bytes, duration } from '../../ui/format';
import { isObject } from '../../ui/schema/schema';
import { StatusChip } from '../../ui/StatusChip';
import { sentCaller } from './caller';
import { CallerField } from './CallerField';
import chat from './Chat.module.css';
import classes from './Client.module.css';
import { isRunning, type Exchange } from './exchange';
import { OpenedBar } from './OpenedBar';
import { dueOfSession, submitPayment } from './payment';
import { PaymentNeeded } from './PaymentNeeded';
import { SaveCall } from './SaveCall';
import { portable, savedCaller, useOpened } from './saved';
import { SendBox } from './SendBox';
import { useStoreState, type ClientStore } from './store';
import { asEvents, type WireEvent } from './wire';
import { WirePanel } from './WirePanel';

const create = { type: 'session.create', uamp_version: '1.0', session: { modalities: ['text'] } };
const begin = JSON.stringify(create);
const beginsAgain = (text: string) => text.startsWith(begin.slice(0, -1));

/** A session over a WebSocket with the events of both sides as they are. */
export function UampTab({ store, agent }: { store: ClientStore; agent: string }) {
  const { exchanges, shown, uampCaller: caller } = useStoreState(store);
  const opened = useOpened('uamp');
  const [raw, setRaw] = useState(false);
  const current = exchanges.find((x) => x.id === shown.uamp);
  const running = current !== undefined && isRunning(current);
  const open = running && current.head?.status === 101;
  const parts = useMemo(() => partsOf(current, exchanges), [current, exchanges]);
  const events = useMemo(() => parts.flatMap((x) => asEvents(x.items, x.at)).map((e, n) => ({ ...e, n })), [parts]);
  const session = running ? undefined : sessionOf(events);
  const due = open ? dueOfSession(current.items) : undefined;
  const connect = (goOn?: string) => {
    try {
      const opening = goOn ? JSON.stringify({ ...create, session_id: goOn }) : begin;
      store.start({ id: crypto.randomUUID(), webSocket: true, path: `/${agent}/uamp`, headers: [], caller: sentCaller(caller) }, 'uamp', [opening], undefined, goOn && current?.id);
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
    const sent = parts.flatMap((x) => x.items).filter((i) => i.sent && !i.binary && !beginsAgain(i.text)).map((i) => i.text);
    return { tab: 'uamp', path: portable(`/${agent}/uamp`, agent), caller: savedCaller(caller), messages: sent.length ? sent : (opened?.call.messages ?? []) };
  };
  return (
    <div className={classes.request}>
      <div className={chat.bar}>
        <CallerField caller={caller} onChange={(c) => store.setUampCaller(c)} />
        <code className={chat.address}>WS /{agent}/uamp</code>
        {running ? (
          <Button variant="default" leftSection={<Square size={13} />} onClick={() => void store.end(current.id)}>
            {t('End')}
          </Button>
        ) : (
          <>
            {session && (
              <Button variant="default" leftSection={<RotateCw size={13} />} title={t('An agent keeps a session for ten minutes, for the same caller.')} onClick={() => connect(session)}>
                {t('Go on with the session')}
              </Button>
            )}
            <Button leftSection={<Cable size={13} />} onClick={() => connect()}>
              {t('Open a session')}
            </Button>
          </>
        )}
        <SaveCall tab="uamp" what={call} />
      </div>
      <OpenedBar tab="uamp" onSend={(text) => (current ? store.sayEvent(current.id, text) : Promise.resolve())} waits={open ? undefined : t('Open a session to send its messages.')} />
      {current ? (
        <>
          {due && (
            <div className={classes.needed}>
              <PaymentNeeded due={due} paid={current.paid === true} onPaid={(token) => store.say(current.id, submitPayment(token, due))} does={t('Mint a test token and submit it')} />
            </div>
          )}
          <SessionState x={current} />
          <div className={chat.session}>
            <WirePanel key={current.id} events={events} title={t('UAMP events')} name={`${agent}-uamp`} empty={t('The events of both sides are listed here as they are.')} />
          </div>
        </>
      ) : (
        <EmptyState icon={<Cable size={20} />} title={t('No session')}>
          {t('Open one, and the events of both sides are listed here as they are.')}
        </EmptyState>
      )}
      {current && (
        <div className={chat.uampSend}>
          <Switch size="xs" label={t('Events in JSON')} checked={raw} onChange={(e) => setRaw(e.currentTarget.checked)} />
          <SendBox
            key={raw ? 'event' : 'text'}
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

/** An exchange after those that it goes on with. */
function partsOf(x: Exchange | undefined, all: readonly Exchange[]): readonly Exchange[] {
  if (!x) return [];
  return [...partsOf(x.earlier === undefined ? undefined : all.find((one) => one.id === x.earlier), all), x];
}

/** The session that the agent opened last, unless it has said that it is gone. */
function sessionOf(events: readonly WireEvent[]): string | undefined {
  const last = events.findLast((e) => !e.sent && (e.type === 'session.created' || e.type === 'session.error'))?.value;
  return isObject(last) && isObject(last.session) && typeof last.session.id === 'string' ? last.session.id : undefined;
}

/** Whether the session is open, and how it ended. */
function SessionState({ x }: { x: Exchange }) {
  const failed = x.refused ?? (x.end?.error === t('ended here') ? undefined : x.end?.error);
  return (
    <div className={chat.sessionState} role="status">
      {x.head && <StatusChip tone={x.head.status === 101 ? 'ok' : 'bad'}>{x.head.status}</StatusChip>}
      {isRunning(x) && (
        <StatusChip tone="run" busy>
          {x.head ? t('open') : t('waiting')}
        </StatusChip>
      )}
      {x.end && (
        <span>
          {duration(x.endMs ?? 0)} · {bytes(x.end.bytes)}
          {x.end.code ? t(' · closed {code}{what}', { code: x.end.code, what: x.end.reason ? ` ${x.end.reason}` : '' }) : ''}
        </span>
      )}
      {failed && <ErrorBox title={failed} />}
      {x.end?.truncated && <ErrorBox tone="warn" title={t('The answer is longer than 16 MB; the rest was left out')} />}
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

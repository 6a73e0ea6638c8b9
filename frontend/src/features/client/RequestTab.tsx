import { notifications } from '@mantine/notifications';
import { ArrowLeftRight } from 'lucide-react';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { AnswerView } from './AnswerView';
import { AsideBar } from './AsideBar';
import { sentCaller, withFields } from './caller';
import classes from './Client.module.css';
import type { RequestKind } from './draft';
import { isRunning, lastEventHeader } from './exchange';
import { OpenedBar } from './OpenedBar';
import { dueOfExchange } from './payment';
import { PaymentNeeded } from './PaymentNeeded';
import { RequestEditor } from './RequestEditor';
import { SocketSend } from './SocketSend';
import { useStoreState, type ClientStore } from './store';

const hints: Record<RequestKind, { title: string; text: string }> = {
  http: { title: t('Nothing sent yet'), text: t('Choose something on the left, or write a path, and send it. What comes back is shown here as it came.') },
  websocket: { title: t('Not connected'), text: t('Connect to a WebSocket of this agent. Messages of both sides are listed here.') },
  sse: { title: t('Not listening'), text: t('Listen to something that streams. Its events are listed here as they come.') },
};

/** A request, and what comes of it. */
export function RequestTab({ kind, store }: { kind: RequestKind; store: ClientStore }) {
  const { drafts, exchanges, shown, aside } = useStoreState(store);
  const current = exchanges.find((x) => x.id === shown[kind]);
  const open = current !== undefined && current.request.webSocket === true && isRunning(current) && current.head?.status === 101;
  const due = current && !isRunning(current) ? dueOfExchange(current) : undefined;
  const pay = (token: string) => {
    if (!current) return;
    const caller = { ...drafts[kind].caller, payment: token };
    store.setDraft(kind, { caller });
    store.start({ ...current.request, id: crypto.randomUUID(), caller: sentCaller(withFields(current.request.caller, caller)) }, kind, [], current.file);
  };
  const goOn = (after: string) => {
    if (!current) return;
    const others = (current.request.headers ?? []).filter((h) => h.name.toLowerCase() !== lastEventHeader.toLowerCase());
    try {
      store.start(
        { ...current.request, id: crypto.randomUUID(), headers: [...others, { name: lastEventHeader, value: after }], caller: sentCaller(withFields(current.request.caller, drafts[kind].caller)) },
        kind,
        [],
        current.file,
      );
    } catch (error) {
      notifications.show({ color: 'red', title: t('That was not sent'), message: messageOf(error) });
    }
  };
  return (
    <div className={classes.request}>
      {aside[kind] && <AsideBar text={t('What was written here before is put aside: {what}', { what: `${aside[kind].method} ${aside[kind].path}` })} onBack={() => store.bringBack(kind)} onForget={() => store.forgetAside(kind)} />}
      <OpenedBar tab={kind} {...(kind === 'websocket' ? { onSend: (text) => (current ? store.say(current.id, text) : Promise.resolve()), waits: open ? undefined : t('Connect to send its messages.') } : {})} />
      <RequestEditor kind={kind} draft={drafts[kind]} store={store} current={current} />
      {due && current && (
        <div className={classes.needed}>
          <PaymentNeeded key={current.id} due={due} paid={current.paid === true} onPaid={pay} does={t('Mint a test token and send it again')} />
        </div>
      )}
      {current ? (
        <AnswerView key={current.id} x={current} onGoOn={goOn} />
      ) : (
        <EmptyState icon={<ArrowLeftRight size={20} />} title={hints[kind].title}>
          {hints[kind].text}
        </EmptyState>
      )}
      {kind === 'websocket' && current && <SocketSend open={open} onText={(text) => store.say(current.id, text)} onBytes={(bytes) => store.sayBytes(current.id, bytes)} />}
    </div>
  );
}

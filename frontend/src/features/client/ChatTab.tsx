import { Button, SegmentedControl } from '@mantine/core';
import { Eraser, ListTree, MessagesSquare, Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../i18n/t';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { Splitter } from '../../ui/Splitter';
import { useStored } from '../../ui/stored';
import { AsideBar } from './AsideBar';
import { CallerField } from './CallerField';
import type { ChatProtocol, ChatStore } from './chat';
import classes from './Chat.module.css';
import { CopyCurl } from './CopyCurl';
import { OpenedBar } from './OpenedBar';
import { PaymentNeeded } from './PaymentNeeded';
import { SaveCall } from './SaveCall';
import { savedCaller, useOpened } from './saved';
import { SendBox } from './SendBox';
import { useStoreState } from './store';
import { ToolCard } from './ToolCard';
import type { ChatMessage } from './turns';
import { WirePanel } from './WirePanel';

interface Props {
  store: ChatStore;
  agent: string;
  /** The protocols that the agent speaks, one at least. */
  spoken: readonly ChatProtocol[];
  openRun: (id: string) => void;
}

const protocols: Record<ChatProtocol, { label: string; path: string; events: string; hint: string }> = {
  uamp: { label: 'UAMP', path: '/uamp/stream', events: t('UAMP events'), hint: t('The agent keeps the conversation in a session.') },
  completions: { label: t('Completions'), path: '/v1/chat/completions', events: t('Chunks'), hint: t('The whole conversation is sent each time.') },
};

/** A conversation with the agent, and what goes over the wire underneath. */
export function ChatTab({ store, agent, spoken, openRun }: Props) {
  const { messages, caller, running, over: wanted, events, aside } = useStoreState(store);
  const over = spoken.includes(wanted) ? wanted : (spoken[0] ?? wanted);
  const opened = useOpened('chat');
  const say = (text: string) => {
    store.setOver(over);
    return store.say(text);
  };
  const [panel, setPanel] = useStored('chatEvents', { open: false, height: 240 });
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [messages]);
  const { path, events: title, hint } = protocols[over];
  const pay = (token: string) => {
    store.setCaller({ ...store.snapshot().caller, payment: token });
    void store.sayAgain();
  };
  return (
    <div className={classes.chat}>
      <div className={classes.bar}>
        <CallerField caller={caller} onChange={(c) => store.setCaller(c)} />
        {spoken.length > 1 && (
          <SegmentedControl aria-label={t('Protocol')} size="xs" value={over} disabled={running} onChange={(v) => store.setOver(v as ChatProtocol)} data={spoken.map((p) => ({ value: p, label: protocols[p].label }))} />
        )}
        <code className={classes.address}>
          POST /{agent}
          {path}
        </code>
        {running && (
          <Button variant="default" leftSection={<Square size={13} />} onClick={() => store.stop()}>
            {t('Stop')}
          </Button>
        )}
        <Button variant="default" leftSection={<ListTree size={13} />} aria-expanded={panel.open} onClick={() => setPanel({ ...panel, open: !panel.open })}>
          {t('Events {events}', { events: events.length })}
        </Button>
        <CopyCurl
          request={() => {
            store.setOver(over);
            return store.lastRequest();
          }}
        />
        <Button variant="default" leftSection={<Eraser size={13} />} disabled={messages.length === 0} onClick={() => store.clear()}>
          {t('Clear')}
        </Button>
        <SaveCall
          tab="chat"
          what={() => {
            const said = messages.filter((m) => m.role === 'user').map((m) => m.text);
            return { tab: 'chat', path: `/{agent}${path}`, caller: savedCaller(caller), messages: said.length ? said : (opened?.call.messages ?? []) };
          }}
        />
      </div>
      {aside && <AsideBar text={t('The conversation before this one was put aside: {n, plural, one {# message} other {# messages}}.', { n: aside.messages.length })} onBack={() => store.bringBack()} onForget={() => store.forgetAside()} />}
      <OpenedBar tab="chat" onSend={say} waits={running ? t('Wait for the answer.') : undefined} />
      <div className={classes.messages} role="log" aria-label={t('Conversation')} tabIndex={0}>
        {messages.length === 0 && (
          <EmptyState icon={<MessagesSquare size={20} />} title={t('Say something to {agent}', { agent })}>
            {t('{hint} Tools that the model calls are shown where they ran.', { hint })}
          </EmptyState>
        )}
        {messages.map((m, i) => (
          <Message key={i} m={m} agent={agent} openRun={openRun} onPaid={i === messages.length - 1 && !running ? pay : undefined} />
        ))}
        <div ref={end} />
      </div>
      <SendBox
        label={t('What you say')}
        action={t('Say')}
        placeholder={t('Hello')}
        waits={running}
        onSend={(text) => {
          void say(text);
          return Promise.resolve(); // the box is free for what comes next
        }}
      />
      {panel.open && (
        <>
          <Splitter label={t('Height of the events')} orientation="horizontal" reverse value={panel.height} min={140} max={520} onChange={(height) => setPanel({ ...panel, height })} />
          <div className={classes.under} style={{ height: panel.height }}>
            <WirePanel events={events} title={title} name={`${agent}-${over}`} empty={t('Say something, and all that goes over the wire is listed here.')} />
          </div>
        </>
      )}
    </div>
  );
}

function Message({ m, agent, openRun, onPaid }: { m: ChatMessage; agent: string; openRun: (id: string) => void; onPaid?: ((token: string) => void) | undefined }) {
  return (
    <article className={classes.message} data-role={m.role} data-testid="chat-message" aria-busy={!m.done}>
      <div className={classes.who}>{m.role === 'user' ? t('You') : agent}</div>
      {m.tools.map((t) => (
        <ToolCard key={t.id} tool={t} openRun={openRun} />
      ))}
      {m.thinking && (
        <details className={classes.thinking} data-testid="thinking">
          <summary>{m.done || m.text ? t('What the model thought') : t('The model is thinking…')}</summary>
          <div className={classes.text}>{m.thinking}</div>
        </details>
      )}
      {m.text && <div className={classes.text}>{m.text}</div>}
      {!m.done && !m.text && !m.thinking && <div className={classes.usage}>…</div>}
      {m.due && m.done && <PaymentNeeded due={m.due} paid={m.paid === true} onPaid={onPaid} does={t('Mint a test token and say it again')} />}
      {m.problem && !m.due && <ErrorBox tone={m.problem === t('Stopped here') ? 'warn' : 'bad'} title={m.problem} />}
      {m.usage && (
        <div className={classes.usage} data-testid="usage">
          {t('{input} tokens in · {output} out · {total} in all', { input: m.usage.input, output: m.usage.output, total: m.usage.total })}
        </div>
      )}
    </article>
  );
}

import { Button } from '@mantine/core';
import { Eraser, MessagesSquare, Square, Wrench } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorBox } from '../../ui/ErrorBox';
import { CallerField } from './CallerField';
import type { ChatMessage, ChatStore, ToolUse } from './chat';
import classes from './Chat.module.css';
import { SendBox } from './SendBox';
import { useStoreState } from './store';

interface Props {
  store: ChatStore;
  agent: string;
  openRun: (id: string) => void;
}

/** A conversation with the agent, as clients of the OpenAI API have it. */
export function ChatTab({ store, agent, openRun }: Props) {
  const { messages, caller, running } = useStoreState(store);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [messages]);
  return (
    <div className={classes.chat}>
      <div className={classes.bar}>
        <CallerField caller={caller} onChange={(c) => store.setCaller(c)} />
        <code className={classes.address}>POST /{agent}/v1/chat/completions</code>
        {running && (
          <Button variant="default" leftSection={<Square size={13} />} onClick={() => store.stop()}>
            Stop
          </Button>
        )}
        <Button variant="default" leftSection={<Eraser size={13} />} disabled={messages.length === 0} onClick={() => store.clear()}>
          Clear
        </Button>
      </div>
      <div className={classes.messages} role="log" aria-label="Conversation" tabIndex={0}>
        {messages.length === 0 && (
          <EmptyState icon={<MessagesSquare size={20} />} title={`Say something to ${agent}`}>
            The whole conversation is sent each time. Tools that the model calls are shown where they ran.
          </EmptyState>
        )}
        {messages.map((m, i) => (
          <Message key={i} m={m} agent={agent} openRun={openRun} />
        ))}
        <div ref={end} />
      </div>
      <SendBox
        label="What you say"
        action="Say"
        placeholder="Hello"
        disabled={running}
        onSend={(text) => {
          void store.say(text);
          return Promise.resolve();
        }}
      />
    </div>
  );
}

function Message({ m, agent, openRun }: { m: ChatMessage; agent: string; openRun: (id: string) => void }) {
  return (
    <article className={classes.message} data-role={m.role} data-testid="chat-message" aria-busy={!m.done}>
      <div className={classes.who}>{m.role === 'user' ? 'You' : agent}</div>
      {m.tools.map((t) => (
        <Tool key={t.id} tool={t} openRun={openRun} />
      ))}
      {m.text && <div className={classes.text}>{m.text}</div>}
      {!m.done && !m.text && <div className={classes.usage}>…</div>}
      {m.problem && <ErrorBox tone={m.problem === 'Stopped here' ? 'warn' : 'bad'} title={m.problem} />}
      {m.usage && (
        <div className={classes.usage} data-testid="usage">
          {m.usage.prompt_tokens} tokens in · {m.usage.completion_tokens} out
        </div>
      )}
    </article>
  );
}

function Tool({ tool, openRun }: { tool: ToolUse; openRun: (id: string) => void }) {
  return (
    <div className={classes.tool} data-testid="chat-tool">
      <div className={classes.toolHead}>
        <Wrench size={12} aria-hidden />
        <b>{tool.name}</b>
        <code>{JSON.stringify(tool.args ?? {})}</code>
        {tool.invocation && (
          <Button size="compact-xs" variant="subtle" onClick={() => openRun(tool.invocation!)}>
            Its run
          </Button>
        )}
      </div>
      {tool.emitted.map((e, i) => (
        <code key={i} className={classes.toolLine}>
          emitted {JSON.stringify(e)}
        </code>
      ))}
      <code className={classes.toolLine}>{tool.done ? JSON.stringify(tool.result) : '…'}</code>
    </div>
  );
}

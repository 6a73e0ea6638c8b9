import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useApi } from '../../api/ApiContext';
import type { ClientCaller } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { SseParser } from '../../api/sse';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { a2aRequest, addStreamed, readAnswer, sendMessage, type Said } from './a2a';
import { AgentCard } from './AgentCard';
import { CallerField } from './CallerField';
import classes from './Chat.module.css';
import { OpenedBar } from './OpenedBar';
import { SaveCall } from './SaveCall';
import { callerOf, savedCaller, useOpened } from './saved';
import { SendBox } from './SendBox';
import { fetchRelayed, relayed } from './store';
import { errorText } from './turns';
import { logged, rpcType, type WireEvent } from './wire';
import { WirePanel } from './WirePanel';

const streaming = 'SendStreamingMessage';

interface Turn extends Partial<Said> {
  said: string;
  done: boolean;
}

interface Props {
  agent: string;
  agentId: string;
  /** What stands in the place of the conversation where the agent has a card and does not answer. */
  silent?: ReactNode;
}

/** The agent's card and a conversation over JSON-RPC, with what goes over the wire beside it. */
export function A2aTab({ agent, agentId, silent }: Props) {
  const { client } = useApi();
  const opened = useOpened('a2a');
  const [caller, setCaller] = useState<ClientCaller>(() => callerOf(opened?.call));
  const [stream, setStream] = useState(opened?.call.method === streaming);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [events, setEvents] = useState<readonly WireEvent[]>([]);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);
  const card = useQuery({
    queryKey: keys.agentCard(agentId, `${caller.kind}${caller.id ?? ''}`),
    enabled: caller.kind !== 'bearer',
    queryFn: async ({ signal }) => {
      const { status, text, contentType } = await fetchRelayed(client, a2aRequest(`/${agent}/.well-known/agent-card.json`, caller, crypto.randomUUID()), signal);
      const value = parsed(text);
      if (status !== 200) throw new Error(`${status}: ${errorText(value)}`);
      return { value, contentType };
    },
  });
  const running = turns.some((t) => !t.done);
  const wire = (sent: boolean, value: unknown) => setEvents((all) => logged(all, sent, rpcType(value), value));
  const send = async (said: string) => {
    const id = crypto.randomUUID();
    const request = sendMessage(said, id, turns.findLast((t) => t.contextId)?.contextId, stream);
    const show = (change: Partial<Turn>) => setTurns((all) => all.with(-1, { ...all.at(-1)!, ...change }));
    setTurns([...turns, { said, done: false }]);
    wire(true, request);
    const parser = new SseParser();
    let status = 0;
    let rest = '';
    let whole: unknown;
    try {
      for await (const { head, chunk, end } of relayed(client, a2aRequest(`/${agent}/a2a`, caller, id, request), abort.current.signal)) {
        if (head) status = head.status;
        if (end?.error) throw new Error(end.error);
        if (!chunk?.text) continue;
        if (!stream || status !== 200) rest += chunk.text;
        else
          for (const e of parser.push(chunk.text)) {
            const value = parsed(e.data);
            wire(false, value);
            whole = addStreamed(whole, value);
            show(readAnswer(whole));
          }
      }
      if (rest) {
        whole = parsed(rest);
        wire(false, whole);
      }
      show({ done: true, ...(status === 200 ? readAnswer(whole) : { problem: `${status}: ${errorText(whole)}` }) });
    } catch (error) {
      if (!isAbort(error)) show({ done: true, problem: messageOf(error) });
    }
  };
  const clear = () => {
    setTurns([]);
    setEvents([]);
  };
  return (
    <div className={classes.chat}>
      <div className={classes.bar}>
        <CallerField caller={caller} onChange={setCaller} />
        <code className={classes.address}>POST /{agent}/a2a</code>
        {!silent && <Switch className={classes.inBar} label={t('Stream')} checked={stream} disabled={running} onChange={(e) => setStream(e.currentTarget.checked)} />}
        <Button variant="default" leftSection={<Eraser size={13} />} disabled={events.length === 0 || running} onClick={clear}>
          {t('Clear')}
        </Button>
        {!silent && (
          <SaveCall
            tab="a2a"
            what={() => ({ tab: 'a2a', method: stream ? streaming : 'SendMessage', path: '/{agent}/a2a', caller: savedCaller(caller), messages: turns.length ? turns.map((t) => t.said) : (opened?.call.messages ?? []) })}
          />
        )}
      </div>
      {!silent && <OpenedBar tab="a2a" onSend={send} waits={running ? t('Wait for the answer.') : undefined} />}
      <div className={classes.beside} data-alone={silent !== undefined}>
        <div className={classes.talk}>
          <div className={classes.messages} tabIndex={0} role="region" aria-label="A2A">
            {card.isError && <ErrorBox title={messageOf(card.error)} onRetry={() => void card.refetch()} />}
            {card.data && <AgentCard card={card.data.value} contentType={card.data.contentType} />}
            {silent}
            {turns.map((turn, i) => (
              <div key={i}>
                <article className={classes.message} data-role="user">
                  <div className={classes.who}>{t('You')}</div>
                  <div className={classes.text}>{turn.said}</div>
                </article>
                <article className={classes.message} data-testid="a2a-turn" aria-busy={!turn.done}>
                  <div className={classes.who}>{[agent, turn.state].filter(Boolean).join(' · ')}</div>
                  {!turn.done && !turn.text && <div className={classes.usage}>…</div>}
                  {turn.problem && <ErrorBox title={turn.problem} />}
                  {turn.text && (
                    <div className={classes.text} data-testid="a2a-answer">
                      {turn.text}
                    </div>
                  )}
                </article>
              </div>
            ))}
          </div>
          {!silent && <SendBox label={t('Message to the agent')} action={t('Send')} placeholder={t('Hello')} disabled={running} onSend={send} />}
        </div>
        {!silent && (
          <div className={classes.side}>
            <WirePanel events={events} title="JSON-RPC" name={`${agent}-a2a`} empty={t('Requests and answers are listed here as they go over the wire.')} />
          </div>
        )}
      </div>
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.slice(0, 2000);
  }
}

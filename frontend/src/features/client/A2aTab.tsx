import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/ApiContext';
import type { ClientCaller } from '../../api/contract.gen';
import { isAbort, messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { useNative } from '../../native/NativeContext';
import { ErrorBox } from '../../ui/ErrorBox';
import { JsonView } from '../../ui/JsonView';
import { a2aRequest, readAnswer, readCard, sendMessage, type Said } from './a2a';
import { CallerField } from './CallerField';
import { errorText } from './chat';
import classes from './Chat.module.css';
import { SendBox } from './SendBox';
import { fetchRelayed } from './store';

interface Turn extends Partial<Said> {
  said: string;
  request: unknown;
  answer?: unknown;
}

/** The agent's card and a conversation over JSON-RPC, with what goes over the wire. */
export function A2aTab({ agent, agentId }: { agent: string; agentId: string }) {
  const { client } = useApi();
  const native = useNative();
  const [caller, setCaller] = useState<ClientCaller>({ kind: 'owner' });
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);
  const card = useQuery({
    queryKey: keys.agentCard(agentId, `${caller.kind}${caller.id ?? ''}`),
    enabled: caller.kind !== 'bearer',
    queryFn: async ({ signal }) => {
      const { status, text } = await fetchRelayed(client, a2aRequest(`/${agent}/.well-known/agent-card.json`, caller, crypto.randomUUID()), signal);
      const value = JSON.parse(text) as unknown;
      if (status !== 200) throw new Error(`${status}: ${errorText(value)}`);
      return value;
    },
  });
  const view = readCard(card.data);
  const running = turns.some((t) => t.answer === undefined && !t.problem);
  const send = async (said: string) => {
    const id = crypto.randomUUID();
    const request = sendMessage(said, id, turns.findLast((t) => t.contextId)?.contextId);
    const before = turns;
    setTurns([...before, { said, request }]);
    let turn: Turn = { said, request };
    try {
      const { status, text } = await fetchRelayed(client, a2aRequest(`/${agent}/a2a`, caller, id, request), abort.current.signal);
      const answer = JSON.parse(text) as unknown;
      turn = { ...turn, answer, ...(status === 200 ? readAnswer(answer) : { problem: `${status}: ${errorText(answer)}` }) };
    } catch (error) {
      if (isAbort(error)) return;
      turn = { ...turn, problem: messageOf(error) };
    }
    setTurns([...before, turn]);
  };
  const copy = (text: string) => void native.copy(text);
  return (
    <div className={classes.chat}>
      <div className={classes.bar}>
        <CallerField caller={caller} onChange={setCaller} />
        <code className={classes.address}>POST /{agent}/a2a</code>
        <Button variant="default" leftSection={<Eraser size={13} />} disabled={turns.length === 0 || running} onClick={() => setTurns([])}>
          Clear
        </Button>
      </div>
      <div className={classes.messages} tabIndex={0} role="region" aria-label="A2A">
        {card.isError && <ErrorBox title={messageOf(card.error)} onRetry={() => void card.refetch()} />}
        {view && (
          <section className={classes.card} aria-label="Agent card">
            <h2 className={classes.cardTitle}>{view.name}</h2>
            <p className={classes.cardText}>{view.description}</p>
            <ul className={classes.cardList}>
              {view.interfaces.map((i) => (
                <li key={i}>
                  <code>{i}</code>
                </li>
              ))}
              {view.skills.map((s) => (
                <li key={s.name}>
                  <b>{s.name}</b> {s.description}
                </li>
              ))}
            </ul>
            <details>
              <summary>The card as it is served</summary>
              <JsonView value={card.data} label="Agent card, raw" onCopy={copy} />
            </details>
          </section>
        )}
        {turns.map((t, i) => (
          <div key={i}>
            <article className={classes.message} data-role="user">
              <div className={classes.who}>You</div>
              <div className={classes.text}>{t.said}</div>
            </article>
            <article className={classes.message} data-testid="a2a-turn">
              <div className={classes.who}>{[agent, t.state].filter(Boolean).join(' · ')}</div>
              {t.answer === undefined && !t.problem && <div className={classes.usage}>…</div>}
              {t.problem && <ErrorBox title={t.problem} />}
              {t.answer !== undefined && t.text && (
                <div className={classes.text} data-testid="a2a-answer">
                  {t.text}
                </div>
              )}
              <details>
                <summary>Raw</summary>
                <div className={classes.rawPair}>
                  <JsonView value={t.request} label="Request" onCopy={copy} />
                  {t.answer !== undefined && <JsonView value={t.answer} label="Answer" onCopy={copy} />}
                </div>
              </details>
            </article>
          </div>
        ))}
      </div>
      <SendBox label="Message to the agent" action="Send" placeholder="Hello" disabled={running} onSend={send} />
    </div>
  );
}

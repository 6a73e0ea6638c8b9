import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eraser, Square } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useApi } from '../../api/ApiContext';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { a2aRequest } from './a2a';
import { parsed, type A2aStore, type Turn } from './a2aTalk';
import { AgentCard } from './AgentCard';
import { AsideBar } from './AsideBar';
import { CallerField } from './CallerField';
import classes from './Chat.module.css';
import { CopyCurl } from './CopyCurl';
import { OpenedBar } from './OpenedBar';
import { PaymentNeeded } from './PaymentNeeded';
import { SaveCall } from './SaveCall';
import { savedCaller, streaming, useOpened } from './saved';
import { SendBox } from './SendBox';
import { fetchRelayed, useStoreState } from './store';
import { errorText } from './turns';
import { WirePanel } from './WirePanel';

interface Props {
  store: A2aStore;
  agent: string;
  agentId: string;
  /** What stands in the place of the conversation where the agent has a card and does not answer. */
  silent?: ReactNode;
}

const cardPath = '/.well-known/agent-card.json';

/** The agent's card and a conversation over JSON-RPC, with what goes over the wire beside it. */
export function A2aTab({ store, agent, agentId, silent }: Props) {
  const { client } = useApi();
  const opened = useOpened('a2a');
  const { caller, stream, turns, events, aside } = useStoreState(store);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (turns.length) end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  const card = useQuery({
    queryKey: keys.agentCard(agentId, `${caller.kind}${caller.id ?? ''}`),
    enabled: caller.kind !== 'bearer',
    queryFn: async ({ signal }) => {
      const { status, text, contentType } = await fetchRelayed(client, a2aRequest(`/${agent}${cardPath}`, caller, crypto.randomUUID()), signal);
      const value = parsed(text);
      if (status !== 200) throw new Error(`${status}: ${errorText(value)}`);
      return { value, contentType };
    },
  });
  const running = turns.some((turn) => !turn.done);
  const pay = (token: string) => {
    store.setCaller({ ...store.snapshot().caller, payment: token });
    void store.sayAgain();
  };
  return (
    <div className={classes.chat}>
      <div className={classes.bar}>
        <CallerField caller={caller} onChange={(c) => store.setCaller(c)} />
        {/* Where it does not answer, the card is all that there is to ask for. */}
        <code className={classes.address}>{silent ? `GET /${agent}${cardPath}` : `POST /${agent}/a2a`}</code>
        {!silent && (
          <>
            <Switch label={t('Stream')} checked={stream} disabled={running} onChange={(e) => store.setStream(e.currentTarget.checked)} />
            {running && (
              <Button variant="default" leftSection={<Square size={13} />} onClick={() => store.stop()}>
                {t('Stop')}
              </Button>
            )}
            <CopyCurl request={() => store.lastRequest()} />
            <Button variant="default" leftSection={<Eraser size={13} />} disabled={turns.length === 0} onClick={() => store.clear()}>
              {t('Clear')}
            </Button>
            <SaveCall
              tab="a2a"
              what={() => ({ tab: 'a2a', method: stream ? streaming : 'SendMessage', path: '/{agent}/a2a', caller: savedCaller(caller), messages: turns.length ? turns.map((turn) => turn.said) : (opened?.call.messages ?? []) })}
            />
          </>
        )}
      </div>
      {aside && <AsideBar text={t('The conversation before this one was put aside: {n, plural, one {# message} other {# messages}}.', { n: aside.turns.length })} onBack={() => store.bringBack()} onForget={() => store.forgetAside()} />}
      {!silent && <OpenedBar tab="a2a" onSend={(text) => store.say(text)} waits={running ? t('Wait for the answer.') : undefined} />}
      <div className={classes.beside} data-alone={silent !== undefined}>
        <div className={classes.talk}>
          <div className={classes.messages} tabIndex={0} role="region" aria-label="A2A">
            {card.isError && <ErrorBox title={messageOf(card.error)} onRetry={() => void card.refetch()} />}
            {card.data && <AgentCard card={card.data.value} contentType={card.data.contentType} />}
            {silent}
            {turns.map((turn, i) => (
              <TurnView key={i} turn={turn} agent={agent} onPaid={i === turns.length - 1 && !running ? pay : undefined} />
            ))}
            <div ref={end} />
          </div>
          {!silent && (
            <SendBox
              label={t('Message to the agent')}
              action={t('Send')}
              placeholder={t('Hello')}
              waits={running}
              onSend={(text) => {
                void store.say(text);
                return Promise.resolve(); // the box is free for what comes next
              }}
            />
          )}
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

function TurnView({ turn, agent, onPaid }: { turn: Turn; agent: string; onPaid?: ((token: string) => void) | undefined }) {
  return (
    <div>
      <article className={classes.message} data-role="user">
        <div className={classes.who}>{t('You')}</div>
        <div className={classes.text}>{turn.said}</div>
      </article>
      <article className={classes.message} data-testid="a2a-turn" aria-busy={!turn.done}>
        <div className={classes.who}>{[agent, turn.state].filter(Boolean).join(' · ')}</div>
        {!turn.done && !turn.text && <div className={classes.usage}>…</div>}
        {turn.due && turn.done && <PaymentNeeded due={turn.due} paid={turn.paid} onPaid={onPaid} does={t('Mint a test token and say it again')} />}
        {turn.problem && !turn.due && <ErrorBox title={turn.problem} />}
        {turn.text && !turn.due && (
          <div className={classes.text} data-testid="a2a-answer">
            {turn.text}
          </div>
        )}
      </article>
    </div>
  );
}

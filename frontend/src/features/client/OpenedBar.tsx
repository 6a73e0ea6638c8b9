import { Button } from '@mantine/core';
import { Bookmark, ListStart, SendHorizontal, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCalls } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useAct } from '../../ui/useAct';
import classes from './Saved.module.css';
import { brief, useOpened, useSaved, type Tab } from './saved';

interface Props {
  tab: Tab;
  /**
   * Sends one of the saved messages and is over when the next one may follow;
   * false when none should. Tabs that send none leave it out.
   */
  onSend?: (text: string) => Promise<unknown>;
  /** Why nothing can be sent now; undefined when it can. */
  waits?: string | undefined;
}

/** The saved call that a tab was filled from: what became of its file, and its messages to send again. */
export function OpenedBar({ tab, onSend, waits }: Props) {
  const { agent, open } = useSaved();
  const opened = useOpened(tab);
  const list = useCalls(agent.folder ? agent.id : undefined).data?.client;
  const { busy, act } = useAct();
  const [at, setAt] = useState<number>(); // the message that all of them have come to
  const stopped = useRef(false);
  if (!opened) return null;
  const now = list?.find((c) => c.name === opened.name);
  const changed = now && now.sha256 !== opened.sha256;
  const messages = onSend ? (opened.call.messages ?? []) : [];
  const sendAll = async () => {
    stopped.current = false;
    await act('all', async () => {
      for (const [i, m] of messages.entries()) {
        setAt(i);
        if ((await onSend?.(m)) === false || stopped.current) return;
      }
    });
    setAt(undefined);
  };
  const all = at !== undefined;
  return (
    <section className={classes.bar} aria-label={t('Saved call')}>
      <div className={classes.from}>
        <Bookmark size={13} aria-hidden />
        <span>
          {rich('Saved call <1>{name}</1>', [<b />], { name: opened.name })}
        </span>
        {list && !now && <span className={classes.state}>{t('its file is gone')}</span>}
        {changed && <span className={classes.state}>{now.problem ? t('its file is broken: {problem}', { problem: now.problem }) : t('its file has changed')}</span>}
        {changed && now.call && (
          <Button size="compact-xs" variant="default" onClick={() => open(now)}>
            {t('Open it again')}
          </Button>
        )}
        {messages.length > 0 && waits && !all && <span className={classes.note}>{waits}</span>}
        {messages.length > 1 && !all && (
          <Button className={classes.all} size="compact-xs" variant="default" leftSection={<ListStart size={12} />} disabled={waits !== undefined || busy !== undefined} onClick={() => void sendAll()}>
            {t('Send all {n} in order', { n: messages.length })}
          </Button>
        )}
        {all && (
          <Button className={classes.all} size="compact-xs" variant="default" leftSection={<Square size={11} />} onClick={() => (stopped.current = true)}>
            {t('Stop after {at} of {n}', { at: at + 1, n: messages.length })}
          </Button>
        )}
      </div>
      {onSend && messages.length > 0 && (
        <ol className={classes.again} aria-label={t('Saved messages')}>
          {messages.map((m, i) => (
            <li key={i}>
              <button
                type="button"
                className={classes.message}
                data-state={all && i < at ? 'sent' : all && i === at ? 'next' : undefined}
                disabled={waits !== undefined || busy !== undefined}
                onClick={() => void act('send', () => onSend(m))}
                aria-label={t('Send {brief}', { brief: brief(m) })}
                title={brief(m)}
              >
                <SendHorizontal size={12} aria-hidden />
                <code>{brief(m)}</code>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

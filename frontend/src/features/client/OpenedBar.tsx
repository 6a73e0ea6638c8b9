import { Button } from '@mantine/core';
import { Bookmark, SendHorizontal } from 'lucide-react';
import { useCalls } from '../../api/queries';
import { rich, t } from '../../i18n/t';
import { useAct } from '../../ui/useAct';
import classes from './Saved.module.css';
import { brief, useOpened, useSaved, type Tab } from './saved';

interface Props {
  tab: Tab;
  /** Sends one of the saved messages. Tabs that send none leave it out. */
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
  if (!opened) return null;
  const now = list?.find((c) => c.name === opened.name);
  const changed = now && now.sha256 !== opened.sha256;
  const messages = onSend ? (opened.call.messages ?? []) : [];
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
        {messages.length > 0 && waits && <span className={classes.note}>{waits}</span>}
      </div>
      {onSend && messages.length > 0 && (
        <ol className={classes.again} aria-label={t('Saved messages')}>
          {messages.map((m, i) => (
            <li key={i}>
              <button type="button" className={classes.message} disabled={waits !== undefined || busy !== undefined} onClick={() => void act('send', () => onSend(m))} aria-label={t('Send {brief}', { brief: brief(m) })}>
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

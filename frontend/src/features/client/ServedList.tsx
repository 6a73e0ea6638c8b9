import { Skeleton } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { messageOf } from '../../api/errors';
import { t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { clock, duration } from '../../ui/format';
import classes from './Client.module.css';
import type { Served } from './draft';
import { isRunning, type Exchange } from './exchange';

interface Props {
  agent: string;
  served: readonly Served[] | undefined;
  error: unknown;
  onRetry: () => void;
  onServed: (served: Served) => void;
  /** What is shown between what is served and what was sent. */
  saved?: ReactNode;
  exchanges: readonly Exchange[];
  onExchange: (x: Exchange) => void;
}

/** What the agent serves, and what was sent since the tab was opened. */
export function ServedList({ agent, served, error, onRetry, onServed, saved, exchanges, onExchange }: Props) {
  const groups = [...new Set(served?.map((s) => s.group))];
  return (
    <div className={classes.side}>
      <nav className={classes.served} aria-label={t('What the agent serves')} tabIndex={0}>
        {error !== null && <ErrorBox title={messageOf(error)} onRetry={onRetry} />}
        {!served && error === null && <Skeleton height={120} radius="md" />}
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h2 className={classes.sideTitle}>{group}</h2>
            <ul className={classes.sideList}>
              {served
                ?.filter((s) => s.group === group)
                .map((s) => (
                  <li key={s.key}>
                    <button type="button" className={classes.sideItem} onClick={() => onServed(s)} title={s.endpoint?.description}>
                      <span className={classes.method}>{s.kind === 'websocket' ? 'WS' : s.kind === 'sse' ? 'SSE' : s.route.method || 'ANY'}</span>
                      <span className={classes.sidePath}>{breaking(s.route.path)}</span>
                      {s.endpoint?.price && <span className={classes.price}>${s.endpoint.price}</span>}
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
      {saved}
      {exchanges.length > 0 && (
        <section className={classes.sent} aria-label={t('Sent')} tabIndex={0}>
          <h2 className={classes.sideTitle}>{t('Sent')}</h2>
          <ul className={classes.sideList}>
            {exchanges.map((x) => (
              <li key={x.id}>
                <button type="button" className={classes.sideItem} onClick={() => onExchange(x)} data-testid="sent-request" title={`${clock(x.at)} ${x.request.path}`}>
                  <span className={classes.method}>{x.request.webSocket ? 'WS' : x.request.method}</span>
                  <span className={classes.sidePath} data-cut>
                    {ownPath(x.request.path, agent)}
                  </span>
                  <span className={classes.price}>{isRunning(x) ? '…' : `${x.head?.status ?? 'failed'}${x.endMs === undefined ? '' : ` · ${duration(x.endMs)}`}`}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** A path as the list of what is served has it: below the agent. */
function ownPath(path: string, agent: string): string {
  return path.startsWith(`/${agent}/`) ? path.slice(agent.length + 1) : path;
}

/** A path that goes to the next line where one of its parts begins, and in no word. */
function breaking(path: string): ReactNode {
  return path.split(/(?=[/:{])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

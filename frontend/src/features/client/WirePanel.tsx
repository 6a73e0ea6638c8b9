import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ArrowDown, ArrowUp, Copy, Download, Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { saveFile } from '../../ui/download';
import { clockMs } from '../../ui/format';
import { JsonView } from '../../ui/JsonView';
import page from '../../ui/page.module.css';
import { RowList } from '../../ui/RowList';
import { asLines, brief, matches, type WireEvent } from './wire';
import classes from './Wire.module.css';

interface Props {
  events: readonly WireEvent[];
  /** What they are, such as UAMP events. */
  title: string;
  /** The name of the file that Export makes. */
  name: string;
  empty: string;
}

/** What goes over the wire, message by message: time, direction, type, and the one that is chosen as JSON. */
export function WirePanel({ events, title, name, empty }: Props) {
  const native = useNative();
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<string>();
  const root = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const [paused, setPaused] = useState<readonly WireEvent[]>();
  const from = paused && events.length > 0 ? paused : events; // a new conversation is never shown an old one's
  const behind = (events.at(-1)?.n ?? 0) - (from.at(-1)?.n ?? 0);
  const shown = useMemo(() => from.filter((e) => matches(e, filter)), [from, filter]);
  const open = events.find((e) => String(e.n) === chosen);
  useEffect(() => {
    const list = root.current?.querySelector('[role="listbox"]');
    if (follows.current && list) list.scrollTop = list.scrollHeight;
  }, [shown.length]);
  const copy = async () => {
    await native.copy(asLines(shown));
    notifications.show({ message: t('{n, plural, one {# event} other {# events}} copied as JSON lines', { n: shown.length }) });
  };
  return (
    <section ref={root} className={classes.panel} aria-label={title} data-testid="wire">
      <div className={classes.bar}>
        <h2 className={classes.title}>{title}</h2>
        <TextInput size="xs" className={classes.filter} aria-label={t('Filter {title}', { title })} placeholder={t('Filter: type, sent, a word')} value={filter} onChange={(e) => setFilter(e.currentTarget.value)} />
        <span className={classes.count} data-testid="wire-count">
          {filter.trim() ? t('{shown} of {events}', { shown: shown.length, events: from.length }) : from.length}
          {behind > 0 && t(' · {behind} more since', { behind })}
        </span>
        <Button size="xs" variant="default" leftSection={paused ? <Play size={12} /> : <Pause size={12} />} disabled={!paused && events.length === 0} onClick={() => setPaused(paused ? undefined : events)}>
          {paused ? t('Go on') : t('Pause')}
        </Button>
        <Button size="xs" variant="default" leftSection={<Copy size={12} />} disabled={shown.length === 0} onClick={() => void copy()}>
          {t('Copy')}
        </Button>
        <Button size="xs" variant="default" leftSection={<Download size={12} />} disabled={events.length === 0} onClick={() => saveFile(`${name}.jsonl`, asLines(events), 'application/x-ndjson')}>
          {t('Export')}
        </Button>
      </div>
      <div className={classes.parts}>
        <div
          className={classes.list}
          onScrollCapture={(e) => {
            const t = e.target as HTMLElement;
            follows.current = t.scrollHeight - t.scrollTop - t.clientHeight < 24;
          }}
        >
          <RowList
            items={shown}
            keyOf={(e) => String(e.n)}
            nameOf={(e) => `${e.sent ? 'sent' : 'received'} ${e.type}`}
            rowHeight={26}
            label={t('List of {title}', { title })}
            {...(chosen === undefined ? {} : { selected: chosen })}
            onOpen={(e) => setChosen(String(e.n))}
            render={(e) => (
              <span className={classes.row} data-testid="wire-row">
                <span className={classes.way} data-sent={e.sent}>
                  {e.sent ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />}
                </span>
                <span className={classes.time}>{clockMs(e.at)}</span>
                <span className={classes.type}>{e.type}</span>
                <span className={classes.brief}>{brief(e)}</span>
              </span>
            )}
            empty={
              <p className={classes.note}>
                {events.length === 0 && empty}
                {events.length > 0 && (
                  <>
                    {t('0 of {events} match.', { events: from.length })}{' '}
                    <button type="button" className={page.link} onClick={() => setFilter('')}>
                      {t('Clear filter')}
                    </button>
                  </>
                )}
              </p>
            }
          />
        </div>
        {events.length > 0 && (
          <div className={classes.detail}>
            {open ? <JsonView key={open.n} value={open.value} label={t('Event {type}', { type: open.type })} onCopy={(t) => void native.copy(t)} /> : <p className={classes.note}>{t('Choose an event to see all of it.')}</p>}
          </div>
        )}
      </div>
    </section>
  );
}

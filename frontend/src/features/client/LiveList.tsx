import { Button, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Download, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../i18n/t';
import { saveFile } from '../../ui/download';
import { bytes, duration } from '../../ui/format';
import { highlightJson } from '../../ui/json';
import page from '../../ui/page.module.css';
import json from '../../ui/JsonView.module.css';
import classes from './Client.module.css';
import type { LiveItem } from './exchange';
import { LiveBytes } from './LiveBytes';

/** Rows that are drawn; the export has all of them. */
const drawn = 400;

/** Messages while they come. Paused, the list stands still and counts what arrives. */
export function LiveList({ items, name, what }: { items: readonly LiveItem[]; name: string; what: string }) {
  const [paused, setPaused] = useState<readonly LiveItem[]>();
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const stick = useRef(true);
  const from = paused ?? items;
  const needle = filter.trim().toLowerCase();
  const found = needle ? from.filter((i) => `${i.event ?? ''} ${i.id ?? ''} ${i.text}`.toLowerCase().includes(needle)) : from;
  const rows = found.slice(-drawn);
  const behind = items.length - from.length;
  useEffect(() => {
    if (stick.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [rows.length, items.length]);
  return (
    <div className={classes.live}>
      <div className={classes.liveBar}>
        <TextInput size="xs" className={classes.grow} aria-label={t('Filter {what}', { what })} placeholder={t('Filter')} value={filter} onChange={(e) => setFilter(e.currentTarget.value)} />
        <span className={classes.count} data-testid="live-count">
          {needle ? t('{found} of {from}', { found: found.length, from: from.length }) : t('{n, plural, one {# message} other {# messages}}', { n: from.length })}
          {behind > 0 && t(' · {behind} more since', { behind })}
        </span>
        <Button size="xs" variant="default" leftSection={paused ? <Play size={12} /> : <Pause size={12} />} onClick={() => setPaused(paused ? undefined : items)}>
          {paused ? t('Go on') : t('Pause')}
        </Button>
        <Button size="xs" variant="default" leftSection={<Download size={12} />} disabled={items.length === 0} onClick={() => saveFile(`${name}.jsonl`, items.map((i) => JSON.stringify(i)).join('\n') + '\n', 'application/x-ndjson')}>
          {t('Export')}
        </Button>
      </div>
      <ol
        ref={list}
        className={classes.messages}
        aria-label={what}
        tabIndex={0}
        onScroll={(e) => {
          const t = e.currentTarget;
          stick.current = t.scrollHeight - t.scrollTop - t.clientHeight < 24;
        }}
      >
        {needle && found.length === 0 && from.length > 0 && (
          <li className={classes.note}>
            {t('0 of {from} match.', { from: from.length })}{' '}
            <button type="button" className={page.link} onClick={() => setFilter('')}>
              {t('Clear filter')}
            </button>
          </li>
        )}
        {found.length > rows.length && <li className={classes.note}>{t('The newest {drawn} are shown; the export has all.', { drawn })}</li>}
        {rows.map((i) => (
          <li key={i.n} className={classes.message} data-testid="live">
            <span className={classes.way} data-sent={i.sent}>
              {i.sent ? <ArrowUp size={12} aria-label={t('sent')} /> : <ArrowDown size={12} aria-label={t('received')} />}
            </span>
            <span className={classes.time}>{duration(i.atMs)}</span>
            {i.event && i.event !== 'message' && <span className={classes.event}>{i.event}</span>}
            {i.id && (
              <span className={classes.id} title={t('Id of the event: {id}', { id: i.id })}>
                {i.id}
              </span>
            )}
            <span className={classes.text}>{i.binary ? <LiveBytes b64={i.text} name={`${name}-${i.n}`} /> : <Text text={i.text} />}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Characters of a message that are shown; a longer one opens. */
const inLine = 4000;

/** A message, cut where it is long. */
function Text({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  if (text.length <= inLine) return <Coloured text={text} />;
  return (
    <>
      {all ? text.slice(0, 200_000) : text.slice(0, 400)}
      {'… '}
      <button type="button" className={page.link} onClick={() => setAll(!all)}>
        {all ? t('Show less') : t('Show more of {size}', { size: bytes(text.length) })}
      </button>
    </>
  );
}

/** A line, coloured when it is a JSON object or list. */
function Coloured({ text }: { text: string }) {
  if (!/^\s*[[{]/.test(text)) return text;
  return highlightJson(text).map(({ kind, text: t }, i) => (kind ? <span key={i} className={json[kind]}>{t}</span> : t));
}

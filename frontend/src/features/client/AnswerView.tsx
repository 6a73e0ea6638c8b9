import { Button, SegmentedControl } from '@mantine/core';
import { Download, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../i18n/t';
import { useNative } from '../../native/NativeContext';
import { saveFile } from '../../ui/download';
import { ErrorBox } from '../../ui/ErrorBox';
import { bytes, duration } from '../../ui/format';
import { readJson } from '../../ui/exact';
import { JsonView } from '../../ui/JsonView';
import { StatusChip, type Tone } from '../../ui/StatusChip';
import { fileNameOf, isPicture, readable } from './answerFile';
import { BytesView, PictureView } from './BytesView';
import classes from './Client.module.css';
import { askedAfter, bodyBlob, headerOf, isEventStream, isRunning, lastEventId, type Exchange } from './exchange';
import { Hops } from './Hops';
import { LiveList } from './LiveList';
import { useUnpacked } from './unpacked';

const tones: Record<number, Tone> = { 1: 'ok', 2: 'ok', 3: 'warn', 4: 'bad', 5: 'bad' };

/** What came back: status, time and size, and the body, the messages or the headers. */
export function AnswerView({ x, onGoOn }: { x: Exchange; onGoOn?: (after: string) => void }) {
  const [view, setView] = useState('body');
  const live = isEventStream(x) || (x.request.webSocket === true && x.head?.status === 101);
  const after = lastEventId(x);
  const asked = askedAfter(x);
  const size = x.end?.bytes ?? 0;
  const unopened = x.request.webSocket === true && x.head !== undefined && x.head.status !== 101;
  const odd = x.end?.code !== undefined && ![1000, 1001, 1005].includes(x.end.code);
  return (
    <section className={classes.answer} aria-label={t('Answer')}>
      <div className={classes.answerBar}>
        {x.head && <StatusChip tone={tones[Math.floor(x.head.status / 100)] ?? 'dim'}>{x.head.status}</StatusChip>}
        {isRunning(x) && <StatusChip tone="run" busy>{x.head ? (x.request.webSocket ? t('open') : t('streaming')) : t('waiting')}</StatusChip>}
        {x.end && (
          <span className={classes.figures}>
            {duration(x.endMs ?? 0)} · {bytes(size)}
            {x.end.code && !odd ? t(' · closed {code}{what}', { code: x.end.code, what: x.end.reason ? ` ${x.end.reason}` : '' }) : ''}
            {x.end.error === t('ended here') ? t(' · ended here') : ''}
          </span>
        )}
        {live && asked && <span className={classes.figures}>{t('after {id}', { id: asked })}</span>}
        <span className={classes.grow} />
        {after && onGoOn && (
          <Button size="xs" variant="default" className={classes.goOn} leftSection={<RotateCw size={12} />} title={t('Listens again and sends Last-Event-ID: {id}', { id: after })} onClick={() => onGoOn(after)}>
            {t('Go on after {id}', { id: after })}
          </Button>
        )}
        {x.head && (
          <SegmentedControl
            size="xs"
            aria-label={t('Part of the answer')}
            value={view}
            onChange={setView}
            data={[
              { value: 'body', label: live ? t('Messages') : t('Body') },
              ...(live && !x.request.webSocket ? [{ value: 'raw', label: t('Raw') }] : []),
              { value: 'headers', label: t('Headers {headers}', { headers: x.head.headers.length }) },
            ]}
          />
        )}
      </div>
      {x.refused && <ErrorBox title={x.refused} />}
      {unopened && x.end && <ErrorBox title={t('The WebSocket was not opened: it was answered with {status}', { status: x.head?.status })} />}
      {x.end?.error && !unopened && x.end.error !== t('ended here') && <ErrorBox title={x.head ? t('The answer broke off') : t('There was no answer')}>{x.end.error}</ErrorBox>}
      {x.end?.code && odd && <ErrorBox tone="warn" title={t('It was closed with {code}: {reason}', { code: x.end.code, reason: x.end.reason || t('no reason was given') })} />}
      {x.end?.truncated && <ErrorBox tone="warn" title={t('The answer is longer than 16 MB; the rest was left out')} />}
      {x.cut && <ErrorBox tone="warn" title={t('Only a part of it was kept when the page was loaded anew')} />}
      <Hops x={x} />
      {x.head && view === 'headers' && (
        <table className={classes.headers}>
          <tbody>
            {x.head.headers
              .toSorted((a, b) => a.name.localeCompare(b.name))
              .map((h, i) => (
                <tr key={i}>
                  <th scope="row">{h.name}</th>
                  <td>{h.value}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {x.head && view === 'body' && live && <LiveList key={x.id} items={x.items} name={x.request.path.replace(/\W+/g, '-').replace(/^-|-$/g, '')} what={t('Messages')} />}
      {x.head && ((view === 'body' && !live) || view === 'raw') && <Body x={x} raw={view === 'raw'} />}
    </section>
  );
}

/** The body: laid out when it is JSON, drawn when it is a picture, and as bytes when it is neither that nor text. */
function Body({ x: came, raw }: { x: Exchange; raw: boolean }) {
  const { x, said } = useUnpacked(came);
  const native = useNative();
  const [asSent, setAsSent] = useState(false);
  const text = readable(x);
  if (x.chunks.length === 0) return <p className={classes.note}>{x.end ? t('No body.') : t('Nothing yet.')}</p>;
  const picture = !raw && !x.cut && isPicture(x);
  const value = raw || picture || text === undefined ? undefined : parsed(text);
  const name = fileNameOf(x);
  return (
    <>
      <div className={classes.bodyBar}>
        <span className={classes.grow}>{[headerOf(x, 'content-type'), said].filter(Boolean).join(' · ')}</span>
        {(value !== undefined || picture) && (
          <Button size="xs" variant="default" aria-pressed={asSent} onClick={() => setAsSent(!asSent)}>
            {asSent ? (picture ? t('Picture') : t('Lay out')) : t('As sent')}
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<Download size={12} />} title={t('Saves it as {name}', { name })} onClick={() => saveFile(name, bodyBlob(x))}>
          {t('Save')}
        </Button>
      </div>
      {picture && !asSent ? (
        <PictureView x={x} />
      ) : text === undefined ? (
        <BytesView x={x} />
      ) : value !== undefined && !asSent ? (
        <JsonView value={value} label={t('Body of the answer')} onCopy={(t) => void native.copy(t)} />
      ) : (
        <pre className={classes.raw} tabIndex={0} role="region" aria-label={t('Body of the answer')}>
          {text.slice(0, 200_000)}
          {text.length > 200_000 && `\n${t('… {size} more; save it to see all', { size: bytes(text.length - 200_000) })}`}
        </pre>
      )}
    </>
  );
}

/** The value of a text that is JSON; anything else is shown as it came. */
function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

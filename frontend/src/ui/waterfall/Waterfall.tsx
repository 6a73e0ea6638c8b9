import { ActionIcon, Button } from '@mantine/core';
import { ChevronRight, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { TraceEntry } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { CodedError } from '../CodedError';
import { writeJson } from '../exact';
import { bytes, duration } from '../format';
import { JsonView } from '../JsonView';
import { around, moved, placed, spanOf, ticks, tickText, zoomed, zoomedAt, type Span } from './scale';
import { subjectOf } from './subject';
import classes from './Waterfall.module.css';

/** A run as the waterfall draws it; nested runs have one of their own. */
export interface WaterfallRun {
  name: string;
  trace: readonly TraceEntry[];
  durationMs: number;
}

interface Props extends WaterfallRun {
  /** Draws what is inside a nested run, on the same axis. */
  renderNested?: (invocationId: string, row: (run: WaterfallRun) => ReactNode) => ReactNode;
  onOpenNested?: (invocationId: string) => void;
  /** What is shown below the call that is open, beside what it sent and got. */
  renderDetail?: (entry: TraceEntry) => ReactNode;
  onCopy?: (text: string) => void;
}

/** Rows drawn before the rest waits behind a button. */
const shownAtOnce = 200;

/**
 * What a run did, on one axis of time. Plus and minus zoom around the row that
 * has the focus, the arrow keys move, the wheel with Ctrl zooms where it points;
 * a row opens to what the call sent and got.
 */
export function Waterfall({ name, trace, durationMs, renderNested, onOpenNested, renderDetail, onCopy }: Props) {
  const whole = useMemo(() => spanOf(trace, durationMs), [trace, durationMs]);
  const [chosen, setView] = useState<Span>();
  const view = chosen ?? whole;
  const box = useRef<HTMLDivElement>(null);
  const zoom = (factor: number, around?: number) => setView((v) => zoomed(v ?? whole, whole, factor, around));

  useEffect(() => {
    const el = box.current;
    if (!el) return;
    // React's wheel handler cannot keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const track = el.querySelector('[data-axis]')?.getBoundingClientRect();
      const around = track && track.width > 0 ? Math.max(0, Math.min(1, (event.clientX - track.left) / track.width)) : 0.5;
      setView((v) => zoomed(v ?? whole, whole, event.deltaY > 0 ? 1.3 : 1 / 1.3, around));
    };
    el.addEventListener('wheel', onWheel, { passive: false });
    return () => el.removeEventListener('wheel', onWheel);
  }, [whole]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const middle = Number((event.target as HTMLElement).dataset.middle ?? NaN);
    const near = (factor: number) => (Number.isNaN(middle) ? zoom(factor) : setView(zoomedAt(middle, (view.to - view.from) * factor, whole)));
    if (event.key === '+' || event.key === '=') near(0.5);
    else if (event.key === '-') near(2);
    else if (event.key === '0') setView(undefined);
    else if (event.key === 'ArrowLeft' && chosen) setView(moved(view, whole, -0.25));
    else if (event.key === 'ArrowRight' && chosen) setView(moved(view, whole, 0.25));
    else return;
    event.preventDefault();
  };

  const marks = ticks(view);
  return (
    <div ref={box} className={classes.waterfall} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <div className={classes.tools}>
          <ActionIcon size="sm" aria-label={t('Zoom in')} title={t('Zoom in (+)')} onClick={() => zoom(0.5)}>
            <ZoomIn size={14} />
          </ActionIcon>
          <ActionIcon size="sm" aria-label={t('Zoom out')} title={t('Zoom out (-)')} disabled={!chosen} onClick={() => zoom(2)}>
            <ZoomOut size={14} />
          </ActionIcon>
          <ActionIcon size="sm" aria-label={t('Show the whole run')} title={t('Show the whole run (0)')} disabled={!chosen} onClick={() => setView(undefined)}>
            <Maximize2 size={13} />
          </ActionIcon>
        </div>
        <div className={classes.axis} data-axis>
          {marks.map((at) => {
            const left = placed(at, 0, view)?.left ?? 0;
            return (
              <span key={at} className={classes.tick} data-end={left > 88 || undefined} style={{ left: `${left}%` }}>
                {tickText(at, (marks[1] ?? view.to) - (marks[0] ?? view.from), view)}
              </span>
            );
          })}
        </div>
      </div>
      <ol className={classes.rows} aria-label={t('What {name} did', { name })}>
        <li className={classes.row}>
          <span className={classes.handler}>{name}</span>
          <span className={classes.track}>
            <Bar kind="handler" startUs={0} durationUs={durationMs * 1000} view={view} text={duration(durationMs)} />
          </span>
        </li>
        <Rows trace={trace} offset={0} depth={0} view={view} zoomedIn={chosen !== undefined} onZoom={(startUs, durationUs) => setView(around(startUs, durationUs, whole))} renderNested={renderNested} onOpenNested={onOpenNested} renderDetail={renderDetail} onCopy={onCopy} />
      </ol>
    </div>
  );
}

type RowsProps = Pick<Props, 'trace' | 'renderNested' | 'onOpenNested' | 'renderDetail' | 'onCopy'> & { offset: number; depth: number; view: Span; zoomedIn: boolean; onZoom: (startUs: number, durationUs: number) => void };

function Rows({ trace, ...shared }: RowsProps) {
  const { offset, view, zoomedIn } = shared;
  const [all, setAll] = useState(false);
  const sorted = useMemo(() => trace.map((entry, n) => ({ entry, n })).sort((a, b) => a.entry.startUs - b.entry.startUs), [trace]);
  // Who zooms into a long run wants the rows that are there, and not its first ones.
  const near = zoomedIn && sorted.length > shownAtOnce ? sorted.filter(({ entry }) => placed(offset + entry.startUs, entry.durationUs, view)) : sorted;
  const shown = all ? sorted : near.slice(0, shownAtOnce);
  return (
    <>
      {shown.map(({ entry, n }) => (
        <Row key={n} entry={entry} {...shared} />
      ))}
      {shown.length < sorted.length && (
        <li className={classes.more}>
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
            {t('Show all {sorted}', { sorted: sorted.length })}
          </Button>
        </li>
      )}
    </>
  );
}

const isPoint = (entry: TraceEntry) => entry.kind === 'event' || entry.kind === 'log';

function Row({ entry, offset, depth, view, zoomedIn, onZoom, renderNested, onOpenNested, renderDetail, onCopy }: Omit<RowsProps, 'trace'> & { entry: TraceEntry }) {
  const [open, setOpen] = useState(false);
  const nested = entry.invocationId;
  const point = isPoint(entry);
  const took = duration(entry.durationUs / 1000);
  const subject = subjectOf(entry);
  const text = `${entry.name}${subject === undefined ? '' : ` ${subject}`}`;
  return (
    <li className={classes.entry}>
      <div className={classes.row}>
        <button
          type="button"
          className={classes.name}
          data-kind={entry.kind}
          data-middle={offset + entry.startUs + (point ? 0 : entry.durationUs / 2)}
          title={text}
          data-failed={entry.error ? true : undefined}
          aria-expanded={open}
          style={{ paddingLeft: 4 + depth * 14 }}
          aria-label={point ? t('{name}, at {time}{what}', { name: entry.name, time: duration((offset + entry.startUs) / 1000), what: entry.error ? `, ${entry.error.code}` : '' }) : t('{name}, at {time}, took {took}{what}', { name: entry.name, time: duration((offset + entry.startUs) / 1000), took, what: entry.error ? `, ${entry.error.code}` : '' })}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={11} className={classes.chevron} data-open={open || undefined} aria-hidden />
          <span className={classes.kind}>{point ? entry.kind : ''}</span>
          <span className={classes.what}>
            {entry.name}
            {subject !== undefined && <span className={classes.subject}> {subject}</span>}
          </span>
        </button>
        <span className={classes.track} aria-hidden>
          <Bar kind={entry.error ? 'failed' : entry.kind} startUs={offset + entry.startUs} durationUs={point ? 0 : entry.durationUs} view={view} text={entry.error ? entry.error.code : point ? short(entry.args ?? entry.result) : took} />
        </span>
      </div>
      {open && (
        <div className={classes.detail} style={{ marginLeft: depth * 14 }}>
          {entry.error && (
            <p className={classes.error}>
              <CodedError code={entry.error.code} message={entry.error.message} />
            </p>
          )}
          {renderDetail?.(entry)}
          <div className={classes.sides}>
            {entry.args !== undefined && (
              <div>
                <h4 className={classes.title}>{point ? t('Value') : t('Sent{what}', { what: entry.outBytes ? ` · ${bytes(entry.outBytes)}` : '' })}</h4>
                <JsonView value={entry.args} label={t('Sent by {name}', { name: entry.name })} onCopy={onCopy} />
              </div>
            )}
            {entry.result !== undefined && (
              <div>
                <h4 className={classes.title}>{point ? t('Text') : t('Got{what}', { what: entry.inBytes ? ` · ${bytes(entry.inBytes)}` : '' })}</h4>
                <JsonView value={entry.result} label={t('Got by {name}', { name: entry.name })} onCopy={onCopy} />
              </div>
            )}
          </div>
          {entry.truncated && <p className={classes.note}>{t('Values of more than 4 KB are kept up to there.')}</p>}
          <div className={classes.actions}>
            {nested && onOpenNested && (
              <Button size="compact-xs" variant="default" onClick={() => onOpenNested(nested)}>
                {t('Open this run')}
              </Button>
            )}
            <Button size="compact-xs" variant="default" leftSection={<ZoomIn size={12} />} onClick={() => onZoom(offset + entry.startUs, point ? 0 : entry.durationUs)}>
              {point ? t('Zoom to this moment') : t('Zoom to this call')}
            </Button>
          </div>
        </div>
      )}
      {nested && renderNested && depth < 5 && (
        <ol className={classes.rows} aria-label={t('Inside {name}', { name: entry.name })}>
          {renderNested(nested, (run) => (
            <Rows trace={run.trace} offset={offset + entry.startUs} depth={depth + 1} view={view} zoomedIn={zoomedIn} onZoom={onZoom} renderNested={renderNested} onOpenNested={onOpenNested} onCopy={onCopy} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Bar({ kind, startUs, durationUs, view, text }: { kind: string; startUs: number; durationUs: number; view: Span; text: string }) {
  const at = placed(startUs, durationUs, view);
  if (!at) {
    const before = startUs < view.from;
    return (
      <span className={classes.away} data-before={before || undefined}>
        {before ? '‹' : '›'}
      </span>
    );
  }
  const side = at.left + at.width <= 70 ? 'after' : at.left >= 30 ? 'before' : 'inside';
  const place = side === 'after' ? { left: `calc(${at.left + at.width}% + 6px)` } : side === 'before' ? { right: `${100 - at.left}%` } : { left: `calc(${at.left}% + 6px)` };
  return (
    <>
      <span className={classes.bar} data-kind={kind} style={{ left: `${at.left}%`, width: `max(3px, ${at.width}%)` }} />
      {text && (
        <span className={classes.text} data-side={side} style={place}>
          {text}
        </span>
      )}
    </>
  );
}

/** A value in a few words. */
function short(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : writeJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

import { ChevronRight } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { InvocationRow } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import classes from './ActivityList.module.css';
import { placeOf } from './feed';
import { Layout } from './layout';

const rowHeight = 32;
const around = 12;
/** What an open row takes before it was measured. */
const firstGuess = 260;
/** Rows before the end at which the next page is asked for. */
const nearEnd = 30;

interface Props {
  rows: readonly InvocationRow[];
  render: (row: InvocationRow) => ReactNode;
  nameOf: (row: InvocationRow) => string;
  /** What a row shows when it is open. */
  details: (row: InvocationRow) => ReactNode;
  open: ReadonlySet<string>;
  onToggle: (id: string) => void;
  onOpenFull: (id: string) => void;
  /** Called when the list is left at its top, or comes back there. */
  onTop: (atTop: boolean) => void;
  onEnd: () => void;
  /** Changes when the list should go back to its top. */
  toTop: number;
  footer?: ReactNode;
}

/**
 * A list of any length of which only what is seen is on the page. A row opens in
 * place. J, K and the arrows move, Enter opens, a double click shows everything.
 */
export function ActivityList({ rows, render, nameOf, details, open, onToggle, onOpenFull, onTop, onEnd, toTop, footer }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const [focused, setFocused] = useState<InvocationRow>();
  const wantsFocus = useRef(false);

  const layout = useMemo(() => {
    const extras: { index: number; extra: number }[] = [];
    if (open.size > 0) rows.forEach((row, index) => open.has(row.id) && extras.push({ index, extra: heights.get(row.id) ?? firstGuess }));
    return new Layout(rows.length, rowHeight, extras);
  }, [heights, open, rows]);
  const [from, to] = layout.range(view.top, view.height, around);

  // Rows that come in above what is being read push it down; the view goes with it.
  const anchor = useRef<{ row: InvocationRow; offset: number }>(undefined);
  const layoutBefore = useRef(layout);
  useLayoutEffect(() => {
    const el = scroller.current;
    const held = anchor.current;
    if (!el || layoutBefore.current === layout) return;
    layoutBefore.current = layout;
    if (!held || el.scrollTop < rowHeight / 2) return;
    const index = placeOf(rows, held.row);
    if (index < 0) return;
    const wanted = layout.top(index) + held.offset;
    if (Math.abs(wanted - el.scrollTop) >= 1) el.scrollTop = wanted;
  }, [layout, rows]);

  const look = useCallback(() => {
    const el = scroller.current;
    if (!el) return;
    setView((v) => (v.top === el.scrollTop && v.height === el.clientHeight ? v : { top: el.scrollTop, height: el.clientHeight }));
  }, []);
  useLayoutEffect(() => {
    const el = scroller.current;
    if (!el) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(el);
    look();
    return () => observer.disconnect();
  }, [look]);
  useLayoutEffect(() => {
    const first = layout.at(view.top);
    const row = rows[first];
    anchor.current = row && { row, offset: view.top - layout.top(first) };
  }, [layout, rows, view.top]);
  const atTop = view.top < rowHeight / 2;
  useEffect(() => onTop(atTop), [atTop, onTop]);
  useEffect(() => {
    if (to >= rows.length - nearEnd) onEnd();
  }, [to, rows.length, onEnd]);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    look();
  }, [toTop, look]);

  const measured = useCallback(
    (id: string, height: number) => setHeights((old) => (old.get(id) === height ? old : new Map(old).set(id, height))),
    [],
  );

  const focusIndex = focused ? placeOf(rows, focused) : -1;
  const current = focusIndex >= 0 ? focusIndex : layout.at(view.top);
  useLayoutEffect(() => {
    if (!wantsFocus.current || !focused) return;
    const head = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(focused.id)}"]`);
    if (!head) return;
    wantsFocus.current = false;
    head.focus({ preventScroll: true });
  });
  const move = (index: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[at];
    const el = scroller.current;
    if (!row || !el) return;
    wantsFocus.current = true;
    setFocused(row);
    const top = layout.top(at);
    if (top < el.scrollTop) el.scrollTop = top;
    else if (top + rowHeight > el.scrollTop + el.clientHeight) el.scrollTop = top + rowHeight - el.clientHeight;
    look();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const inRow = (event.target as HTMLElement).dataset.row !== undefined;
    if (!inRow || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: current + 1, j: current + 1, ArrowUp: current - 1, k: current - 1,
      Home: 0, End: rows.length - 1, PageDown: current + page, PageUp: current - page,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  };

  return (
    <div ref={scroller} className={classes.scroller} onScroll={look} onKeyDown={onKeyDown} data-testid="activity">
      <ul className={classes.inner} style={{ height: layout.total }} aria-label={t('Activity')}>
        {rows.slice(from, to).map((row, i) => (
          <Item
            key={row.id}
            row={row}
            index={from + i}
            count={rows.length}
            top={layout.top(from + i)}
            current={from + i === current}
            isOpen={open.has(row.id)}
            render={render}
            nameOf={nameOf}
            details={details}
            onToggle={onToggle}
            onOpenFull={onOpenFull}
            onFocus={setFocused}
            onHeight={measured}
          />
        ))}
      </ul>
      {footer}
    </div>
  );
}

interface ItemProps extends Pick<Props, 'render' | 'nameOf' | 'details' | 'onToggle' | 'onOpenFull'> {
  row: InvocationRow;
  index: number;
  count: number;
  top: number;
  current: boolean;
  isOpen: boolean;
  onFocus: (row: InvocationRow) => void;
  onHeight: (id: string, height: number) => void;
}

/** A row in its place. It is drawn again only when something of its own changes, not when the list is scrolled. */
const Item = memo(function Item({ row, index, count, top, current, isOpen, render, nameOf, details, onToggle, onOpenFull, onFocus, onHeight }: ItemProps) {
  return (
    <li className={classes.item} data-open={isOpen || undefined} style={{ transform: `translateY(${top}px)` }} aria-setsize={count} aria-posinset={index + 1}>
      <button
        type="button"
        data-row={row.id}
        className={classes.row}
        aria-expanded={isOpen}
        aria-label={nameOf(row)}
        tabIndex={current ? 0 : -1}
        onClick={() => onToggle(row.id)}
        onDoubleClick={() => onOpenFull(row.id)}
        onFocus={() => onFocus(row)}
      >
        <ChevronRight size={13} className={classes.arrow} aria-hidden />
        {render(row)}
      </button>
      {isOpen && (
        <Measured id={row.id} onHeight={onHeight}>
          {details(row)}
        </Measured>
      )}
    </li>
  );
});

/** Tells how high its content is, whenever that changes. */
function Measured({ id, onHeight, children }: { id: string; onHeight: (id: string, height: number) => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return undefined;
    const tell = () => onHeight(id, el.offsetHeight);
    const observer = new ResizeObserver(tell);
    observer.observe(el);
    tell();
    return () => observer.disconnect();
  }, [id, onHeight]);
  return (
    <div ref={box} className={classes.details}>
      {children}
    </div>
  );
}

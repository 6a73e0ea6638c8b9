import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { t } from '../../i18n/t';
import classes from './ActivityList.module.css';
import { placeOf } from './feed';
import { Layout } from './layout';
import type { ListedRow } from './listed';

const rowHeight = 32;
const around = 6;
/** What an open row takes before it was measured. */
const firstGuess = 260;
/** Rows before the end at which the next page is asked for. */
const nearEnd = 150;

interface Props {
  rows: readonly ListedRow[];
  render: (row: ListedRow) => ReactNode;
  nameOf: (row: ListedRow) => string;
  /** What a row shows when it is open. */
  details: (row: ListedRow) => ReactNode;
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
 * Its rows come and go by the dozen with every turn of a wheel, so that they are
 * few plain elements, and nothing here asks how large they are while it draws.
 */
export function ActivityList({ rows, render, nameOf, details, open, onToggle, onOpenFull, onTop, onEnd, toTop, footer }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const [focused, setFocused] = useState<ListedRow>();
  const wantsFocus = useRef(false);

  const layout = useMemo(() => {
    const extras: { index: number; extra: number }[] = [];
    if (open.size > 0) rows.forEach((row, index) => open.has(row.id) && extras.push({ index, extra: heights.get(row.id) ?? firstGuess }));
    return new Layout(rows.length, rowHeight, extras);
  }, [heights, open, rows]);
  const [from, to] = layout.range(view.top, view.height, around);

  // Rows that come in above what is being read push it down; the view goes with it.
  const anchor = useRef<{ row: ListedRow; offset: number; top: number }>(undefined);
  const layoutBefore = useRef(layout);
  useLayoutEffect(() => {
    const el = scroller.current;
    const held = anchor.current;
    if (!el || layoutBefore.current === layout) return;
    layoutBefore.current = layout;
    if (!held || held.top < rowHeight / 2) return;
    const index = placeOf(rows, held.row);
    if (index < 0) return;
    const moved = layout.top(index) + held.offset - held.top;
    if (Math.abs(moved) >= 1) el.scrollTop += moved;
  }, [layout, rows]);

  const height = useRef(view.height);
  const look = useCallback(() => {
    const el = scroller.current;
    if (!el) return;
    const top = el.scrollTop;
    setView((v) => (v.top === top && v.height === height.current ? v : { top, height: height.current }));
  }, []);
  useLayoutEffect(() => {
    const el = scroller.current;
    if (!el) return undefined;
    const measure = () => {
      height.current = el.clientHeight;
      look();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    measure();
    return () => observer.disconnect();
  }, [look]);
  useLayoutEffect(() => {
    const first = layout.at(view.top);
    const row = rows[first];
    anchor.current = row && { row, offset: view.top - layout.top(first), top: view.top };
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

  // One listener for all rows instead of some for each.
  const shown = rows.slice(from, to);
  const idAt = (event: MouseEvent | FocusEvent) => (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row;
  const onClick = (event: MouseEvent) => {
    const id = idAt(event);
    if (id) onToggle(id);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const id = idAt(event);
    if (id) onOpenFull(id);
  };
  const onFocus = (event: FocusEvent) => {
    const id = idAt(event);
    if (id) setFocused(shown.find((row) => row.id === id));
  };

  return (
    <div ref={scroller} className={classes.scroller} onScroll={look} onKeyDown={onKeyDown} data-testid="activity">
      <ul className={classes.inner} style={{ height: layout.total, paddingTop: layout.top(from) }} aria-label={t('Activity')} onClick={onClick} onDoubleClick={onDoubleClick} onFocus={onFocus}>
        {shown.map((row, i) => (
          <Item
            key={row.id}
            row={row}
            index={from + i}
            count={rows.length}
            current={from + i === current}
            isOpen={open.has(row.id)}
            render={render}
            nameOf={nameOf}
            details={details}
            onHeight={measured}
          />
        ))}
      </ul>
      {footer}
    </div>
  );
}

interface ItemProps extends Pick<Props, 'render' | 'nameOf' | 'details'> {
  row: ListedRow;
  index: number;
  count: number;
  current: boolean;
  isOpen: boolean;
  onHeight: (id: string, height: number) => void;
}

/** A row in its place. It is drawn again only when something of its own changes, not when the list is scrolled. */
const Item = memo(function Item({ row, index, count, current, isOpen, render, nameOf, details, onHeight }: ItemProps) {
  return (
    <li data-open={isOpen || undefined} aria-setsize={count} aria-posinset={index + 1}>
      <button type="button" data-row={row.id} className={classes.row} aria-expanded={isOpen} aria-label={nameOf(row)} tabIndex={current ? 0 : -1}>
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

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import classes from './RowList.module.css';

export interface RowListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  render: (item: T) => ReactNode;
  /** What a row is called by screen readers; by default its text. */
  nameOf?: (item: T) => string;
  rowHeight: number;
  label: string;
  selected?: string;
  onOpen: (item: T) => void;
  /** Called when the end of the list comes near. */
  onEnd?: () => void;
  empty?: ReactNode;
}

/**
 * RowList is a virtual list of rows of one height, the newest on top. Arrows, J
 * and K move, Enter opens. Rows that arrive on top do not move what is being
 * read: only a list that is scrolled to its top follows.
 */
export function RowList<T>({ items, keyOf, render, nameOf, rowHeight, label, selected, onOpen, onEnd, empty }: RowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusKey, setFocusKey] = useState<string>();
  const wantsFocus = useRef(false);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (i) => (items[i] === undefined ? i : keyOf(items[i])),
  });

  const top = items[0] === undefined ? undefined : keyOf(items[0]);
  const topBefore = useRef(top);
  useLayoutEffect(() => {
    const el = scroller.current;
    const before = topBefore.current;
    topBefore.current = top;
    if (!el || before === undefined || before === top || el.scrollTop < rowHeight / 2) return;
    const added = items.findIndex((item) => keyOf(item) === before);
    if (added > 0) el.scrollTop += added * rowHeight;
  }, [top, items, keyOf, rowHeight]);

  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd && items.length > 0 && last >= items.length - 5) onEnd();
  }, [last, items.length, onEnd]);

  useLayoutEffect(() => {
    if (!wantsFocus.current || !focusKey) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusKey)}"]`);
    if (row) {
      wantsFocus.current = false;
      row.focus({ preventScroll: true });
    }
  });

  const focusIndex = items.findIndex((item) => keyOf(item) === focusKey);
  const current = focusIndex >= 0 ? focusIndex : Math.max(0, items.findIndex((item) => keyOf(item) === selected));

  const move = (to: number) => {
    const at = Math.max(0, Math.min(items.length - 1, to));
    const item = items[at];
    if (item === undefined) return;
    wantsFocus.current = true;
    setFocusKey(keyOf(item));
    virtual.scrollToIndex(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowDown: current + 1, j: current + 1, ArrowUp: current - 1, k: current - 1,
      Home: 0, End: items.length - 1, PageDown: current + 10, PageUp: current - 10,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' || event.key === ' ') {
      const item = items[current];
      if (item !== undefined) onOpen(item);
    } else return;
    event.preventDefault();
  };

  if (items.length === 0) return <div className={classes.empty}>{empty}</div>;
  return (
    <div ref={scroller} className={classes.scroller} role="listbox" aria-label={label} onKeyDown={onKeyDown}>
      <div className={classes.inner} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          const key = keyOf(item);
          return (
            <div
              key={key}
              data-key={key}
              role="option"
              aria-selected={key === selected}
              aria-label={nameOf?.(item)}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              tabIndex={row.index === current ? 0 : -1}
              className={classes.row}
              style={{ height: rowHeight, transform: `translateY(${row.start}px)` }}
              onClick={() => {
                setFocusKey(key);
                onOpen(item);
              }}
              onFocus={() => setFocusKey(key)}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

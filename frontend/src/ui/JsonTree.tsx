import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { t } from '../i18n/t';
import { JsonRow } from './JsonRow';
import { rowOf, selectedText } from './jsonCopy';
import type { JsonLines } from './jsonLines';
import classes from './JsonView.module.css';

/** Rows that come and go together. */
const rowsTogether = 100;
/** Rows up to which all are on the page, as one text. */
const allUpTo = 300;
/** Rows a page can scroll through; browsers end at heights of some ten million pixels. */
const mostRows = 500_000;
/** Characters shown of a line at first, and with each press for more of a very long one. */
const shownOfLine = 300;
const moreOfLine = 100_000;

interface Props {
  lines: JsonLines;
  label: string;
  folds: Uint8Array;
  onFolds: (folds: Uint8Array) => void;
  words: string;
  /** The match one is at; a new object is a new wish to see it. */
  here: { at: number } | undefined;
  onFind: () => void;
  onCopy: ((text: string) => void) | undefined;
  /** The buttons of the row one is at. */
  actions: (line: number) => ReactNode;
}

/**
 * The rows of a value as a tree: the arrows move, fold and unfold. Of many rows
 * only those in sight are on the page, and those that hold the focus or an end of
 * the selection.
 */
export function JsonTree({ lines, label, folds, onFolds, words, here, onFind, onCopy, actions }: Props) {
  const rows = useMemo(() => lines.shown(folds), [folds, lines]);
  const count = Math.min(rows.length, mostRows);
  const chunks = Math.ceil(count / rowsTogether);
  const long = count > allUpTo;
  const [active, setActive] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [grown, setGrown] = useState<ReadonlyMap<number, number>>(new Map());
  const tree = useRef<HTMLDivElement>(null);
  const wish = useRef<{ line: number; focus: boolean }>(undefined);
  const { seen, heights, watch, pin } = useInSight(tree, long, rows);

  const rowAt = useCallback(
    (line: number): number => {
      let low = 0;
      let high = rows.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((rows[middle] ?? 0) <= line) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    [rows],
  );
  // What is folded away cannot be where one is.
  const current = rows[rowAt(active)] ?? 0;

  const see = (line: number, focus: boolean) => {
    wish.current = { line, focus };
    setActive(line);
  };
  useLayoutEffect(() => {
    const wished = wish.current;
    const row = wished && tree.current?.querySelector<HTMLElement>(`[data-line="${wished.line}"]`);
    if (!row) return;
    wish.current = undefined;
    if (wished.focus) row.focus({ preventScroll: true });
    (row.querySelector('[data-found="here"]') ?? row).scrollIntoView({ block: 'nearest' });
  });

  const shownOf = (line: number) => grown.get(line) ?? shownOfLine;
  const more = (line: number) => setGrown((m) => new Map(m).set(line, shownOf(line) + moreOfLine));
  const fold = (line: number, folded: boolean) => {
    const next = folds.slice();
    next[line] = folded ? 1 : 0;
    onFolds(next);
  };

  // A match is shown: what it lies in is opened, and as much of its line as it needs.
  const shownWish = useRef<typeof here>(undefined);
  useEffect(() => {
    if (!here || shownWish.current === here) return;
    shownWish.current = here;
    const line = lines.at(here.at);
    const next = folds.slice();
    for (let at = line; at > 0; ) {
      at = lines.parent(at);
      next[at] = 0;
    }
    const far = here.at - lines.start(line) + words.length;
    if (far > shownOf(line)) setGrown((m) => new Map(m).set(line, far + shownOfLine));
    see(lines.closes(line) ? lines.parent(line) : line, false);
    if (next.some((f, i) => f !== folds[i])) onFolds(next);
  });

  const step = (by: number) => {
    for (let row = rowAt(current) + by; row >= 0 && row < count; row += by) {
      const line = rows[row] ?? 0;
      if (!lines.closes(line)) return see(line, true);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (mod && key === 'f') onFind();
    else if (mod && key === 'a') window.getSelection()?.selectAllChildren(event.currentTarget);
    else if (mod || event.altKey || !(event.target as HTMLElement).dataset.line) return;
    else if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Home') see(0, true);
    else if (event.key === 'End') see(lastOf(rows, count, lines), true);
    else if (event.key === 'ArrowRight') {
      if (folds[current]) fold(current, false);
      else if (lines.opens(current)) step(1);
      else if (shownOf(current) < lines.stop(current) - lines.start(current)) more(current);
    } else if (event.key === 'ArrowLeft') {
      if (lines.opens(current) && !folds[current]) fold(current, true);
      else see(lines.parent(current), true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (lines.opens(current)) fold(current, !folds[current]);
      else more(current);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent) => {
    const row = rowOf(event.target as Node);
    if (!row) return;
    const line = Number(row.dataset.line);
    const target = event.target as Element;
    setActive(lines.closes(line) ? lines.parent(line) : line);
    if (target.closest('[data-fold]')) fold(line, !folds[line]);
    else if (target.closest('[data-more]')) more(line);
  };
  const onCopyKeys = (event: ClipboardEvent) => {
    const selection = window.getSelection();
    const text = selectedText(event.currentTarget as HTMLElement, selection, lines) ?? (selection?.isCollapsed !== false && rowOf(event.target as Node) ? lines.value(current) : undefined);
    if (text === undefined) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };

  const isHere = here && lines.at(here.at);
  const drawn = (chunk: number) => !long || seen.has(chunk) || chunk === Math.floor(rowAt(current) / rowsTogether) || pin.has(chunk);
  const at = pointed ?? current;
  return (
    <div
      ref={tree}
      className={classes.tree}
      data-long={long || undefined}
      role="tree"
      aria-label={label}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onCopy={onCopyKeys}
      onFocus={(e) => {
        const row = rowOf(e.target);
        if (row === e.target) setActive(Number(row.dataset.line));
      }}
      onMouseOver={(e) => {
        const row = rowOf(e.target as Node);
        if (row) setPointed(Number(row.dataset.line));
      }}
      onMouseLeave={() => setPointed(undefined)}
    >
      {Array.from({ length: chunks }, (_, chunk) => {
        const from = chunk * rowsTogether;
        const to = Math.min(count, from + rowsTogether);
        return (
          <div key={chunk} ref={watch} role="none" data-chunk={chunk} className={classes.chunk} style={drawn(chunk) ? undefined : { height: heights.get(chunk) ?? `${(to - from) * 1.55}em` }}>
            {drawn(chunk) &&
              Array.from(rows.subarray(from, to), (line) => (
                <JsonRow key={line} lines={lines} line={line} folded={folds[line] === 1} most={shownOf(line)} words={words} here={isHere === line ? here?.at : undefined} current={line === current} actions={onCopy && line === at && !lines.closes(line) ? actions(line) : undefined} />
              ))}
          </div>
        );
      })}
      {rows.length > count && <p className={classes.note}>{t('{n, plural, one {# more line} other {# more lines}}: fold what is above, or find them.', { n: rows.length - count })}</p>}
    </div>
  );
}

function lastOf(rows: Uint32Array, count: number, lines: JsonLines): number {
  for (let row = count - 1; row > 0; row--) if (!lines.closes(rows[row] ?? 0)) return rows[row] ?? 0;
  return 0;
}

/** Which chunks of rows are in sight of the tree, how high those were that were left, and which hold the selection. */
function useInSight(tree: RefObject<HTMLDivElement | null>, long: boolean, rows: Uint32Array) {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set([0, 1]));
  const [pin, setPin] = useState<ReadonlySet<number>>(new Set());
  const heights = useRef(new Map<number, number>()).current;
  const observer = useRef<IntersectionObserver>(undefined);
  useLayoutEffect(() => {
    heights.clear();
    if (!long || !tree.current) return undefined;
    const eye = new IntersectionObserver(
      (entries) =>
        setSeen((old) => {
          const next = new Set(old);
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const chunk = Number((target as HTMLElement).dataset.chunk);
            if (isIntersecting) next.add(chunk);
            else if (next.delete(chunk)) heights.set(chunk, boundingClientRect.height);
          }
          return next;
        }),
      { root: tree.current, rootMargin: '600px' },
    );
    observer.current = eye;
    for (const chunk of tree.current.querySelectorAll('[data-chunk]')) eye.observe(chunk);
    return () => {
      observer.current = undefined;
      eye.disconnect();
    };
  }, [heights, long, rows, tree]);
  useEffect(() => {
    if (!long) return undefined;
    const look = () => {
      const selection = document.getSelection();
      const chunkOf = (node: Node | null) => (tree.current?.contains(node) ? (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-chunk]')?.dataset.chunk : undefined);
      const found = selection && !selection.isCollapsed ? [chunkOf(selection.anchorNode), chunkOf(selection.focusNode)].flatMap((c) => (c === undefined ? [] : [Number(c)])) : [];
      setPin((old) => (old.size === new Set(found).size && found.every((c) => old.has(c)) ? old : new Set(found)));
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [long, tree]);
  const watch = useCallback((chunk: HTMLElement | null) => {
    if (chunk) observer.current?.observe(chunk);
  }, []);
  return { seen, heights, watch, pin };
}

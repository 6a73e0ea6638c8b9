import { ActionIcon, TextInput } from '@mantine/core';
import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp, Copy, Route, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../i18n/t';
import { writeJson } from './exact';
import { JsonTree } from './JsonTree';
import classes from './JsonView.module.css';
import { laidOut, layOut } from './json';
import { JsonLines, mostMatches } from './jsonLines';

/** Lines from which a value has a bar of its own. */
const barFrom = 12;

interface Props {
  value: unknown;
  label: string;
  onCopy?: (text: string) => void;
  /** The value is the beginning of a text of JSON, whose end is missing. */
  cut?: boolean;
}

/**
 * A JSON value, laid out and coloured: what is in it can be folded, found and
 * copied, and every digit is as it came.
 */
export function JsonView({ value, label, onCopy, cut = false }: Props) {
  const text = useMemo(() => (cut && typeof value === 'string' ? layOut(value) : value === undefined ? 'undefined' : laidOut(value)), [cut, value]);
  const lines = useMemo(() => new JsonLines(text), [text]);
  return (
    <section className={classes.root} aria-label={label}>
      {cut && <p className={classes.note}>{t('This was too long to be kept whole: what follows is its beginning.')}</p>}
      <Shown key={keyOf(lines)} lines={lines} label={label} onCopy={onCopy} />
    </section>
  );
}

const keys = new WeakMap<JsonLines, string>();
const keyOf = (lines: JsonLines): string => {
  const key = keys.get(lines) ?? crypto.randomUUID();
  keys.set(lines, key);
  return key;
};

function Shown({ lines, label, onCopy }: { lines: JsonLines; label: string; onCopy: ((text: string) => void) | undefined }) {
  const [folds, setFolds] = useState(() => lines.firstFolds());
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const matches = useMemo(() => lines.find(words), [lines, words]);
  const [nth, setNth] = useState<{ n: number; words: string }>();
  const n = nth?.words === words && matches.length > 0 ? (nth.n + matches.length) % matches.length : undefined;
  const found = n === undefined ? undefined : matches[n];
  const here = useMemo(() => (found === undefined ? undefined : { at: found, nth }), [found, nth]);
  const field = useRef<HTMLInputElement>(null);
  const bar = lines.count >= barFrom || lines.text.length > 600;
  // Whoever is quicker than the search gets the first match when it is there.
  const go = (by: number) => setNth({ n: n === undefined || typed !== words ? (by > 0 ? 0 : -1) : n + by, words: typed });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && typed) setTyped('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {bar ? (
        <div className={classes.bar}>
          <TextInput ref={field} className={classes.find} size="xs" aria-label={t('Find in {label}', { label })} placeholder={t('Find')} leftSection={<Search size={12} />} value={typed} onChange={(e) => setTyped(e.currentTarget.value)} onKeyDown={onKeyDown} />
          <span className={classes.count} role="status">
            {words.trim() && (matches.length === 0 ? t('none') : n === undefined ? t('{n} found', { n: figure(matches.length) }) : t('{n} of {all}', { n: n + 1, all: figure(matches.length) }))}
          </span>
          <Tool name={t('Previous match')} disabled={matches.length === 0} onClick={() => go(-1)} icon={<ChevronUp size={14} />} />
          <Tool name={t('Next match')} disabled={matches.length === 0} onClick={() => go(1)} icon={<ChevronDown size={14} />} />
          <Tool name={t('Expand all')} onClick={() => setFolds(new Uint8Array(lines.count))} icon={<ChevronsUpDown size={14} />} />
          <Tool name={t('Collapse all')} onClick={() => setFolds(lines.foldsFrom(1))} icon={<ChevronsDownUp size={14} />} />
          {onCopy && <Tool name={t('Copy {label}', { label })} onClick={() => onCopy(lines.text)} icon={<Copy size={13} />} />}
        </div>
      ) : (
        onCopy && (
          <span className={classes.copy}>
            <Tool name={t('Copy {label}', { label })} onClick={() => onCopy(lines.text)} icon={<Copy size={13} />} />
          </span>
        )
      )}
      <JsonTree
        lines={lines}
        label={label}
        folds={folds}
        onFolds={setFolds}
        words={words}
        here={here}
        onFind={() => field.current?.focus()}
        onCopy={bar ? onCopy : undefined}
        actions={(line) => (
          <>
            <Tool name={t('Copy this value')} onClick={() => onCopy?.(lines.value(line))} icon={<Copy size={12} />} />
            <Tool name={t('Copy its path')} onClick={() => onCopy?.(lines.path(line))} icon={<Route size={12} />} />
          </>
        )}
      />
    </>
  );
}

const figure = (n: number): string => (n >= mostMatches ? `${mostMatches}+` : String(n));

function Tool({ name, icon, disabled, onClick }: { name: string; icon: ReactNode; disabled?: boolean; onClick: () => void }) {
  return (
    <ActionIcon size="sm" variant="default" aria-label={name} title={name} disabled={disabled} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}

/** A value in a line of a list: as it is where it is short, else folded behind its beginning. */
export function JsonInLine({ value, label, onCopy }: { value: unknown; label: string; onCopy?: (text: string) => void }) {
  const [open, setOpen] = useState(false);
  const text = useMemo(() => (value === undefined ? '' : writeJson(value)), [value]);
  if (text.length <= 200) return text;
  return (
    <>
      <button type="button" className={classes.inside} aria-expanded={open} aria-label={open ? t('Fold {label}', { label }) : t('Show {label}', { label })} onClick={() => setOpen(!open)}>
        {open ? t('fold') : `${text.slice(0, 160)}…`}
      </button>
      {open && <JsonView value={value} label={label} onCopy={onCopy} />}
    </>
  );
}

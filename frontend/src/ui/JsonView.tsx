import { ActionIcon } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { t } from '../i18n/t';
import classes from './JsonView.module.css';
import { highlightJson, jsonText, layOut } from './json';

/** Characters shown before the rest waits behind a button: huge values must not freeze the page. */
const shownAtOnce = 60_000;
/** Lines drawn together where all is shown; what is out of sight costs nothing. */
const linesTogether = 200;

interface Props {
  value: unknown;
  label: string;
  onCopy?: (text: string) => void;
  /** The value is the beginning of a text of JSON, whose end is missing. */
  cut?: boolean;
}

/** A JSON value, laid out and coloured, with a button that copies all of it. */
export function JsonView({ value, label, onCopy, cut = false }: Props) {
  const text = useMemo(() => (cut && typeof value === 'string' ? layOut(value) : jsonText(value)), [cut, value]);
  const [all, setAll] = useState(false);
  const waits = text.length > shownAtOnce && !all;
  // Colouring makes an element per token: beyond this plain text is kinder.
  const parts: ReactNode = useMemo(() => {
    if (text.length > shownAtOnce && all) return blocks(text).map((block, i) => <span key={i} className={classes.block}>{block}</span>);
    return highlightJson(text.slice(0, shownAtOnce)).map(({ kind, text: t }, i) => (kind ? <span key={i} className={classes[kind]}>{t}</span> : t));
  }, [text, all]);
  return (
    <div className={classes.root}>
      {onCopy && (
        <ActionIcon className={classes.copy} size="sm" variant="default" aria-label={t('Copy {label}', { label })} onClick={() => onCopy(text)}>
          <Copy size={13} />
        </ActionIcon>
      )}
      {cut && <p className={classes.note}>{t('This was too long to be kept whole: what follows is its beginning.')}</p>}
      <pre className={classes.text} tabIndex={0} role="region" aria-label={label}>
        {parts}
      </pre>
      {waits && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('Show all {n} KB', { n: Math.round(text.length / 1024) })}
        </button>
      )}
    </div>
  );
}

function blocks(text: string): string[] {
  const lines = text.split('\n');
  return Array.from({ length: Math.ceil(lines.length / linesTogether) }, (_, i) => lines.slice(i * linesTogether, (i + 1) * linesTogether).join('\n'));
}

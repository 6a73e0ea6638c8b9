import { ActionIcon } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { t } from '../i18n/t';
import classes from './JsonView.module.css';
import { highlightJson, jsonText } from './json';

/** Characters shown before the rest waits behind a button: huge values must not freeze the page. */
const shownAtOnce = 60_000;

/** A JSON value, laid out and coloured, with a button that copies all of it. */
export function JsonView({ value, label, onCopy }: { value: unknown; label: string; onCopy?: (text: string) => void }) {
  const text = useMemo(() => jsonText(value), [value]);
  const [all, setAll] = useState(false);
  const cut = !all && text.length > shownAtOnce;
  const shown = cut ? text.slice(0, shownAtOnce) : text;
  // Colouring makes an element per token: beyond this plain text is kinder.
  const parts: ReactNode = useMemo(
    () => (shown.length > shownAtOnce ? shown : highlightJson(shown).map(({ kind, text: t }, i) => (kind ? <span key={i} className={classes[kind]}>{t}</span> : t))),
    [shown],
  );
  return (
    <div className={classes.root}>
      {onCopy && (
        <ActionIcon className={classes.copy} size="sm" variant="default" aria-label={t('Copy {label}', { label })} onClick={() => onCopy(text)}>
          <Copy size={13} />
        </ActionIcon>
      )}
      <pre className={classes.text} tabIndex={0} role="region" aria-label={label}>
        {parts}
      </pre>
      {cut && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {t('Show all {n} KB', { n: Math.round(text.length / 1024) })}
        </button>
      )}
    </div>
  );
}

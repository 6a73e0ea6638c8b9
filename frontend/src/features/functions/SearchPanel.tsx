import { ActionIcon, TextInput } from '@mantine/core';
import { CaseSensitive, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useSyncExternalStore, type KeyboardEvent } from 'react';
import { t } from '../../i18n/t';
import { useStored } from '../../ui/stored';
import { parts, type Docs, type Part } from './docs';
import { hitsIn, mostHits, type Hit } from './search';
import classes from './SearchPanel.module.css';
import { useTexts } from './useTexts';

interface Props {
  agent: string;
  names: readonly string[];
  docs: Docs;
  /** What is looked for; kept while other functions are looked at. */
  wanted: string;
  onWanted: (text: string) => void;
  /** Counts how often the search was asked for: each time the field takes the focus. */
  asked: number;
  onOpen: (name: string, part: Part, line: number, column: number) => void;
  onClose: () => void;
}

interface Found {
  name: string;
  part: Part;
  file: string;
  hits: Hit[];
}

/** Looks through AGENT.md and the texts of all functions, as they are written now, saved or not. */
export function SearchPanel({ agent, names, docs, wanted, onWanted, asked, onOpen, onClose }: Props) {
  const [exact, setExact] = useStored('search.exact', false);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const texts = useTexts(agent, names, true);
  // A change of any text is a reason to look again, but typing goes first.
  const state = useSyncExternalStore(docs.watch, docs.changes);
  const now = useDeferredValue(useMemo(() => ({ wanted, exact, state, works: texts.data ?? [] }), [wanted, exact, state, texts.data]));
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [asked]);

  const found = useMemo(
    () =>
      now.works.flatMap((w) =>
        parts.flatMap((part): Found[] => {
          const text = docs.get(`${agent}/${w.name}`)[part]?.mine ?? w[part]?.text;
          const hits = text === undefined ? [] : hitsIn(text, now.wanted, now.exact);
          return hits.length ? [{ name: w.name, part, file: w[part]?.path || w.name, hits }] : [];
        }),
      ),
    [agent, docs, now],
  );
  const count = found.reduce((n, f) => n + f.hits.length, 0);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const rows = [...(list.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement) + step;
    if (at < 0) input.current?.focus();
    else rows[Math.min(at, rows.length - 1)]?.focus();
    event.preventDefault();
  };

  return (
    <section className={classes.panel} aria-label={t('Find in all files')} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('Find in all files')}</h2>
        <ActionIcon size="sm" aria-label={t('Back to the functions')} onClick={onClose}>
          <X size={14} />
        </ActionIcon>
      </div>
      <div className={classes.field}>
        <TextInput
          ref={input}
          size="xs"
          spellCheck={false}
          aria-label={t('Text to find')}
          placeholder={t('Text to find')}
          value={wanted}
          onChange={(e) => onWanted(e.currentTarget.value)}
          rightSection={
            <ActionIcon size="sm" variant={exact ? 'light' : 'subtle'} aria-pressed={exact} aria-label={t('Capitals count')} title={t('Capitals count')} onClick={() => setExact(!exact)}>
              <CaseSensitive size={15} />
            </ActionIcon>
          }
        />
      </div>
      <p className={classes.count} role="status">
        {now.wanted && (texts.isPending ? t('Reading…') : count ? t('{n, plural, one {# place} other {# places}} in {files, plural, one {# file} other {# files}}', { n: count, files: found.length }) : t('Nothing found in {n, plural, one {# file} other {# files}}', { n: now.works.flatMap((w) => parts.filter((part) => w[part])).length }))}
      </p>
      <div ref={list} className={classes.results}>
        {found.map((f) => (
          <div key={`${f.name}:${f.part}`} role="group" aria-label={f.file}>
            <h3 className={classes.file} title={f.file}>
              {f.file.replace(/^functions\//, '')}
            </h3>
            {f.hits.map((h) => (
              <button key={`${h.line}:${h.column}`} type="button" className={classes.hit} onClick={() => onOpen(f.name, f.part, h.line, h.column)}>
                <span className={classes.line}>{h.line}</span>
                <span className={classes.text}>
                  {h.before}
                  <mark>{h.found}</mark>
                  {h.after}
                </span>
              </button>
            ))}
            {f.hits.length === mostHits && <p className={classes.more}>{t('Only the first {n} are shown.', { n: mostHits })}</p>}
          </div>
        ))}
      </div>
    </section>
  );
}

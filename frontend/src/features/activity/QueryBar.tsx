import { ActionIcon, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { CircleHelp, Search, X } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { t } from '../../i18n/t';
import { useCommand } from '../../ui/commands';
import { useStored } from '../../ui/stored';
import classes from './QueryBar.module.css';
import { syntax, type QueryProblem } from './query';

/** How long typing rests before the query is asked, in ms. */
const restMs = 300;

const ready: readonly { name: string; query: string }[] = [
  { name: t('All'), query: '' },
  { name: t('Errors'), query: 'status:error' },
  { name: t('Slow'), query: 'dur:>1s' },
  { name: t('Cron'), query: 'skill:cron' },
  { name: t('Changes'), query: 'skill:changes' },
];

/** The filter of activity: a text, filters that are ready or were kept, and what is wrong with it. */
export const QueryBar = memo(function QueryBar({ text, problems, onChange }: { text: string; problems: readonly QueryProblem[]; onChange: (text: string) => void }) {
  const [draft, setDraft] = useState(text);
  const [kept, setKept] = useStored<string[]>('activity.filters', []);
  const input = useRef<HTMLInputElement>(null);
  const asked = useRef(text);
  useCommand('filter', () => input.current?.focus());
  // The address may change under the field: by "back", or by a link.
  useEffect(() => {
    if (text !== asked.current) setDraft(text);
    asked.current = text;
  }, [text]);
  const ask = (next: string) => {
    asked.current = next.trim();
    onChange(next);
  };
  useEffect(() => {
    if (draft.trim() === asked.current) return undefined;
    const timer = setTimeout(() => ask(draft), restMs);
    return () => clearTimeout(timer);
  });
  const choose = (next: string) => {
    setDraft(next);
    ask(next);
  };
  const isKept = kept.includes(text) || ready.some((r) => r.query === text);
  return (
    <div className={classes.root}>
      <TextInput
        ref={input}
        size="sm"
        aria-label={t('Filter')}
        placeholder="fn:greet status:error dur:>500ms"
        spellCheck={false}
        value={draft}
        error={problems.length > 0 && problems.map((p) => `${p.text}: ${p.message}`).join(' ')}
        leftSection={<Search size={14} aria-hidden />}
        rightSectionWidth={draft ? 56 : 30}
        rightSection={
          <span className={classes.right}>
            {draft && (
              <ActionIcon size="sm" aria-label={t('Clear the filter')} onClick={() => choose('')}>
                <X size={13} />
              </ActionIcon>
            )}
            <Help onPick={(example) => setDraft(`${draft.trim()} ${example}`.trim())} />
          </span>
        }
        classNames={{ input: classes.input, error: classes.problem }}
        onChange={(e) => setDraft(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') ask(draft);
          else if (e.key === 'Escape' && draft) choose('');
        }}
      />
      <div className={classes.filters} role="group" aria-label={t('Filters')}>
        {ready.map((r) => (
          <UnstyledButton key={r.name} className={classes.filter} aria-pressed={r.query === text} onClick={() => choose(r.query)}>
            {r.name}
          </UnstyledButton>
        ))}
        {kept.map((query) => (
          <span key={query} className={classes.kept}>
            <UnstyledButton className={classes.filter} data-mono aria-pressed={query === text} onClick={() => choose(query)}>
              {query}
            </UnstyledButton>
            <UnstyledButton className={classes.drop} aria-label={t('Forget {query}', { query })} onClick={() => setKept(kept.filter((k) => k !== query))}>
              <X size={11} aria-hidden />
            </UnstyledButton>
          </span>
        ))}
        {!isKept && problems.length === 0 && (
          <UnstyledButton className={classes.keep} onClick={() => setKept([...kept, text])}>
            {t('Keep this filter')}
          </UnstyledButton>
        )}
      </div>
    </div>
  );
});

function Help({ onPick }: { onPick: (example: string) => void }) {
  return (
    <Popover position="bottom-end" width={430} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size="sm" aria-label={t('What a filter can say')}>
          <CircleHelp size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={classes.help}>
          {syntax.map(({ example, meaning }) => (
            <li key={example}>
              <UnstyledButton className={classes.example} onClick={() => onPick(example)}>
                {example}
              </UnstyledButton>
              <span className={classes.meaning}>{meaning}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

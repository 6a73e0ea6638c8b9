import { ActionIcon, TextInput } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, Copy, FileText, KeyRound, Plus, Search } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { WorkFunction } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { useCommand } from '../../ui/commands';
import { Hint } from '../../ui/Keys';
import classes from './FunctionTree.module.css';

interface Props {
  functions: readonly WorkFunction[];
  /** AGENT.md, where the agent has a folder. */
  file: WorkFunction | undefined;
  /** Files of custom endpoints, by path. */
  modules: readonly WorkFunction[];
  selected: string | undefined;
  isDirty: (name: string) => boolean;
  onSelect: (name: string) => void;
  onNew: () => void;
  /** Makes another one like the selected one. */
  onDuplicate: (() => void) | undefined;
  onSearch: () => void;
  /** Something else is in its place. */
  hidden: boolean;
}

/** AGENT.md, the functions of the agent and the modules of its endpoints, with their state. Arrows, J and K move; / filters. */
export function FunctionTree({ file, functions, modules, selected, isDirty, onSelect, onNew, onDuplicate, onSearch, hidden }: Props) {
  const [filter, setFilter] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useCommand('filter', () => input.current?.focus());
  useCommand('newFunction', onNew);
  const fits = (f: WorkFunction) => f.name.toLowerCase().includes(filter.trim().toLowerCase());
  const shown = functions.filter(fits);
  const files = modules.filter(fits);
  const head = file && fits(file) ? [file] : [];
  const all = [...head, ...shown, ...files];
  const tabStop = all.some((f) => f.name === selected) ? selected : all[0]?.name;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    event.preventDefault();
  };

  const item = (f: WorkFunction) => (
    <li key={f.name}>
      <button
        type="button"
        className={classes.item}
        aria-current={f.name === selected ? 'true' : undefined}
        tabIndex={f.name === tabStop ? 0 : -1}
        title={f.handlers?.map((h) => h.id).join(', ')}
        onClick={() => onSelect(f.name)}
      >
        {f.layout === 'agent' ? <AgentState work={f} /> : <State work={f} />}
        <span className={classes.name}>{f.layout === 'module' ? f.name.replace(/^endpoints\//, '') : f.name}</span>
        {isDirty(f.name) && <span className={classes.dirty} role="img" aria-label={t('unsaved')} title={t('Unsaved changes')} />}
        {(f.requiresUserAction?.length ?? 0) > 0 && (
          <span className={classes.key}>
            <KeyRound size={11} aria-hidden />
            {t('key')}<span className="visually-hidden"> {t('missing')}</span>
          </span>
        )}
      </button>
    </li>
  );

  return (
    <nav className={classes.tree} hidden={hidden} aria-label={t('Functions')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('Functions')}</h2>
        <span className={classes.space} />
        <Hint label={t('Find in all files')} command="findInFiles">
          <ActionIcon size="sm" aria-label={t('Find in all files')} onClick={onSearch}>
            <Search size={14} />
          </ActionIcon>
        </Hint>
        {onDuplicate && selected && (
          <Hint label={t('Duplicate')}>
            <ActionIcon size="sm" aria-label={t('Duplicate')} onClick={onDuplicate}>
              <Copy size={13} />
            </ActionIcon>
          </Hint>
        )}
        <Hint label={t('New function')} command="newFunction">
          <ActionIcon size="sm" aria-label={t('New function')} onClick={onNew}>
            <Plus size={15} />
          </ActionIcon>
        </Hint>
      </div>
      {functions.length + modules.length > 5 && (
        <div className={classes.filter}>
          <TextInput
            ref={input}
            size="xs"
            aria-label={t('Filter functions')}
            placeholder={t('Filter')}
            value={filter}
            onChange={(e) => setFilter(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === 'Escape') setFilter('');
            }}
          />
        </div>
      )}
      <div ref={list} className={classes.lists} onKeyDown={onKeyDown}>
        {head.length > 0 && (
          <ul className={classes.list} aria-label={t('The agent')}>
            {head.map(item)}
          </ul>
        )}
        <ul className={classes.list}>{shown.map(item)}</ul>
        {files.length > 0 && (
          <>
            <h2 className={classes.section}>{t('Endpoints')}</h2>
            <ul className={classes.list} aria-label={t('Files of endpoints')}>
              {files.map(item)}
            </ul>
          </>
        )}
      </div>
      {functions.length + modules.length > 0 && all.length === 0 && (
        <p className={classes.none}>
          {t('0 of {n} match.', { n: functions.length + modules.length })}{' '}
          <button type="button" className={classes.clear} onClick={() => setFilter('')}>
            {t('Clear filter')}
          </button>
        </p>
      )}
    </nav>
  );
}

function AgentState({ work }: { work: WorkFunction }) {
  if (work.errors.length > 0) return <CircleAlert size={14} className={classes.broken} role="img" aria-label={t('has problems')} />;
  return <FileText size={14} className={classes.file} aria-hidden />;
}

function State({ work }: { work: WorkFunction }) {
  if (work.broken) return <CircleAlert size={14} className={classes.broken} role="img" aria-label={t('does not load')} />;
  if (work.version === 0) return <CircleDashed size={14} className={classes.none} role="img" aria-label={t('not declared')} />;
  return <CircleCheck size={14} className={classes.ok} role="img" aria-label={t('loads')} />;
}

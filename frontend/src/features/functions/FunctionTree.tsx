import { ActionIcon, TextInput } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDashed, KeyRound, Plus } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { WorkFunction } from '../../api/contract.gen';
import { useCommand } from '../../ui/commands';
import { Hint } from '../../ui/Keys';
import classes from './FunctionTree.module.css';

interface Props {
  functions: readonly WorkFunction[];
  selected: string | undefined;
  isDirty: (name: string) => boolean;
  onSelect: (name: string) => void;
  onNew: () => void;
}

/** The functions of the agent with their state. Arrows, J and K move; / filters. */
export function FunctionTree({ functions, selected, isDirty, onSelect, onNew }: Props) {
  const [filter, setFilter] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useCommand('filter', () => input.current?.focus());
  useCommand('newFunction', onNew);
  const shown = functions.filter((f) => f.name.toLowerCase().includes(filter.trim().toLowerCase()));
  const tabStop = shown.some((f) => f.name === selected) ? selected : shown[0]?.name;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
    event.preventDefault();
  };

  return (
    <nav className={classes.tree} aria-label="Functions">
      <div className={classes.head}>
        <h2 className={classes.title}>Functions</h2>
        <Hint label="New function" command="newFunction">
          <ActionIcon size="sm" aria-label="New function" onClick={onNew}>
            <Plus size={15} />
          </ActionIcon>
        </Hint>
      </div>
      {functions.length > 5 && (
        <div className={classes.filter}>
          <TextInput
            ref={input}
            size="xs"
            aria-label="Filter functions"
            placeholder="Filter"
            value={filter}
            onChange={(e) => setFilter(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === 'Escape') setFilter('');
            }}
          />
        </div>
      )}
      <ul ref={list} className={classes.list} onKeyDown={onKeyDown}>
        {shown.map((f) => (
          <li key={f.name}>
            <button
              type="button"
              className={classes.item}
              aria-current={f.name === selected ? 'true' : undefined}
              tabIndex={f.name === tabStop ? 0 : -1}
              onClick={() => onSelect(f.name)}
            >
              <State work={f} />
              <span className={classes.name}>{f.name}</span>
              {isDirty(f.name) && <span className={classes.dirty} role="img" aria-label="unsaved" title="Unsaved changes" />}
              {(f.requiresUserAction?.length ?? 0) > 0 && (
                <span className={classes.key}>
                  <KeyRound size={11} aria-hidden />
                  key<span className="visually-hidden"> missing</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {functions.length > 0 && shown.length === 0 && (
        <p className={classes.none}>
          0 of {functions.length} match.{' '}
          <button type="button" className={classes.clear} onClick={() => setFilter('')}>
            Clear filter
          </button>
        </p>
      )}
    </nav>
  );
}

function State({ work }: { work: WorkFunction }) {
  if (work.broken) return <CircleAlert size={14} className={classes.broken} role="img" aria-label="does not load" />;
  if (work.version === 0) return <CircleDashed size={14} className={classes.none} role="img" aria-label="not declared" />;
  return <CircleCheck size={14} className={classes.ok} role="img" aria-label="loads" />;
}

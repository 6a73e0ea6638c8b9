import { Kbd, Tooltip, type TooltipProps } from '@mantine/core';
import classes from './Keys.module.css';
import { keyLabels, shortcuts, type ShortcutId } from './shortcuts';

/** The keys of a shortcut, as small key caps. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keyLabels(keys).map((label) => (
        <Kbd key={label} size="xs">
          {label}
        </Kbd>
      ))}
    </span>
  );
}

/** A tooltip with the keys of the command, when it has any. */
export function Hint({ label, command, children, ...rest }: Omit<TooltipProps, 'label'> & { label: string; command?: ShortcutId }) {
  return (
    <Tooltip
      {...rest}
      label={
        <span className={classes.hint}>
          {label}
          {command && <span className={classes.hintKeys}>{keyLabels(shortcuts[command].keys).join(' ')}</span>}
        </span>
      }
    >
      {children}
    </Tooltip>
  );
}

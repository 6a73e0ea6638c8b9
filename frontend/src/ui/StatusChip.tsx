import type { ReactNode } from 'react';
import classes from './StatusChip.module.css';

export type Tone = 'ok' | 'bad' | 'warn' | 'run' | 'dim';

/** A small state with a dot: never by colour alone, the word is always there. */
export function StatusChip({ tone, children, busy, className }: { tone: Tone; children: ReactNode; busy?: boolean; className?: string }) {
  return (
    <span className={className ? `${classes.chip} ${className}` : classes.chip} data-tone={tone} data-busy={busy || undefined}>
      <span className={classes.word}>{children}</span>
    </span>
  );
}

/** The tone and the word of a run's status. */
export function toneOf(status: string): Tone {
  return ({ ok: 'ok', error: 'bad', cancelled: 'warn', running: 'run' } as Record<string, Tone>)[status] ?? 'dim';
}

import type { ReactNode } from 'react';
import classes from './SchemaForm.module.css';

/**
 * A field over the whole width, and what can be done with it beside its name:
 * fields of one form end at one edge, whether they can be left out or not.
 */
export function Line({ tail, children }: { tail: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.field}>
      {children}
      <div className={classes.tail}>{tail}</div>
    </div>
  );
}

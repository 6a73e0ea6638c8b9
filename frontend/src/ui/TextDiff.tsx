import { useMemo } from 'react';
import { plural } from './format';
import { sideBySide } from './sideBySide';
import classes from './TextDiff.module.css';

/** Rows drawn at once; nobody reads more, and the page stays quick. */
const mostRows = 400;

/** Two texts beside each other, changed lines marked by sign and colour. */
export function TextDiff({ left, right, label }: { left: string; right: string; label: string }) {
  const rows = useMemo(() => sideBySide(left, right), [left, right]);
  if (left === right) return <p className={classes.equal}>{left === '' ? 'Both are empty.' : 'Both are the same.'}</p>;
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <tbody>
          {rows.slice(0, mostRows).map((row, i) =>
            row.kind === 'gap' ? (
              <tr key={i} className={classes.gap}>
                <td colSpan={2}>{plural(row.hidden ?? 0, 'equal line')}</td>
              </tr>
            ) : (
              <tr key={i} data-kind={row.kind}>
                <td data-side={row.kind === 'changed' && row.left !== undefined ? 'left' : undefined}>{row.left !== undefined && `${row.kind === 'changed' ? '− ' : '  '}${row.left}`}</td>
                <td data-side={row.kind === 'changed' && row.right !== undefined ? 'right' : undefined}>{row.right !== undefined && `${row.kind === 'changed' ? '+ ' : '  '}${row.right}`}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {rows.length > mostRows && <p className={classes.equal}>{plural(rows.length - mostRows, 'more line')} differ or surround differences.</p>}
    </div>
  );
}

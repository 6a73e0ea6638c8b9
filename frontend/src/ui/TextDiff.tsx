import { useMemo } from 'react';
import { t } from '../i18n/t';
import { sideBySide, type SideRow } from './sideBySide';
import classes from './TextDiff.module.css';

/** Rows drawn at once; nobody reads more, and the page stays quick. */
const mostRows = 400;

/** Two texts beside each other, or one above the other in a narrow place: changed lines marked by sign and colour. */
export function TextDiff({ left, right, label }: { left: string; right: string; label: string }) {
  const rows = useMemo(() => sideBySide(left, right), [left, right]);
  if (left === right) return <p className={classes.equal}>{left === '' ? t('Both are empty.') : t('Both are the same.')}</p>;
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        {groups(rows.slice(0, mostRows)).map((group, n) => (
          <tbody key={n}>
            {group.map((row, i) =>
              row.kind === 'gap' ? (
                <tr key={i} className={classes.gap}>
                  <td colSpan={2}>{t('{n, plural, one {# equal line} other {# equal lines}}', { n: row.hidden ?? 0 })}</td>
                </tr>
              ) : (
                <tr key={i} data-kind={row.kind}>
                  <td data-side={row.kind === 'changed' && row.left !== undefined ? 'left' : undefined}>{row.left !== undefined && `${row.kind === 'changed' ? '− ' : '  '}${row.left}`}</td>
                  <td data-side={row.kind === 'changed' && row.right !== undefined ? 'right' : undefined}>{row.right !== undefined && `${row.kind === 'changed' ? '+ ' : '  '}${row.right}`}</td>
                </tr>
              ),
            )}
          </tbody>
        ))}
      </table>
      {rows.length > mostRows && <p className={classes.equal}>{t('{n, plural, one {# more line} other {# more lines}} differ or surround differences.', { n: rows.length - mostRows })}</p>}
    </div>
  );
}

/** Rows of one kind that follow each other: where there is no room for two columns, what is gone stands above what came. */
function groups(rows: readonly SideRow[]): SideRow[][] {
  const out: SideRow[][] = [];
  for (const row of rows) {
    const last = out.at(-1);
    if (last?.[0]?.kind === row.kind) last.push(row);
    else out.push([row]);
  }
  return out;
}

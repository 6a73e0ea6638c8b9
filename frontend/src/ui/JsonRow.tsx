import { ChevronRight } from 'lucide-react';
import { memo, useId, useMemo, type CSSProperties, type ReactNode } from 'react';
import { t } from '../i18n/t';
import { bytes } from './format';
import { piecesOf, type JsonLines } from './jsonLines';
import classes from './JsonView.module.css';

interface Props {
  lines: JsonLines;
  line: number;
  folded: boolean;
  /** How many characters of it show. */
  most: number;
  words: string;
  /** The place of the match one is at, if it is in this line. */
  here: number | undefined;
  /** Whether Tab comes here. */
  current: boolean;
  /** Buttons at its end, which are no part of its name. */
  actions: ReactNode;
}

/** One line of a value. What begins on it can be folded; what is long is shortened. */
export const JsonRow = memo(function JsonRow({ lines, line, folded, most, words, here, current, actions }: Props) {
  const start = lines.start(line);
  const stop = lines.stop(line);
  const shown = Math.min(stop, start + most);
  const pieces = useMemo(() => piecesOf(lines.text.slice(start, shown), words, here === undefined ? undefined : here - start), [here, lines, shown, start, words]);
  const opens = lines.opens(line);
  const closing = lines.closes(line);
  const level = lines.level(line);
  const style = { '--inset': `${(level - 1) * 2}ch` } as CSSProperties;
  const inside = folded ? lines.size(line) : 0;
  const id = useId();
  const code = (
    <span className={classes.code} data-code id={actions ? id : undefined}>
      {pieces.map(({ kind, text, found }, i) => (kind || found ? <span key={i} className={kind && classes[kind]} data-found={found}>{text}</span> : text))}
    </span>
  );
  // What only closes something says nothing that its beginning does not.
  if (closing) {
    return (
      <div className={classes.row} style={style} data-line={line} aria-hidden>
        {code}
      </div>
    );
  }
  return (
    <div className={classes.row} style={style} data-line={line} data-folded={folded || undefined} role="treeitem" aria-level={level} aria-expanded={opens ? !folded : undefined} aria-selected={current} aria-labelledby={actions ? `${id} ${id}-rest` : undefined} tabIndex={current ? 0 : -1}>
      {opens && (
        <span className={classes.fold} data-fold aria-hidden>
          <ChevronRight size={12} />
        </span>
      )}
      {code}
      {folded && (
        <span className={classes.rest} id={actions ? `${id}-rest` : undefined}>
          <button type="button" className={classes.inside} data-fold tabIndex={-1}>
            {lines.text[lines.stop(line) - 1] === '[' ? t('{n, plural, one {# item} other {# items}}', { n: inside }) : t('{n, plural, one {# member} other {# members}}', { n: inside })}
          </button>
          {lines.text.slice(lines.start(lines.end(line)), lines.stop(lines.end(line))).trim()}
        </span>
      )}
      {shown < stop && (
        <span className={classes.rest}>
          …{' '}
          <button type="button" className={classes.inside} data-more tabIndex={-1}>
            {stop - start > most * 400 ? t('show more of {size}', { size: bytes(stop - start) }) : t('show all {size}', { size: bytes(stop - start) })}
          </button>
        </span>
      )}
      {actions && <span className={classes.actions}>{actions}</span>}
    </div>
  );
});

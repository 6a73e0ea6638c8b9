import type { SecretInfo } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { ago, dateTime } from '../../ui/format';
import page from '../../ui/page.module.css';
import { StatusChip } from '../../ui/StatusChip';
import classes from './ByName.module.css';
import { readerOf } from './reader';

/** Who reads what: each name with the functions that ask for it. */
export function ByName({ secrets, onFunction }: { secrets: readonly SecretInfo[]; onFunction: (name: string) => void }) {
  const names = [...new Set(secrets.map((s) => s.binding))].sort((a, b) => a.localeCompare(b));
  return (
    <ul className={`${page.list} ${page.card}`} aria-label={t('Secrets by name')}>
      {names.map((name) => {
        const readers = secrets.filter((s) => s.binding === name);
        const missing = readers.filter((s) => s.declared && !s.set).length;
        return (
          <li key={name} className={classes.row}>
            <div className={classes.head}>
              <span className={classes.name}>{name}</span>
              {missing > 0 ? <StatusChip tone="warn">{missing === readers.length ? t('not set for {n, plural, one {its reader} other {any reader}}', { n: missing }) : t('not set for {n, plural, one {# reader} other {# readers}}', { n: missing })}</StatusChip> : <StatusChip tone="ok">{t('set')}</StatusChip>}
            </div>
            <div className={classes.readers}>
              {readers.map((s) => (
                <span key={s.function} className={classes.reader}>
                  {s.function === '' ? (
                    readerOf(s.function)
                  ) : (
                    <button type="button" className={`${page.link} ${classes.fn}`} onClick={() => onFunction(s.function)}>
                      {s.function}
                    </button>
                  )}
                  <span className={page.dim} title={s.setAt ? dateTime(s.setAt) : undefined}>
                    {s.declared ? t('may read it') : t('no longer asks for it')}
                    {s.set && s.setAt ? t(', set {when}', { when: ago(s.setAt) }) : t(', not set')}
                  </span>
                </span>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

import { Button } from '@mantine/core';
import type { PaymentLock } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { ago, dateTime, until } from '../../ui/format';
import page from '../../ui/page.module.css';
import { money, short } from './money';
import classes from './Payments.module.css';

export type LockAction = 'settle' | 'release' | 'extend' | 'entries';

interface Props {
  locks: readonly PaymentLock[];
  now: number;
  names: ReadonlyMap<string, string>;
  onAction: (action: LockAction, lock: PaymentLock) => void;
  openRun: (id: string) => void;
}

/** Locks with their state and age, the newest first. */
export function LockTable({ locks, now, names, onAction, openRun }: Props) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('Locks')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('Lock')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col">{t('For')}</th>
            <th scope="col">{t('Reason')}</th>
            <th scope="col" className={classes.number}>
              {t('Locked')}
            </th>
            <th scope="col" className={classes.number}>
              {t('Settled')}
            </th>
            <th scope="col" className={classes.number}>
              {t('Left')}
            </th>
            <th scope="col">{t('Age')}</th>
            <th scope="col">{t('Run')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('Actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {locks.map((l) => {
            const open = l.status === 'locked' || l.status === 'partially_settled';
            return (
              <tr key={l.id} data-testid="lock">
                <td>
                  <button type="button" className={`${page.link} ${classes.mono}`} onClick={() => onAction('entries', l)} title={l.id}>
                    {short(l.id)}
                  </button>
                </td>
                <td>
                  <span className={classes.state} data-state={l.status}>
                    {l.status.replace('_', ' ')}
                  </span>
                </td>
                <td>{l.agentId ? (names.get(l.agentId) ?? short(l.agentId)) : '–'}</td>
                <td className={classes.wide} title={l.reason}>
                  {l.reason || '–'}
                </td>
                <td className={classes.number}>{money(l.amount)}</td>
                <td className={classes.number}>{money(l.settled)}</td>
                <td className={classes.number}>{money(l.remaining)}</td>
                <td title={dateTime(l.createdAt)}>{open ? t('{when}, ends {when2}', { when: ago(l.createdAt, now), when2: until(l.expiresAt, now) }) : ago(l.createdAt, now)}</td>
                <td>
                  {l.invocationId ? (
                    <button type="button" className={`${page.link} ${classes.mono}`} onClick={() => openRun(l.invocationId!)}>
                      {short(l.invocationId)}
                    </button>
                  ) : (
                    '–'
                  )}
                </td>
                <td>
                  <span className={page.actions}>
                    <Button size="compact-xs" variant="default" disabled={!open} onClick={() => onAction('settle', l)}>
                      {t('Settle')}
                    </Button>
                    <Button size="compact-xs" variant="default" disabled={!open} onClick={() => onAction('release', l)}>
                      {t('Release')}
                    </Button>
                    <Button size="compact-xs" variant="default" disabled={!open} onClick={() => onAction('extend', l)}>
                      {t('Add')}
                    </Button>
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

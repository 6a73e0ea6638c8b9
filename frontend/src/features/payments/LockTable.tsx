import { Button } from '@mantine/core';
import type { PaymentLock } from '../../api/contract.gen';
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
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Locks">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Lock</th>
            <th scope="col">State</th>
            <th scope="col">For</th>
            <th scope="col">Reason</th>
            <th scope="col" className={classes.number}>
              Locked
            </th>
            <th scope="col" className={classes.number}>
              Settled
            </th>
            <th scope="col" className={classes.number}>
              Left
            </th>
            <th scope="col">Age</th>
            <th scope="col">Run</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
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
                <td title={dateTime(l.createdAt)}>{open ? `${ago(l.createdAt, now)}, ends ${until(l.expiresAt, now)}` : ago(l.createdAt, now)}</td>
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
                      Settle
                    </Button>
                    <Button size="compact-xs" variant="default" disabled={!open} onClick={() => onAction('release', l)}>
                      Release
                    </Button>
                    <Button size="compact-xs" variant="default" disabled={!open} onClick={() => onAction('extend', l)}>
                      Add
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

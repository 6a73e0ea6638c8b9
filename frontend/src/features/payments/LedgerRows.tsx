import { memo } from 'react';
import type { PaymentEntry } from '../../api/contract.gen';
import { dateTime } from '../../ui/format';
import page from '../../ui/page.module.css';
import { accountName, money, short } from './money';
import classes from './Payments.module.css';

interface Props {
  entries: readonly PaymentEntry[];
  /** The account that is filtered for: then what it held afterwards is shown alone. */
  account: string | undefined;
  names: ReadonlyMap<string, string>;
  onAccount: (account: string) => void;
  openRun: (id: string) => void;
}

/** One page of entries. Pages above stay as they are drawn when an older one comes, and while the clock of the place goes on. */
export const LedgerRows = memo(function LedgerRows({ entries, account: given, names, onAccount, openRun }: Props) {
  return (
    <tbody>
      {entries.map((e) => (
        <tr key={e.seq} data-testid="entry">
          <td className={classes.number}>{e.seq}</td>
          <td>{dateTime(e.at)}</td>
          <td>{e.kind}</td>
          {[e.debit, e.credit].map((account, i) => (
            <td key={i}>
              <button type="button" className={page.link} onClick={() => onAccount(account)} title={account}>
                {accountName(account, names)}
              </button>
            </td>
          ))}
          <td className={classes.number}>{money(e.amount)}</td>
          <td className={classes.number}>{money(given ? e.balance : e.debitBalance)}</td>
          {!given && <td className={classes.number}>{money(e.creditBalance)}</td>}
          <td className={classes.wide} title={e.description}>
            {e.description || e.chargeType || '–'}
          </td>
          <td>
            {e.invocationId ? (
              <button type="button" className={`${page.link} ${classes.mono}`} onClick={() => openRun(e.invocationId!)}>
                {short(e.invocationId)}
              </button>
            ) : (
              '–'
            )}
          </td>
        </tr>
      ))}
    </tbody>
  );
});

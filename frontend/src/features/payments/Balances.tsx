import type { PaymentBalances } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { money, short } from './money';
import classes from './Payments.module.css';

/** What every account holds. Together with what was put in from outside it is nothing. */
export function Balances({ balances }: { balances: PaymentBalances }) {
  const tiles: [string, number][] = [
    [t('You'), balances.owner],
    [t('In tokens'), balances.tokens],
    [t('In escrow'), balances.escrow],
    [t('Platform fee'), balances.fee],
    ...balances.agents.map((a): [string, number] => [a.username || t('agent {agentId}', { agentId: short(a.agentId) }), a.balance]),
  ];
  return (
    <dl className={classes.tiles} aria-label={t('Balances')}>
      {tiles.map(([name, amount], i) => (
        <div key={`${i}${name}`} className={classes.tile}>
          <dt>{name}</dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

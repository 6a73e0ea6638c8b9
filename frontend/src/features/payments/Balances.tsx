import type { PaymentBalances } from '../../api/contract.gen';
import { money, short } from './money';
import classes from './Payments.module.css';

/** What every account holds. Together with what was put in from outside it is nothing. */
export function Balances({ balances }: { balances: PaymentBalances }) {
  const tiles: [string, number][] = [
    ['You', balances.owner],
    ['In tokens', balances.tokens],
    ['In escrow', balances.escrow],
    ['Platform fee', balances.fee],
    ...balances.agents.map((a): [string, number] => [a.username || `agent ${short(a.agentId)}`, a.balance]),
  ];
  return (
    <dl className={classes.tiles} aria-label="Balances">
      {tiles.map(([name, amount], i) => (
        <div key={`${i}${name}`} className={classes.tile}>
          <dt>{name}</dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

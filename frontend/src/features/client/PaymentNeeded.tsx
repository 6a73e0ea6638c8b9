import { Button } from '@mantine/core';
import { Coins } from 'lucide-react';
import { useApi } from '../../api/ApiContext';
import { links } from '../../api/links';
import { rich, t } from '../../i18n/t';
import { ErrorBox } from '../../ui/ErrorBox';
import { useAct } from '../../ui/useAct';
import { money } from '../payments/money';
import classes from './Client.module.css';
import { mintAmount, mintFor, type Due } from './payment';
import { useSaved } from './saved';

interface Props {
  due: Due;
  /** Whether a payment token went along, which then did not do. */
  paid: boolean;
  /** Pays with a token that was just made. Left out where there is nothing to do with one now. */
  onPaid?: ((token: string) => unknown) | undefined;
  /** What the button says that it does with the token. */
  does: string;
}

/** Something was not paid for: what it costs, why, and one button that pays. */
export function PaymentNeeded({ due, paid, onPaid, does }: Props) {
  const { client } = useApi();
  const { agent } = useSaved();
  const { busy, act } = useAct();
  return (
    <div data-testid="payment-needed">
      <ErrorBox tone="warn" title={paid ? t('402: the payment token does not pay the {money} that this costs', { money: money(due.amount) }) : t('402: this costs {money}, and no payment token was sent', { money: money(due.amount) })}>
        {due.text && <p className={classes.due}>{due.text}</p>}
        <div className={classes.dueButtons}>
          {onPaid && (
            <Button size="xs" leftSection={<Coins size={12} />} loading={busy !== undefined} onClick={() => void act('mint', async () => onPaid(await mintFor(client, agent.username, due)))}>
              {does}
            </Button>
          )}
          <span>
            {rich('The token has {money} of play money, for {agent} alone, and lasts an hour. All tokens are in <1>Payments</1>.', [<a href={`#${links.payments()}`} />], { money: money(mintAmount(due)), agent: agent.username })}
          </span>
        </div>
      </ErrorBox>
    </div>
  );
}

import type { Agent, PaymentLock, PaymentToken } from '../../api/contract.gen';
import { t } from '../../i18n/t';
import { AmountForm } from './AmountForm';
import { money, plain } from './money';
import type { useSent } from './useSent';

/** What a form is open for. */
export type Doing =
  | { what: 'mint' | 'deposit' }
  | { what: 'lock' | 'delegate' | 'charge' | 'topup'; token: PaymentToken }
  | { what: 'settle' | 'extend'; lock: PaymentLock };

const charges = [
  { value: '', label: t('Plain: close the lock') },
  { value: 'agent_fee', label: 'agent_fee' },
  { value: 'platform_fee', label: 'platform_fee' },
  { value: 'platform_llm', label: 'platform_llm' },
  { value: 'byok_llm', label: 'byok_llm' },
  { value: 'byok_mcp_sampling', label: 'byok_mcp_sampling' },
];

interface Props {
  doing: Doing;
  agents: readonly Agent[];
  send: ReturnType<typeof useSent>['send'];
  onClose: () => void;
  /** A token was made; its text is not to be had again. */
  onToken: (token: string) => void;
}

/** The form of each thing that can be done with money. */
export function Forms({ doing, agents, send, onClose, onToken }: Props) {
  const names = agents.map((a) => ({ value: a.username, label: a.username }));
  const anybody = [{ value: '', label: t('Anybody') }, ...names];
  switch (doing.what) {
    case 'mint':
      return (
        <AmountForm
          title={t('Mint a test token')}
          lead={t('Takes the amount out of your account and puts it into a token that a caller can pay with.')}
          button={t('Mint')}
          first="5"
          choice={{ label: t('For'), description: t('Only this agent may be paid with it.'), options: anybody }}
          text={{ label: t('Name'), placeholder: t('What it is for (optional)') }}
          onClose={onClose}
          onDone={async ({ amount, choice, text }) => {
            const made = await send('POST /api/local/payments/mint', { body: { amount: amount ?? null, ...(choice && { audience: [choice] }), ...(text && { description: text }) } });
            onToken(made.token);
          }}
        />
      );
    case 'deposit':
      return <AmountForm title={t('Add credit')} lead={t('Play money for your own account, from nowhere.')} button={t('Add')} first="100" onClose={onClose} onDone={({ amount }) => send('POST /api/local/payments/deposit', { body: { amount: amount ?? null } })} />;
    case 'lock':
      return (
        <AmountForm
          title={t('Lock')}
          lead={t('Sets a part of the token aside until it is settled or released. It has {money} left.', { money: money(doing.token.remainingCredits) })}
          button={t('Lock')}
          first="0.02"
          emptyMeans={t('Leave it empty to lock all that is left.')}
          choice={{ label: t('For'), description: t('Who may be paid from the lock.'), options: anybody, first: doing.token.audience.find((a) => names.some((n) => n.value === a)) }}
          text={{ label: t('Reason'), placeholder: t('Shown in the list (optional)') }}
          onClose={onClose}
          onDone={({ amount, choice, text }) =>
            send('POST /api/payments/lock', { body: { tokenId: doing.token.id, ...(amount !== undefined && { amount }), ...(choice && { agent: choice }), ...(text && { reason: text }) } })
          }
        />
      );
    case 'delegate':
      return (
        <AmountForm
          title={t('Delegate')}
          lead={t('Makes a token of a part of this one, for another agent. It has {money} left; what you hand on leaves it at once.', { money: money(doing.token.remainingCredits) })}
          button={t('Delegate')}
          first="1"
          choice={{ label: t('To'), options: names }}
          onClose={onClose}
          onDone={async ({ amount, choice }) => {
            const made = await send('POST /api/payments/delegate', { body: { parentTokenId: doing.token.id, delegateTo: choice, amount: amount ?? null } });
            onToken(made.token);
          }}
        />
      );
    case 'charge':
      return (
        <AmountForm
          title={t('Charge without a lock')}
          lead={t('Takes an amount directly out of the token.')}
          button={t('Charge')}
          first="0.01"
          choice={{ label: t('To'), options: names }}
          text={{ label: t('What for'), placeholder: t('Optional') }}
          onClose={onClose}
          onDone={({ amount, choice, text }) => send('POST /api/payments/settle', { body: { tokenId: doing.token.id, amount, recipientId: choice, ...(text && { description: text }) } })}
        />
      );
    case 'topup':
      return (
        <AmountForm
          title={t('Top up')}
          lead={t('Puts more of your credit into the token.')}
          button={t('Top up')}
          first="5"
          onClose={onClose}
          onDone={({ amount }) => send('PATCH /api/payments/tokens/:id/topup', { params: { id: doing.token.id }, body: { amount: amount ?? null } })}
        />
      );
    case 'settle':
      return (
        <AmountForm
          title={t('Settle')}
          lead={t('The lock holds {money}. More than that is charged in part, and the answer says so.', { money: money(doing.lock.remaining) })}
          button={t('Settle')}
          first={plain(doing.lock.remaining)}
          choice={{ label: t('Charge type'), description: t('With a type, the lock stays open for more.'), options: charges }}
          text={{ label: t('What for'), placeholder: t('Optional') }}
          onClose={onClose}
          onDone={({ amount, choice, text }) => send('POST /api/payments/settle', { body: { lockId: doing.lock.id, amount, ...(choice && { chargeType: choice }), ...(text && { description: text }) } })}
        />
      );
    case 'extend':
      return (
        <AmountForm
          title={t('Add to the lock')}
          lead={t('Takes more out of its token. The lock holds {money}.', { money: money(doing.lock.remaining) })}
          button={t('Add')}
          first="0.01"
          onClose={onClose}
          onDone={({ amount }) => send('PATCH /api/payments/lock/:id', { params: { id: doing.lock.id }, body: { additionalAmount: amount } })}
        />
      );
  }
}

import type { Agent, PaymentLock, PaymentToken } from '../../api/contract.gen';
import { AmountForm } from './AmountForm';
import { money } from './money';
import type { useSent } from './useSent';

/** What a form is open for. */
export type Doing =
  | { what: 'mint' | 'deposit' }
  | { what: 'lock' | 'delegate' | 'charge' | 'topup'; token: PaymentToken }
  | { what: 'settle' | 'extend'; lock: PaymentLock };

const charges = [
  { value: '', label: 'Plain: close the lock' },
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
  const anybody = [{ value: '', label: 'Anybody' }, ...names];
  switch (doing.what) {
    case 'mint':
      return (
        <AmountForm
          title="Mint a test token"
          lead="Takes the amount out of your account and puts it into a token that a caller can pay with."
          button="Mint"
          first="5"
          choice={{ label: 'For', description: 'Only this agent may be paid with it.', options: anybody }}
          text={{ label: 'Name', placeholder: 'What it is for (optional)' }}
          onClose={onClose}
          onDone={async ({ amount, choice, text }) => {
            const made = await send('POST /api/local/payments/mint', { body: { amount: amount ?? null, ...(choice && { audience: [choice] }), ...(text && { description: text }) } });
            onToken(made.token);
          }}
        />
      );
    case 'deposit':
      return <AmountForm title="Add credit" lead="Play money for your own account, from nowhere." button="Add" first="100" onClose={onClose} onDone={({ amount }) => send('POST /api/local/payments/deposit', { body: { amount: amount ?? null } })} />;
    case 'lock':
      return (
        <AmountForm
          title="Lock"
          lead={`Sets a part of the token aside until it is settled or released. It has ${money(doing.token.remainingCredits)} left.`}
          button="Lock"
          first="0.02"
          emptyMeans="Leave it empty to lock all that is left."
          choice={{ label: 'For', description: 'Who may be paid from the lock.', options: anybody, first: doing.token.audience.find((a) => names.some((n) => n.value === a)) }}
          text={{ label: 'Reason', placeholder: 'Shown in the list (optional)' }}
          onClose={onClose}
          onDone={({ amount, choice, text }) =>
            send('POST /api/payments/lock', { body: { tokenId: doing.token.id, ...(amount !== undefined && { amount }), ...(choice && { agent: choice }), ...(text && { reason: text }) } })
          }
        />
      );
    case 'delegate':
      return (
        <AmountForm
          title="Delegate"
          lead={`Makes a token of a part of this one, for another agent. It has ${money(doing.token.remainingCredits)} left; what you hand on leaves it at once.`}
          button="Delegate"
          first="1"
          choice={{ label: 'To', options: names }}
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
          title="Charge without a lock"
          lead="Takes an amount directly out of the token."
          button="Charge"
          first="0.01"
          choice={{ label: 'To', options: names }}
          text={{ label: 'What for', placeholder: 'Optional' }}
          onClose={onClose}
          onDone={({ amount, choice, text }) => send('POST /api/payments/settle', { body: { tokenId: doing.token.id, amount, recipientId: choice, ...(text && { description: text }) } })}
        />
      );
    case 'topup':
      return (
        <AmountForm
          title="Top up"
          lead="Puts more of your credit into the token."
          button="Top up"
          first="5"
          onClose={onClose}
          onDone={({ amount }) => send('PATCH /api/payments/tokens/:id/topup', { params: { id: doing.token.id }, body: { amount: amount ?? null } })}
        />
      );
    case 'settle':
      return (
        <AmountForm
          title="Settle"
          lead={`The lock holds ${money(doing.lock.remaining)}. More than that is charged in part, and the answer says so.`}
          button="Settle"
          first={String(doing.lock.remaining)}
          choice={{ label: 'Charge type', description: 'With a type, the lock stays open for more.', options: charges }}
          text={{ label: 'What for', placeholder: 'Optional' }}
          onClose={onClose}
          onDone={({ amount, choice, text }) => send('POST /api/payments/settle', { body: { lockId: doing.lock.id, amount, ...(choice && { chargeType: choice }), ...(text && { description: text }) } })}
        />
      );
    case 'extend':
      return (
        <AmountForm
          title="Add to the lock"
          lead={`Takes more out of its token. The lock holds ${money(doing.lock.remaining)}.`}
          button="Add"
          first="0.01"
          onClose={onClose}
          onDone={({ amount }) => send('PATCH /api/payments/lock/:id', { params: { id: doing.lock.id }, body: { additionalAmount: amount } })}
        />
      );
  }
}

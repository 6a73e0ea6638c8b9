import { Button, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { PaymentToken } from '../../api/contract.gen';
import { ago, dateTime, until } from '../../ui/format';
import page from '../../ui/page.module.css';
import { money, short } from './money';
import classes from './Payments.module.css';

export type TokenAction = 'lock' | 'delegate' | 'charge' | 'topup' | 'revoke' | 'entries';

interface Props {
  tokens: readonly PaymentToken[];
  now: number;
  /** Usernames by id. */
  names: ReadonlyMap<string, string>;
  onAction: (action: TokenAction, token: PaymentToken) => void;
}

/** Tokens with what was handed on from each below it. */
export function TokenTree(props: Props) {
  return (
    <ul className={classes.tree}>
      {props.tokens.map((t) => (
        <li key={t.id}>
          <Token token={t} {...props} />
          {t.children.length > 0 && (
            <TokenTree {...props} tokens={t.children} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Token({ token: t, now, names, onAction }: Omit<Props, 'tokens'> & { token: PaymentToken }) {
  const alive = t.status === 'active' || t.status === 'depleted';
  const audience = t.audience.map((a) => names.get(a) ?? a).join(', ');
  const parts: [string, string, number][] = [
    ['remaining', 'left', t.remainingCredits],
    ['locked', 'locked', t.lockedCredits],
    ['delegated', 'handed on', t.delegatedCredits],
    ['spent', 'spent', t.spentCredits],
  ];
  const whole = Math.max(t.budgetCredits, 1e-9);
  return (
    <article className={classes.token} aria-label={`Token ${short(t.id)}`} data-testid="token">
      <div className={classes.line}>
        <span className={classes.name}>{t.description || `Token ${short(t.id)}`}</span>
        <span className={classes.state} data-state={t.status}>
          {t.status}
        </span>
        <span className={page.dim}>
          {audience ? `for ${audience}` : 'for anybody'} · issued {ago(t.issuedAt, now)} · <span title={dateTime(t.expiresAt)}>{t.status === 'expired' ? 'ended' : `ends ${until(t.expiresAt, now)}`}</span>
          {t.maxDepth > 0 ? ` · may be handed on ${t.maxDepth === 1 ? 'once' : `${t.maxDepth} times`}` : ' · may not be handed on'}
        </span>
        <span className={classes.grow} />
        <Button size="compact-xs" variant="default" disabled={!alive} onClick={() => onAction('lock', t)}>
          Lock
        </Button>
        <Button size="compact-xs" variant="default" disabled={!alive || t.maxDepth < 1} onClick={() => onAction('delegate', t)}>
          Delegate
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="compact-xs" variant="default" aria-label={`More for token ${short(t.id)}`}>
              <Ellipsis size={14} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAction('entries', t)}>Its entries</Menu.Item>
            <Menu.Item disabled={!alive} onClick={() => onAction('charge', t)}>
              Charge without a lock
            </Menu.Item>
            <Menu.Item disabled={!alive || Boolean(t.parentId)} onClick={() => onAction('topup', t)}>
              Top up
            </Menu.Item>
            <Menu.Item color="red" disabled={!alive} onClick={() => onAction('revoke', t)}>
              Revoke
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={classes.bar} aria-hidden>
        {parts.map(([part, , amount]) => (
          <span key={part} data-part={part} style={{ width: `${(100 * amount) / whole}%` }} />
        ))}
      </div>
      <div className={classes.parts}>
        <span>
          <b>{money(t.budgetCredits)}</b> in all
        </span>
        {parts.map(([part, word, amount]) => (
          <span key={part}>
            <b>{money(amount)}</b> {word}
          </span>
        ))}
        {t.returnedCredits > 0 && (
          <span>
            <b>{money(t.returnedCredits)}</b> went back
          </span>
        )}
      </div>
    </article>
  );
}

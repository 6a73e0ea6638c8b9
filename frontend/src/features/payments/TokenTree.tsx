import { Button, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { PaymentToken } from '../../api/contract.gen';
import { rich, t } from '../../i18n/t';
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

function Token({ token: one, now, names, onAction }: Omit<Props, 'tokens'> & { token: PaymentToken }) {
  const alive = one.status === 'active' || one.status === 'depleted';
  const audience = one.audience.map((a) => names.get(a) ?? a).join(', ');
  const parts: [string, string, number][] = [
    ['remaining', t('left'), one.remainingCredits],
    ['locked', t('locked'), one.lockedCredits],
    ['delegated', t('handed on'), one.delegatedCredits],
    ['spent', t('spent'), one.spentCredits],
  ];
  const whole = Math.max(one.budgetCredits, 1e-9);
  return (
    <article className={classes.token} aria-label={t('Token {id}', { id: short(one.id) })} data-testid="token">
      <div className={classes.line}>
        <span className={classes.name}>{one.description || t('Token {id}', { id: short(one.id) })}</span>
        <span className={classes.state} data-state={one.status}>
          {one.status}
        </span>
        <span className={`${page.dim} ${classes.about}`}>
          {rich('{what} · issued {when} · <1>{what2}</1>{what3}', [<span title={dateTime(one.expiresAt)} />], { what: audience ? t('for {audience}', { audience }) : t('for anybody'), when: ago(one.issuedAt, now), what2: one.status === 'expired' ? t('ended') : t('ends {when}', { when: until(one.expiresAt, now) }), what3: one.maxDepth > 0 ? t(' · may be handed on {what}', { what: one.maxDepth === 1 ? t('once') : t('{maxDepth} times', { maxDepth: one.maxDepth }) }) : t(' · may not be handed on') })}
        </span>
        <span className={page.actions}>
          <Button size="compact-xs" variant="default" disabled={!alive} onClick={() => onAction('lock', one)}>
            {t('Lock')}
          </Button>
          <Button size="compact-xs" variant="default" disabled={!alive || one.maxDepth < 1} onClick={() => onAction('delegate', one)}>
            {t('Delegate')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="compact-xs" variant="default" aria-label={t('More for token {id}', { id: short(one.id) })}>
                <Ellipsis size={14} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onAction('entries', one)}>{t('Its entries')}</Menu.Item>
              <Menu.Item disabled={!alive} onClick={() => onAction('charge', one)}>
                {t('Charge without a lock')}
              </Menu.Item>
              <Menu.Item disabled={!alive || Boolean(one.parentId)} onClick={() => onAction('topup', one)}>
                {t('Top up')}
              </Menu.Item>
              <Menu.Item color="red" disabled={!alive} onClick={() => onAction('revoke', one)}>
                {t('Revoke')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </div>
      <div className={classes.bar} aria-hidden>
        {parts.map(([part, , amount]) => (
          <span key={part} data-part={part} style={{ width: `${(100 * amount) / whole}%` }} />
        ))}
      </div>
      <div className={classes.parts}>
        <span>
          {rich('<1>{money}</1> in all', [<b />], { money: money(one.budgetCredits) })}
        </span>
        {parts.map(([part, word, amount]) => (
          <span key={part}>
            <b>{money(amount)}</b> {word}
          </span>
        ))}
        {one.returnedCredits > 0 && (
          <span>
            {rich('<1>{money}</1> went back', [<b />], { money: money(one.returnedCredits) })}
          </span>
        )}
      </div>
    </article>
  );
}

package payments

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// sweepBatch is how many locks or tokens one transaction of a sweep ends.
const sweepBatch = 100

// Revoke ends a token and its descendants. What they have goes back to where it
// came from at once, what their locks hold when those close. revoked is false
// for a token that had ended before.
func (p *Payments) Revoke(ctx context.Context, tokenID string) (returned Amount, revoked bool, err error) {
	err = p.pay(ctx, func(o *operation) error {
		returned, revoked = 0, false
		t, err := o.tx.Token(tokenID)
		if err != nil {
			return err
		}
		if t == nil {
			return noToken(tokenID)
		}
		if t.Closed || t.Status(o.now) == contract.TokenExpired {
			return nil
		}
		revoked = true
		returned, err = o.revoke(t)
		return err
	})
	return returned, revoked, err
}

// revoke ends a token after its children, so that what they had is in it, and
// gives what left the token in the end.
func (o *operation) revoke(t *Token) (Amount, error) {
	children, err := o.tx.Children(t.ID)
	if err != nil {
		return 0, err
	}
	for i := range children {
		if children[i].Closed {
			continue
		}
		if _, err := o.revoke(&children[i]); err != nil {
			return 0, err
		}
	}
	// Children changed what this one says about them.
	if t, err = o.tx.Token(t.ID); err != nil {
		return 0, err
	}
	before := t.Balance
	t.RevokedAt, t.Closed = o.now, true
	said := o.tell(contract.EvPaymentRevoked, contract.PaymentEvent{
		TokenID: t.ID, AgentID: o.p.agentOf(t.Audience), Amount: before, Status: contract.TokenRevoked,
	})
	if err := o.putToken(*t); err != nil {
		return 0, err
	}
	return before, o.giveBack(said, t.ID)
}

// giveBack moves what a token that has ended holds to the nearest of its
// ancestors that counts, through those that do not, or to the account that the
// first of them came out of.
func (o *operation) giveBack(said *contract.PaymentEvent, tokenID string) error {
	t, err := o.tx.Token(tokenID)
	if err != nil || t.Balance == 0 {
		return err
	}
	amount, entry := t.Balance, contract.PaymentEntry{TokenID: t.ID}
	t.Returned += amount
	if t.ParentID == "" {
		if err := o.putToken(*t); err != nil {
			return err
		}
		return o.move(said, contract.EntryReturn, TokenAccount(t.ID), t.Payer, amount, entry)
	}
	parent, err := o.tx.Token(t.ParentID)
	if err != nil {
		return err
	}
	parent.Delegated -= amount
	if err := o.putToken(*t); err != nil {
		return err
	}
	if err := o.putToken(*parent); err != nil {
		return err
	}
	if err := o.move(said, contract.EntryReturn, TokenAccount(t.ID), TokenAccount(parent.ID), amount, entry); err != nil {
		return err
	}
	if parent.ended(o.now) {
		return o.giveBack(said, parent.ID)
	}
	return nil
}

func (t Token) ended(now time.Time) bool {
	return t.Closed || !t.RevokedAt.IsZero() || !now.Before(t.ExpiresAt)
}

// Sweep ends what is due: locks give their remainder back, tokens what they
// have. next is when to come again; zero when nothing has an end.
func (p *Payments) Sweep(ctx context.Context) (next time.Time, err error) {
	for more := true; more; {
		err := p.pay(ctx, func(o *operation) error {
			more, next = false, time.Time{}
			locks, err := o.tx.DueLocks(o.now, sweepBatch)
			if err != nil {
				return err
			}
			for i := range locks {
				if err := o.expire(&locks[i]); err != nil {
					return err
				}
			}
			tokens, err := o.tx.DueTokens(o.now, sweepBatch)
			if err != nil {
				return err
			}
			for _, t := range tokens {
				if err := o.expireToken(t.ID); err != nil {
					return err
				}
			}
			if more = len(locks) == sweepBatch || len(tokens) == sweepBatch; more {
				return nil
			}
			if err := o.tx.DropAnswers(o.now.Add(-contract.IdempotencyWindow), sweepBatch); err != nil {
				return err
			}
			next, err = o.tx.Next()
			return err
		})
		if err != nil {
			return time.Time{}, err
		}
	}
	return next, nil
}

// expireToken closes a token whose time is up.
func (o *operation) expireToken(id string) error {
	t, err := o.tx.Token(id)
	if err != nil || t.Closed {
		return err
	}
	t.Closed = true
	said := o.tell(contract.EvPaymentExpired, contract.PaymentEvent{
		TokenID: t.ID, AgentID: o.p.agentOf(t.Audience), Amount: t.Balance, Status: contract.TokenExpired,
	})
	if err := o.putToken(*t); err != nil {
		return err
	}
	return o.giveBack(said, id)
}

// expire closes a lock whose time is up.
func (o *operation) expire(l *Lock) error {
	to, refused := next(l, eventExpire)
	if refused != nil {
		return refused
	}
	said := o.tell(contract.EvPaymentExpired, contract.PaymentEvent{
		TokenID: l.TokenID, LockID: l.ID, AgentID: l.AgentID, InvocationID: l.InvocationID, Amount: l.Remaining(), Status: to,
	})
	return o.close(said, l, to, contract.EntryExpire)
}

// close gives what a lock holds back to its token, or on from there when the
// token has ended.
func (o *operation) close(said *contract.PaymentEvent, l *Lock, to, kind string) error {
	rest := l.Remaining()
	l.Released += rest
	l.Status, l.ClosedAt = to, o.now
	if err := o.putLock(*l); err != nil {
		return err
	}
	if err := o.move(said, kind, LockAccount(l.ID), TokenAccount(l.TokenID), rest, contract.PaymentEntry{}); err != nil {
		return err
	}
	t, err := o.tx.Token(l.TokenID)
	if err != nil || !t.ended(o.now) {
		return err
	}
	return o.giveBack(said, t.ID)
}

package payments

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// LockRequest asks to hold money of a token, which is named by its text or, by
// the owner, by its id. Amount nil holds all that it has, or ModelLock when a
// Model is named. AgentID is for whom it is held, the agent that the token is
// meant for when empty; a token that is meant for another is refused. TTL 0 is
// ten minutes.
type LockRequest struct {
	Token          string
	TokenID        string
	Amount         *Amount
	Model          string
	AgentID        string
	InvocationID   string
	TTL            time.Duration
	Reason         string
	By             string
	IdempotencyKey string
}

// Lock holds money in escrow until it is settled, released or expires.
func (p *Payments) Lock(ctx context.Context, r LockRequest) (Lock, error) {
	if r.Amount == nil && r.Model != "" {
		model := contract.ModelLock
		r.Amount = &model
	}
	if r.Amount != nil {
		if _, err := positive("amount", r.Amount); err != nil {
			return Lock{}, err
		}
	}
	ttl, err := lifetime(r.TTL, contract.DefaultLockLifetime, contract.MaxLockLifetime)
	if err != nil {
		return Lock{}, err
	}
	if err := goodTexts(nil, r.Reason); err != nil {
		return Lock{}, err
	}
	id, err := p.named(r.Token, r.TokenID)
	if err != nil {
		return Lock{}, err
	}
	t, err := p.cfg.Store.PaymentToken(ctx, id)
	if err != nil {
		return Lock{}, err
	}
	if e := unusable(t, id, p.now()); e != nil {
		return Lock{}, e
	}
	agentID := r.AgentID
	if agentID == "" {
		agentID = p.agentOf(t.Audience)
	}
	if !p.meantFor(t.Audience, agentID) {
		return Lock{}, invalid(contract.SubTokenAudience, "payment token %s is meant for somebody else", id)
	}
	if err := p.simulated(ctx, agentID, true); err != nil {
		return Lock{}, err
	}
	if ms := p.cfg.Faults(agentID).LockLifetimeMs; ms > 0 {
		ttl = time.Duration(ms) * time.Millisecond
	}
	l, replayed, err := once(ctx, p, "lock", r.By, r.IdempotencyKey, r, func(o *operation) (Lock, error) {
		return o.lock(id, agentID, ttl, r)
	})
	l.Replayed = replayed
	if err == nil && !replayed {
		p.cfg.Ends(l.ExpiresAt)
	}
	return l, err
}

func (o *operation) lock(tokenID, agentID string, ttl time.Duration, r LockRequest) (Lock, error) {
	t, err := o.liveToken(tokenID)
	if err != nil {
		return Lock{}, err
	}
	amount := t.Balance
	if r.Amount != nil {
		amount = *r.Amount
	}
	if amount > t.Balance || amount == 0 {
		return Lock{}, short(contract.InsufficientToken, t.Balance, "payment token %s has not enough for this lock", t.ID)
	}
	l := Lock{
		ID: o.p.cfg.NewID(), TokenID: t.ID, AgentID: agentID, InvocationID: r.InvocationID, By: r.By, Reason: r.Reason,
		Status: contract.LockLocked, CreatedAt: o.now, ExpiresAt: o.now.Add(ttl), Amount: amount,
	}
	if err := o.putLock(l); err != nil {
		return Lock{}, err
	}
	said := o.tell(contract.EvPaymentLocked, o.aboutLock(&l, amount))
	return l, o.move(said, contract.EntryLock, TokenAccount(t.ID), LockAccount(l.ID), amount, contract.PaymentEntry{Description: r.Reason})
}

func (o *operation) aboutLock(l *Lock, amount Amount) contract.PaymentEvent {
	return contract.PaymentEvent{
		TokenID: l.TokenID, LockID: l.ID, AgentID: l.AgentID, InvocationID: l.InvocationID, Amount: amount, Status: l.Status,
	}
}

// ExtendRequest asks for more in a lock, and with TTL for a later end of it,
// counted from now.
type ExtendRequest struct {
	LockID         string
	Amount         *Amount
	TTL            time.Duration
	By             string
	IdempotencyKey string
}

// Extend puts more of its token into an open lock.
func (p *Payments) Extend(ctx context.Context, r ExtendRequest) (Lock, error) {
	amount, err := positive("additionalAmount", r.Amount)
	if err != nil {
		return Lock{}, err
	}
	ttl, err := lifetime(r.TTL, 0, contract.MaxLockLifetime)
	if err != nil {
		return Lock{}, err
	}
	if l, err := p.cfg.Store.PaymentLock(ctx, r.LockID); err != nil {
		return Lock{}, err
	} else if l != nil {
		if err := p.simulated(ctx, l.AgentID, true); err != nil {
			return Lock{}, err
		}
	}
	l, replayed, err := once(ctx, p, "extend", r.By, r.IdempotencyKey, r, func(o *operation) (Lock, error) {
		l, err := o.openLock(r.LockID, eventExtend)
		if err != nil {
			return Lock{}, err
		}
		t, err := o.liveToken(l.TokenID)
		if err != nil {
			return Lock{}, err
		}
		if t.Balance < amount {
			return Lock{}, short(contract.InsufficientToken, t.Balance, "payment token %s has less than %s", t.ID, amount)
		}
		l.Amount += amount
		if end := o.now.Add(ttl); ttl > 0 && end.After(l.ExpiresAt) {
			l.ExpiresAt = end
		}
		if err := o.putLock(*l); err != nil {
			return Lock{}, err
		}
		said := o.tell(contract.EvPaymentExtended, o.aboutLock(l, amount))
		return *l, o.move(said, contract.EntryLock, TokenAccount(t.ID), LockAccount(l.ID), amount, contract.PaymentEntry{})
	})
	l.Replayed = replayed
	return l, err
}

// openLock reads a lock that an event may happen to. One whose time is up
// expires on the way, which a refusal does not undo.
func (o *operation) openLock(id, event string) (*Lock, error) {
	l, err := o.lockDue(id)
	if err != nil {
		return nil, err
	}
	if _, refused := next(l, event); refused != nil {
		return nil, refused
	}
	return l, nil
}

func (o *operation) lockDue(id string) (*Lock, error) {
	l, err := o.tx.Lock(id)
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, contract.Errorf(contract.PaymentLockNotFound, "no lock has the id %.64q", id)
	}
	if l.ClosedAt.IsZero() && !o.now.Before(l.ExpiresAt) {
		o.keep = true
		if err := o.expire(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Release closes a lock and gives back what it holds: 0 for one that was closed
// before, which is no error.
func (p *Payments) Release(ctx context.Context, lockID string) (released Amount, err error) {
	yes := true
	s, err := p.Settle(ctx, SettleRequest{LockID: lockID, Release: &yes})
	return s.Released, err
}

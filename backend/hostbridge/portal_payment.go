package hostbridge

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// Payments is what ctx.portal.payment and verifyToken reach of the ledger.
type Payments interface {
	Verify(ctx context.Context, r payments.VerifyRequest) payments.Verification
	Lock(ctx context.Context, r payments.LockRequest) (payments.Lock, error)
	LockRow(ctx context.Context, id string) (*payments.Lock, error)
	Settle(ctx context.Context, r payments.SettleRequest) (payments.Settlement, error)
	Release(ctx context.Context, lockID string) (payments.Amount, error)
}

// perDollar is how many nanocents a dollar has now.
func (b *Bridge) perDollar() int64 {
	if b.cfg.NanocentsPerDollar == nil {
		return contract.DefaultNanocentsPerDollar
	}
	return b.cfg.NanocentsPerDollar()
}

// nanocents reads an amount, which travels as its digits; a number is taken, too,
// because a client of the network door may be somebody else's.
func (b *Bridge) nanocents(a arguments, key string) (payments.Amount, error) {
	digits := string(a[key])
	if text, err := a.text(key); err == nil && a.set(key) {
		digits = text
	}
	amount, err := contract.AmountOfNanocents(digits, b.perDollar())
	if err != nil {
		return 0, contract.Errorf(contract.InvalidAmount, "%s: %s", key, err.Error())
	}
	return amount, nil
}

// nanocentsOf gives an amount as a number of nanocents.
func (b *Bridge) nanocentsOf(a payments.Amount) json.Number {
	return json.Number(a.Nanocents(b.perDollar()))
}

// once is who an operation of this call is by and the key under which it happens
// once: a call that is sent again, even to a platform that was restarted in
// between, locks and settles nothing twice.
func once(ctx context.Context, s *Session) (by, key string) {
	by = "invocation:" + s.claims.InvocationID
	if n, ok := ctx.Value(callNumberKey{}).(int); ok {
		key = "fn:" + strconv.Itoa(n)
	}
	return by, key
}

// portalPaymentLock sets an amount of a token aside for the agent.
func (b *Bridge) portalPaymentLock(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	r := payments.LockRequest{AgentID: s.claims.AgentID, InvocationID: s.claims.InvocationID}
	if err := a.texts(map[string]*string{"paymentToken": &r.Token, "reason": &r.Reason}); err != nil {
		return nil, err
	}
	amount, err := b.nanocents(a, "amountNanocents")
	if err != nil {
		return nil, err
	}
	r.Amount, r.Reason = &amount, s.Redact(r.Reason)
	r.By, r.IdempotencyKey = once(ctx, s)
	l, err := b.cfg.Payments.Lock(ctx, r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		LockID    string    `json:"lockId"`
		ExpiresAt time.Time `json:"expiresAt"`
	}{l.ID, l.ExpiresAt})
}

// settled is what a function learns of a settle. Amounts are nanocents.
type settled struct {
	OK       bool          `json:"ok"`
	Reason   string        `json:"reason,omitempty"`
	Code     contract.Code `json:"code,omitempty"`
	Settled  json.Number   `json:"settled,omitempty"`
	Released json.Number   `json:"released,omitempty"`
	Unbilled json.Number   `json:"unbilled,omitempty"`
}

// portalPaymentSettle takes an amount out of a lock and closes it. A refusal is a
// value, as on the hosted platform.
func (b *Bridge) portalPaymentSettle(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	closes := true
	r := payments.SettleRequest{ChargeType: contract.ChargeAgentFee, Release: &closes, InvocationID: s.claims.InvocationID}
	if err := a.texts(map[string]*string{"lockId": &r.LockID, "recipientId": &r.Recipient}); err != nil {
		return nil, err
	}
	amount, err := b.nanocents(a, "amountNanocents")
	if err != nil {
		return nil, err
	}
	r.Amount, r.Description = &amount, "settled by "+s.claims.Function
	r.By, r.IdempotencyKey = once(ctx, s)
	refused := b.ownLock(ctx, s, r.LockID)
	var done payments.Settlement
	if refused == nil {
		done, refused = b.cfg.Payments.Settle(ctx, r)
	}
	if e := contract.AsError(refused); e != nil {
		s.note("portal.payment.settle: " + string(e.Code) + ": " + e.Message)
		return json.Marshal(settled{Reason: e.Message, Code: e.Code})
	}
	if refused != nil {
		return nil, refused
	}
	out := settled{OK: true, Settled: b.nanocentsOf(done.Settled), Released: b.nanocentsOf(done.Released)}
	if done.Partial {
		out.Unbilled = b.nanocentsOf(done.Unbilled)
		s.note("portal.payment.settle: lock " + r.LockID + " held less than was to be settled; " + done.Unbilled.String() + " dollars were not charged")
	}
	return json.Marshal(out)
}

// portalPaymentRelease closes a lock and gives back what it holds.
func (b *Bridge) portalPaymentRelease(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	id, err := a.text("lockId")
	if err != nil {
		return nil, err
	}
	if err := b.ownLock(ctx, s, id); err != nil {
		return nil, err
	}
	_, err = b.cfg.Payments.Release(ctx, id)
	return nil, err
}

// ownLock refuses a lock that is not held for this agent, with the words for one
// that does not exist: an agent learns nothing of the locks of others.
func (b *Bridge) ownLock(ctx context.Context, s *Session, id string) error {
	l, err := b.cfg.Payments.LockRow(ctx, id)
	if err == nil && l.AgentID != s.claims.AgentID {
		err = contract.Errorf(contract.PaymentLockNotFound, "no lock has the id %.64q", id)
	}
	return err
}

package payments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"benchtop/backend/contract"
)

// maxKey bounds an idempotency key in bytes (contract.md 5.4).
const maxKey = 255

// operation is one run of an operation inside its transaction.
type operation struct {
	p    *Payments
	tx   Tx
	now  time.Time
	news []*happened
	// wrote says that something was stored; keep that a refusal leaves it there.
	wrote, keep bool
}

// happened is an event to publish once it is stored.
type happened struct {
	name contract.EventName
	said contract.PaymentEvent
}

// pay runs fn in a transaction and publishes what it did. A refusal before
// anything was written ends an empty transaction: it is no failure of the store,
// which would make everybody in the same group try again.
func (p *Payments) pay(ctx context.Context, fn func(o *operation) error) error {
	var o *operation
	var refused error
	err := p.cfg.Store.Pay(ctx, func(tx Tx) error {
		o, refused = &operation{p: p, tx: tx, now: p.now()}, nil
		err := fn(o)
		if contract.AsError(err) != nil && (o.keep || !o.wrote) {
			refused = err
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if refused != nil && !o.keep {
		return refused
	}
	for _, h := range o.news {
		p.cfg.Publish(h.name, h.said)
	}
	return refused
}

// once runs fn in a transaction, or gives what its idempotency key was answered
// with before. by says whose key it is. The answer is stored with what it is
// about, so that one is there exactly when the other is.
func once[T any](ctx context.Context, p *Payments, name, by, key string, request any, fn func(o *operation) (T, error)) (out T, replayed bool, err error) {
	var print string
	if key != "" {
		if !goodKey(key) {
			return out, false, contract.Errorf(contract.InvalidIdempotentKey, "an idempotency key is 1 to %d printable ASCII characters without spaces", maxKey)
		}
		body, err := json.Marshal(request)
		if err != nil {
			return out, false, err
		}
		sum := sha256.Sum256(body)
		print = hex.EncodeToString(sum[:])
	}
	err = p.pay(ctx, func(o *operation) error {
		var none T
		out, replayed = none, false
		if key == "" {
			out, err = fn(o)
			return err
		}
		before, err := o.tx.Answer(by, name, key, o.now.Add(-contract.IdempotencyWindow))
		if err != nil {
			return err
		}
		if before != nil {
			if before.BodySHA256 != print {
				return contract.Errorf(contract.IdempotencyMismatch, "the idempotency key was used before for another %s: take a new key", name)
			}
			replayed = true
			return json.Unmarshal(before.Body, &out)
		}
		if out, err = fn(o); err != nil {
			return err
		}
		body, err := json.Marshal(out)
		if err != nil {
			return err
		}
		return o.tx.PutAnswer(Answer{By: by, Operation: name, Key: key, BodySHA256: print, Body: body, At: o.now})
	})
	return out, replayed, err
}

func goodKey(key string) bool {
	if len(key) > maxKey {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return key != ""
}

// tell keeps an event for when the transaction is stored; the movements made
// since the one before belong to it.
func (o *operation) tell(name contract.EventName, said contract.PaymentEvent) *contract.PaymentEvent {
	h := &happened{name, said}
	o.news = append(o.news, h)
	return &h.said
}

// move makes a movement of an event; an amount of 0 is none.
func (o *operation) move(said *contract.PaymentEvent, kind, from, to string, amount Amount, more contract.PaymentEntry) error {
	if amount == 0 {
		return nil
	}
	more.At, more.Kind, more.Debit, more.Credit, more.Amount = o.now, kind, from, to, amount
	if more.TokenID == "" {
		more.TokenID = said.TokenID
	}
	more.LockID, more.AgentID, more.InvocationID = said.LockID, said.AgentID, said.InvocationID
	o.wrote = true
	stored, err := o.tx.Move(more)
	if err != nil {
		return err
	}
	said.Entries = append(said.Entries, stored)
	return nil
}

func (o *operation) putToken(t Token) error {
	o.wrote = true
	return o.tx.PutToken(t)
}

func (o *operation) putLock(l Lock) error {
	o.wrote = true
	return o.tx.PutLock(l)
}

// positive holds an amount that a request names to its bounds.
func positive(what string, a *Amount) (Amount, error) {
	switch {
	case a == nil:
		return 0, contract.Errorf(contract.InvalidAmount, "%s is missing: a number of dollars above 0", what)
	case *a <= 0:
		return 0, contract.Errorf(contract.InvalidAmount, "%s must be above 0, not %s", what, *a)
	case *a > contract.MaxAmount:
		return 0, contract.Errorf(contract.InvalidAmount, "%s must be %s at most, not %s", what, contract.MaxAmount, *a)
	}
	return *a, nil
}

// lifetime holds a time to its bounds; 0 is the usual.
func lifetime(asked, usual, most time.Duration) (time.Duration, error) {
	if asked == 0 {
		return usual, nil
	}
	if asked < 0 || asked > most {
		return 0, contract.Errorf(contract.InvalidRequest, "expiresIn must be from 1 to %d seconds", int64(most/time.Second))
	}
	return asked, nil
}

func short(code contract.Code, available Amount, format string, args ...any) *contract.Error {
	e := contract.Errorf(code, format, args...)
	e.Message += " (available: " + available.String() + ")"
	e.Details = contract.PaymentFailure{Available: &available}
	return e
}

package payments

import (
	"context"
	"net/http"
	"slices"

	"benchtop/backend/contract"
)

// OwnerCharge is what the owner pays an agent without a token, for a run that
// nobody else asked for.
type OwnerCharge struct {
	AgentID        string
	Amount         Amount
	Description    string
	InvocationID   string
	IdempotencyKey string
}

// ChargeOwner moves an amount from the owner's account to an agent's. It is
// INSUFFICIENT_ACCOUNT_BALANCE when the account has less; nothing moves then.
func (p *Payments) ChargeOwner(ctx context.Context, c OwnerCharge) error {
	amount, err := positive("amount", &c.Amount)
	if err != nil {
		return err
	}
	_, _, err = once(ctx, p, "charge", Owner, c.IdempotencyKey, c, func(o *operation) (Amount, error) {
		has, err := o.tx.Balance(Owner)
		if err != nil {
			return 0, err
		}
		if has < amount {
			return 0, short(contract.InsufficientAccount, has, "the owner's account has less than %s", amount)
		}
		said := o.tell(contract.EvPaymentSettled, contract.PaymentEvent{AgentID: c.AgentID, InvocationID: c.InvocationID, Amount: amount})
		return amount, o.move(said, contract.EntrySettle, Owner, AgentAccount(c.AgentID), amount,
			contract.PaymentEntry{ChargeType: contract.ChargeAgentFee, Description: clip(c.Description)})
	})
	return err
}

// More holds more of the same token, as far as it has it, and gives what is held
// then.
func (d *Paid) More(ctx context.Context, amount Amount) (Amount, error) {
	if d.LockID == "" || amount <= d.Amount {
		return d.Amount, nil
	}
	more := amount - d.Amount
	for range 2 {
		l, err := d.p.Extend(ctx, ExtendRequest{LockID: d.LockID, Amount: &more, By: AgentAccount(d.charge.AgentID)})
		if err == nil {
			d.Amount = l.Amount
			return d.Amount, nil
		}
		e := contract.AsError(err)
		if e == nil || e.Code != contract.InsufficientToken {
			return d.Amount, err
		}
		f, ok := e.Details.(contract.PaymentFailure)
		if !ok || f.Available == nil || *f.Available <= 0 || *f.Available >= more {
			return d.Amount, nil
		}
		more = *f.Available
	}
	return d.Amount, nil
}

// Charged says what was settled of it so far, for whoever did not get the answer
// of a settle; closed that there will be no more.
func (d *Paid) Charged(ctx context.Context) (settled Amount, closed bool, err error) {
	l, err := d.p.LockRow(ctx, d.LockID)
	if err != nil {
		return 0, false, err
	}
	return l.Settled, !l.ClosedAt.IsZero(), nil
}

// Unpaid is the error for somebody whose request was carried out and could not be
// charged: 402 with how to pay when what was held has gone back, else what went
// wrong.
func (d *Paid) Unpaid(why *contract.Error) *contract.Error {
	e := *why
	e.Message = "the request was carried out, but it could not be charged: " + why.Message
	if slices.Contains([]contract.Code{contract.PaymentLockExpired, contract.PaymentLockClosed}, why.Code) {
		e.Details = contract.PaymentFailure{Accepts: d.p.accepts(d.charge)}
	}
	return &e
}

// CarriesToken reports whether a header of that name, in any case, carries a
// payment token.
func CarriesToken(name string) bool {
	return slices.Contains(tokenHeaders, http.CanonicalHeaderKey(name))
}

package uamp

import (
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// errUnpaid ends a response that was not paid for.
type errUnpaid struct {
	why  *contract.Error
	code string
}

// Error implements error.
func (e errUnpaid) Error() string { return e.why.Error() }

// Unwrap gives the error that asked for payment.
func (e errUnpaid) Unwrap() error { return e.why }

const currency = "USD"

// pay asks the client to pay and waits until it has. A client that sent all its
// events at once cannot, and is told what to send the next time.
func (r *response) pay(e *contract.Error, accepts []contract.PaymentAccept) error {
	s, cfg := r.s, r.s.c.t.cfg
	paid := make(chan string, 1)
	s.mu.Lock()
	s.paying = paid
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.paying = nil
		s.mu.Unlock()
	}()
	amount, schemes := "0.01", []map[string]string{}
	for i, a := range accepts {
		if i == 0 && a.Amount != "" {
			amount = a.Amount
		}
		scheme := map[string]string{"scheme": a.Scheme, "network": a.Network, "max_amount": a.MaxAmountRequired}
		if a.PayTo != "" {
			scheme["address"] = a.PayTo
		}
		schemes = append(schemes, scheme)
	}
	required := event{
		"requirements": map[string]any{
			"amount": amount, "currency": currency, "schemes": schemes, "reason": "llm_usage",
			"expires_at": cfg.Now().Add(cfg.PayWithin).UnixMilli(),
		},
		"accepts": accepts,
	}
	if e.Code == contract.InsufficientToken {
		required["extra"] = map[string]string{"action": "topup"}
	}
	r.say("payment.required", required)
	if s.c.alone {
		return errUnpaid{contract.Errorf(e.Code, "%s; send a payment token with session.create (payment_token) or in X-PAYMENT", e.Message), codePayRequired}
	}
	timer := time.NewTimer(cfg.PayWithin)
	defer timer.Stop()
	select {
	case <-paid:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-timer.C:
		return errUnpaid{contract.Errorf(e.Code, "no payment came within %s", cfg.PayWithin), codePayTimeout}
	}
}

// submit answers payment.submit, whether or not it was asked for.
func (s *session) submit(in incoming) *failure {
	var e struct {
		Payment struct {
			Scheme string `json:"scheme"`
			Amount string `json:"amount"`
			Token  string `json:"token"`
			Proof  string `json:"proof"`
		} `json:"payment"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	token := e.Payment.Token
	if token == "" {
		token = e.Payment.Proof
	}
	if token = payments.TokenIn(token); token == "" {
		s.say(event{"type": "payment.error", "code": "token_invalid", "message": "payment has no token", "can_retry": true})
		return nil
	}
	accepted := event{"type": "payment.accepted", "payment_id": s.c.t.id("pay")}
	balance := ""
	if v := s.c.t.cfg.Payments; v != nil {
		found := v.Verify(s.c.ctx, payments.VerifyRequest{Token: token, AgentID: s.c.agent.ID})
		if !found.Valid {
			s.say(event{"type": "payment.error", "code": subcode(found.Subcode), "message": found.Reason, "can_retry": true})
			return nil
		}
		balance = found.Balance.String()
		accepted["balance_remaining"] = balance
		if t := found.Token; t != nil && !t.ExpiresAt.IsZero() {
			accepted["expires_at"] = t.ExpiresAt.UnixMilli()
		}
	}
	s.say(accepted)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.balance = token, balance
	if s.paying != nil {
		select {
		case s.paying <- token:
		default: // a second one for the same question
		}
	}
	return nil
}

// tellBalance tells what a token has left when that changed; the lock is held.
func (s *session) tellBalance() {
	v := s.c.t.cfg.Payments
	if v == nil || s.token == "" {
		return
	}
	found := v.Verify(s.c.ctx, payments.VerifyRequest{Token: s.token, AgentID: s.c.agent.ID})
	if !found.Valid || found.Balance.String() == s.balance {
		return
	}
	s.balance = found.Balance.String()
	s.say(event{"type": "payment.balance", "balance": s.balance, "currency": currency, "low_balance_warning": found.Balance == 0})
}

// subcode is the protocol's name of what is wrong with a token.
func subcode(of string) string {
	if of == contract.SubTokenExpired {
		return "token_expired"
	}
	return "token_invalid"
}

// paymentError is what payment.error says of an error of payments.
func paymentError(e *contract.Error, canRetry bool) event {
	out := event{"code": "payment_failed", "message": e.Message, "can_retry": canRetry}
	d, _ := e.Details.(contract.PaymentFailure)
	switch {
	case e.Code == contract.InsufficientToken:
		out["code"] = "insufficient_balance"
		if d.Available != nil {
			out["balance_current"] = d.Available.String()
		}
		if len(d.Accepts) > 0 {
			out["balance_required"] = d.Accepts[0].Amount
		}
	case d.Subcode != "":
		out["code"] = subcode(d.Subcode)
	}
	return out
}

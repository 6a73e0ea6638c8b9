package httpapi

import (
	"encoding/json"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// x402Asked is what a facilitator call of x402 is about (contract.md 5.7).
type x402Asked struct {
	token  string
	amount *contract.Amount
	payTo  string
	key    string
}

// x402 reads the body of a facilitator call: the payment as a payload, a header
// or a bare token, and what it is asked for.
func (c *call) x402() (x402Asked, error) {
	var req contract.X402Request
	if err := c.decode(&req); err != nil {
		return x402Asked{}, err
	}
	out := x402Asked{token: req.Token}
	switch {
	case req.PaymentHeader != "":
		out.token = payments.TokenIn(req.PaymentHeader)
	case len(req.PaymentPayload) > 0:
		out.token = payments.TokenIn(string(req.PaymentPayload))
		var bare string
		if json.Unmarshal(req.PaymentPayload, &bare) == nil {
			out.token = payments.TokenIn(bare)
		}
	}
	if out.token == "" {
		return out, contract.Errorf(contract.InvalidRequest, "paymentPayload, paymentHeader or token is missing")
	}
	var wanted struct {
		Amount    *contract.Amount `json:"amount"`
		MaxAmount *contract.Amount `json:"maxAmountRequired"`
		PayTo     string           `json:"payTo"`
	}
	if len(req.PaymentRequirements) > 0 {
		if err := unmarshal(req.PaymentRequirements, &wanted); err != nil {
			return out, err
		}
	}
	if out.amount = wanted.Amount; out.amount == nil {
		out.amount = wanted.MaxAmount
	}
	var err error
	if out.payTo, err = c.payerAgent(wanted.PayTo); err != nil {
		return out, err
	}
	out.key, err = c.key(req.IdempotencyKey)
	return out, err
}

func (a *api) x402Verify(c *call) error {
	asked, err := c.x402()
	if err != nil {
		return err
	}
	v := a.deps.Payments.Verify(c.r.Context(), payments.VerifyRequest{Token: asked.token, AgentID: asked.payTo})
	out := contract.X402VerifyResponse{IsValid: v.Valid, InvalidReason: v.Reason}
	if v.Token != nil {
		out.Payer = v.Token.Subject
	}
	if v.Valid && asked.amount != nil && v.Balance < *asked.amount {
		out.IsValid, out.InvalidReason = false, "insufficient_funds"
	}
	return c.ok(out)
}

// x402Settle charges the token at once. What x402 calls a failed settlement is
// an answer, not an error.
func (a *api) x402Settle(c *call) error {
	asked, err := c.x402()
	if err != nil {
		return err
	}
	text, id, err := c.holds(asked.token, "")
	if err != nil {
		return err
	}
	out := contract.X402SettleResponse{Network: payments.Network}
	s, err := a.deps.Payments.Settle(c.r.Context(), payments.SettleRequest{
		Token: text, TokenID: id, Amount: asked.amount, AgentID: asked.payTo, ChargeType: contract.ChargeAgentFee, Description: "x402",
		By: c.by(), IdempotencyKey: asked.key,
	})
	if e := contract.AsError(c.orDie(err)); e != nil && e.Code.Status() < 500 {
		out.ErrorReason = e.Message
		return c.ok(out)
	}
	if err != nil {
		return err
	}
	c.replay(s.Replayed)
	out.Success, out.Transaction, out.Payer = true, s.TokenID, s.TokenID
	return c.ok(out)
}

func (a *api) x402Supported(c *call) error {
	return c.ok(contract.X402Supported{Kinds: []contract.X402Kind{{Version: 1, Scheme: payments.Scheme, Network: payments.Network}, {Version: 2, Scheme: payments.Scheme, Network: payments.Network}}})
}

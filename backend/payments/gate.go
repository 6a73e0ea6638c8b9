package payments

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// Charge is something with a price that somebody asks for.
type Charge struct {
	AgentID      string
	Price        Amount
	Resource     string // its address
	Description  string
	InvocationID string
}

// Paid is a price that is held. Settle or Release ends it; whoever does neither
// lets it expire, and the money goes back.
type Paid struct {
	p       *Payments
	charge  Charge
	LockID  string // empty for what costs nothing
	TokenID string
	Amount  Amount
}

// Gate is the check behind every 402: it holds the price of something out of
// the first of the tokens that has it. The error says how to pay (its details
// have accepts; WriteRequired answers it) and, when there was a token, what is
// wrong with it. A price of 0 needs no token.
func (p *Payments) Gate(ctx context.Context, c Charge, tokens []string) (*Paid, *contract.Error) {
	if c.Price <= 0 {
		return &Paid{p: p, charge: c}, nil
	}
	var last *contract.Error
	for _, token := range tokens {
		amount := c.Price
		l, err := p.Lock(ctx, LockRequest{
			Token: token, Amount: &amount, AgentID: c.AgentID, InvocationID: c.InvocationID,
			Reason: clip(orElse(c.Description, c.Resource)), By: AgentAccount(c.AgentID),
		})
		if err == nil {
			return &Paid{p: p, charge: c, LockID: l.ID, TokenID: l.TokenID, Amount: l.Amount}, nil
		}
		if last = contract.AsError(err); last == nil {
			p.cfg.Log.Error("a price could not be held", "agent", c.AgentID, "error", err)
			last = contract.Errorf(contract.PaymentUnavailable, "payments cannot be reached: try again")
			last.RetryAfterSec = 5
			return nil, last
		}
		if !slices.Contains(mended, last.Code) {
			return nil, last // the next token would not help
		}
	}
	e := contract.Errorf(contract.PaymentTokenRequired, "this costs %s: send a payment token in the header X-PAYMENT", c.Price)
	f := contract.PaymentFailure{}
	if last != nil {
		e.Code, e.Message = last.Code, last.Message
		if was, ok := last.Details.(contract.PaymentFailure); ok {
			f = was
		}
	}
	f.Accepts = p.accepts(c)
	e.Details = f
	return nil, e
}

// mended are the codes that another token may mend.
var mended = []contract.Code{contract.InsufficientToken, contract.PaymentTokenInvalid}

// Status is the HTTP status of an error of Gate: 402 when it says how to pay,
// whatever its code means elsewhere.
func Status(e *contract.Error) int {
	if f, ok := e.Details.(contract.PaymentFailure); ok && f.Accepts != nil {
		return http.StatusPaymentRequired
	}
	return e.Code.Status()
}

// clip makes a text short and printable enough for a reason.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || badText(string(r)) {
			return -1
		}
		return r
	}, s)
	for len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return s
}

func (p *Payments) accepts(c Charge) []contract.PaymentAccept {
	a := contract.PaymentAccept{
		Scheme: Scheme, Network: Network, Asset: asset, Amount: c.Price.String(), MaxAmountRequired: c.Price.String(),
		PayTo: c.AgentID, Resource: c.Resource, Description: c.Description,
		MaxTimeoutSeconds: contract.PaymentTimeoutSeconds, Extra: map[string]string{"tokenType": "jwt"},
	}
	return []contract.PaymentAccept{a}
}

// Settle charges what the thing cost in the end, the price at most, and gives
// the rest back.
func (d *Paid) Settle(ctx context.Context, amount Amount) (Settlement, error) {
	if d.LockID == "" {
		return Settlement{}, nil
	}
	closes := true
	return d.p.Settle(ctx, SettleRequest{
		LockID: d.LockID, Amount: &amount, ChargeType: contract.ChargeAgentFee, Release: &closes,
		Description: clip(orElse(d.charge.Description, d.charge.Resource)), InvocationID: d.charge.InvocationID,
		By: AgentAccount(d.charge.AgentID), IdempotencyKey: "settle:" + d.LockID + ":agent_fee",
	})
}

// Release gives everything back.
func (d *Paid) Release(ctx context.Context) error {
	if d.LockID == "" {
		return nil
	}
	_, err := d.p.Release(ctx, d.LockID)
	return err
}

// tokenHeaders carry a payment token to an agent, contract.md 5.5 and 5.7.
var tokenHeaders = []string{"X-Payment", "X-Payment-Token", "Payment-Signature"}

// TokensOf gives the payment tokens of a request's headers, which may be the
// bare text or an x402 payload in base64.
func TokensOf(h http.Header) (tokens []string) {
	for _, name := range tokenHeaders {
		for _, v := range h[name] {
			if v = strings.TrimSpace(v); v != "" {
				tokens = append(tokens, TokenIn(v))
			}
		}
	}
	return tokens
}

// TokenIn gives the token of an x402 payload, or the text itself when it is
// none: {payload: {token}}, {payload: "<token>"} or {token}, as JSON or as
// base64 of it.
func TokenIn(text string) string {
	raw := []byte(text)
	if !strings.HasPrefix(text, "{") {
		if strings.Count(text, ".") == 2 {
			return text
		}
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			raw = b
		} else if b, err := base64.RawURLEncoding.DecodeString(text); err == nil {
			raw = b
		}
	}
	var outer struct {
		Token   string          `json:"token"`
		Payload json.RawMessage `json:"payload"`
	}
	if json.Unmarshal(raw, &outer) != nil {
		return text
	}
	var inner struct {
		Token string `json:"token"`
	}
	var bare string
	switch {
	case json.Unmarshal(outer.Payload, &bare) == nil && bare != "":
		return bare
	case json.Unmarshal(outer.Payload, &inner) == nil && inner.Token != "":
		return inner.Token
	case outer.Token != "":
		return outer.Token
	}
	return text
}

// RequiredBody is the JSON of a 402 for an error of Gate.
func RequiredBody(e *contract.Error) contract.PaymentRequiredBody {
	f, _ := e.Details.(contract.PaymentFailure)
	accepts := f.Accepts
	if accepts == nil {
		accepts = []contract.PaymentAccept{}
	}
	return contract.PaymentRequiredBody{
		Error: e.Message, Code: e.Code, Subcode: f.Subcode, Message: e.Message, StatusCode: Status(e),
		Context: contract.PaymentRequired{Accepts: accepts}, Accepts: accepts, Version: 1,
	}
}

// WriteRequired answers an error of Gate: 402 with what to pay in the body and,
// for x402 clients, in the header PAYMENT-REQUIRED; another status for an error
// that no payment would mend.
func WriteRequired(w http.ResponseWriter, e *contract.Error) {
	body, err := json.Marshal(RequiredBody(e))
	if err != nil {
		body = []byte(`{"error":"payment required","status_code":402}`)
	}
	status := Status(e)
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	if status == http.StatusPaymentRequired {
		h.Set("PAYMENT-REQUIRED", base64.StdEncoding.EncodeToString(body))
	} else if e.RetryAfterSec > 0 {
		h.Set("Retry-After", "5")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // who has hung up cannot be told
}

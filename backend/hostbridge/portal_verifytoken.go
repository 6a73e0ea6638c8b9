package hostbridge

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// verifiedToken is what a function learns. Balance is nanocents, of a payment
// token that this platform knows.
type verifiedToken struct {
	Valid   bool        `json:"valid"`
	Reason  string      `json:"reason,omitempty"`
	Claims  any         `json:"claims,omitempty"`
	Balance json.Number `json:"balance,omitempty"`
}

// portalVerifyToken checks a portal token or a payment token; its own header says
// which it is, and it counts as nothing else.
func (b *Bridge) portalVerifyToken(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	token, err := a.text("token")
	if err != nil {
		return nil, err
	}
	opts, err := a.options("portal.verifyToken", "opts")
	if err != nil {
		return nil, err
	}
	audience, err := opts.text("expectAudience")
	if err != nil {
		return nil, err
	}
	var expected payments.Amount
	if opts.set("expectBalance") {
		if expected, err = b.nanocents(opts, "expectBalance"); err != nil {
			return nil, err
		}
	}
	var header struct {
		Type string `json:"typ"`
	}
	if part(token, 0, &header) && header.Type == contract.PaymentTokenType {
		return json.Marshal(b.verifyPayment(ctx, s, token, audience, expected))
	}
	var audiences []string
	if audience != "" {
		audiences = append(audiences, audience)
	}
	claims, err := b.cfg.Portal.VerifyPortal(token, audiences...)
	switch {
	case err != nil:
		return json.Marshal(verifiedToken{Reason: s.Redact(err.Error())})
	case expected > 0:
		return json.Marshal(verifiedToken{Reason: "this is a portal token: it has no balance"})
	}
	return json.Marshal(verifiedToken{Valid: true, Claims: claims})
}

// verifyPayment checks a payment token. Without an audience it has to be one that
// this agent could lock.
func (b *Bridge) verifyPayment(ctx context.Context, s *Session, token, audience string, expected payments.Amount) verifiedToken {
	if audience == "" {
		audience = s.claims.AgentID
	}
	v := b.cfg.Payments.Verify(ctx, payments.VerifyRequest{Token: token, Audience: []string{audience}, AgentID: s.claims.AgentID})
	if !v.Valid {
		return verifiedToken{Reason: v.Reason}
	}
	out := verifiedToken{Valid: true, Balance: b.nanocentsOf(v.Balance)}
	if v.Balance < expected {
		out.Valid, out.Reason = false, "the payment token has "+v.Balance.String()+" dollars, less than the "+expected.String()+" that are expected"
		return out
	}
	var claims json.RawMessage
	if part(token, 1, &claims) { // its signature was checked
		out.Claims = claims
	}
	return out
}

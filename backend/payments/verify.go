package payments

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
)

// invalid says why a token does not count.
func invalid(subcode, format string, args ...any) *contract.Error {
	e := contract.Errorf(contract.PaymentTokenInvalid, format, args...)
	e.Details = contract.PaymentFailure{Subcode: subcode}
	return e
}

func noToken(id string) *contract.Error {
	return contract.Errorf(contract.PaymentTokenNotFound, "no payment token has the id %.64q", id)
}

// Identify checks the text of a payment token, its signature, type and times,
// and gives its id. Whether it still counts is in the ledger.
func (p *Payments) Identify(token string) (string, *contract.Error) {
	var c Claims
	err := p.cfg.Signer.Verify(contract.PaymentTokenType, token, &c)
	switch {
	case err == nil:
		return c.ID, nil
	case errors.Is(err, jwt.ErrTokenExpired):
		return "", invalid(contract.SubTokenExpired, "the payment token has expired")
	}
	return "", invalid(contract.SubTokenMalformed, "this is none of this platform's payment tokens")
}

// named gives the id of a token that a request names by its text or by its id.
func (p *Payments) named(token, id string) (string, error) {
	switch {
	case token != "" && id != "":
		return "", contract.Errorf(contract.InvalidRequest, "name the payment token once: by its text or by its id")
	case token == "" && id == "":
		return "", contract.Errorf(contract.InvalidRequest, "token is missing: the text of a payment token")
	case id != "":
		return id, nil
	}
	id, e := p.Identify(token)
	if e != nil {
		return "", e
	}
	return id, nil
}

// unusable says why a token does not count at a time, nil when it does.
func unusable(t *Token, id string, now time.Time) *contract.Error {
	if t == nil {
		return invalid(contract.SubTokenNotFound, "this platform has no payment token %.64q", id)
	}
	switch t.Status(now) {
	case contract.TokenRevoked:
		return invalid(contract.SubTokenRevoked, "payment token %s was revoked", t.ID)
	case contract.TokenExpired:
		return invalid(contract.SubTokenExpired, "payment token %s expired at %s", t.ID, t.ExpiresAt.Format(time.RFC3339))
	}
	return nil
}

// liveToken reads a token that counts.
func (o *operation) liveToken(id string) (*Token, error) {
	t, err := o.tx.Token(id)
	if err != nil {
		return nil, err
	}
	if e := unusable(t, id, o.now); e != nil {
		return nil, e
	}
	return t, nil
}

// agentOf gives the id of the first agent that an audience names, or "".
func (p *Payments) agentOf(audience []string) string {
	for _, name := range audience {
		if a, ok := p.cfg.Agent(name); ok {
			return a.ID
		}
	}
	return ""
}

// meantFor reports whether a token is for an agent: it names it in one of the
// usual ways, or this platform, or nobody.
func (p *Payments) meantFor(audience []string, agentID string) bool {
	base := p.cfg.BaseURL()
	if len(audience) == 0 || agentID == "" || slices.Contains(audience, base) {
		return true
	}
	names := []string{agentID, "robutler-agent:" + agentID, "webagents-agent:" + agentID, base + "/api/agents/" + agentID}
	if a, ok := p.cfg.Agent(agentID); ok {
		names = append(names, a.Username, "@"+a.Username, base+"/"+a.Username, base+"/agents/"+a.Username, base+"/api/agents/"+a.Username)
	}
	return slices.ContainsFunc(audience, func(aud string) bool { return slices.Contains(names, aud) })
}

// VerifyRequest asks about a token. It counts for an audience when it names one
// of those; with none it counts for everybody. AgentID, when set, is who asks:
// the simulator may lie to it.
type VerifyRequest struct {
	Token    string
	Audience []string
	AgentID  string
}

// Verification says whether a token counts. Reason is there when it does not.
type Verification struct {
	Valid   bool
	Reason  string
	Subcode string
	Balance Amount
	Token   *Token // nil for one that is unknown
}

// Verify looks at a token. It never fails: what cannot be checked does not count.
func (p *Payments) Verify(ctx context.Context, r VerifyRequest) Verification {
	refuse := func(err error, t *Token) Verification {
		v := Verification{Token: t, Reason: "payments cannot be checked now: try again"}
		if e := contract.AsError(err); e != nil {
			v.Reason = e.Message
			if f, ok := e.Details.(contract.PaymentFailure); ok {
				v.Subcode = f.Subcode
			}
		} else {
			p.cfg.Log.Error("a payment token could not be checked", "error", err)
		}
		return v
	}
	id, e := p.Identify(r.Token)
	if e != nil {
		return refuse(e, nil)
	}
	t, err := p.cfg.Store.PaymentToken(ctx, id)
	if err != nil {
		return refuse(err, nil)
	}
	if e := unusable(t, id, p.now()); e != nil {
		return refuse(e, t)
	}
	agentID := r.AgentID
	if agentID == "" {
		agentID = p.agentOf(t.Audience)
	}
	if len(r.Audience) > 0 && !slices.ContainsFunc(r.Audience, func(aud string) bool { return p.audienceHas(t.Audience, aud) }) {
		return refuse(invalid(contract.SubTokenAudience, "payment token %s is meant for somebody else", t.ID), t)
	}
	if err := p.simulated(ctx, agentID, false); err != nil {
		return refuse(err, t)
	}
	v := Verification{Valid: true, Balance: t.Balance, Token: t}
	if p.cfg.Faults(agentID).InsufficientBalance {
		v.Balance = 0
	}
	return v
}

// audienceHas reports whether an audience names somebody, who may be an agent
// under another of its names.
func (p *Payments) audienceHas(audience []string, wanted string) bool {
	if slices.Contains(audience, wanted) {
		return true
	}
	a, ok := p.cfg.Agent(wanted)
	return ok && p.meantFor(audience, a.ID)
}

// simulated does what the simulator asks of every call about an agent: wait, and
// refuse the token. spend says that the call needs its balance.
func (p *Payments) simulated(ctx context.Context, agentID string, spend bool) error {
	f := p.cfg.Faults(agentID)
	if err := p.pause(ctx, f.LatencyMs); err != nil {
		return err
	}
	switch {
	case f.ExpiredToken:
		return invalid(contract.SubTokenExpired, "the payment token has expired (simulated)")
	case f.InsufficientBalance && spend:
		return short(contract.InsufficientToken, 0, "the payment token has not enough (simulated)")
	}
	return nil
}

func (p *Payments) pause(ctx context.Context, ms int64) error {
	if ms <= 0 {
		return nil
	}
	return p.cfg.Wait(ctx, time.Duration(ms)*time.Millisecond)
}

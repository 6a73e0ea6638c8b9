package httpapi

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// payerScopes are what a payment token opens where payments are made; whose
// money it moves is the handler's to check.
var payerScopes = []string{contract.ScopeRead, contract.ScopeInvoke}

// identifyPayer asks who is calling a payment route: a payment token counts
// there beside everything that counts elsewhere (contract.md 5.3), and a call
// without a credential as the owner's when the owner has said so.
func (c *call) identifyPayer(row *route) error {
	bearer, err := credentialOf(c.r)
	if err != nil || !isPaymentToken(bearer) {
		if err := c.identify(); err != nil {
			return err
		}
		relaxed := c.caller.Kind == auth.KindAnonymous && row.method == http.MethodPost && c.origin == originNone
		if relaxed && c.api.deps.Settings.Get().RelaxedPayments {
			c.caller = auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}
		}
		return nil
	}
	v := c.api.deps.Payments.Verify(c.r.Context(), payments.VerifyRequest{Token: bearer})
	if !v.Valid {
		c.badCredential = true
		return contract.Errorf(contract.Unauthorized, "the bearer token is not valid here: %s", v.Reason)
	}
	c.caller = auth.Caller{Kind: auth.KindPayment, UserID: v.Token.Subject, TokenID: v.Token.ID, Scopes: payerScopes}
	return nil
}

// isPaymentToken looks at what kind of token a bearer says it is.
func isPaymentToken(bearer string) bool {
	head, _, ok := strings.Cut(bearer, ".")
	if !ok {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(head)
	var header struct {
		Typ string `json:"typ"`
	}
	return err == nil && json.Unmarshal(text, &header) == nil && header.Typ == contract.PaymentTokenType
}

// isOwner reports whether a caller moves the owner's money: the session, or a
// portal token of the owner that no agent is bound to.
func (c *call) isOwner() bool {
	return c.caller.Kind == auth.KindOwner || c.caller.Kind == auth.KindPortal && c.caller.AgentID == ""
}

// by says whose idempotency keys these are.
func (c *call) by() string {
	switch {
	case c.caller.Kind == auth.KindPayment:
		return payments.TokenAccount(c.caller.TokenID)
	case c.isOwner():
		return payments.Owner
	}
	return payments.AgentAccount(c.caller.AgentID)
}

// payerAgent gives the agent that a call is about: the caller's own, or the one
// that its body names.
func (c *call) payerAgent(ref string) (string, error) {
	if ref == "" {
		return c.caller.AgentID, nil
	}
	a, ok := c.api.deps.Agents.Resolve(ref)
	if c.caller.AgentID != "" && (!ok || a.ID != c.caller.AgentID) {
		return "", contract.Errorf(contract.Forbidden, "this credential belongs to another agent")
	}
	if !ok {
		return "", contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", ref)
	}
	return a.ID, nil
}

func (c *call) payerAgentRow() agents.Agent {
	a, _ := c.api.deps.Agents.Resolve(c.caller.AgentID)
	return a
}

// holds checks that a caller may use the token that it names, by its text or by
// its id, and gives the text or the id. Whoever has the text of a token may use
// it, but a payment token as the credential opens itself and its descendants
// only; an id is enough for the owner.
func (c *call) holds(text, id string) (string, string, error) {
	switch {
	case c.caller.Kind == auth.KindPayment && text == "" && id == "":
		bearer, err := bearerOf(c.r)
		return bearer, "", err
	case c.caller.Kind == auth.KindPayment:
		if id == "" {
			var e *contract.Error
			if id, e = c.api.deps.Payments.Identify(text); e != nil {
				return "", "", e
			}
		}
		t, err := c.api.deps.Payments.Row(c.r.Context(), id)
		if err != nil {
			return "", "", err
		}
		if t == nil || !c.below(t) {
			return "", "", contract.Errorf(contract.Forbidden, "this payment token opens itself and what was delegated out of it, nothing else")
		}
		return "", id, nil
	case id != "" && !c.isOwner():
		return "", "", contract.Errorf(contract.Forbidden, "name the token by its text: only its owner may name it by its id")
	}
	return text, id, nil
}

// below reports whether a token is the caller's or one of its descendants.
func (c *call) below(t *payments.Token) bool {
	return t.ID == c.caller.TokenID || slices.Contains(t.Chain, c.caller.TokenID)
}

// usesLock checks that a caller may settle, extend or release a lock.
func (c *call) usesLock(id string) error {
	l, err := c.api.deps.Payments.LockRow(c.r.Context(), id)
	if err != nil {
		return err
	}
	ok := c.isOwner() || c.caller.AgentID != "" && (l.AgentID == c.caller.AgentID || l.By == payments.AgentAccount(c.caller.AgentID))
	if c.caller.Kind == auth.KindPayment {
		t, err := c.api.deps.Payments.Row(c.r.Context(), l.TokenID)
		if err != nil {
			return err
		}
		ok = t != nil && c.below(t)
	}
	if !ok {
		return contract.Errorf(contract.Forbidden, "this credential has no part in lock %.64s", id)
	}
	return nil
}

// tokenFor reads a token that the caller may see or, with change, end and refill:
// an agent sees what is meant for it and changes what it delegated or paid for.
func (c *call) tokenFor(id string, change bool) (*payments.Token, error) {
	t, err := c.api.deps.Payments.Row(c.r.Context(), id)
	if err != nil {
		return nil, err
	}
	switch {
	case t == nil && (c.isOwner() || c.caller.AgentID != ""):
		return nil, contract.Errorf(contract.PaymentTokenNotFound, "no payment token has the id %.64q", id)
	case t == nil, c.isOwner():
	case c.caller.Kind == auth.KindPayment:
		if c.below(t) {
			return t, nil
		}
		t = nil
	case t.DelegatedBy == c.caller.AgentID, t.ParentID == "" && t.Payer == payments.AgentAccount(c.caller.AgentID):
	case !change && slices.ContainsFunc(t.Audience, func(aud string) bool { return slices.Contains(c.names(), aud) }):
	default:
		t = nil
	}
	if t == nil {
		return nil, contract.Errorf(contract.Forbidden, "this credential has no part in payment token %.64s", id)
	}
	return t, nil
}

// names are those under which tokens are meant for the calling agent.
func (c *call) names() []string {
	a := c.payerAgentRow()
	names := []string{c.caller.AgentID}
	if a.Username != "" {
		base := c.api.deps.URL()
		names = append(names, a.Username, "@"+a.Username, base+"/"+a.Username, base+"/agents/"+a.Username, base+"/api/agents/"+a.ID)
	}
	return names
}

// key gives the idempotency key of a call: header or body.
func (c *call) key(body string) (string, error) {
	h := c.r.Header["Idempotency-Key"]
	switch {
	case len(h) == 0:
		return body, nil
	case len(h) > 1 || h[0] == "" || body != "" && body != h[0]:
		return "", contract.Errorf(contract.InvalidIdempotentKey, "send one idempotency key, in the header Idempotency-Key or as idempotencyKey")
	}
	return h[0], nil
}

// replay marks an answer that is that of an earlier call.
func (c *call) replay(replayed bool) bool {
	if replayed {
		c.w.Header()["Idempotent-Replayed"] = []string{"true"}
	}
	return replayed
}

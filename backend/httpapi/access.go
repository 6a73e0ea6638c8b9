package httpapi

import (
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// access says who may call a route.
type access int

const (
	// open routes look at no credential, or at one of their own.
	open access = iota
	// signedLink routes carry their credential in the address: any page may use one.
	signedLink
	// public routes are for everybody; a credential that is not valid is refused.
	public
	// manage, manageRead and manageInvoke are an owner session, or a portal token
	// or API key that reaches the agent which the route addresses and has the
	// scope: write, read, invoke (spec 5 rule 1).
	manage
	manageRead
	manageInvoke
	// pay and payRead are what managers may, and whoever has a payment token: the
	// handler looks at whose money it is (contract.md 5.3). Their failures have the
	// form of contract.md 5.4.
	pay
	payRead
	// ownerOnly is the owner session and nothing else (spec 5 rule 2).
	ownerOnly
)

// rule is what a caller must be: one of the kinds and, unless it is the owner
// session, with the scope.
type rule struct {
	kinds []string
	scope string
}

var (
	everybody = []string{auth.KindAnonymous, auth.KindOwner, auth.KindPortal, auth.KindAgent, auth.KindAdmin, auth.KindVisitor}
	managers  = []string{auth.KindOwner, auth.KindPortal, auth.KindAgent}
	payers    = []string{auth.KindOwner, auth.KindPortal, auth.KindAgent, auth.KindPayment}
)

// rules is the one table of who may call what. An admin and a visitor are
// people of custom endpoints: they manage nothing.
var rules = map[access]rule{
	open:         {kinds: everybody},
	signedLink:   {kinds: everybody},
	public:       {kinds: everybody},
	manage:       {kinds: managers, scope: contract.ScopeWrite},
	manageRead:   {kinds: managers, scope: contract.ScopeRead},
	manageInvoke: {kinds: managers, scope: contract.ScopeInvoke},
	pay:          {kinds: payers, scope: contract.ScopeInvoke},
	payRead:      {kinds: payers, scope: contract.ScopeRead},
	ownerOnly:    {kinds: []string{auth.KindOwner}},
}

// allows reports whether a caller fits, and for one who does not, why.
func (r rule) allows(caller auth.Caller) error {
	for _, kind := range r.kinds {
		if kind != caller.Kind {
			continue
		}
		if r.scope != "" && !caller.Has(r.scope) {
			return contract.Errorf(contract.Forbidden, "this takes the scope %s, which the credential does not have", r.scope)
		}
		return nil
	}
	if caller.Kind == auth.KindAnonymous {
		return contract.Errorf(contract.Unauthorized, "sign in first: an owner session (cookie) or a bearer token is needed here")
	}
	return contract.Errorf(contract.Forbidden, "a credential of the kind %s is not enough here; this takes %s", caller.Kind, r.kinds[0])
}

// Surfaces of Function-Authoring-Surface, spec section 5.
const surfaceHost = "host"

var surfaces = map[string]bool{"factory": true, surfaceHost: true, "ui": true, "cli": true}

// admit holds a call to its row: who is calling, on whose behalf, about which
// agent.
func (a *api) admit(c *call, row *route) error {
	if row.access == signedLink {
		return nil // the handler holds the address to its signature
	}
	switch row.access {
	case open:
	case pay, payRead:
		c.ofPayments = true
		if err := c.identifyPayer(row); err != nil {
			return err
		}
	default:
		if err := c.identify(); err != nil {
			return err
		}
	}
	if err := rules[row.access].allows(c.caller); err != nil {
		return err
	}
	if s := c.r.Header["Function-Authoring-Surface"]; len(s) > 0 {
		if len(s) > 1 || !surfaces[s[0]] {
			return contract.Errorf(contract.InvalidSurface, "Function-Authoring-Surface must be one of factory, host, ui, cli")
		}
		c.surface = s[0]
	}
	ref := c.r.PathValue("agent")
	if ref == "" {
		return nil
	}
	var found bool
	c.agent, found = a.deps.Agents.Resolve(ref)
	// A credential bound to one agent reaches no other, and does not learn
	// which others there are (spec 5 rule 3).
	if c.caller.AgentID != "" && (!found || c.caller.AgentID != c.agent.ID) {
		return contract.Errorf(contract.Forbidden, "this credential belongs to another agent")
	}
	if !found {
		return contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", ref)
	}
	if c.surface == surfaceHost && c.caller.Kind != auth.KindOwner && c.caller.AgentID == "" {
		return contract.Errorf(contract.Forbidden, "a host edit takes the credential of the agent that is edited")
	}
	return nil
}

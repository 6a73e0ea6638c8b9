package httpapi

import (
	"cmp"
	"net/http"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// makeAgentKey makes an API key of an agent and shows it this once,
// contract.md 6.5. It takes no body.
func (a *api) makeAgentKey(c *call) error {
	key, err := a.deps.Auth.MakeAgentKey(c.r.Context(), c.agent.ID)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, key)
}

func (a *api) listAgentKeys(c *call) error { return c.ok(a.deps.Auth.AgentKeys(c.agent.ID)) }

// dropAgentKey ends the key of {id}, or all of the agent's keys where the path
// names none.
func (a *api) dropAgentKey(c *call) error {
	return c.revoked(a.deps.Auth.DropAgentKey(c.r.Context(), c.agent.ID, c.r.PathValue("id")))
}

// revoked answers the end of a credential. One that is named and not there is
// an error, "all of them" of none is not.
func (c *call) revoked(removed bool, err error) error {
	if err != nil {
		return err
	}
	if id := c.r.PathValue("id"); id != "" && !removed {
		return contract.Errorf(contract.NotFound, "there is nothing with the id %.64q to end", id)
	}
	return c.ok(contract.RevokeResponse{OK: true, Removed: removed})
}

func (a *api) makeAdminKey(c *call) error {
	key, err := a.deps.Auth.MakeAdminKey(c.r.Context())
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, key)
}

func (a *api) listAdminKeys(c *call) error { return c.ok(a.deps.Auth.AdminKeys()) }

func (a *api) dropAdminKey(c *call) error {
	return c.revoked(a.deps.Auth.DropAdminKey(c.r.Context(), c.r.PathValue("id")))
}

// validateKey says whose an API key is, contract.md 6.3. Only keys count: no
// other credential can be tried out here.
func (a *api) validateKey(c *call) error {
	var req contract.ValidateKeyRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.APIKey == "" {
		return contract.Errorf(contract.InvalidRequest, "apiKey is missing")
	}
	caller, ok := a.deps.Auth.KeyCaller(req.APIKey)
	if !ok {
		return c.ok(contract.ValidateKeyResponse{Message: "the key is unknown or was ended"})
	}
	out := contract.ValidateKeyResponse{Success: true, User: &contract.KeyUser{ID: caller.UserID}}
	switch caller.Kind {
	case auth.KindAgent:
		ag, found := a.deps.Agents.Resolve(caller.AgentID)
		if !found {
			return c.ok(contract.ValidateKeyResponse{Message: "the agent of the key is gone"})
		}
		out.User.ID = auth.OwnerUserID
		out.Agent = &contract.KeyAgent{ID: ag.ID, Username: ag.Username}
	case auth.KindAdmin:
		out.User.IsAdmin = true
	case auth.KindVisitor:
		v, _ := a.deps.Auth.Visitor(caller.UserID)
		out.User.Email, out.User.Name = v.Email, v.Name
	}
	return c.ok(out)
}

// agentToken exchanges an agent's API key for a portal token of the agent.
func (a *api) agentToken(c *call) error {
	var req contract.AgentTokenRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.AgentID == "" || req.Secret == "" {
		return contract.Errorf(contract.InvalidRequest, "agentId and secret are needed: an agent and one of its API keys")
	}
	ag, _ := a.deps.Agents.Resolve(req.AgentID)
	out, err := a.deps.Auth.AgentToken(c.r.Context(), ag.ID, req.Secret)
	if err != nil {
		c.badCredential = true
		return err
	}
	return c.ok(out)
}

// makeToken issues a portal token.
func (a *api) makeToken(c *call) error {
	var req contract.PortalTokenRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	agentID := ""
	if req.Agent != "" {
		ag, ok := a.deps.Agents.Resolve(req.Agent)
		if !ok {
			return contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", req.Agent)
		}
		agentID = ag.ID
	}
	// A subject that names an agent binds the token to it.
	subject, isAgent := a.deps.Agents.Resolve(req.Subject)
	if isAgent = isAgent && req.Subject == subject.ID; isAgent {
		if agentID != "" && agentID != subject.ID {
			return contract.Errorf(contract.InvalidRequest, "sub and agent name two agents")
		}
		agentID = cmp.Or(agentID, subject.ID)
	}
	out, err := a.deps.Auth.Issue(c.r.Context(), req, agentID, isAgent)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, out)
}

func (a *api) listTokens(c *call) error { return c.ok(a.deps.Auth.Tokens()) }

func (a *api) revokeToken(c *call) error {
	return c.revoked(a.deps.Auth.Revoke(c.r.Context(), c.r.PathValue("id")))
}

func (a *api) makeVisitor(c *call) error {
	var req contract.VisitorRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	v, err := a.deps.Auth.MakeVisitor(c.r.Context(), req)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, v)
}

func (a *api) listVisitors(c *call) error { return c.ok(a.deps.Auth.Visitors()) }

func (a *api) dropVisitor(c *call) error {
	return c.revoked(a.deps.Auth.DropVisitor(c.r.Context(), c.r.PathValue("id")))
}

func (a *api) makeVisitorKey(c *call) error {
	key, err := a.deps.Auth.MakeVisitorKey(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, key)
}

func (a *api) makeVisitorSession(c *call) error {
	s, err := a.deps.Auth.MakeVisitorSession(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, s)
}

// discovery is /.well-known/openid-configuration: who verifies our tokens finds
// the keys by it.
func (a *api) discovery(c *call) error {
	base := a.deps.URL()
	return c.ok(contract.Discovery{
		Issuer: base, JWKSURI: base + "/.well-known/jwks.json", TokenEndpoint: base + "/auth/token",
		ScopesSupported: []string{contract.ScopeRead, contract.ScopeWrite, contract.ScopeInvoke},
		ResponseTypes:   []string{"token"}, GrantTypes: []string{"client_credentials"}, SubjectTypes: []string{"public"},
		SigningAlgorithms: []string{"RS256"}, TokenEndpointAuthMode: []string{"client_secret_post"},
	})
}

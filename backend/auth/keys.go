package auth

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// KeyPrefix begins every API key, as on the hosted platform.
const KeyPrefix = "rb_"

// maxKey bounds what is hashed of a key; ours have 46 characters. maxKeys is
// how many keys one agent or visitor may have.
const (
	maxKey  = 128
	maxKeys = 100
)

// MakeAgentKey makes an API key of an agent. The value is shown this once.
func (a *Auth) MakeAgentKey(ctx context.Context, agentID string) (contract.CreatedKey, error) {
	return a.makeKey(ctx, KeyAgent, agentID)
}

// MakeAdminKey makes a key whose holder is an admin at custom endpoints. It
// opens no route of the management API.
func (a *Auth) MakeAdminKey(ctx context.Context) (contract.CreatedKey, error) {
	return a.makeKey(ctx, KeyAdmin, "")
}

func (a *Auth) makeKey(ctx context.Context, kind, subject string) (contract.CreatedKey, error) {
	value, row, err := a.registry.addKey(ctx, kind, subject, time.Time{})
	if err != nil {
		return contract.CreatedKey{}, err
	}
	return contract.CreatedKey{RawKey: value, Key: keyInfo(row)}, nil
}

// AgentKeys lists an agent's keys, AdminKeys those of the admin.
func (a *Auth) AgentKeys(agentID string) contract.KeyList { return a.keyList(KeyAgent, agentID) }

// AdminKeys lists the admin's keys.
func (a *Auth) AdminKeys() contract.KeyList { return a.keyList(KeyAdmin, "") }

func (a *Auth) keyList(kind, subject string) contract.KeyList {
	out := contract.KeyList{Keys: []contract.KeyInfo{}}
	for _, k := range a.registry.keysOf(kind, subject) {
		out.Keys = append(out.Keys, keyInfo(k))
	}
	return out
}

func keyInfo(k KeyRow) contract.KeyInfo {
	return contract.KeyInfo{ID: k.ID, KeyPrefix: k.Prefix, CreatedAt: k.CreatedAt}
}

// DropAgentKey ends one of an agent's keys, or all of them for an empty id, and
// the tokens made with them. False: there was none.
func (a *Auth) DropAgentKey(ctx context.Context, agentID, id string) (bool, error) {
	n, err := a.registry.dropKeys(ctx, func(k KeyRow) bool {
		return k.Kind == KeyAgent && k.SubjectID == agentID && (id == "" || k.ID == id)
	})
	return n > 0, err
}

// ForgetAgent ends all keys of an agent that is deleted, and all tokens that are
// bound to it or were made with them.
func (a *Auth) ForgetAgent(ctx context.Context, agentID string) error {
	if _, err := a.DropAgentKey(ctx, agentID, ""); err != nil {
		return err
	}
	for _, t := range a.registry.tokenList() {
		if t.AgentID != agentID || !t.RevokedAt.IsZero() {
			continue
		}
		if _, err := a.Revoke(ctx, t.ID); err != nil {
			return err
		}
	}
	return nil
}

// DropAdminKey ends one of the admin's keys, or all of them for an empty id.
func (a *Auth) DropAdminKey(ctx context.Context, id string) (bool, error) {
	n, err := a.registry.dropKeys(ctx, func(k KeyRow) bool {
		return k.Kind == KeyAdmin && (id == "" || k.ID == id)
	})
	return n > 0, err
}

// KeyCaller says whose API key a text is; false when it is none. It is what
// POST /api/auth/validate-key asks, where no other credential counts.
func (a *Auth) KeyCaller(value string) (Caller, bool) {
	k, ok := a.registry.key(value, KeyAgent, KeyAdmin, KeyVisitor)
	if !ok {
		return Caller{Kind: KindAnonymous}, false
	}
	return callerOfKey(k), true
}

func callerOfKey(k KeyRow) Caller {
	switch k.Kind {
	case KeyAgent:
		return Caller{Kind: KindAgent, AgentID: k.SubjectID, Scopes: allScopes}
	case KeyAdmin:
		return Caller{Kind: KindAdmin, UserID: AdminUserID}
	default:
		return Caller{Kind: KindVisitor, UserID: k.SubjectID}
	}
}

// AgentToken exchanges an agent's API key for a portal token of that agent. The
// error is the same for an unknown key and for one of another agent.
func (a *Auth) AgentToken(ctx context.Context, agentID, secret string) (contract.AgentTokenResponse, error) {
	out, err := a.ClientToken(ctx, agentID, secret, TokenTerms{Audience: []string{a.url()}, Lifetime: contract.AgentTokenLifetime})
	return contract.AgentTokenResponse{Token: out.Token, ExpiresAt: out.ExpiresAt}, err
}

// TokenTerms are what a token is asked for with. No Scopes are all of them.
type TokenTerms struct {
	Scopes   []string
	Audience []string
	Lifetime time.Duration
}

// ClientToken is a token with its terms.
type ClientToken struct {
	Token     string
	Scopes    []string
	ExpiresAt time.Time
}

// ClientToken is AgentToken on other terms. The token ends with the key.
func (a *Auth) ClientToken(ctx context.Context, agentID, secret string, terms TokenTerms) (ClientToken, error) {
	k, ok := a.registry.key(secret, KeyAgent)
	if !ok || agentID == "" || k.SubjectID != agentID {
		return ClientToken{}, contract.Errorf(contract.Unauthorized, "agentId and secret do not belong together: secret is one of the agent's API keys")
	}
	if len(terms.Scopes) == 0 {
		terms.Scopes = allScopes
	}
	if err := a.makeRoom(ctx, k.ID); err != nil {
		return ClientToken{}, err
	}
	token, row, err := a.issue(ctx, TokenRow{
		Subject: agentID, AgentID: agentID, KeyID: k.ID, Audience: terms.Audience, Scopes: terms.Scopes,
		ExpiresAt: a.now().Add(terms.Lifetime),
	})
	if err != nil {
		return ClientToken{}, err
	}
	return ClientToken{Token: token, Scopes: row.Scopes, ExpiresAt: row.ExpiresAt}, nil
}

package auth

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"benchtop/backend/contract"
)

// PortalTokenType is the typ header of a portal token.
const PortalTokenType = "portal"

// ServicePrefix begins the subject of a service's token; such a caller is an
// admin at custom endpoints (contract.md 6.3).
const ServicePrefix = "service:"

// Bounds of what a token may say.
const (
	maxScopes    = 32
	maxAudience  = 16
	maxClaimText = 256
	// maxKeyTokens is how many live tokens one API key may have; the oldest ends
	// when another is made.
	maxKeyTokens = 100
)

var allScopes = []string{contract.ScopeRead, contract.ScopeWrite, contract.ScopeInvoke}

func newID() string { return uuid.NewString() }

// PortalClaims are the claims of a portal token. Scope repeats Scopes in the
// form of OAuth.
type PortalClaims struct {
	jwt.RegisteredClaims
	Scopes  []string `json:"scopes"`
	Scope   string   `json:"scope"`
	AgentID string   `json:"agent_id,omitempty"`
}

// Validate is asked by the parser beside the times and the signature.
func (c *PortalClaims) Validate() error {
	if c.Subject == "" || c.ID == "" || c.Issuer == "" || len(c.Audience) == 0 || c.IssuedAt == nil {
		return errors.New("the token does not say who it is for")
	}
	return nil
}

// Issue makes a portal token. agentID is the agent that req.Agent names, or
// empty; subjectIsAgent says that req.Subject is the id of that agent.
func (a *Auth) Issue(ctx context.Context, req contract.PortalTokenRequest, agentID string, subjectIsAgent bool) (contract.PortalTokenResponse, error) {
	row, err := a.tokenFor(req, agentID, subjectIsAgent)
	if err != nil {
		return contract.PortalTokenResponse{}, err
	}
	token, row, err := a.issue(ctx, row)
	if err != nil {
		return contract.PortalTokenResponse{}, err
	}
	return contract.PortalTokenResponse{Token: token, Info: tokenInfo(row)}, nil
}

func (a *Auth) tokenFor(req contract.PortalTokenRequest, agentID string, subjectIsAgent bool) (row TokenRow, err error) {
	row = TokenRow{Subject: req.Subject, AgentID: agentID, Audience: req.Audience, Scopes: req.Scopes}
	if row.Subject == "" {
		row.Subject = OwnerUserID
	}
	if _, visitor := a.registry.visitor(row.Subject); !subjectIsAgent && !visitor && row.Subject != OwnerUserID && !isService(row.Subject) {
		return row, contract.Errorf(contract.InvalidRequest, "sub %.64q is nobody here: use %s, the id of a visitor, the id of an agent or %s<name>", row.Subject, OwnerUserID, ServicePrefix)
	}
	if row.Audience == nil {
		row.Audience = []string{a.url()}
	}
	if row.Scopes == nil {
		row.Scopes = slices.Clone(allScopes)
	}
	if len(row.Audience) == 0 || len(row.Audience) > maxAudience || slices.ContainsFunc(row.Audience, badText) {
		return row, contract.Errorf(contract.InvalidRequest, "aud must be one printable text or 1 to %d of them, of %d characters at most", maxAudience, maxClaimText)
	}
	if len(row.Scopes) > maxScopes || slices.ContainsFunc(row.Scopes, badScope) {
		return row, contract.Errorf(contract.InvalidRequest, "scopes must be %d words at most, each of printable characters without spaces, quotes and backslashes", maxScopes)
	}
	life := contract.DefaultTokenLifetime
	if s := req.ExpiresInSeconds; s != 0 {
		if s < 1 || s > int64(contract.MaxTokenLifetime/time.Second) {
			return row, contract.Errorf(contract.InvalidRequest, "expiresInSeconds must be from 1 to %d", int64(contract.MaxTokenLifetime/time.Second))
		}
		life = time.Duration(s) * time.Second
	}
	row.ExpiresAt = a.now().Add(life)
	return row, nil
}

func isService(subject string) bool {
	name, ok := strings.CutPrefix(subject, ServicePrefix)
	return ok && name != "" && !badText(subject)
}

func badText(s string) bool {
	return s == "" || len(s) > maxClaimText || strings.ContainsFunc(s, notPrintable)
}

func badScope(s string) bool {
	return badText(s) || strings.ContainsAny(s, `"\`)
}

// issue signs a token and stores its row, in this order: a stored token that
// nobody has does no harm.
func (a *Auth) issue(ctx context.Context, row TokenRow) (string, TokenRow, error) {
	// Whole seconds, as in the token.
	row.ID, row.IssuedAt = newID(), a.now().UTC().Truncate(time.Second)
	row.ExpiresAt = row.ExpiresAt.UTC().Truncate(time.Second)
	if !row.ExpiresAt.After(row.IssuedAt) {
		row.ExpiresAt = row.IssuedAt.Add(time.Second)
	}
	token, err := a.Sign(PortalTokenType, &PortalClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: a.url(), Subject: row.Subject, Audience: row.Audience, ID: row.ID,
			IssuedAt: jwt.NewNumericDate(row.IssuedAt), ExpiresAt: jwt.NewNumericDate(row.ExpiresAt),
		},
		Scopes: row.Scopes, Scope: strings.Join(row.Scopes, " "), AgentID: row.AgentID,
	})
	if err != nil {
		return "", row, err
	}
	return token, row, a.registry.putToken(ctx, row)
}

// makeRoom ends the oldest tokens of a key that has too many.
func (a *Auth) makeRoom(ctx context.Context, keyID string) error {
	var live []TokenRow // newest first
	for _, t := range a.registry.tokenList() {
		if t.KeyID == keyID && t.RevokedAt.IsZero() {
			live = append(live, t)
		}
	}
	for i := maxKeyTokens - 1; i < len(live); i++ {
		if _, err := a.Revoke(ctx, live[i].ID); err != nil {
			return err
		}
	}
	return nil
}

// Tokens lists the portal tokens that have not expired, the newest first.
func (a *Auth) Tokens() contract.TokenList {
	out := contract.TokenList{Tokens: []contract.TokenInfo{}}
	for _, t := range a.registry.tokenList() {
		out.Tokens = append(out.Tokens, tokenInfo(t))
	}
	return out
}

func tokenInfo(t TokenRow) contract.TokenInfo {
	info := contract.TokenInfo{
		ID: t.ID, Subject: t.Subject, Audience: t.Audience, Scopes: t.Scopes, AgentID: t.AgentID,
		IssuedAt: t.IssuedAt, ExpiresAt: t.ExpiresAt,
	}
	if !t.RevokedAt.IsZero() {
		info.RevokedAt = &t.RevokedAt
	}
	return info
}

// Revoke ends a portal token by its jti; false when there is none to end.
func (a *Auth) Revoke(ctx context.Context, id string) (bool, error) {
	t, ok := a.registry.token(id)
	if !ok || !t.RevokedAt.IsZero() {
		return false, nil
	}
	t.RevokedAt = a.now().UTC().Truncate(time.Microsecond)
	return true, a.registry.putToken(ctx, t)
}

// VerifyPortal checks a portal token: signature and type, its issuer, which is
// this platform, that it was issued and not revoked, and that it is meant for
// one of the audiences; with none it is meant for this platform. The error says
// what is wrong and never repeats the token.
func (a *Auth) VerifyPortal(token string, audiences ...string) (*PortalClaims, error) {
	var c PortalClaims
	if err := a.Verify(PortalTokenType, token, &c); err != nil {
		return nil, err
	}
	if c.Issuer != a.url() {
		return nil, errors.New("the token was issued by another platform")
	}
	if len(audiences) == 0 {
		audiences = []string{a.url()}
	}
	if !slices.ContainsFunc(c.Audience, func(aud string) bool { return slices.Contains(audiences, aud) }) {
		return nil, errors.New("the token is meant for somebody else")
	}
	row, ok := a.registry.token(c.ID)
	if !ok {
		return nil, errors.New("this platform has not issued the token, or has forgotten it")
	}
	if !row.RevokedAt.IsZero() {
		return nil, errors.New("the token was revoked")
	}
	return &c, nil
}

// portalCaller says who a portal token stands for.
func (a *Auth) portalCaller(token string) (Caller, error) {
	c, err := a.VerifyPortal(token)
	if err != nil {
		return Caller{Kind: KindAnonymous}, contract.Errorf(contract.Unauthorized, "the bearer token is not valid here: %s", plain(err))
	}
	caller := Caller{Kind: KindPortal, UserID: c.Subject, AgentID: c.AgentID, TokenID: c.ID, Scopes: c.Scopes}
	switch {
	case c.Subject == OwnerUserID:
	case c.Subject == c.AgentID:
		caller.UserID = ""
	case strings.HasPrefix(c.Subject, ServicePrefix):
		caller.Kind = KindAdmin
	default:
		if _, ok := a.registry.visitor(c.Subject); !ok {
			return Caller{Kind: KindAnonymous}, contract.Errorf(contract.Unauthorized, "the bearer token is not valid here: whoever it was issued for is gone")
		}
		caller.Kind = KindVisitor
	}
	return caller, nil
}

// plain gives one line for whoever presented a token.
func plain(err error) string {
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return "it has expired"
	case errors.Is(err, jwt.ErrTokenMalformed), errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		return "it is none of this platform's portal tokens"
	case errors.Is(err, jwt.ErrTokenInvalidClaims):
		return "its claims do not hold"
	}
	return err.Error()
}

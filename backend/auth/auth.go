// Package auth owns who is calling: the owner key, one-time login codes,
// sessions, API keys, test visitors, and the RS256 key that signs the
// platform's tokens (spec section 5, decisions.md 1 to 3).
package auth

import (
	"context"
	"time"
)

// SessionRow is a stored session; the cookie's value is kept hashed only.
type SessionRow struct {
	Hash      string // SHA-256 of the cookie's value, hexadecimal
	KeyID     string // of the owner key it was made under: void when that changes
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Kinds of stored keys. A visitor's cookie is no key: it never counts as a
// bearer, and a key never as a cookie.
const (
	KeyAgent         = "agent"
	KeyAdmin         = "admin"
	KeyVisitor       = "visitor"
	KeyVisitorCookie = "visitor_cookie"
)

// KeyRow is a stored API key or visitor's cookie; its value is kept hashed only.
type KeyRow struct {
	ID        string
	Kind      string
	Hash      string // SHA-256 of the value, hexadecimal
	Prefix    string // the beginning of the value, to recognise it by
	SubjectID string // of the agent or visitor; empty for an admin
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
}

// TokenRow is an issued portal token. What is not stored does not count, so
// that a token ends when its row does.
type TokenRow struct {
	ID        string // jti
	Subject   string
	AgentID   string // empty: not bound to one
	KeyID     string // of the API key it was made with; it ends with that
	Audience  []string
	Scopes    []string
	IssuedAt  time.Time
	ExpiresAt time.Time
	RevokedAt time.Time // zero: it counts
}

// VisitorRow is a test visitor.
type VisitorRow struct {
	ID        string
	Name      string
	Email     string
	AvatarURL string
	CreatedAt time.Time
}

// Store keeps credentials. Writes are durable when they return.
type Store interface {
	PutSession(ctx context.Context, s SessionRow) error
	// Session gives nil when there is none.
	Session(ctx context.Context, hash string) (*SessionRow, error)
	DeleteSession(ctx context.Context, hash string) error
	DropSessions(ctx context.Context, before time.Time) error

	PutKey(ctx context.Context, k KeyRow) error
	// ListKeys gives all keys, the oldest first.
	ListKeys(ctx context.Context) ([]KeyRow, error)
	// DeleteKeys ends keys and revokes the tokens that were made with them.
	DeleteKeys(ctx context.Context, ids []string, revokedAt time.Time) error

	// PutToken stores a token or replaces it.
	PutToken(ctx context.Context, t TokenRow) error
	// ListTokens gives all tokens, the oldest first.
	ListTokens(ctx context.Context) ([]TokenRow, error)
	// DropTokens forgets tokens that expired before.
	DropTokens(ctx context.Context, before time.Time) error

	PutVisitor(ctx context.Context, v VisitorRow) error
	// ListVisitors gives all visitors, the oldest first.
	ListVisitors(ctx context.Context) ([]VisitorRow, error)
	// DeleteVisitor ends a visitor with the keys it has.
	DeleteVisitor(ctx context.Context, id string) error
}

// Kinds of callers.
const (
	KindAnonymous = "anonymous"
	KindOwner     = "owner"   // the owner session
	KindPortal    = "portal"  // an RS256 portal token of the owner or of an agent
	KindAgent     = "agent"   // an agent's API key
	KindAdmin     = "admin"   // an admin of custom endpoints: a key, or a service's token
	KindVisitor   = "visitor" // a test visitor: a key, a cookie or a token
	KindPayment   = "payment" // a payment token, where payments are made
)

// Caller is who sent a request. UserID is set for a person, AgentID when the
// credential is bound to an agent, TokenID for a portal token. Refused says that
// a credential was presented which does not hold; only addresses that are open
// to everybody see such a caller, who is anonymous there.
type Caller struct {
	Kind    string
	UserID  string
	AgentID string
	TokenID string
	Scopes  []string
	Refused bool
}

// Has reports whether the caller's credential has a scope. The owner session
// has them all.
func (c Caller) Has(scope string) bool {
	if c.Kind == KindOwner {
		return true
	}
	for _, s := range c.Scopes {
		if s == scope {
			return true
		}
	}
	return false
}

// OwnerUserID is the user id of the one owner of a local platform, and
// AdminUserID that of whoever holds an admin key.
const (
	OwnerUserID = "owner"
	AdminUserID = "admin"
)

type callerKey struct{}

// WithCaller gives a context that carries who sent a request, for the handlers
// behind an agent's own addresses and for audit rows.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf gives the caller of a context, anonymous when it carries none.
func CallerOf(ctx context.Context) Caller {
	if c, ok := ctx.Value(callerKey{}).(Caller); ok {
		return c
	}
	return Caller{Kind: KindAnonymous}
}

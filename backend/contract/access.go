package contract

import (
	"encoding/json"
	"time"
)

// Scopes of a portal token that the management API knows. Others may be issued
// for functions to look at; they open nothing here.
const (
	ScopeRead   = "read"   // look at functions, versions and history
	ScopeWrite  = "write"  // declare, validate, remove, attach
	ScopeInvoke = "invoke" // run functions
)

// Lifetimes of portal tokens.
const (
	DefaultTokenLifetime = 24 * time.Hour
	MaxTokenLifetime     = 365 * 24 * time.Hour
	AgentTokenLifetime   = time.Hour
	ClientTokenLifetime  = 5 * time.Minute
	// VisitorLifetime is how long a visitor's cookie counts.
	VisitorLifetime = 30 * 24 * time.Hour
)

// KeyInfo is an API key without its value. KeyPrefix is its beginning, enough
// to recognise it by.
type KeyInfo struct {
	ID        string    `json:"id"`
	KeyPrefix string    `json:"keyPrefix"`
	CreatedAt time.Time `json:"createdAt"`
}

// CreatedKey answers the making of an API key: the only time that its value is
// shown (contract.md 6.5).
type CreatedKey struct {
	RawKey string  `json:"rawKey"`
	Key    KeyInfo `json:"key"`
}

// KeyList answers GET of API keys, the oldest first.
type KeyList struct {
	Keys []KeyInfo `json:"keys"`
}

// RevokeResponse answers the end of a key, token or visitor. Removed is false
// when there was nothing to end.
type RevokeResponse struct {
	OK      bool `json:"ok"`
	Removed bool `json:"removed"`
}

// ValidateKeyRequest is the body of POST /api/auth/validate-key.
type ValidateKeyRequest struct {
	APIKey string `json:"apiKey"`
}

// ValidateKeyResponse says whose key it is, contract.md 6.3. Agent is set for
// an agent's own key, whose User is the agent's owner then. A key that is not
// valid is Success false, with status 200.
type ValidateKeyResponse struct {
	Success bool      `json:"success"`
	User    *KeyUser  `json:"user,omitempty"`
	Agent   *KeyAgent `json:"agent,omitempty"`
	Message string    `json:"message,omitempty"`
}

// KeyUser is the person behind a key.
type KeyUser struct {
	ID      string `json:"id"`
	Email   string `json:"email"`
	Name    string `json:"name,omitempty"`
	IsAdmin bool   `json:"is_admin"`
}

// KeyAgent is the agent that a key is bound to.
type KeyAgent struct {
	ID       string `json:"id"`
	Username string `json:"username"`
}

// AgentTokenRequest is the body of POST /api/auth/agent/token: an agent, by id
// or username, and one of its API keys.
type AgentTokenRequest struct {
	AgentID string `json:"agentId"`
	Secret  string `json:"secret"`
}

// AgentTokenResponse is a portal token of the agent.
type AgentTokenResponse struct {
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// PortalTokenRequest is the body of POST /api/local/tokens. Everything is
// optional: Subject is the owner (or the id of a visitor or agent, or
// "service:<name>", which counts as an admin at custom endpoints), Audience is
// this platform, Scopes are read, write and invoke, ExpiresInSeconds is a day.
// Agent, an id or username, binds the token to one agent.
type PortalTokenRequest struct {
	Subject          string   `json:"sub,omitempty"`
	Audience         Audience `json:"aud,omitempty"`
	Scopes           []string `json:"scopes,omitempty"`
	ExpiresInSeconds int64    `json:"expiresInSeconds,omitempty"`
	Agent            string   `json:"agent,omitempty"`
}

// Audience is one text or a list of texts, as in a JSON Web Token.
type Audience []string

// UnmarshalJSON reads either form.
func (a *Audience) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*a = make(Audience, 1)
		return json.Unmarshal(b, &(*a)[0])
	}
	return json.Unmarshal(b, (*[]string)(a))
}

// PortalTokenResponse is a new portal token, which is shown this once.
type PortalTokenResponse struct {
	Token string    `json:"token"`
	Info  TokenInfo `json:"info"`
}

// TokenInfo is an issued portal token without its text. ID is its jti.
type TokenInfo struct {
	ID        string     `json:"id"`
	Subject   string     `json:"sub"`
	Audience  []string   `json:"aud"`
	Scopes    []string   `json:"scopes"`
	AgentID   string     `json:"agentId,omitempty"`
	IssuedAt  time.Time  `json:"issuedAt"`
	ExpiresAt time.Time  `json:"expiresAt"`
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
}

// TokenList answers GET /api/local/tokens: those that have not expired, the
// newest first.
type TokenList struct {
	Tokens []TokenInfo `json:"tokens"`
}

// Visitor is a made-up person to test custom endpoints with.
type Visitor struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email,omitempty"`
	AvatarURL string    `json:"avatarUrl,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

// VisitorRequest is the body of POST /api/local/visitors.
type VisitorRequest struct {
	Name      string `json:"name"`
	Email     string `json:"email,omitempty"`
	AvatarURL string `json:"avatarUrl,omitempty"`
}

// VisitorList answers GET /api/local/visitors, the oldest first.
type VisitorList struct {
	Visitors []Visitor `json:"visitors"`
}

// VisitorSession answers POST /api/local/visitors/<id>/session: the cookie that
// makes a request to an agent's pages one of this visitor.
type VisitorSession struct {
	CookieName  string    `json:"cookieName"`
	CookieValue string    `json:"cookieValue"`
	ExpiresAt   time.Time `json:"expiresAt"`
}

// Discovery is /.well-known/openid-configuration: where our keys are.
type Discovery struct {
	Issuer                string   `json:"issuer"`
	JWKSURI               string   `json:"jwks_uri"`
	TokenEndpoint         string   `json:"token_endpoint"`
	ScopesSupported       []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	SubjectTypes          []string `json:"subject_types_supported"`
	SigningAlgorithms     []string `json:"id_token_signing_alg_values_supported"`
	TokenEndpointAuthMode []string `json:"token_endpoint_auth_methods_supported"`
}

// OAuthToken answers POST /auth/token (contract.md 6.10). ExpiresIn is in seconds.
type OAuthToken struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int64  `json:"expires_in"`
	Scope       string `json:"scope"`
}

// OAuthError is its failure; Error is a code of RFC 6749.
type OAuthError struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

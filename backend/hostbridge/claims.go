package hostbridge

import (
	"context"
	"encoding/json"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"benchtop/backend/contract"
	"benchtop/backend/kv"
	"benchtop/backend/manifest"
	"benchtop/backend/secrets"
)

// TokenType is the typ header of an invocation token, and Audience its aud
// (spec section 5 rule 4, contract.md 4.5).
const (
	TokenType = "fn-invocation"
	Audience  = "fn-host"
)

// Claims pin what an invocation may do. They are frozen at its start.
type Claims struct {
	AgentID      string               `json:"agent_id"`
	Function     string               `json:"fn"`
	InvocationID string               `json:"invocation_id"`
	ConsumerID   string               `json:"consumer_id,omitempty"`
	BilledTo     string               `json:"billed_to,omitempty"`
	Permissions  manifest.Permissions `json:"permissions"`
	// Folders are the bindings as they were at the start; those in Permissions
	// are not looked at.
	Folders []manifest.Folder `json:"folder_bindings,omitempty"`
	// VisitorID is the verified visitor, whose part of kv the function may ask
	// for; empty without one.
	VisitorID string `json:"visitor_id,omitempty"`
	// IngressBytes is the invocation's ingress quota; 0 means the default.
	IngressBytes int64 `json:"ingress_bytes,omitempty"`
	// Parent is the invocation that this one is nested in.
	Parent string `json:"parent_invocation_id,omitempty"`
	Depth  int    `json:"depth"`
}

type tokenClaims struct {
	jwt.RegisteredClaims
	Claims
}

// Tokens signs and verifies RS256 tokens of a pinned type.
type Tokens interface {
	Sign(typ string, claims jwt.Claims) (string, error)
	Verify(typ, token string, claims jwt.Claims) error
}

// KV is what the bridge needs of the key-value store.
type KV interface {
	Get(ctx context.Context, ns kv.Namespace, key string) (json.RawMessage, bool, error)
	Put(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) error
	PutIfAbsent(ctx context.Context, ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration) (bool, error)
	Delete(ctx context.Context, ns kv.Namespace, key string) error
	List(ctx context.Context, ns kv.Namespace, q kv.ListQuery) (kv.Page, error)
}

// Secrets is what the bridge needs of the secret store.
type Secrets interface {
	Get(ctx context.Context, agentID, function, binding string) (value string, set bool, err error)
	Put(ctx context.Context, agentID, function, binding, value string) error
	Missing(ctx context.Context, agentID, function string, bindings []string) ([]string, error)
	// List gives the bindings that are set, of all functions for an empty name.
	List(ctx context.Context, agentID, function string) ([]secrets.Binding, error)
}

// Siblings gives the names of an agent's functions, sorted.
type Siblings interface {
	Names(agentID string) []string
}

// failed is the reply for an error: an *contract.Error as it is, anything else
// as HOST_BRIDGE_ERROR without its text, which may hold anything.
func failed(err error) contract.HostReply {
	if e := contract.AsError(err); e != nil {
		return contract.HostReply{Error: &contract.HostFailed{Code: e.Code, Message: e.Message}}
	}
	return contract.HostReply{Error: &contract.HostFailed{
		Code: contract.HostBridgeError, Message: "the platform could not answer this call; its log says why",
	}}
}

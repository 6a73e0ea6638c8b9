// Package secrets owns secret bindings: names of a function with a string value
// that is sealed at rest and never leaves but through ctx.secrets (spec 2.4,
// decisions.md 21).
package secrets

import (
	"context"
	"time"
)

// Sealed is a stored secret: AES-256-GCM under the key KeyID, with agent,
// function and binding as associated data.
type Sealed struct {
	AgentID    string
	Function   string
	Binding    string
	KeyID      string
	Nonce      []byte
	Ciphertext []byte
	SetAt      time.Time
}

// Store keeps sealed secrets and the id of their key. Writes are durable when
// they return.
type Store interface {
	PutSecret(ctx context.Context, s Sealed) error
	// DeleteSecret reports whether there was one.
	DeleteSecret(ctx context.Context, agentID, function, binding string) (bool, error)
	// Secret gives nil when it is not set.
	Secret(ctx context.Context, agentID, function, binding string) (*Sealed, error)
	// ListSecrets gives the bindings that are set, without ciphertext; all
	// functions of the agent when function is empty.
	ListSecrets(ctx context.Context, agentID, function string) ([]Sealed, error)
	CountSecrets(ctx context.Context) (int, error)
	// SecretKey says which key seals them; nil before the first one is made.
	SecretKey(ctx context.Context) (*KeyRecord, error)
	PutSecretKey(ctx context.Context, k KeyRecord) error
}

// KeyRecord says which key seals the secrets and where it lives ("keychain" or
// "file"), never the key itself.
type KeyRecord struct {
	ID        string
	Where     string
	CreatedAt time.Time
}

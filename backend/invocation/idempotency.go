package invocation

import (
	"context"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// Claim is a used idempotency key (spec 4.1 row 5, decisions.md 17).
type Claim struct {
	AgentID      string
	Function     string
	Key          string
	BodySHA256   string
	InvocationID string
	ClaimedAt    time.Time
	Done         bool
	Status       int    // of the stored answer
	Answer       []byte // the stored answer, once Done
}

// ClaimStore keeps used idempotency keys. Writes are durable when they return.
type ClaimStore interface {
	// ClaimKey stores c unless the key is there and not older than since; then
	// it gives the stored one.
	ClaimKey(ctx context.Context, c Claim, since time.Time) (existing *Claim, err error)
	// CompleteKey stores the answer of a claimed key.
	CompleteKey(ctx context.Context, c Claim) error
	// ReleaseKey forgets a claim that is not Done: nothing ran under it.
	ReleaseKey(ctx context.Context, c Claim) error
	// DropKeys forgets claims older than before.
	DropKeys(ctx context.Context, before time.Time) error
}

const maxKey = 255

// checkKey refuses what is no idempotency key; empty is none at all.
func checkKey(key string) error {
	if len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return contract.Errorf(contract.InvalidIdempotentKey, "idempotencyKey must be 1 to %d printable ASCII characters without spaces", maxKey)
	}
	return nil
}

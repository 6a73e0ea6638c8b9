// Package kv owns the key-value store of functions: one namespace per agent and
// function, values that may expire (spec 2.5, contract.md 2.9).
package kv

import (
	"context"
	"encoding/json"
	"time"
)

// Namespace addresses one store. Scope "fn" is a function's own.
type Namespace struct {
	AgentID  string
	Function string
	Scope    string
}

// Filled is a namespace and how many items it holds.
type Filled struct {
	Namespace
	Items int
}

// Item is one entry. A zero ExpiresAt means never.
type Item struct {
	Key       string
	Value     json.RawMessage
	ExpiresAt time.Time
}

// Store keeps items; an item whose ExpiresAt is not after now is as good as
// absent. Writes are durable when they return.
type Store interface {
	// GetKV gives nil when absent.
	GetKV(ctx context.Context, ns Namespace, key string, now time.Time) (*Item, error)
	PutKV(ctx context.Context, ns Namespace, it Item) error
	// ClaimKV stores it only when the key is absent, atomically.
	ClaimKV(ctx context.Context, ns Namespace, it Item, now time.Time) (won bool, err error)
	// SwapKV stores it only where the key still has the value was, atomically.
	SwapKV(ctx context.Context, ns Namespace, it Item, was json.RawMessage, now time.Time) (won bool, err error)
	DeleteKV(ctx context.Context, ns Namespace, key string) error
	// ListKV gives up to limit items with the prefix and a key after the given
	// one, in byte order of keys. Values are left out unless wanted.
	ListKV(ctx context.Context, ns Namespace, prefix, after string, limit int, values bool, now time.Time) ([]Item, error)
	// KVNamespaces gives the namespaces of an agent that hold something, by
	// function and scope; of each it counts up to most items.
	KVNamespaces(ctx context.Context, agentID string, most int, now time.Time) ([]Filled, error)
	// SweepKV removes up to limit expired items; it need not be durable.
	SweepKV(ctx context.Context, now time.Time, limit int) (int, error)
}

// Package agents owns the agents of this platform: who they are, how they are
// addressed (id or username), and which folder they live in (spec section 1,
// decisions.md 8).
package agents

import (
	"context"
	"time"
)

// Agent is one agent. ID is a UUID; Folder is the absolute path of its project
// folder, or empty.
type Agent struct {
	ID           string
	Username     string
	Name         string
	Description  string
	Instructions string
	Model        string
	Folder       string
	Settings     Settings
	CreatedAt    time.Time
}

// Store keeps agents. Writes are durable when they return. InsertAgent and
// UpdateAgent give a *contract.Error with USERNAME_TAKEN for a taken username.
type Store interface {
	ListAgents(ctx context.Context) ([]Agent, error)
	InsertAgent(ctx context.Context, a Agent) error
	UpdateAgent(ctx context.Context, a Agent) error
	DeleteAgent(ctx context.Context, id string) error
}

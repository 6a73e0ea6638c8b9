// Package project knows the folder of an agent: how AGENT.md and functions/ are
// laid out, how they are read as one unit and edited without losing an author's
// comments (contract.md 2.4, 2.5; decisions.md 9, 10).
package project

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// Opened is a folder that was open, kept so that the next start opens it again
// (Open) and Home can list it (recent).
type Opened struct {
	Path     string
	Name     string
	AgentID  string
	Open     bool
	OpenedAt time.Time
}

// Store keeps which folders were opened. Writes are durable when they return.
type Store interface {
	ListOpened(ctx context.Context) ([]Opened, error)
	PutOpened(ctx context.Context, o Opened) error
	ForgetOpened(ctx context.Context, path string) error
}

// Report says what a reading of a folder led to.
type Report struct {
	Problems []contract.Problem // of the folder itself and AGENT.md
	Declared []string           // functions with a new version
	Removed  []string
	Failed   []string // functions whose files do not load
	Changed  bool     // anything at all, the agent or its problems included
}

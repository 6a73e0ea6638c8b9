// Package functions owns declared functions: the current version of each, the
// versions before it, and the source they run (spec 2.1, 2.2).
package functions

import (
	"context"
	"time"

	"benchtop/backend/manifest"
)

// Function is one version of a declared function. It is immutable once stored:
// manifest and source are one unit.
type Function struct {
	AgentID      string
	Name         string
	Version      int // from 1, per agent and name, never reused
	Manifest     manifest.Manifest
	ManifestText string // as the author wrote it; empty for a docblock function
	Source       string
	SourceSHA256 string // hexadecimal
	ContentID    string // id of the content item that holds the source
	File         string // what stack traces call the source, such as functions/greet/index.js
	Surface      string // who declared it: factory, host, ui, cli or disk
	CreatedAt    time.Time
}

// VersionInfo is a version without its texts.
type VersionInfo struct {
	Version      int
	ContentID    string
	SourceSHA256 string
	SourceBytes  int
	Surface      string
	CreatedAt    time.Time
}

// Store keeps functions. Writes are durable when they return.
type Store interface {
	// CurrentFunctions gives the serving version of every function of every agent.
	CurrentFunctions(ctx context.Context) ([]Function, error)
	// PutFunction stores f as the current version. f.Version is the next free one.
	PutFunction(ctx context.Context, f Function) error
	// RemoveFunction ends a function; its versions stay. False: there was none.
	RemoveFunction(ctx context.Context, agentID, name string) (bool, error)
	// FunctionVersion gives a past or current version, or nil.
	FunctionVersion(ctx context.Context, agentID, name string, version int) (*Function, error)
	// FunctionVersions gives all versions a name ever had, the newest first.
	FunctionVersions(ctx context.Context, agentID, name string) ([]VersionInfo, error)
	// FunctionByContent gives the first version, serving, past or removed, whose
	// source has the content id; nil when there is none.
	FunctionByContent(ctx context.Context, agentID, contentID string) (*Function, error)
	// LastVersion is the highest version ever used, 0 for none.
	LastVersion(ctx context.Context, agentID, name string) (int, error)
}

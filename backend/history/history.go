// Package history owns the record of what happened: one row per invocation and
// per authoring action, with what was kept of each run (spec 2.3, contract.md
// 3.1, decisions.md 17).
package history

import (
	"context"

	"benchtop/backend/contract"
)

// Detail is what is kept of a run beside its row; every text in it is redacted.
type Detail struct {
	Input    contract.RawJSON        `json:"input,omitempty"`
	Result   contract.RawJSON        `json:"result,omitempty"`
	Cut      []string                `json:"cut,omitempty"` // "input", "result": kept as a string with their beginning
	ErrorAt  *contract.SourcePos     `json:"error_at,omitempty"`
	Logs     []contract.LogLine      `json:"logs,omitempty"`
	Events   []contract.EmittedEvent `json:"events,omitempty"`
	Trace    []contract.TraceEntry   `json:"trace,omitempty"`
	Replay   contract.ReplayRecord   `json:"replay"`
	Manifest contract.RawJSON        `json:"manifest,omitempty"`
}

// Query asks for a page of rows, newest first. What is empty does not filter.
// Before and After are exclusive; BeforeID, when set, lets those rows at Before
// through that have a smaller id, for pages over agents whose rows share a time.
type Query struct {
	AgentID  string
	Function string
	Skill    string
	Status   string
	Code     contract.Code
	Before   string
	BeforeID string
	After    string
	Limit    int
	Terms    Terms
}

// Store keeps rows.
type Store interface {
	// StartRow queues a running row and returns at once. It may be merged with
	// the FinishRow that follows into one write.
	StartRow(row contract.InvocationRow)
	// FinishRow stores the completed row and its detail; it returns once they
	// are committed (group commit, not fsynced). A row without a StartRow is
	// fine: audit rows have none.
	FinishRow(ctx context.Context, row contract.InvocationRow, d *Detail) error
	// Rows gives a page ordered by started_at, then id, descending.
	Rows(ctx context.Context, q Query) ([]contract.InvocationRow, error)
	// Durations calls fn for rows that started after a time, limit at most and in
	// no order. When there are more, the oldest of each function's are left out
	// and partial is true. Rows about authoring do not count; an empty agent is
	// all of them.
	Durations(ctx context.Context, agentID, after string, limit int, fn func(Took)) (partial bool, err error)
	// Row gives nil, nil, nil when there is none.
	Row(ctx context.Context, id string) (*contract.InvocationRow, *Detail, error)
	// CountRows gives how many rows a sweep may choose from: all but those about
	// authoring.
	CountRows(ctx context.Context) (int, error)
	// DropRows removes the oldest rows with their details, limit at most, and
	// gives how many there were: only those that started before, when it is not
	// empty, never one that is running or about authoring.
	DropRows(ctx context.Context, before string, limit int) (int, error)
	// InterruptRunning completes rows left running by a platform that died.
	InterruptRunning(ctx context.Context, code contract.Code, message, finishedAt string) (int, error)
	// LastStarted gives the newest started_at per agent, for monotonic starts.
	LastStarted(ctx context.Context) (map[string]string, error)
}

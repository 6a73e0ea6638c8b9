package history

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/contract"
)

// Config is what New needs. Now and NewID have the obvious defaults.
type Config struct {
	Store Store
	Now   func() time.Time
	NewID func() string // ids of audit rows
}

// History records invocations and authoring actions.
type History struct {
	cfg Config

	mu   sync.Mutex
	last map[string]time.Time // newest started_at per agent
}

// New takes up the history where the last run of the platform left it: rows
// still running then become errors with INVOCATION_INTERRUPTED.
func New(ctx context.Context, cfg Config) (*History, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.NewID == nil {
		cfg.NewID = uuid.NewString
	}
	h := &History{cfg: cfg, last: map[string]time.Time{}}
	if _, err := cfg.Store.InterruptRunning(ctx, contract.InvocationInterrupted,
		"The platform stopped while this invocation ran.", contract.FormatTime(cfg.Now())); err != nil {
		return nil, fmt.Errorf("close the invocations that were interrupted: %w", err)
	}
	last, err := cfg.Store.LastStarted(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the newest invocations: %w", err)
	}
	for agentID, stamp := range last {
		t, err := time.Parse(contract.Timestamp, stamp)
		if err != nil {
			return nil, fmt.Errorf("newest invocation of agent %s: %w", agentID, err)
		}
		h.last[agentID] = t
	}
	return h, nil
}

// stamp gives the present time, or the next microsecond after the agent's
// newest row, whatever the clock does: a cursor of one time never stands
// between two rows of the same time.
func (h *History) stamp(agentID string) string {
	now := h.cfg.Now().UTC().Truncate(time.Microsecond)
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := h.last[agentID]; !now.After(last) {
		now = last.Add(time.Microsecond)
	}
	h.last[agentID] = now
	return contract.FormatTime(now)
}

// Begin opens the row of an invocation: it sets StartedAt, strictly growing per
// agent, and Status. It never waits; the row is stored a moment later, or with
// its end.
func (h *History) Begin(row contract.InvocationRow) contract.InvocationRow {
	row.StartedAt = h.stamp(row.AgentID)
	row.Status = contract.StatusRunning
	if row.CostNanocents == "" {
		row.CostNanocents = "0"
	}
	h.cfg.Store.StartRow(row)
	return row
}

// Finish stores the completed row and what is kept of the run. The row comes
// from Begin; an empty FinishedAt becomes now.
func (h *History) Finish(ctx context.Context, row contract.InvocationRow, d *Detail) error {
	if row.FinishedAt == "" {
		row.FinishedAt = contract.FormatTime(h.cfg.Now())
	}
	return h.cfg.Store.FinishRow(ctx, row, d.storable())
}

// Audit stores a row about an authoring action (spec 2.3). It sets ID when
// empty, StartedAt, SourceSkill, and Status when empty.
func (h *History) Audit(ctx context.Context, row contract.InvocationRow) error {
	if row.ID == "" {
		row.ID = h.cfg.NewID()
	}
	if row.InvocationID == "" {
		row.InvocationID = row.ID
	}
	if row.Status == "" {
		row.Status = contract.StatusOK
	}
	if row.CostNanocents == "" {
		row.CostNanocents = "0"
	}
	row.SourceSkill = contract.SkillAuthoring
	row.StartedAt = h.stamp(row.AgentID)
	row.FinishedAt = row.StartedAt
	return h.cfg.Store.FinishRow(ctx, row, nil)
}

// Get gives a row with all that was kept of the run; nil, nil when there is none.
func (h *History) Get(ctx context.Context, id string) (*contract.InvocationDetail, error) {
	row, d, err := h.cfg.Store.Row(ctx, id)
	if row == nil || err != nil {
		return nil, err
	}
	if d == nil {
		d = &Detail{}
	}
	full := &contract.InvocationDetail{
		InvocationRow: *row, Input: d.Input, Result: d.Result, Cut: d.Cut, ErrorAt: d.ErrorAt, Logs: d.Logs,
		Events: d.Events, Trace: d.Trace, Replay: d.Replay, Manifest: d.Manifest,
	}
	// The lists are never null in the answer.
	if full.Logs == nil {
		full.Logs = []contract.LogLine{}
	}
	if full.Events == nil {
		full.Events = []contract.EmittedEvent{}
	}
	if full.Trace == nil {
		full.Trace = []contract.TraceEntry{}
	}
	return full, nil
}

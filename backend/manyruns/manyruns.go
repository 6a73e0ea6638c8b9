// Package manyruns writes long histories for tests and measurements of the page,
// through the store that the platform uses.
package manyruns

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/sqlite"
)

// Run is one that ended. Without a skill it was made by hand, without a code it
// went well; Function, At and Took are what a list shows of it.
type Run struct {
	Function  string
	Skill     string
	At        time.Time
	Took      time.Duration
	HostCalls int
	Code      contract.Code
	Message   string
}

// callers write at the same time, so that they share commits.
const callers = 256

// Write stores count runs of an agent in the data directory of a platform that
// is stopped: run gives the nth, counted from 0. It may be called from several
// goroutines at once.
func Write(ctx context.Context, data, agent string, count int64, run func(n int64) Run) (err error) {
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(data, "benchtop.db")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var next atomic.Int64
	done := make(chan error, callers)
	for range callers {
		go func() {
			var err error
			for n := next.Add(1) - 1; n < count && err == nil; n = next.Add(1) - 1 {
				row, detail := run(n).stored(agent, n)
				err = db.FinishRow(ctx, row, detail)
			}
			done <- err
		}()
	}
	for range callers {
		err = errors.Join(err, <-done)
	}
	return err
}

// stored is a run as the platform would have kept it.
func (r Run) stored(agent string, n int64) (contract.InvocationRow, *history.Detail) {
	id := uuid.Must(uuid.NewV7()).String()
	took := float64(r.Took) / float64(time.Millisecond)
	row := contract.InvocationRow{
		ID: id, InvocationID: id, RootInvocationID: id, AgentID: agent, FunctionName: r.Function, FunctionVersion: 1,
		SourceSkill: contract.SkillManual, CallerUserID: "owner", StartedAt: contract.FormatTime(r.At),
		FinishedAt: contract.FormatTime(r.At.Add(r.Took)), DurationMs: took, CPUMs: took / 2, HostCalls: r.HostCalls,
		Status: contract.StatusOK, ErrorCode: r.Code, ErrorMessage: r.Message, CostNanocents: "0",
	}
	if r.Skill != "" {
		row.SourceSkill = r.Skill
	}
	detail := &history.Detail{
		Input:  contract.RawJSON(`{"args":{"name":"Ada"}}`),
		Logs:   []contract.LogLine{{Level: "info", Message: "greeting", TS: r.At.UnixMilli()}},
		Replay: contract.ReplayRecord{Seed: n, ClockStartMs: r.At.UnixMilli()},
	}
	if r.Code != "" {
		row.Status = contract.StatusError
	} else {
		detail.Result = contract.RawJSON(`{"greeting":"Hello, Ada!"}`)
	}
	return row, detail
}

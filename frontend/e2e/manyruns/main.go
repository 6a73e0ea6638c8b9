// Command manyruns fills the history of a stopped platform for the tests of the
// page: it writes thousands of finished runs before and after one that a test
// made, through the store that the platform uses. Run it from the repository
// root:
//
//	go run ./frontend/e2e/manyruns -data DIR -agent ID -around 2026-11-22T05:00:00.000000Z -runs 99999
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/sqlite"
	"github.com/google/uuid"
)

// callers write at the same time, so that they share commits.
const callers = 256

func main() {
	data := flag.String("data", "", "the data directory; no platform may run on it")
	agent := flag.String("agent", "", "the id of the agent whose runs they are")
	around := flag.String("around", "", "when the run began that they lie around")
	runs := flag.Int64("runs", 99_999, "how many runs to write")
	flag.Parse()
	if err := fill(*data, *agent, *around, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "manyruns:", err)
		os.Exit(1)
	}
}

func fill(data, agent, around string, runs int64) (err error) {
	middle, err := time.Parse(contract.Timestamp, around)
	if err != nil {
		return fmt.Errorf("-around: %w", err)
	}
	if data == "" || agent == "" {
		return errors.New("-data and -agent are needed")
	}
	ctx := context.Background()
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
			for n := next.Add(1); n <= runs && err == nil; n = next.Add(1) {
				row, detail := run(agent, n, began(middle, n, runs))
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

// began spreads the runs: three of five before the middle, over days, and the
// others after it, close together, because nothing may lie in the future.
func began(middle time.Time, n, runs int64) time.Time {
	older := runs * 3 / 5
	if n <= older {
		return middle.Add(-time.Duration(n) * 4 * time.Second)
	}
	return middle.Add(time.Duration(n-older) * 10 * time.Microsecond)
}

// run is the nth run with what was kept of it. Most are fine, and what fails
// does so for another reason than an error in the function.
func run(agent string, n int64, at time.Time) (contract.InvocationRow, *history.Detail) {
	id := uuid.Must(uuid.NewV7()).String()
	function := "greet"
	switch {
	case n%10 == 0:
		function = "price"
	case n%5 == 0:
		function = "visits"
	}
	row := contract.InvocationRow{
		ID: id, InvocationID: id, RootInvocationID: id, AgentID: agent, FunctionName: function, FunctionVersion: 1,
		SourceSkill: contract.SkillManual, CallerUserID: "owner", StartedAt: contract.FormatTime(at),
		FinishedAt: contract.FormatTime(at.Add(time.Millisecond)), DurationMs: 0.3 + float64(n%40)/10, CPUMs: 0.2,
		Status: contract.StatusOK, CostNanocents: "0",
	}
	detail := &history.Detail{
		Input:  contract.RawJSON(`{"args":{"name":"Ada"}}`),
		Logs:   []contract.LogLine{{Level: "info", Message: "greeting", TS: at.UnixMilli()}},
		Replay: contract.ReplayRecord{Seed: n, ClockStartMs: at.UnixMilli(), SourceSHA256: fmt.Sprintf("%064d", 7)},
	}
	switch {
	case n%70 == 0:
		row.Status, row.ErrorCode, row.ErrorMessage = contract.StatusError, contract.WallTimeout, "The run took longer than 2000 ms."
		row.DurationMs = 2000
	case n%210 == 1:
		row.Status, row.ErrorCode, row.ErrorMessage = contract.StatusError, contract.PermissionDenied, "kv.put needs permissions.kv"
	default:
		detail.Result = contract.RawJSON(`{"greeting":"Hello, Ada!"}`)
	}
	return row, detail
}

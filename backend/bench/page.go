package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/sqlite"
)

// What measures the page (frontend/bench) needs of this program: a data
// directory with a long history, and something that happens all the time.

// fillHome leaves below home a project, and the data directory of a platform
// that has it open and has run its functions rows times.
func fillHome(home, program string, rows int) error {
	p, err := startIn(home, program, false)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := writeProject(p.project); err != nil {
		return err
	}
	var opened struct{ AgentID string }
	if err := p.call("POST", "/api/local/projects", map[string]string{"path": p.project}, &opened); err != nil {
		return err
	}
	if opened.AgentID == "" {
		return fmt.Errorf("the platform did not say which agent %s is", p.project)
	}
	p.stop() // one program at a time has the database
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: filepath.Join(home, "data", "benchtop.db")})
	if err != nil {
		return err
	}
	err = fillHistory(db, opened.AgentID, rows)
	if e := db.Close(); err == nil {
		err = e
	}
	return err
}

// fillHistory stores rows of the last days through many callers, so that they
// share commits.
func fillHistory(db *sqlite.DB, agent string, rows int) error {
	const callers = 64
	var next atomic.Int64
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	begin := time.Now().Add(-time.Duration(rows) * 2 * time.Second)
	for range callers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= rows || failed.Load() != nil {
					return
				}
				row, detail := pastRun(agent, i, begin.Add(time.Duration(i)*2*time.Second))
				if err := db.FinishRow(context.Background(), row, detail); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// pastRun is the ith of many runs: of several functions, by several skills, a
// few of them failed or slow.
func pastRun(agent string, i int, at time.Time) (contract.InvocationRow, *history.Detail) {
	id := uuid.Must(uuid.NewV7()).String()
	took := time.Duration(300+i%700) * time.Microsecond
	row := contract.InvocationRow{
		ID: id, InvocationID: id, RootInvocationID: id, AgentID: agent, FunctionName: []string{"hello", "store", "reload"}[i%3],
		FunctionVersion: 1, SourceSkill: []string{contract.SkillManual, contract.SkillHTTP, contract.SkillTools}[i/3%3],
		CallerUserID: "owner", HostCalls: i % 4, Status: contract.StatusOK, CostNanocents: "0",
	}
	if i%97 == 0 {
		took = 1500 * time.Millisecond
	}
	if i%41 == 0 {
		row.Status, row.ErrorCode = contract.StatusError, contract.JSRuntimeError
		row.ErrorMessage = "TypeError: Cannot read properties of undefined (reading 'items')"
	}
	row.StartedAt, row.FinishedAt = contract.FormatTime(at), contract.FormatTime(at.Add(took))
	row.DurationMs = ms(took)
	row.CPUMs = row.DurationMs / 2
	return row, &history.Detail{
		Input: contract.RawJSON(`{"args":{"name":"Ada"}}`), Result: contract.RawJSON(`{"hi":"Ada"}`),
		Replay: contract.ReplayRecord{Seed: int64(i), ClockStartMs: at.UnixMilli()},
	}
}

// loadPlatform invokes hello evenly at a rate per second and prints, as JSON, how
// many of the calls were done and in how many ms. Each is two events at least.
func loadPlatform(url, key string, rate int, span time.Duration) error {
	p := &served{url: url, key: key}
	const callers = 32
	work := make(chan struct{}, rate) // a second's worth: what is later than that is not made up for
	var done, failed atomic.Int64
	var first atomic.Pointer[error]
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range work {
				if err := p.invoke("hello", args); err != nil {
					failed.Add(1)
					first.CompareAndSwap(nil, &err)
					continue
				}
				done.Add(1)
			}
		})
	}
	began := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	for asked := 0; ; <-tick.C {
		gone := min(time.Since(began), span)
		for due := int(gone.Seconds() * float64(rate)); asked < due; asked++ {
			select {
			case work <- struct{}{}:
			default:
			}
		}
		if gone == span {
			break
		}
	}
	tick.Stop()
	close(work)
	wg.Wait()
	if err := first.Load(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", *err)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"calls": done.Load(), "failed": failed.Load(), "ms": time.Since(began).Milliseconds(),
	})
}

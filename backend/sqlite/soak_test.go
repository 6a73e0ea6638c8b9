//go:build soak

package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// TestSoakMillionRows prints how long pages take in a history of a million rows,
// in which the rows that the filters look for are few and far between.
func TestSoakMillionRows(t *testing.T) {
	const total, agents, functions = 1_000_000, 5, 8
	db := openNew(t)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	row := func(i int) contract.InvocationRow {
		id := fmt.Sprintf("019a0000-0000-7000-8000-%012d", i)
		stamp := contract.FormatTime(at.Add(time.Duration(i) * 17 * time.Millisecond))
		r := contract.InvocationRow{
			ID: id, InvocationID: id, RootInvocationID: id, AgentID: fmt.Sprintf("5f0c2a1e-0000-4000-8000-%012d", i%agents),
			FunctionName: fmt.Sprintf("function%d", i/agents%functions), FunctionVersion: 1, SourceSkill: contract.SkillHTTP,
			StartedAt: stamp, FinishedAt: stamp, DurationMs: 1, Status: contract.StatusOK, CostNanocents: "0",
		}
		if i%1_009 == 0 {
			r.DurationMs = 2_000
		}
		switch {
		case i%99_991 == 0:
			r.SourceSkill, r.AuthoringAction = contract.SkillAuthoring, "update"
		case i%5_003 == 0:
			r.Status, r.ErrorCode = contract.StatusError, contract.WallTimeout
		case i%7 == 0:
			r.Status, r.ErrorCode = contract.StatusError, contract.JSRuntimeError
		case i%11 == 0:
			r.SourceSkill = contract.SkillManual
		}
		return r
	}
	began := time.Now()
	const writers = 64
	next := make(chan int, writers)
	done := make(chan error, writers)
	for range writers {
		go func() {
			for i := range next {
				if err := db.FinishRow(context.Background(), row(i), nil); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for i := range total {
		next <- i
	}
	close(next)
	for range writers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d rows written in %v", total, time.Since(began).Round(time.Millisecond))

	began = time.Now()
	h, err := history.New(t.Context(), history.Config{Store: db, Now: func() time.Time { return at.Add(30 * 24 * time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("history opened in %v", time.Since(began).Round(time.Microsecond))
	agent := row(0).AgentID
	slow, never := 1_000.0, 1e9
	for _, c := range []struct {
		name string
		f    history.Filter
	}{
		{"one function", history.Filter{AgentID: agent, Function: "function3"}},
		{"one function, failed", history.Filter{AgentID: agent, Function: "function3", Status: contract.StatusError}},
		{"one function, a rare code", history.Filter{AgentID: agent, Function: "function3", Code: contract.WallTimeout}},
		{"one function, by hand", history.Filter{AgentID: agent, Function: "function3", Skill: contract.SkillManual}},
		{"one agent", history.Filter{AgentID: agent}},
		{"one agent, a rare code", history.Filter{AgentID: agent, Code: contract.WallTimeout}},
		{"everything", history.Filter{}},
		{"everything failed", history.Filter{Status: contract.StatusError}},
		{"a rare code", history.Filter{Code: contract.WallTimeout}},
		{"authoring", history.Filter{Skill: contract.SkillAuthoring}},
		{"what never was", history.Filter{Status: contract.StatusCancelled}},
		{"an hour", history.Filter{After: contract.FormatTime(at.Add(time.Hour)), Before: contract.FormatTime(at.Add(2 * time.Hour))}},
		{"slow ones", history.Filter{Terms: history.Terms{LongerMs: &slow}}},
		{"one agent, slow and failed", history.Filter{AgentID: agent, Status: contract.StatusError, Terms: history.Terms{LongerMs: &slow}}},
		{"slower than any", history.Filter{Terms: history.Terms{LongerMs: &never}}},
		{"functions by pattern", history.Filter{Terms: history.Terms{Functions: history.Choice{Any: []string{"*3", "function1*"}}}}},
		{"all but what went well", history.Filter{Terms: history.Terms{Statuses: history.Choice{None: []string{contract.StatusOK}}}}},
		{"one function of all agents", history.Filter{Function: "function3", Status: contract.StatusError}},
	} {
		var times []time.Duration
		rows := 0
		for range 40 { // pages
			began := time.Now()
			page, err := h.Search(t.Context(), c.f)
			times = append(times, time.Since(began))
			if err != nil {
				t.Fatal(err)
			}
			rows += len(page.Invocations)
			if page.NextCursor == nil {
				break
			}
			c.f.Cursor = *page.NextCursor
		}
		slices.Sort(times)
		t.Logf("%-28s %5d rows in %2d pages: median %8v  worst %8v", c.name, rows, len(times),
			times[len(times)/2].Round(time.Microsecond), times[len(times)-1].Round(time.Microsecond))
	}

	for _, window := range []time.Duration{time.Hour, 24 * time.Hour} {
		began = time.Now()
		figures, err := h.Stats(t.Context(), history.StatsQuery{To: at.Add(time.Duration(total) * 17 * time.Millisecond), Window: window, Buckets: 40})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, f := range figures.Functions {
			calls += f.Calls
		}
		t.Logf("figures of %v: %d functions, %d calls in %v", window, len(figures.Functions), calls, time.Since(began).Round(time.Microsecond))
	}

	// A sweep beside a writer: what the writer notices of it.
	began = time.Now()
	swept := make(chan error, 1)
	var removed int
	go func() {
		n, err := h.Sweep(context.Background(), history.Retention{Rows: total - total/50})
		removed = n
		swept <- err
	}()
	var waits []time.Duration
	for i := total; ; i++ {
		asked := time.Now()
		if err := db.FinishRow(t.Context(), row(i), nil); err != nil {
			t.Fatal(err)
		}
		waits = append(waits, time.Since(asked))
		select {
		case err := <-swept:
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(waits)
			t.Logf("%d rows swept in %v; %d writes meanwhile: median %v, 99%% %v, worst %v", removed, time.Since(began).Round(time.Millisecond),
				len(waits), waits[len(waits)/2].Round(time.Microsecond), waits[len(waits)*99/100].Round(time.Microsecond), waits[len(waits)-1].Round(time.Microsecond))
			return
		default:
		}
	}
}

package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// aRow is the nth finished row of a function.
func aRow(agentID, function string, n int) contract.InvocationRow {
	at := epoch.Add(time.Duration(n) * time.Microsecond)
	id := fmt.Sprintf("%s-%s-%06d", agentID, function, n)
	return contract.InvocationRow{
		ID: id, InvocationID: id, AgentID: agentID, FunctionName: function, SourceSkill: contract.SkillManual,
		StartedAt: contract.FormatTime(at), FinishedAt: contract.FormatTime(at.Add(time.Second)),
		DurationMs: 1.25, Status: contract.StatusOK, CostNanocents: "0",
	}
}

func fullRow() contract.InvocationRow {
	row := aRow("a", "f", 7)
	row.FunctionVersion, row.ConsumerID, row.RootInvocationID, row.ParentInvocationID = 3, "consumer", "root", "parent"
	row.ChainDepth, row.BilledTo, row.CallerUserID, row.CallerAgentID = 2, "owner", "owner", "agent-x"
	row.CPUMs, row.IngressBytes, row.EgressBytes, row.Status = 0.5, 1<<40, 12, contract.StatusError
	row.ErrorCode, row.ErrorMessage, row.CostNanocents = contract.JSRuntimeError, "Ünglück\n\x00", "123456789012345678901234567890"
	row.HostCalls, row.KVPutBytes, row.ContentWrites, row.IdempotencyKey = 100, 10<<20, 5, "once"
	row.OpenLocks = 2
	row.AuthoringAction, row.AuthoringSurface = "declare", "cli"
	return row
}

func aDetail(size int) *history.Detail {
	return &history.Detail{
		Input: contract.RawJSON(`{"args":{"n":1}}`), Result: contract.RawJSON(`"` + strings.Repeat("x", size) + `"`),
		ErrorAt: &contract.SourcePos{File: "functions/f/index.js", Line: 3, Column: 9},
		Logs:    []contract.LogLine{{Level: "warn", Message: "mind", Data: contract.RawJSON(`[1]`), TS: 1}},
		Events:  []contract.EmittedEvent{{Event: "e", Payload: contract.RawJSON(`{}`), TS: 2}},
		Trace:   []contract.TraceEntry{{Kind: contract.TraceHost, Name: "kv.put", StartUs: 1, DurationUs: 2, Error: &contract.HostFailed{Code: contract.PermissionDenied, Message: "no"}}},
		Replay:  contract.ReplayRecord{Seed: -5, ClockStartMs: 9, SourceSHA256: "00"}, Manifest: contract.RawJSON(`{"runtime":"js-v1"}`),
	}
}

func testHistory(t *testing.T, s Stores) {
	for i, d := range []*history.Detail{nil, {}, aDetail(10), aDetail(100_000)} {
		for _, row := range []contract.InvocationRow{aRow("a", "f", 10*i), fullRow()} {
			row.ID = fmt.Sprint(row.ID, "-", i)
			must(t, s.History.FinishRow(ctx, row, d))
			got, kept, err := s.History.Row(ctx, row.ID)
			must(t, err)
			if got == nil || !reflect.DeepEqual(*got, row) {
				t.Fatalf("row\n got %+v\nwant %+v", got, row)
			}
			if !reflect.DeepEqual(kept, d) {
				t.Fatalf("detail\n got %+v\nwant %+v", kept, d)
			}
		}
	}
	if row, d, err := s.History.Row(ctx, "nobody"); row != nil || d != nil || err != nil {
		t.Fatalf("a row that is not there: %v, %v, %v", row, d, err)
	}
}

// A row that runs for long is seen running, and then completed, once.
func testHistoryRunning(t *testing.T, s Stores) {
	row := aRow("a", "f", 1)
	end := row
	row.Status, row.FinishedAt, row.DurationMs = contract.StatusRunning, "", 0
	s.History.StartRow(row)
	for deadline := time.Now().Add(10 * time.Second); ; {
		got, d, err := s.History.Row(ctx, row.ID)
		must(t, err)
		if got != nil {
			if !reflect.DeepEqual(*got, row) || d != nil {
				t.Fatalf("running row %+v, %v; want %+v", got, d, row)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the running row was never stored")
		}
	}
	must(t, s.History.FinishRow(ctx, end, aDetail(1000)))
	got, d, err := s.History.Row(ctx, row.ID)
	must(t, err)
	if !reflect.DeepEqual(*got, end) || !reflect.DeepEqual(d, aDetail(1000)) {
		t.Fatalf("finished row %+v, %+v; want %+v", got, d, end)
	}

	quick := aRow("a", "f", 2)
	s.History.StartRow(quick)
	must(t, s.History.FinishRow(ctx, quick, nil))
	s = s.Reopen(t) // whatever lingered is written by now
	rows, err := s.History.Rows(ctx, history.Query{AgentID: "a", Limit: 10})
	must(t, err)
	if want := []contract.InvocationRow{quick, end}; !reflect.DeepEqual(rows, want) {
		t.Fatalf("rows\n got %+v\nwant %+v", rows, want)
	}
}

func testHistoryInterrupted(t *testing.T, s Stores) {
	row := aRow("a", "f", 1)
	row.Status, row.FinishedAt = contract.StatusRunning, ""
	s.History.StartRow(row)
	must(t, s.History.FinishRow(ctx, aRow("a", "f", 2), nil))
	must(t, s.History.FinishRow(ctx, aRow("b", "f", 9), nil))
	s = s.Reopen(t)

	clock := func() time.Time { return epoch } // behind the newest rows
	h, err := history.New(ctx, history.Config{Store: s.History, Now: clock})
	must(t, err)
	got, err := h.Get(ctx, row.ID)
	must(t, err)
	if got.Status != contract.StatusError || got.ErrorCode != contract.InvocationInterrupted || got.FinishedAt != contract.FormatTime(epoch) || got.ErrorMessage == "" {
		t.Errorf("interrupted row: %+v", got.InvocationRow)
	}
	if n, err := s.History.InterruptRunning(ctx, contract.InvocationInterrupted, "x", contract.FormatTime(epoch)); n != 0 || err != nil {
		t.Errorf("interrupted again: %d, %v", n, err)
	}
	begun := h.Begin(contract.InvocationRow{ID: "next", AgentID: "a", FunctionName: "g"})
	if want := contract.FormatTime(epoch.Add(3 * time.Microsecond)); begun.StartedAt != want {
		t.Errorf("started_at after a restart with the clock set back: %s, want %s", begun.StartedAt, want)
	}
	must(t, h.Finish(ctx, begun, nil))
}

// Pages of any size, over one function and over all, give every row once,
// newest first.
func testHistoryPages(t *testing.T, s Stores) {
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		agent := fmt.Sprint("agent", run)
		h, err := history.New(ctx, history.Config{Store: s.History, Now: func() time.Time { return epoch }}) // every time is equal
		must(t, err)
		var all []contract.InvocationRow
		for i := range rapid.IntRange(0, 12).Draw(t, "rows") {
			row := h.Begin(contract.InvocationRow{
				ID: fmt.Sprint(agent, "-", i), AgentID: agent, FunctionName: rapid.SampledFrom([]string{"f", "g", "h"}).Draw(t, "function"),
			})
			row.Status = contract.StatusOK
			row.FinishedAt = row.StartedAt
			must(t, h.Finish(ctx, row, nil))
			all = append([]contract.InvocationRow{row}, all...)
		}
		for _, function := range []string{"", "f", "g"} {
			want := []string{}
			for _, row := range all {
				if function == "" || row.FunctionName == function {
					want = append(want, row.ID)
				}
			}
			limit := rapid.IntRange(1, 5).Draw(t, "limit")
			if got := readAll(t, h, agent, function, limit); !reflect.DeepEqual(got, want) {
				t.Fatalf("pages of %d of %q: %v, want %v", limit, function, got, want)
			}
		}
	})
}

func readAll(t failer, h *history.History, agent, function string, limit int) []string {
	t.Helper()
	ids := []string{}
	for cursor := ""; ; {
		page, err := h.Page(ctx, agent, function, limit, cursor)
		must(t, err)
		if len(page.Invocations) > limit || (page.NextCursor != nil && len(page.Invocations) != limit) {
			t.Fatalf("a page of %d has %d rows, next %v", limit, len(page.Invocations), page.NextCursor)
		}
		for _, row := range page.Invocations {
			ids = append(ids, row.ID)
		}
		if page.NextCursor == nil {
			return ids
		}
		cursor = *page.NextCursor
	}
}

// Reading page by page while rows are added gives every row that was there at
// the start once, and nothing twice.
func testHistoryPagesWhileWritten(t *testing.T, s Stores) {
	h, err := history.New(ctx, history.Config{Store: s.History})
	must(t, err)
	write := func(i int) {
		row := h.Begin(contract.InvocationRow{ID: fmt.Sprint("row", i), AgentID: "a", FunctionName: "f"})
		row.Status = contract.StatusOK
		if err := h.Finish(ctx, row, nil); err != nil {
			t.Error(err)
		}
	}
	const before, writers, each = 60, 3, 100 // each bounds what a fast writer adds
	for i := range before {
		write(i)
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				select {
				case <-stop:
					return
				default:
					write(before + i*writers + w)
				}
			}
		})
	}
	for range 5 {
		seen := map[string]bool{}
		for _, id := range readAll(t, h, "a", "f", 17) {
			if seen[id] {
				t.Errorf("%s was given twice", id)
			}
			seen[id] = true
		}
		for i := range before {
			if !seen[fmt.Sprint("row", i)] {
				t.Errorf("row%d was lost", i)
			}
		}
	}
	close(stop)
	group.Wait()
}

package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/kv"
	"benchtop/backend/sqlite"
)

func openAt(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

func openNew(tb testing.TB) *sqlite.DB {
	tb.Helper()
	return openAt(tb, filepath.Join(tb.TempDir(), "benchtop.db"))
}

// helloRow is the row and detail of a small invocation as the pipeline writes it.
func helloRow(agent string, n int64) (contract.InvocationRow, *history.Detail) {
	id := uuid.Must(uuid.NewV7()).String()
	at := time.UnixMicro(1_700_000_000_000_000 + n)
	row := contract.InvocationRow{
		ID: id, InvocationID: id, RootInvocationID: id, AgentID: agent, FunctionName: "greet", FunctionVersion: 3,
		SourceSkill: contract.SkillManual, CallerUserID: "owner", StartedAt: contract.FormatTime(at),
		FinishedAt: contract.FormatTime(at.Add(time.Millisecond)), DurationMs: 0.3, CPUMs: 0.2,
		Status: contract.StatusOK, CostNanocents: "0",
	}
	return row, &history.Detail{
		Input: contract.RawJSON(`{"args":{"name":"Ada"}}`), Result: contract.RawJSON(`{"greeting":"Hello, Ada!"}`),
		Logs:   []contract.LogLine{{Level: "info", Message: "greeting Ada", TS: 1700000000000}},
		Replay: contract.ReplayRecord{Seed: 42, ClockStartMs: 1700000000000, SourceSHA256: fmt.Sprintf("%064d", 7)},
	}
}

const benchAgent = "6a1b2c3d-0000-4000-8000-000000000001"

func BenchmarkFinishRow(b *testing.B) {
	db := openNew(b)
	b.ReportAllocs()
	for n := int64(0); b.Loop(); n++ {
		row, d := helloRow(benchAgent, n)
		if err := db.FinishRow(context.Background(), row, d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFinishRowOf32(b *testing.B) {
	db := openNew(b)
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			row, d := helloRow(benchAgent, n.Add(1))
			if err := db.FinishRow(context.Background(), row, d); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkStartAndFinishMerged(b *testing.B) {
	db := openNew(b)
	b.ReportAllocs()
	for n := int64(0); b.Loop(); n++ {
		row, d := helloRow(benchAgent, n)
		db.StartRow(row)
		if err := db.FinishRow(context.Background(), row, d); err != nil {
			b.Fatal(err)
		}
	}
}

var benchSpace = kv.Namespace{AgentID: benchAgent, Function: "count", Scope: "fn"}

func BenchmarkPutKV(b *testing.B) {
	db := openNew(b)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ { // the same value again would not be written
		value := json.RawMessage(strconv.Itoa(n))
		if err := db.PutKV(context.Background(), benchSpace, kv.Item{Key: "visits", Value: value}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPutKVOf32(b *testing.B) {
	db := openNew(b)
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		key := fmt.Sprint("visits", n.Add(1))
		for n := 0; pb.Next(); n++ {
			value := json.RawMessage(strconv.Itoa(n))
			if err := db.PutKV(context.Background(), benchSpace, kv.Item{Key: key, Value: value}); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkGetKV(b *testing.B) {
	db := openNew(b)
	if err := db.PutKV(context.Background(), benchSpace, kv.Item{Key: "visits", Value: json.RawMessage("17")}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		it, err := db.GetKV(context.Background(), benchSpace, "visits", time.Now())
		if it == nil || err != nil {
			b.Fatal(it, err)
		}
	}
}

func BenchmarkPageOf50From100k(b *testing.B) {
	db := openNew(b)
	const rows = 100_000
	fill(b, db, rows)
	h, err := history.New(context.Background(), history.Config{Store: db})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	cursor := ""
	for b.Loop() {
		page, err := h.Page(context.Background(), benchAgent, "greet", 50, cursor)
		if err != nil || len(page.Invocations) != 50 {
			b.Fatal(len(page.Invocations), err)
		}
		cursor = ""
		if page.NextCursor != nil {
			cursor = *page.NextCursor
		}
	}
}

// fill stores rows through many callers, so that they share commits.
func fill(tb testing.TB, db *sqlite.DB, rows int64) {
	tb.Helper()
	var next atomic.Int64
	done := make(chan error)
	const callers = 64
	for range callers {
		go func() {
			for {
				n := next.Add(1)
				if n > rows {
					done <- nil
					return
				}
				row, d := helloRow(benchAgent, n)
				if err := db.FinishRow(context.Background(), row, d); err != nil {
					done <- err
					return
				}
			}
		}()
	}
	for range callers {
		if err := <-done; err != nil {
			tb.Fatal(err)
		}
	}
}

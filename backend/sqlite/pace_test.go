package sqlite_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/sqlite"
)

// Durations on both sides of every border between fast and slow are found by
// filters on both sides of them, by a database that was just written and by one
// that was opened again.
func TestDurationsAtTheBordersOfPaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, border := range []float64{1, 10, 100, 1_000, 10_000} {
		all = append(all, math.Nextafter(border, 0), border, math.Nextafter(border, math.Inf(1)), border*3)
	}
	all = append(all, 0)
	for i, ms := range all {
		row, _ := helloRow(benchAgent, int64(i))
		row.ID, row.DurationMs = fmt.Sprintf("%s-%03d", row.ID, i), ms
		if i%2 == 0 { // the column follows a row that changes
			start := row
			start.Status, start.DurationMs, start.FinishedAt = contract.StatusRunning, 0, ""
			db.StartRow(start)
		}
		if err := db.FinishRow(context.Background(), row, nil); err != nil {
			t.Fatal(err)
		}
	}
	// A row about authoring took no time of its own, whatever it says.
	authored, _ := helloRow(benchAgent, int64(len(all)))
	authored.SourceSkill, authored.DurationMs = contract.SkillAuthoring, 20_000
	if err := db.FinishRow(context.Background(), authored, nil); err != nil {
		t.Fatal(err)
	}
	look := func(when string) {
		t.Helper()
		h, err := history.New(context.Background(), history.Config{Store: db})
		if err != nil {
			t.Fatal(err)
		}
		for _, bound := range all {
			longer, shorter := 0, 0
			for _, ms := range all {
				if ms > bound {
					longer++
				}
				if ms < bound {
					shorter++
				}
			}
			for _, c := range []struct {
				terms history.Terms
				want  int
			}{{history.Terms{LongerMs: &bound}, longer}, {history.Terms{ShorterMs: &bound}, shorter}} {
				page, err := h.Search(context.Background(), history.Filter{Terms: c.terms, Limit: contract.MaxPage})
				if err != nil || len(page.Invocations) != c.want {
					t.Errorf("%s: %+v around %v gave %d rows, want %d (%v)", when, c.terms, bound, len(page.Invocations), c.want, err)
				}
			}
		}
	}
	look("after writing")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openAt(t, path)
	look("opened again")
}

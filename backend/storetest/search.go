package storetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// durations are those of rows and of bounds on them.
var durations = []float64{0, 1, 2, 3, 99, 100, 101, 999, 1_000, 1_500, 10_000, 60_000}

// Pages of any filter, over one agent and over all of them, give what a look at
// every row would.
func testHistorySearch(t *testing.T, s Stores) {
	h, err := history.New(ctx, history.Config{Store: s.History})
	must(t, err)
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		for n := 1; n > 0; { // the rows of the run before
			n, err = s.History.DropRows(ctx, "", 100)
			must(t, err)
		}
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
		var all []contract.InvocationRow
		for i := range rapid.IntRange(0, 25).Draw(t, "rows") {
			row := aRow(pick("agent", "a", "b"), pick("function", "f", "g"), rapid.IntRange(0, 8).Draw(t, "at"))
			row.ID = fmt.Sprintf("%d-%d", run, i)
			row.SourceSkill = pick("skill", contract.SkillManual, contract.SkillCron)
			row.Status = pick("status", contract.StatusOK, contract.StatusError, contract.StatusCancelled)
			if row.Status == contract.StatusError {
				row.ErrorCode = contract.Code(pick("code", "", string(contract.WallTimeout), string(contract.JSRuntimeError)))
			}
			row.DurationMs = rapid.SampledFrom(durations).Draw(t, "took")
			must(t, s.History.FinishRow(ctx, row, nil))
			all = append(all, row)
		}
		f := history.Filter{
			AgentID: pick("of agent", "", "a", "b"), Function: pick("of function", "", "f", "nobody"),
			Skill: pick("of skill", "", contract.SkillCron), Status: pick("of status", "", contract.StatusOK, contract.StatusError),
			Code: contract.Code(pick("of code", "", string(contract.WallTimeout))), Limit: rapid.IntRange(1, 4).Draw(t, "limit"),
		}
		if rapid.Bool().Draw(t, "bounded") {
			f.After = contract.FormatTime(epoch.Add(time.Duration(rapid.IntRange(-1, 8).Draw(t, "after")) * time.Microsecond))
			f.Before = contract.FormatTime(epoch.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "before")) * time.Microsecond))
		}
		bound := func(name string) *float64 {
			if !rapid.Bool().Draw(t, name) {
				return nil
			}
			ms := rapid.SampledFrom(durations).Draw(t, name+" ms")
			return &ms
		}
		f.Terms = history.Terms{
			Functions: history.Choice{Any: some(t, "functions", "f", "g*", "no*"), None: some(t, "not functions", "*f", "g")},
			Skills:    history.Choice{None: some(t, "not skills", contract.SkillManual)},
			Statuses:  history.Choice{Any: some(t, "statuses", contract.StatusError, contract.StatusCancelled)},
			Codes:     history.Choice{None: some(t, "not codes", "WALL_*", "")},
			LongerMs:  bound("longer"), ShorterMs: bound("shorter"),
		}
		// What is asked for most is asked for alone.
		switch pick("alone", "", "", "failed", "slow") {
		case "failed":
			f = history.Filter{Status: contract.StatusError, Limit: f.Limit, After: f.After, Before: f.Before}
		case "slow":
			f = history.Filter{Limit: f.Limit, After: f.After, Before: f.Before, Terms: history.Terms{LongerMs: f.Terms.LongerMs, ShorterMs: f.Terms.ShorterMs}}
		}
		if f.AgentID != "" {
			// Within an agent the history never gives one time to two rows, and a
			// page there goes by time alone.
			f.Limit = contract.MaxPage
		}
		want := []string{}
		slices.SortFunc(all, func(x, y contract.InvocationRow) int { return -compareRows(x, y) })
		for _, row := range all {
			if fits(f, row) {
				want = append(want, row.ID)
			}
		}
		got := []string{}
		for more := true; more; {
			page, err := h.Search(ctx, f)
			must(t, err)
			for _, row := range page.Invocations {
				got = append(got, row.ID)
			}
			if more = page.NextCursor != nil; more {
				f.Cursor = *page.NextCursor
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\n got %v\nwant %v", f, got, want)
		}
	})
}

// some draws up to two of the values, mostly none.
func some(t *rapid.T, name string, values ...string) (out []string) {
	for range max(0, rapid.IntRange(-3, 2).Draw(t, name)) {
		out = append(out, rapid.SampledFrom(values).Draw(t, name+" value"))
	}
	return out
}

// Figures are those that a look at every row would give.
func testHistoryStats(t *testing.T, s Stores) {
	h, err := history.New(ctx, history.Config{Store: s.History})
	must(t, err)
	add := func(id, agent, function, status string, minute int, ms float64) {
		row := aRow(agent, function, 0)
		row.ID, row.Status, row.DurationMs = id, status, ms
		row.StartedAt = contract.FormatTime(epoch.Add(time.Duration(minute) * time.Minute))
		must(t, s.History.FinishRow(ctx, row, nil))
	}
	for i := range 20 {
		add(fmt.Sprint("r", i), "a", "f", contract.StatusOK, 10+i/10, float64(i+1))
	}
	add("e", "a", "f", contract.StatusError, 19, 500)
	add("c", "a", "f", contract.StatusCancelled, 19, 7)
	add("old", "a", "f", contract.StatusOK, 9, 9000)
	add("later", "a", "f", contract.StatusOK, 20, 9000)
	add("g", "b", "g", contract.StatusOK, 15, 3)
	declared := aRow("a", "f", 0)
	declared.ID, declared.SourceSkill, declared.StartedAt = "d", contract.SkillAuthoring, contract.FormatTime(epoch.Add(15*time.Minute))
	must(t, s.History.FinishRow(ctx, declared, nil))

	// What began at the very start of the time would be outside: bounds are exclusive.
	q := history.StatsQuery{To: epoch.Add(20*time.Minute - time.Microsecond), Window: 10 * time.Minute, Buckets: 5}
	got, err := h.Stats(ctx, q)
	must(t, err)
	if len(got.Functions) != 2 || got.BucketMs != 120_000 || got.Partial {
		t.Fatalf("%+v", got)
	}
	f, g := got.Functions[0], got.Functions[1]
	want := contract.FunctionStats{
		AgentID: "a", Function: "f", Calls: 22, Errors: 1, Cancelled: 1, P50Ms: 10, P95Ms: 20, MaxMs: 500,
		LastAt:  contract.FormatTime(epoch.Add(19 * time.Minute)),
		Buckets: []contract.StatsBucket{{Calls: 20, P95Ms: 19}, {}, {}, {}, {Calls: 2, Errors: 1, P95Ms: 500}},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
	if g.Function != "g" || g.Calls != 1 || g.P95Ms != 3 || g.Buckets[2].Calls != 1 {
		t.Errorf("%+v", g)
	}
	q.AgentID = "b"
	if one, err := h.Stats(ctx, q); err != nil || len(one.Functions) != 1 || one.Functions[0].Function != "g" {
		t.Errorf("of one agent: %+v, %v", one, err)
	}
	// With too many to look at, no function is left out: each loses its oldest.
	seen := map[string]int{}
	newest := time.Time{}
	partial, err := s.History.Durations(ctx, "", contract.FormatTime(epoch), 12, func(t history.Took) {
		seen[t.Function]++
		if t.StartedAt.After(newest) {
			newest = t.StartedAt
		}
	})
	if !partial || err != nil || seen["g"] != 1 || seen["f"] < 3 || seen["f"] > 11 || !newest.Equal(epoch.Add(20*time.Minute)) {
		t.Errorf("with a limit of 12: %v, newest %v, partial %v, %v", seen, newest, partial, err)
	}
	all := 0
	if partial, err := s.History.Durations(ctx, "", contract.FormatTime(epoch), 100, func(history.Took) { all++ }); partial || err != nil || all != 25 {
		t.Errorf("with room for all there were %d, partial %v, %v", all, partial, err)
	}
	for _, bad := range []history.StatsQuery{{To: q.To}, {To: q.To, Window: time.Hour}, {To: q.To, Window: time.Hour, Buckets: 1000}, {To: q.To, Window: time.Millisecond, Buckets: 100}} {
		if _, err := h.Stats(ctx, bad); contract.AsError(err) == nil || contract.AsError(err).Code != contract.InvalidRequest {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func compareRows(x, y contract.InvocationRow) int {
	return slices.Compare([]string{x.StartedAt, x.ID}, []string{y.StartedAt, y.ID})
}

func fits(f history.Filter, row contract.InvocationRow) bool {
	is := func(wanted, value string) bool { return wanted == "" || wanted == value }
	return is(f.AgentID, row.AgentID) && is(f.Function, row.FunctionName) && is(f.Skill, row.SourceSkill) &&
		is(f.Status, row.Status) && is(string(f.Code), string(row.ErrorCode)) &&
		f.Terms.FitKind(row.FunctionName, row.SourceSkill, row.Status, string(row.ErrorCode)) && f.Terms.FitDuration(row.DurationMs) &&
		(f.After == "" || row.StartedAt > f.After) && (f.Before == "" || row.StartedAt < f.Before)
}

// A sweep takes the oldest with all that was kept of them, and neither what runs
// nor what is about authoring.
func testHistorySweep(t *testing.T, s Stores) {
	day := 24 * time.Hour
	add := func(id string, age time.Duration, change func(*contract.InvocationRow), d *history.Detail) {
		row := aRow("a", "f", 0)
		row.ID, row.StartedAt = id, contract.FormatTime(epoch.Add(-age))
		if change != nil {
			change(&row)
		}
		must(t, s.History.FinishRow(ctx, row, d))
	}
	authoring := func(r *contract.InvocationRow) { r.SourceSkill, r.AuthoringAction = contract.SkillAuthoring, "declare" }
	running := func(r *contract.InvocationRow) { r.Status, r.FinishedAt = contract.StatusRunning, "" }
	add("declared", 100*day, authoring, nil)
	add("runs", 90*day, running, nil)
	for i := range 5 {
		add(fmt.Sprint("old", i), time.Duration(40+i)*day, nil, aDetail(100_000))
	}
	for i := range 10 {
		add(fmt.Sprint("new", i), time.Duration(i)*time.Hour, nil, aDetail(100_000))
	}
	if n, err := s.History.CountRows(ctx); n != 16 || err != nil {
		t.Errorf("%d rows to choose from, %v", n, err)
	}
	h, err := history.New(ctx, history.Config{Store: unstarted{s.History}, Now: func() time.Time { return epoch }})
	must(t, err)
	left := func() (ids []string) {
		page, err := h.Search(ctx, history.Filter{Limit: contract.MaxPage})
		must(t, err)
		for _, row := range page.Invocations {
			ids = append(ids, row.ID)
			d, err := h.Get(ctx, row.ID)
			must(t, err)
			if kept := len(d.Logs) > 0; kept != (row.ID != "declared" && row.ID != "runs") {
				t.Errorf("%s: detail kept %v", row.ID, kept)
			}
		}
		return ids
	}
	if n, err := h.Sweep(ctx, history.Retention{}); n != 0 || err != nil || len(left()) != 17 {
		t.Fatalf("without limits %d went, %v", n, err)
	}
	if n, err := h.Sweep(ctx, history.Retention{Days: 30, Rows: 1000}); n != 5 || err != nil {
		t.Fatalf("%d were too old, %v", n, err)
	}
	if n, err := h.Sweep(ctx, history.Retention{Days: 30, Rows: 4}); n != 7 || err != nil {
		t.Fatalf("%d were too many, %v", n, err)
	}
	if got, want := left(), []string{"new0", "new1", "new2", "runs", "declared"}; !reflect.DeepEqual(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
}

// unstarted is a store whose running rows are not those of an earlier run.
type unstarted struct{ history.Store }

func (unstarted) InterruptRunning(_ context.Context, _ contract.Code, _, _ string) (int, error) {
	return 0, nil
}

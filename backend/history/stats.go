package history

import (
	"cmp"
	"context"
	"slices"
	"time"

	"benchtop/backend/contract"
)

// Took is what a figure is made of: when an invocation began and how long it
// took. A running one took 0.
type Took struct {
	AgentID, Function, Status string
	StartedAt                 time.Time
	DurationMs                float64
}

// Bounds of a look at the figures.
const (
	MaxStatsBuckets = 200
	// maxStatsRows ends a look at the newest of them: more make the figures no
	// better, only slower.
	maxStatsRows = 400_000
)

// StatsQuery asks for the figures of the time up to To. An empty agent is all of
// them.
type StatsQuery struct {
	AgentID string
	To      time.Time
	Window  time.Duration
	Buckets int
}

// Stats counts the invocations of a stretch of time by function and by piece of
// that time, those with the most calls first. Rows about authoring do not count.
func (h *History) Stats(ctx context.Context, q StatsQuery) (contract.Stats, error) {
	if q.Window <= 0 || q.Buckets < 1 || q.Buckets > MaxStatsBuckets || q.Window/time.Duration(q.Buckets) < time.Millisecond {
		return contract.Stats{}, contract.Errorf(contract.InvalidRequest, "stats: window must be a duration above 0 and buckets a number from 1 to %d", MaxStatsBuckets)
	}
	width := q.Window / time.Duration(q.Buckets)
	from := q.To.Add(-width * time.Duration(q.Buckets))
	type name struct{ agent, function string }
	found := map[name]*tally{}
	partial, err := h.cfg.Store.Durations(ctx, q.AgentID, contract.FormatTime(from), maxStatsRows, func(t Took) {
		at := int(t.StartedAt.Sub(from) / width)
		if at < 0 || at >= q.Buckets {
			return // a clock that went back; it belongs to another look
		}
		k := name{t.AgentID, t.Function}
		if found[k] == nil {
			found[k] = newTally(t.AgentID, t.Function, q.Buckets)
		}
		found[k].add(at, t)
	})
	if err != nil {
		return contract.Stats{}, err
	}
	out := contract.Stats{From: from.UTC(), To: q.To.UTC(), BucketMs: width.Milliseconds(), Partial: partial, Functions: []contract.FunctionStats{}}
	for _, t := range found {
		out.Functions = append(out.Functions, t.figures())
	}
	slices.SortFunc(out.Functions, func(a, b contract.FunctionStats) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Function, b.Function), cmp.Compare(a.AgentID, b.AgentID))
	})
	return out, nil
}

// tally gathers what happened to one function.
type tally struct {
	stats contract.FunctionStats
	all   []float64
	parts [][]float64
	last  time.Time
}

func newTally(agent, function string, buckets int) *tally {
	return &tally{
		stats: contract.FunctionStats{AgentID: agent, Function: function, Buckets: make([]contract.StatsBucket, buckets)},
		parts: make([][]float64, buckets),
	}
}

func (t *tally) add(at int, took Took) {
	if took.StartedAt.After(t.last) {
		t.last = took.StartedAt
	}
	t.stats.Calls++
	t.stats.Buckets[at].Calls++
	switch took.Status {
	case contract.StatusRunning:
		t.stats.Running++
		return // how long it takes is not known yet
	case contract.StatusError:
		t.stats.Errors++
		t.stats.Buckets[at].Errors++
	case contract.StatusCancelled:
		t.stats.Cancelled++
	}
	t.all = append(t.all, took.DurationMs)
	t.parts[at] = append(t.parts[at], took.DurationMs)
}

func (t *tally) figures() contract.FunctionStats {
	for i, part := range t.parts {
		slices.Sort(part)
		t.stats.Buckets[i].P95Ms = quantile(part, 95)
	}
	slices.Sort(t.all)
	t.stats.P50Ms, t.stats.P95Ms, t.stats.MaxMs = quantile(t.all, 50), quantile(t.all, 95), quantile(t.all, 100)
	t.stats.LastAt = contract.FormatTime(t.last)
	return t.stats
}

// quantile gives the smallest value that percent of them do not exceed; 0 of
// none.
func quantile(sorted []float64, percent int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}

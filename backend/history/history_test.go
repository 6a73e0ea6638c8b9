package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
)

// script is a Store that notes what it is asked.
type script struct {
	mu       sync.Mutex
	started  []contract.InvocationRow
	finished []contract.InvocationRow
	details  []*Detail
	queries  []Query
	rows     int // how many rows it has
	old      int // how many of them are too old
	hidden   int // how many more a filter hides
	drops    []string
	last     map[string]string
	fail     error
}

func (s *script) StartRow(row contract.InvocationRow) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = append(s.started, row)
}

func (s *script) FinishRow(_ context.Context, row contract.InvocationRow, d *Detail) error {
	s.finished, s.details = append(s.finished, row), append(s.details, d)
	return s.fail
}

func (s *script) Rows(_ context.Context, q Query) (rows []contract.InvocationRow, err error) {
	s.queries = append(s.queries, q)
	for i := range min(q.Limit, s.rows) {
		rows = append(rows, contract.InvocationRow{ID: fmt.Sprint(i), StartedAt: fmt.Sprint("t", i)})
	}
	return rows, s.fail
}

func (s *script) Row(context.Context, string) (*contract.InvocationRow, *Detail, error) {
	if s.rows == 0 {
		return nil, nil, s.fail
	}
	return &contract.InvocationRow{ID: "x"}, nil, s.fail
}

func (s *script) CountRows(context.Context) (int, error) { return s.rows + s.hidden, s.fail }

func (s *script) Durations(_ context.Context, _, _ string, _ int, _ func(Took)) (bool, error) {
	return false, s.fail
}

func (s *script) DropRows(_ context.Context, before string, limit int) (int, error) {
	s.drops = append(s.drops, fmt.Sprint(before, " ", limit))
	n := s.rows
	if before != "" {
		n = s.old
	}
	n = min(n, limit)
	s.rows -= n
	if before != "" {
		s.old -= n
	}
	return n, s.fail
}

func (s *script) InterruptRunning(context.Context, contract.Code, string, string) (int, error) {
	return 0, s.fail
}

func (s *script) LastStarted(context.Context) (map[string]string, error) { return s.last, nil }

var ctx = context.Background()

func load(t testing.TB, s *script, now func() time.Time) *History {
	t.Helper()
	h, err := New(ctx, Config{Store: s, Now: now, NewID: func() string { return "made" }})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func FuzzCursor(f *testing.F) {
	for _, seed := range []string{
		"", "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.123Z", "2026-11-20T10:00:00.123456Z", "2026-11-20T10:00:00.1234561Z",
		"2026-11-20T12:00:00+02:00", "2026-11-20", "9999-12-31T23:59:59.9999999Z", "0000-01-01T00:00:00Z", "x", "2026-11-20T10:00:00,5Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		got, err := parseTime("cursor", cursor, up)
		if err != nil {
			if e := contract.AsError(err); e == nil || e.Code != contract.InvalidRequest {
				t.Fatalf("%q: %v", cursor, err)
			}
			return
		}
		if cursor == "" {
			return
		}
		at, err := time.Parse(contract.Timestamp, got)
		if err != nil {
			t.Fatalf("%q became %q", cursor, got)
		}
		meant, err := time.Parse(time.RFC3339Nano, cursor)
		if err != nil || at.Before(meant) || at.Sub(meant) >= time.Microsecond {
			t.Fatalf("%q became %q", cursor, got)
		}
		if again, err := parseTime("cursor", got, up); err != nil || again != got {
			t.Fatalf("%q, read again %q, %v", got, again, err)
		}
	})
}

func TestCursors(t *testing.T) {
	for cursor, want := range map[string]string{
		"": "", "2026-11-20T10:00:00Z": "2026-11-20T10:00:00.000000Z", "2026-11-20T10:00:00.123Z": "2026-11-20T10:00:00.123000Z",
		"2026-11-20T10:00:00.123456Z": "2026-11-20T10:00:00.123456Z", "2026-11-20T10:00:00.1234561Z": "2026-11-20T10:00:00.123457Z",
		"2026-11-20T12:00:00+02:00": "2026-11-20T10:00:00.000000Z",
	} {
		s := &script{}
		if _, err := load(t, s, nil).Page(ctx, "a", "f", 0, cursor); err != nil || s.queries[0].Before != want {
			t.Errorf("%q: %+v, %v; want %q", cursor, s.queries, err, want)
		}
	}
	for _, cursor := range []string{"x", "2026-11-20", "2026-13-01T00:00:00Z", "1", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z"} {
		if _, err := load(t, &script{}, nil).Page(ctx, "a", "f", 0, cursor); contract.AsError(err) == nil {
			t.Errorf("%q was accepted", cursor)
		}
	}
}

// A filter that hides everything says of how many.
func TestSearchOfHowMany(t *testing.T) {
	for _, c := range []struct {
		script *script
		filter Filter
		want   int
	}{
		{&script{hidden: 240}, Filter{Of: true, Status: "error"}, 240},
		{&script{hidden: 240}, Filter{Status: "error"}, 0},
		{&script{hidden: 240, rows: 3}, Filter{Of: true}, 0},
		{&script{hidden: 240}, Filter{Of: true, Cursor: "2026-11-20T10:00:00Z"}, 0},
	} {
		if page, err := load(t, c.script, nil).Search(ctx, c.filter); err != nil || page.Of != c.want {
			t.Errorf("%+v: of %d, %v; want %d", c.filter, page.Of, err, c.want)
		}
	}
}

func TestPageLimits(t *testing.T) {
	for limit, want := range map[int]int{0: 50, 1: 1, -5: 1, 200: 200, 201: 200, 1 << 40: 200} {
		s := &script{rows: 1000}
		page, err := load(t, s, nil).Page(ctx, "a", "f", limit, "")
		if err != nil || len(page.Invocations) != want || len(page.Items) != want {
			t.Errorf("limit %d: %d rows, %v; want %d", limit, len(page.Invocations), err, want)
		}
		if page.NextCursor == nil || *page.NextCursor != fmt.Sprint("t", want-1) || page.Cursor == nil || *page.Cursor != *page.NextCursor {
			t.Errorf("limit %d: next %v", limit, page.NextCursor)
		}
	}
	for _, rows := range []int{0, 50} { // a last page, also a full one
		page, err := load(t, &script{rows: rows}, nil).Page(ctx, "a", "f", 0, "")
		body, _ := json.Marshal(page)
		if err != nil || page.NextCursor != nil || !strings.Contains(string(body), `"nextCursor":null,"cursor":null`) || strings.Contains(string(body), `"items":null`) {
			t.Errorf("%d rows: %s, %v", rows, body, err)
		}
	}
}

// Rows begun at the same moment, by many, on a clock that stands still or goes
// back, have different times that grow in each agent.
func TestStartedAtGrows(t *testing.T) {
	base := time.Date(2026, 11, 20, 10, 0, 0, 999, time.UTC)
	now, clock := base, sync.Mutex{}
	s := &script{last: map[string]string{"a": contract.FormatTime(base.Add(time.Second))}}
	h := load(t, s, func() time.Time { clock.Lock(); defer clock.Unlock(); return now })

	if row := h.Begin(contract.InvocationRow{AgentID: "a"}); row.StartedAt != "2026-11-20T10:00:01.000001Z" || row.Status != contract.StatusRunning || row.CostNanocents != "0" {
		t.Errorf("after a restart: %+v", row)
	}
	if row := h.Begin(contract.InvocationRow{AgentID: "b"}); row.StartedAt != "2026-11-20T10:00:00.000000Z" {
		t.Errorf("another agent: %+v", row)
	}
	var group sync.WaitGroup
	stamps := make([][]string, 4)
	for w := range stamps {
		group.Go(func() {
			for i := range 100 {
				if i == 50 {
					clock.Lock()
					now = now.Add(-time.Hour)
					clock.Unlock()
				}
				stamps[w] = append(stamps[w], h.Begin(contract.InvocationRow{AgentID: "c"}).StartedAt)
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for _, mine := range stamps {
		for i, stamp := range mine {
			if seen[stamp] || (i > 0 && mine[i-1] >= stamp) || len(stamp) != len("2026-11-20T10:00:00.000000Z") {
				t.Fatalf("%s after %v", stamp, mine[:i])
			}
			seen[stamp] = true
		}
	}
}

func TestAudit(t *testing.T) {
	s := &script{}
	h := load(t, s, func() time.Time { return time.Unix(0, 0) })
	if err := h.Audit(ctx, contract.InvocationRow{AgentID: "a", FunctionName: "f", AuthoringAction: "declare", AuthoringSurface: "cli"}); err != nil {
		t.Fatal(err)
	}
	row := s.finished[0]
	if row.ID != "made" || row.InvocationID != "made" || row.SourceSkill != contract.SkillAuthoring || row.Status != contract.StatusOK ||
		row.StartedAt == "" || row.FinishedAt != row.StartedAt || len(s.started) != 0 {
		t.Errorf("audit row %+v", row)
	}
}

// A text that is not JSON does not lose the row: it is kept as a JSON string.
func TestDetailThatIsNoJSON(t *testing.T) {
	s := &script{}
	h := load(t, s, nil)
	bad := contract.RawJSON("{not json")
	good := contract.RawJSON(`{"a":1}`)
	given := &Detail{
		Input: bad, Result: good, Logs: []contract.LogLine{{Data: bad}, {Data: good}},
		Events: []contract.EmittedEvent{{Payload: bad}}, Trace: []contract.TraceEntry{{Args: good, Result: bad}},
	}
	if err := h.Finish(ctx, contract.InvocationRow{ID: "x"}, given); err != nil {
		t.Fatal(err)
	}
	kept := s.details[0]
	quotedBad := `"{not json"`
	if string(kept.Input) != quotedBad || string(kept.Result) != `{"a":1}` || string(kept.Logs[0].Data) != quotedBad ||
		string(kept.Events[0].Payload) != quotedBad || string(kept.Trace[0].Result) != quotedBad || string(kept.Trace[0].Args) != `{"a":1}` {
		t.Errorf("kept %+v", kept)
	}
	if _, err := json.Marshal(kept); err != nil {
		t.Error(err)
	}
	if string(given.Input) != string(bad) || string(given.Logs[0].Data) != string(bad) {
		t.Error("what the caller gave was changed")
	}
	if s.finished[0].FinishedAt == "" {
		t.Error("no finished_at")
	}
	for _, d := range []*Detail{nil, {}, {Input: good}} {
		if d.storable() != d {
			t.Errorf("%+v was copied without need", d)
		}
	}
}

func TestGet(t *testing.T) {
	if d, err := load(t, &script{}, nil).Get(ctx, "x"); d != nil || err != nil {
		t.Errorf("none: %v, %v", d, err)
	}
	d, err := load(t, &script{rows: 1}, nil).Get(ctx, "x")
	if err != nil || d.Logs == nil || d.Events == nil || d.Trace == nil {
		t.Errorf("a row without detail: %+v, %v", d, err)
	}
	broken := &script{}
	h := load(t, broken, nil)
	broken.fail = errors.New("disk")
	if _, err := h.Get(ctx, "x"); !errors.Is(err, broken.fail) {
		t.Errorf("get: %v", err)
	}
	if _, err := h.Page(ctx, "a", "f", 0, ""); !errors.Is(err, broken.fail) {
		t.Errorf("page: %v", err)
	}
	if _, err := New(ctx, Config{Store: broken}); !errors.Is(err, broken.fail) {
		t.Errorf("new: %v", err)
	}
}

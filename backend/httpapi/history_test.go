package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// What is written and has not loaded yet has a history without rows: its author
// is looking at it.
func TestHistoryOfWhatDoesNotLoad(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "GET", path: "/api/agents/mia/functions/draft/invocations"}))
	var page contract.InvocationPage
	if err := json.Unmarshal(rec.Body.Bytes(), &page); rec.Code != 200 || err != nil || page.Invocations == nil || len(page.Invocations) != 0 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestHistoryFilters(t *testing.T) {
	w := newWorld(t)
	const function = "/api/agents/mia/functions/greet/invocations"
	const owner = "/api/local/invocations"
	mia := w.agent.ID
	for path, want := range map[string]history.Filter{
		function:                                      {AgentID: mia, Function: "greet", Limit: 50},
		function + "?limit=0&cursor=c":                {AgentID: mia, Function: "greet", Limit: 1, Cursor: "c"},
		function + "?limit=1000":                      {AgentID: mia, Function: "greet", Limit: 200},
		function + "?agent=x&function=y":              {AgentID: mia, Function: "greet", Limit: 50},
		function + "?include=logs":                    {AgentID: mia, Function: "greet", Limit: 50, Logs: true},
		function + "?include=trace,logs":              {AgentID: mia, Function: "greet", Limit: 50, Logs: true, Trace: true},
		owner:                                         {Limit: 50, Of: true},
		owner + "?agent=mia&function=":                {AgentID: mia, Limit: 50, Of: true},
		owner + "?function=greet&limit=3":             {Function: "greet", Limit: 3, Of: true},
		owner + "?status=error&skill=cron":            {Status: "error", Skill: "cron", Limit: 50, Of: true},
		owner + "?function=greet&function=!x*":        {Function: "", Terms: history.Terms{Functions: history.Choice{Any: []string{"greet"}, None: []string{"x*"}}}, Limit: 50, Of: true},
		owner + "?function=gr*&status=!ok":            {Terms: history.Terms{Functions: history.Choice{Any: []string{"gr*"}}, Statuses: history.Choice{None: []string{"ok"}}}, Limit: 50, Of: true},
		owner + "?longerThanMs=1.5&shorterThanMs=9":   {Terms: history.Terms{LongerMs: ms(1.5), ShorterMs: ms(9)}, Limit: 50, Of: true},
		function + "?function=a&function=b":           {AgentID: mia, Function: "greet", Limit: 50},
		owner + "?code=WALL_TIMEOUT&after=a&before=b": {Code: "WALL_TIMEOUT", After: "a", Before: "b", Limit: 50, Of: true},
	} {
		rec := w.do(w.owner(request{method: "GET", path: path}))
		if rec.Code != 200 || !reflect.DeepEqual(w.filter, want) {
			t.Errorf("%s: status %d, filter %+v, want %+v", path, rec.Code, w.filter, want)
		}
	}
	for _, query := range []string{"limit=ten", "status=done", "skill=magic", "include=all", "code=" + fmt.Sprintf("%0200d", 0), "agent=nobody", "status=!done", "longerThanMs=x", "shorterThanMs=-1", "longerThanMs=NaN", "function=" + strings.Repeat("a&function=", 60) + "a"} {
		code := contract.InvalidRequest
		if query == "agent=nobody" {
			code = contract.AgentNotFound
		}
		wantError(t, query, w.do(w.owner(request{method: "GET", path: owner + "?" + query})), code)
	}
}

func ms(n float64) *float64 { return &n }

func TestExport(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "GET", path: "/api/local/invocations/export?status=error&limit=450"}))
	lines := strings.Split(strings.TrimSuffix(rec.Body.String(), "\n"), "\n")
	if rec.Code != 200 || w.filter.Status != "error" || len(lines) != 200 { // the page that the fake gives is the last
		t.Fatalf("%d, %d lines, filter %+v", rec.Code, len(lines), w.filter)
	}
	for _, line := range lines {
		var row contract.InvocationRow
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.ID != "x" {
			t.Fatalf("line %q: %v", line, err)
		}
	}
	if h := rec.Header(); h.Get("Content-Type") != "application/x-ndjson; charset=utf-8" || h.Get("Content-Disposition") == "" {
		t.Errorf("headers %v", h)
	}
	for _, query := range []string{"limit=0", "limit=x", "limit=1000001", "status=done"} {
		wantError(t, query, w.do(w.owner(request{method: "GET", path: "/api/local/invocations/export?" + query})), contract.InvalidRequest)
	}
}

func TestStats(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]history.StatsQuery{
		"":                               {Window: 24 * time.Hour, Buckets: 48},
		"?agent=mia&window=60&buckets=6": {AgentID: w.agent.ID, Window: time.Minute, Buckets: 6},
	} {
		rec := w.do(w.owner(request{method: "GET", path: "/api/local/stats" + query}))
		got := w.figures
		got.To = time.Time{}
		if rec.Code != 200 || got != want {
			t.Errorf("%s: %d, asked %+v, want %+v", query, rec.Code, got, want)
		}
	}
	for _, query := range []string{"window=x", "window=0", "buckets=1000", "window=99999999999"} {
		wantError(t, query, w.do(w.owner(request{method: "GET", path: "/api/local/stats?" + query})), contract.InvalidRequest)
	}
	wantError(t, "agent", w.do(w.owner(request{method: "GET", path: "/api/local/stats?agent=nobody"})), contract.AgentNotFound)
}

func TestVersions(t *testing.T) {
	w := newWorld(t)
	const versions = "/api/local/agents/mia/functions/greet/versions"
	var list contract.FunctionVersions
	rec := w.do(w.owner(request{method: "GET", path: versions}))
	if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil || list.Serving != 3 || len(list.Versions) != 2 || list.Versions[0].Version != 3 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	var one contract.FunctionVersionDetail
	rec = w.do(w.owner(request{method: "GET", path: versions + "/3"}))
	if err := json.Unmarshal(rec.Body.Bytes(), &one); err != nil || one.Source != w.fn.Source || one.Bytes != len(one.Source) || string(one.Manifest) == "" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	for path, code := range map[string]contract.Code{
		versions + "/4": contract.FnNotFound, versions + "/0": contract.InvalidRequest, versions + "/x": contract.InvalidRequest,
		"/api/local/agents/mia/functions/nope/versions": contract.FnNotFound,
	} {
		wantError(t, path, w.do(w.owner(request{method: "GET", path: path})), code)
	}
}

func TestValidationBucket(t *testing.T) {
	w := newWorld(t)
	w.perMin, w.clock = 60, time.Unix(1_000_000, 0)
	validate := w.owner(request{method: "POST", path: "/api/agents/mia/functions/greet/validate", body: `{"manifest":{}}`})
	for i := range 60 {
		if rec := w.do(validate); rec.Code != 200 {
			t.Fatalf("validation %d: %d %s", i, rec.Code, rec.Body)
		}
	}
	w.clock = w.clock.Add(time.Second / 2)
	rec := w.do(validate)
	wantError(t, "one over", rec, contract.QuotaExceeded)
	if got := rec.Header().Get("Retry-After"); got != "60" {
		t.Errorf("Retry-After %q", got)
	}
	// Others are not held up: another agent's bucket, other routes of this one.
	if rec := w.do(w.owner(request{method: "GET", path: "/api/agents/mia/functions"})); rec.Code != 200 {
		t.Errorf("listing: %d", rec.Code)
	}
	w.clock = w.clock.Add(60 * time.Second)
	if rec := w.do(validate); rec.Code != 200 {
		t.Errorf("after Retry-After: %d %s", rec.Code, rec.Body)
	}
}

func TestSettings(t *testing.T) {
	w := newWorld(t)
	w.settings = contract.Settings{HistoryRows: 5}
	rec := w.do(w.owner(request{method: "PUT", path: "/api/local/settings", body: `{"historyDays":7}`}))
	if rec.Code != 200 || !strings.HasPrefix(rec.Body.String(), `{"historyRows":5,"historyDays":7,`) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	wantError(t, "a text", w.do(w.owner(request{method: "PUT", path: "/api/local/settings", body: `{"historyDays":"7"}`})), contract.InvalidRequest)
}

package httpapi

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// fakeSchedules has one entry for the agent mia; what is called late has no
// function.
type fakeSchedules struct{ *world }

func (f fakeSchedules) List(agentID string) contract.ScheduleList {
	out := contract.ScheduleList{Schedules: []contract.Schedule{}}
	if agentID == f.agent.ID {
		out.Schedules = append(out.Schedules, contract.Schedule{EntryID: "nightly", Sentence: "At 03:00 every day UTC"})
	}
	return out
}

func (f fakeSchedules) RunNow(_ context.Context, agentID, id string, clock *contract.Clock) (contract.ScheduleRun, error) {
	f.ranAt = clock
	switch {
	case agentID == f.agent.ID && id == "nightly":
		return contract.ScheduleRun{Manual: true, InvocationID: "inv", ErrorCode: contract.WallTimeout}, nil
	case id == "late":
		return contract.ScheduleRun{ErrorCode: contract.FnNotFound, ErrorMessage: "no digest"}, nil
	}
	return contract.ScheduleRun{}, contract.Errorf(contract.EntryNotFound, "cron has no entry %q", id)
}

func TestScheduleReading(t *testing.T) {
	w := newWorld(t)
	read := func(cron string) request {
		return w.owner(request{method: "GET", path: "/api/local/schedule?cron=" + url.QueryEscape(cron)})
	}
	var got contract.ScheduleReading
	rec := w.do(read("30 2 * * *"))
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || got.Sentence != "At 02:30 every day UTC" || len(got.Next) != 5 || got.Next[0].Minute() != 30 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	for cron, code := range map[string]contract.Code{
		"": contract.InvalidRequest, "61 * * * *": contract.InvalidSchedule, "nightly": contract.InvalidSchedule, strings.Repeat("*", 300): contract.InvalidRequest,
	} {
		wantError(t, cron, w.do(read(cron)), code)
	}
	words := func(schedule string) request {
		return w.owner(request{method: "GET", path: "/api/local/schedule?schedule=" + url.QueryEscape(schedule)})
	}
	rec = w.do(words(`{"frequency":"daily","preferredTime":"09:30","timeZone":"Asia/Kolkata"}`))
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || got.Sentence != "At 09:30 every day Asia/Kolkata" || len(got.Next) != 5 || got.Next[0].Hour() != 4 || got.Next[0].Minute() != 0 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	for schedule, code := range map[string]contract.Code{
		"": contract.InvalidRequest, "{": contract.InvalidRequest, `"daily"`: contract.InvalidSchedule, `{"frequency":"daily","timeZone":"Mars/Olympus"}`: contract.InvalidSchedule,
		`{"frequency":"daily","preferredTime":"9:30"}`: contract.InvalidSchedule, `{"frequency":"yearly"}`: contract.InvalidSchedule,
	} {
		wantError(t, schedule, w.do(words(schedule)), code)
	}
}

// Run now may show the function another time, and hands on which.
func TestScheduleUnderAClock(t *testing.T) {
	w := newWorld(t)
	run := func(clock string) request {
		return w.owner(request{method: "POST", path: "/api/local/agents/mia/schedules/nightly/run", header: map[string]string{contract.ClockHeader: clock}})
	}
	const berlin = "2026-12-31T23:59:50+01:00[Europe/Berlin]"
	if rec := w.do(run(berlin)); rec.Code != 200 || w.ranAt.String() != berlin {
		t.Errorf("%d %s, clock %v", rec.Code, rec.Body, w.ranAt)
	}
	wantError(t, "a word", w.do(run("tomorrow")), contract.InvalidRequest)
}

func TestSchedules(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"GET", "/api/local/agents/mia/schedules", 200, `"sentence":"At 03:00 every day UTC"`},
		{"POST", "/api/local/agents/mia/schedules/nightly/run", 200, `"ok":false`},
		{"POST", "/api/local/agents/mia/schedules/late/run", 404, "FN_NOT_FOUND"},
		{"POST", "/api/local/agents/mia/schedules/none/run", 404, "ENTRY_NOT_FOUND"},
		{"GET", "/api/local/agents/nobody/schedules", 404, "AGENT_NOT_FOUND"},
	} {
		r := w.do(w.owner(request{method: tt.method, path: tt.path}))
		if r.Code != tt.status || !strings.Contains(r.Body.String(), tt.says) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, r.Code, r.Body)
		}
	}
}

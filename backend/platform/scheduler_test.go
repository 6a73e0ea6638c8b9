package platform_test

import (
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// A schedule of an agent is listed with its next runs, runs when the owner says
// so, and what came of it is still known after a restart.
func TestSchedule(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "digest", `{"runtime":"js-v1"}`,
		`export default (ctx) => ({ skill: ctx.source.skill, entry: ctx.source.consumerId, times: Object.keys(ctx.schedule), nobody: ctx.auth.userId })`)
	c.must("POST", "/api/agents/mia/skills/cron/use", map[string]any{
		"entry": map[string]any{"id": "nightly", "cron": "0 3 * * *"}, "use": "digest",
	}, nil)
	events := c.events(t)
	var run contract.ScheduleRunResponse
	c.must("POST", "/api/local/agents/mia/schedules/nightly/run", nil, &run)
	if !run.OK || !run.Manual || run.Outcome != contract.ScheduleOK {
		t.Fatalf("%+v", run)
	}
	if ev := events.wait("schedule.fired"); !strings.Contains(ev, `"entryId":"nightly"`) {
		t.Errorf("event %s", ev)
	}
	detail := c.detail(run.InvocationID)
	if got := string(detail.Result); got != `{"skill":"cron","entry":"nightly","times":["plannedAt","firedAt"],"nobody":null}` || detail.SourceSkill != contract.SkillCron {
		t.Errorf("the run gave %s as %s", got, detail.SourceSkill)
	}
	c.close()
	c = start(t, dir)
	var list contract.ScheduleList
	c.must("GET", "/api/local/agents/mia/schedules", nil, &list)
	if len(list.Schedules) != 1 {
		t.Fatalf("%+v", list)
	}
	s := list.Schedules[0]
	if s.Sentence != "At 03:00 every day UTC" || len(s.Next) != 5 || s.LastRun == nil || s.LastRun.InvocationID != run.InvocationID || !json.Valid(s.Entry) {
		t.Errorf("after a restart %+v, last %+v", s, s.LastRun)
	}
	c.must("DELETE", "/api/agents/mia/functions/digest", nil, nil)
	if resp, b := c.send("POST", "/api/local/agents/mia/schedules/nightly/run", nil); resp.StatusCode != 404 {
		t.Errorf("a run of nothing: %d %s", resp.StatusCode, b)
	}
}

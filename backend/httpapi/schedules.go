package httpapi

import (
	"context"
	"encoding/json"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

// Schedules are the entries of cron and their runs.
type Schedules interface {
	List(agentID string) contract.ScheduleList
	RunNow(ctx context.Context, agentID, entryID string, clock *contract.Clock) (contract.ScheduleRun, error)
}

func (a *api) listSchedules(c *call) error { return c.ok(a.deps.Schedules.List(c.agent.ID)) }

// runSchedule runs an entry at once and answers when it has ended.
func (a *api) runSchedule(c *call) error {
	clock, err := clockOf(c)
	if err != nil {
		return err
	}
	run, err := a.deps.Schedules.RunNow(c.r.Context(), c.agent.ID, c.r.PathValue("id"), clock)
	if err != nil {
		return err
	}
	if run.InvocationID == "" && run.ErrorCode != "" {
		return contract.Errorf(run.ErrorCode, "%s", run.ErrorMessage)
	}
	return c.ok(contract.ScheduleRunResponse{OK: run.ErrorCode == "", ScheduleRun: run})
}

// maxScheduleText is far more than five fields or a schedule in words need.
const maxScheduleText = 256

// readSchedule says what a schedule means before anybody attaches it: in words,
// and when it would fire next. It is a cron expression, or in schedule the object
// that an entry has under that key, and is read by what fires it.
func (a *api) readSchedule(c *call) error {
	q := c.r.URL.Query()
	key, text := "cron", q.Get("cron")
	if q.Has("schedule") {
		key, text = "schedule", q.Get("schedule")
	}
	if text == "" || len(text) > maxScheduleText {
		return contract.Errorf(contract.InvalidRequest, "%s has %d bytes; an expression of five fields, or a schedule, has 1 to %d", key, len(text), maxScheduleText)
	}
	var value any = text
	if key == "schedule" {
		if !json.Valid([]byte(text)) {
			return contract.Errorf(contract.InvalidRequest, `schedule is a JSON object such as {"frequency": "daily"}`)
		}
		value = json.RawMessage(text)
	}
	entry, err := json.Marshal(map[string]any{"id": "preview", key: value, "use": "preview"})
	if err != nil {
		return err
	}
	entries, problems, _ := consumers.Check([]consumers.Raw{{Skill: contract.SkillCron, Path: key, JSON: entry}}, func(string) bool { return true })
	if len(problems) > 0 {
		return contract.Errorf(problems[0].Code, "%s", problems[0].Message)
	}
	s := entries[0].Schedule
	return c.ok(contract.ScheduleReading{Sentence: s.Sentence(), Next: s.NextN(a.deps.Now(), nextRuns)})
}

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
	RunNow(ctx context.Context, agentID, entryID string) (contract.ScheduleRun, error)
}

func (a *api) listSchedules(c *call) error { return c.ok(a.deps.Schedules.List(c.agent.ID)) }

// runSchedule runs an entry at once and answers when it has ended.
func (a *api) runSchedule(c *call) error {
	run, err := a.deps.Schedules.RunNow(c.r.Context(), c.agent.ID, c.r.PathValue("id"))
	if err != nil {
		return err
	}
	if run.InvocationID == "" && run.ErrorCode != "" {
		return contract.Errorf(run.ErrorCode, "%s", run.ErrorMessage)
	}
	return c.ok(contract.ScheduleRunResponse{OK: run.ErrorCode == "", ScheduleRun: run})
}

// maxCronText is far more than five fields need.
const maxCronText = 256

// readSchedule says what a cron expression means before anybody attaches it: in
// words, and when it would fire next. It is read by what fires it.
func (a *api) readSchedule(c *call) error {
	text := c.r.URL.Query().Get("cron")
	if text == "" || len(text) > maxCronText {
		return contract.Errorf(contract.InvalidRequest, "cron has %d bytes; an expression of five fields has 1 to %d", len(text), maxCronText)
	}
	entry, err := json.Marshal(map[string]string{"id": "preview", "cron": text, "use": "preview"})
	if err != nil {
		return err
	}
	entries, problems, _ := consumers.Check([]consumers.Raw{{Skill: contract.SkillCron, Path: "cron", JSON: entry}}, func(string) bool { return true })
	if len(problems) > 0 {
		return contract.Errorf(problems[0].Code, "%s", problems[0].Message)
	}
	s := entries[0].Schedule
	return c.ok(contract.ScheduleReading{Sentence: s.Sentence(), Next: s.NextN(a.deps.Now(), nextRuns)})
}

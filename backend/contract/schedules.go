package contract

import "time"

// ScheduleList answers GET /api/local/agents/<a>/schedules, in the author's
// order.
type ScheduleList struct {
	Schedules []Schedule `json:"schedules"`
}

// Schedule is an entry of cron and what came of it. Next are the next five runs,
// none for a disabled entry. LastRun and Missed are absent when there was none.
type Schedule struct {
	EntryID     string          `json:"entryId"`
	Use         string          `json:"use"`
	Enabled     bool            `json:"enabled"`
	Description string          `json:"description,omitempty"`
	Sentence    string          `json:"sentence"` // when it fires, in words
	Entry       RawJSON         `json:"entry"`
	Next        []time.Time     `json:"next"`
	Running     bool            `json:"running"`
	LastRun     *ScheduleRun    `json:"lastRun,omitempty"`
	Missed      *ScheduleMisses `json:"missed,omitempty"`
}

// Outcomes of a ScheduleRun.
const (
	ScheduleRunning     = "running"
	ScheduleOK          = "ok"
	ScheduleFailed      = "error"
	ScheduleSkipped     = "skipped"     // the run before was still under way
	ScheduleInterrupted = "interrupted" // the platform ended while it ran
)

// ScheduleRun is one fire. PlannedAt is the minute it was due in; of a run that
// the owner started it is the moment of that.
type ScheduleRun struct {
	PlannedAt    time.Time `json:"plannedAt"`
	FiredAt      time.Time `json:"firedAt"`
	Manual       bool      `json:"manual,omitempty"`
	Outcome      string    `json:"outcome"`
	InvocationID string    `json:"invocationId,omitempty"`
	ErrorCode    Code      `json:"errorCode,omitempty"`
	ErrorMessage string    `json:"errorMessage,omitempty"`
}

// ScheduleMisses are the runs that came due while nobody could fire them: the
// machine slept, the platform was off or the clock jumped. They are not made up
// for. More says that there were more than Count.
type ScheduleMisses struct {
	Count   int       `json:"count"`
	More    bool      `json:"more,omitempty"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	NotedAt time.Time `json:"notedAt"`
}

// ScheduleReading answers GET /api/local/schedule?cron=<expression>, or with
// schedule=<JSON of an entry's schedule>: what it means, and the next runs it
// would have.
type ScheduleReading struct {
	Sentence string      `json:"sentence"`
	Next     []time.Time `json:"next"`
}

// ScheduleRunResponse answers POST /api/local/agents/<a>/schedules/<id>/run.
type ScheduleRunResponse struct {
	OK bool `json:"ok"`
	ScheduleRun
}

// ScheduleEvent says that a schedule fired, or that it was due and did not.
// Reason is why not.
type ScheduleEvent struct {
	AgentID   string    `json:"agentId"`
	EntryID   string    `json:"entryId"`
	Function  string    `json:"function"`
	PlannedAt time.Time `json:"plannedAt"`
	FiredAt   time.Time `json:"firedAt"`
	Manual    bool      `json:"manual,omitempty"`
	Reason    string    `json:"reason,omitempty"`
}

// ScheduleMissedEvent says once, after a gap, what came due in it.
type ScheduleMissedEvent struct {
	AgentID  string `json:"agentId"`
	EntryID  string `json:"entryId"`
	Function string `json:"function"`
	ScheduleMisses
}

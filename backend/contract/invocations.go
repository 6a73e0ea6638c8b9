package contract

import "time"

// Skills: what an invocation came from (source_skill of a history row).
const (
	SkillManual    = "manual"
	SkillTools     = "custom_tools"
	SkillHTTP      = "custom_http"
	SkillEndpoint  = "endpoint"
	SkillCron      = "cron"
	SkillFunction  = "function"
	SkillAuthoring = "authoring" // an audit row, spec 2.3
)

// Statuses of a history row, decisions.md 17.
const (
	StatusRunning   = "running"
	StatusOK        = "ok"
	StatusError     = "error"
	StatusCancelled = "cancelled"
)

// InvokeResult is the answer of a manual invoke, contract.md 3.2.
type InvokeResult struct {
	InvocationID  string     `json:"invocationId"`
	OK            bool       `json:"ok"`
	Result        RawJSON    `json:"result,omitempty"`
	ErrorCode     Code       `json:"errorCode,omitempty"`
	ErrorMessage  string     `json:"errorMessage,omitempty"`
	ErrorAt       *SourcePos `json:"errorAt,omitempty"`
	RetryAfterSec int        `json:"retryAfterSec,omitempty"`
	DurationMs    float64    `json:"durationMs"`
	CPUMs         float64    `json:"cpuMs"`
	IngressBytes  int64      `json:"ingressBytes"`
	EgressBytes   int64      `json:"egressBytes"`
	CostNanocents string     `json:"costNanocents,omitempty"` // a decimal text
	Logs          []LogLine  `json:"logs,omitempty"`
	Version       int        `json:"version,omitempty"` // of the function that ran
}

// InvokeFailure answers a manual invoke that ran nothing: an ErrorBody that also
// reads as an InvokeResult, with zeros for what was not used.
type InvokeFailure struct {
	ErrorBody
	OK           bool    `json:"ok"`
	ErrorCode    Code    `json:"errorCode"`
	ErrorMessage string  `json:"errorMessage"`
	DurationMs   float64 `json:"durationMs"`
	CPUMs        float64 `json:"cpuMs"`
	IngressBytes int64   `json:"ingressBytes"`
	EgressBytes  int64   `json:"egressBytes"`
}

// SourcePos is a place in the author's own source; both count from 1.
type SourcePos struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// LogLine is one line of ctx.log or console. TS is in ms since the epoch.
type LogLine struct {
	Level   string  `json:"level"` // debug, info, warn, error
	Message string  `json:"message"`
	Data    RawJSON `json:"data,omitempty"`
	TS      int64   `json:"ts"`
}

// EmittedEvent is one ctx.emit. TS is in ms since the epoch.
type EmittedEvent struct {
	Event   string  `json:"event"`
	Payload RawJSON `json:"payload,omitempty"`
	TS      int64   `json:"ts"`
}

// Kinds of trace entries.
const (
	TraceHost  = "host"
	TraceFetch = "fetch"
	TraceEvent = "event"
	TraceLog   = "log"
)

// TraceEntry is one thing an invocation did, in order of resolution. Times are
// in microseconds since the handler's start. Secret values are redacted and
// Args and Result capped; Truncated says so.
type TraceEntry struct {
	Kind       string      `json:"kind"`
	Name       string      `json:"name"` // kv.put, "GET https://…", the event, the level
	StartUs    int64       `json:"startUs"`
	DurationUs int64       `json:"durationUs"`
	Args       RawJSON     `json:"args,omitempty"`
	Result     RawJSON     `json:"result,omitempty"`
	Error      *HostFailed `json:"error,omitempty"`
	InBytes    int64       `json:"inBytes,omitempty"`
	OutBytes   int64       `json:"outBytes,omitempty"`
	Truncated  bool        `json:"truncated,omitempty"`
	// InvocationID is the nested invocation of an fn.invoke.
	InvocationID string `json:"invocationId,omitempty"`
	// Line is the line of the author's source that made the call; 0 when it is
	// not known, as for a log line.
	Line int `json:"line,omitempty"`
}

// InvocationRow is one row of the history, contract.md 3.1.
type InvocationRow struct {
	ID                 string  `json:"id"`
	AgentID            string  `json:"agent_id"`
	FunctionName       string  `json:"function_name"`
	FunctionVersion    int     `json:"function_version,omitempty"`
	SourceSkill        string  `json:"source_skill"`
	ConsumerID         string  `json:"consumer_id,omitempty"`
	InvocationID       string  `json:"invocation_id"`
	RootInvocationID   string  `json:"root_invocation_id,omitempty"`
	ParentInvocationID string  `json:"parent_invocation_id,omitempty"`
	ChainDepth         int     `json:"chain_depth"`
	BilledTo           string  `json:"billed_to,omitempty"`
	CallerUserID       string  `json:"caller_user_id,omitempty"`
	CallerAgentID      string  `json:"caller_agent_id,omitempty"`
	StartedAt          string  `json:"started_at"` // UTC, six fractional digits
	FinishedAt         string  `json:"finished_at,omitempty"`
	DurationMs         float64 `json:"duration_ms"`
	CPUMs              float64 `json:"cpu_ms"`
	IngressBytes       int64   `json:"ingress_bytes"`
	EgressBytes        int64   `json:"egress_bytes"`
	Status             string  `json:"status"`
	ErrorCode          Code    `json:"error_code,omitempty"`
	ErrorMessage       string  `json:"error_message,omitempty"`
	CostNanocents      string  `json:"cost_nanocents"`
	OpenLocks          int     `json:"open_locks,omitempty"` // payment locks that it neither settled nor released
	HostCalls          int     `json:"host_calls"`
	KVPutBytes         int64   `json:"kv_put_bytes"`
	ContentWrites      int     `json:"content_writes"`
	IdempotencyKey     string  `json:"idempotency_key,omitempty"`
	AuthoringAction    string  `json:"authoring_action,omitempty"`  // declare, update, remove, secret_set, secret_delete
	AuthoringSurface   string  `json:"authoring_surface,omitempty"` // factory, host, ui, cli
}

// InvocationItem is a row in a page, with what ?include=logs,trace asks for.
type InvocationItem struct {
	InvocationRow
	Logs  []LogLine    `json:"logs,omitzero"`
	Trace []TraceEntry `json:"trace,omitzero"`
}

// InvocationPage answers GET .../invocations. Items repeats Invocations and
// Cursor repeats NextCursor (null at the end), contract.md 1 row 9.
type InvocationPage struct {
	Invocations []InvocationItem `json:"invocations"`
	Items       []InvocationItem `json:"items"`
	NextCursor  *string          `json:"nextCursor"`
	Cursor      *string          `json:"cursor"`
	Of          int              `json:"-"` // see InvocationSearch
}

// InvocationSearch answers GET /api/local/invocations: a page of the rows of all
// agents, each once. Of is there when nothing is found: how many runs there are
// without the filter.
type InvocationSearch struct {
	Invocations []InvocationItem `json:"invocations"`
	NextCursor  *string          `json:"nextCursor"`
	Of          int              `json:"of,omitempty"`
}

// InvocationDetail answers GET /api/local/invocations/<id>: the row and all
// that was kept of the run, redacted.
type InvocationDetail struct {
	InvocationRow
	Input    RawJSON        `json:"input,omitempty"` // the body as it was sent
	Result   RawJSON        `json:"result,omitempty"`
	Cut      []string       `json:"cut,omitempty"` // which of input and result are too long: a string with their beginning
	ErrorAt  *SourcePos     `json:"error_at,omitempty"`
	Logs     []LogLine      `json:"logs"`
	Events   []EmittedEvent `json:"events"`
	Trace    []TraceEntry   `json:"trace"`
	Replay   ReplayRecord   `json:"replay"`
	Manifest RawJSON        `json:"manifest,omitempty"` // of the version that ran
}

// ReplayRecord is what a later replay needs to see the same world.
type ReplayRecord struct {
	Seed         int64 `json:"seed"`
	ClockStartMs int64 `json:"clockStartMs"`
	// Clock is the moment that the run's clock was set to, as ClockHeader says it;
	// empty for a run that saw the real time.
	Clock        string `json:"clock,omitempty"`
	SourceSHA256 string `json:"sourceSha256"`
}

// CancelResponse answers POST /api/local/invocations/<id>/cancel.
type CancelResponse struct {
	OK        bool `json:"ok"`
	Cancelled bool `json:"cancelled"` // false when it had ended already
}

// Timestamp is the layout of started_at: UTC with six fractional digits.
const Timestamp = "2006-01-02T15:04:05.000000Z"

// FormatTime writes t in the Timestamp layout.
func FormatTime(t time.Time) string { return t.UTC().Format(Timestamp) }

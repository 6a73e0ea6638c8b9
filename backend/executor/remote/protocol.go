package remote

import (
	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// Paths of a server.
const (
	pathInvoke   = "/invoke"
	pathValidate = "/validate"
	pathHealth   = "/healthz"
	pathMetrics  = "/metrics"
)

// streamType is what a client accepts that wants to see logs, events and fetches
// while they happen: one JSON Line after the other, an outcome last. Without it
// the answer is one result object.
const streamType = "application/x-ndjson"

// Bounds of what travels, in bytes.
const (
	maxEnvelope = 32 * contract.MB
	maxAnswer   = 64 * contract.MB
	maxReply    = 16 * contract.MB // of a host call
)

// Envelope is the body of POST /invoke. Run is ours; a client of the hosted
// platform's executor does not send it.
type Envelope struct {
	FunctionName   string            `json:"functionName"`
	AgentID        string            `json:"agentId"`
	BundleSHA256   string            `json:"bundleSha256,omitempty"`
	Manifest       manifest.Manifest `json:"manifest"`
	CodeRef        manifest.CodeRef  `json:"codeRef"`
	Context        contract.RawJSON  `json:"context"`
	Chain          *Chain            `json:"chain,omitempty"`
	IdempotencyKey string            `json:"idempotencyKey,omitempty"`
	ValidateOnly   bool              `json:"validateOnly,omitempty"`
	HostBridge     *HostBridge       `json:"hostBridge,omitempty"`
	Run            *Run              `json:"run,omitempty"`
}

// Chain says where an invocation is in a chain of functions; Depth is 0 for a
// root.
type Chain struct {
	RootInvocationID string   `json:"rootInvocationId,omitempty"`
	Depth            int      `json:"depth"`
	Path             []string `json:"path,omitempty"`
}

// HostBridge is where host calls go, and the invocation token for them.
type HostBridge struct {
	BaseURL string `json:"baseUrl"`
	Token   string `json:"token"`
}

// Run is what makes a run the same wherever it runs.
type Run struct {
	InvocationID string   `json:"invocationId"`
	File         string   `json:"file"`
	Siblings     []string `json:"siblings,omitempty"`
	Seed         int64    `json:"seed"`
	ClockStartMs int64    `json:"clockStartMs"`
}

// Result is the one object of an answer that is not a stream, contract.md 3.2.
type Result struct {
	contract.InvokeResult
	Events []contract.EmittedEvent `json:"events,omitempty"`
}

// Line is one of a streamed answer. Exactly one member is there; an empty line
// says that the server is still at it.
type Line struct {
	Log     *LogLine             `json:"log,omitempty"`
	Emit    *Emit                `json:"emit,omitempty"`
	Fetch   *contract.TraceEntry `json:"fetch,omitempty"`
	Outcome *Outcome             `json:"outcome,omitempty"`
}

// LogLine is a line of the log; AtUs counts from the start of the handler.
type LogLine struct {
	AtUs int64 `json:"atUs"`
	contract.LogLine
}

// Emit is a ctx.emit.
type Emit struct {
	AtUs int64 `json:"atUs"`
	contract.EmittedEvent
}

// Outcome is an invocation.Outcome on its way.
type Outcome struct {
	Value         contract.RawJSON    `json:"value,omitempty"`
	Code          contract.Code       `json:"code,omitempty"`
	Message       string              `json:"message,omitempty"`
	At            *contract.SourcePos `json:"at,omitempty"`
	RetryAfterSec int                 `json:"retryAfterSec,omitempty"`
	DurationUs    int64               `json:"durationUs"`
	CPUUs         int64               `json:"cpuUs"`
	IngressBytes  int64               `json:"ingressBytes"`
	EgressBytes   int64               `json:"egressBytes"`
}

// Validate is the body of POST /validate; File and Entrypoint are ours.
type Validate struct {
	Runtime    string            `json:"runtime"`
	Source     string            `json:"source"`
	Manifest   manifest.Manifest `json:"manifest"`
	File       string            `json:"file,omitempty"`
	Entrypoint string            `json:"entrypoint,omitempty"`
}

// Validated is its answer.
type Validated struct {
	OK           bool               `json:"ok"`
	Errors       []contract.Problem `json:"errors"`
	Warnings     []contract.Problem `json:"warnings"`
	BundleSHA256 string             `json:"bundleSha256,omitempty"`
}

// Health answers GET /healthz.
type Health struct {
	Status               string  `json:"status"`
	WorkersTotal         int     `json:"workersTotal"`
	WorkersBusy          int     `json:"workersBusy"`
	CPULoadPct           float64 `json:"cpuLoadPct"`
	InvocationsInFlight  int     `json:"invocationsInFlight"`
	InvocationsPerSecond float64 `json:"invocationsPerSecond"`
	AdmissionRejections  uint64  `json:"admissionRejections"`
	CacheHits            uint64  `json:"cacheHits"`
	CacheMisses          uint64  `json:"cacheMisses"`
}

// refusals are codes that say that nothing ran.
func refused(o invocation.Outcome) bool {
	if o.DurationUs != 0 {
		return false
	}
	switch o.Code {
	case contract.PoolSaturated, contract.CPUPressure, contract.ExecutorUnavailable, contract.ShuttingDown:
		return true
	}
	return false
}

package invocation

import (
	"context"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/worker/wire"
)

// Executor runs functions somewhere else: in a worker process of this machine
// or on another one. Its answers are never Go errors: whatever went wrong is
// an Outcome or Check with a code from the table.
type Executor interface {
	// Run executes one invocation and returns when it has ended. Cancelling ctx
	// stops it with INVOCATION_CANCELLED. host is called from several
	// goroutines, never after Run has returned.
	Run(ctx context.Context, job Job, host Host) Outcome
	// Check compiles a source and looks for its handler, spec 4.1 row 4.
	Check(ctx context.Context, src Source, entrypoint string) Check
}

// Host is what a running function reaches outside its sandbox.
type Host interface {
	// HostCall answers a host-bridge call. n counts from 1 in each invocation.
	HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply
	// Log, Emit and Fetch report what happened inside, in order. atUs counts
	// from the start of the handler.
	Log(atUs int64, line contract.LogLine)
	Emit(atUs int64, ev contract.EmittedEvent)
	Fetch(entry contract.TraceEntry)
}

type lineKey struct{}

// WithLine gives a host call's context the line of the source that made it; 0
// is none.
func WithLine(ctx context.Context, line int) context.Context {
	if line <= 0 {
		return ctx
	}
	return context.WithValue(ctx, lineKey{}, line)
}

// lineOf reads what WithLine wrote.
func lineOf(ctx context.Context) int {
	line, _ := ctx.Value(lineKey{}).(int)
	return line
}

// Source is the text of a function. Name is what stack traces call it, a path
// relative to the project folder; SHA256 is of Text, in hexadecimal.
type Source struct {
	Name   string
	Text   string
	SHA256 string
}

// Job is one invocation for an executor: everything is frozen.
type Job struct {
	InvocationID string
	AgentID      string
	Function     string
	Source       Source
	Entrypoint   string
	Permissions  manifest.Permissions
	Limits       manifest.Limits // effective ones
	Context      contract.RawJSON
	Siblings     []string
	Depth        int // 0 for a root, 1 to 4 for nested calls: never queues behind its ancestors
	Seed         int64
	ClockStartMs int64
	// Endpoint is the kind of a custom endpoint's handler, "http" or "socket",
	// which has a peer (wire.PeerCall); empty for a function. Shared lets it run
	// in a process with others of its agent, for a run that lasts and waits.
	Endpoint string
	Shared   bool
	// Offline keeps fetch from the network; nil does not.
	Offline *wire.Offline
}

// Outcome is how an invocation ended. Code is empty when it went well; Value is
// nil for undefined.
type Outcome struct {
	Value         contract.RawJSON
	Code          contract.Code
	Message       string
	At            *contract.SourcePos
	RetryAfterSec int
	DurationUs    int64 // of the handler, without queueing
	CPUUs         int64
	IngressBytes  int64
	EgressBytes   int64
}

// Check is what a compile and a look for the handler found. OK means no Errors.
type Check struct {
	Errors   []contract.Problem
	Warnings []contract.Problem
}

package executor

import (
	"context"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/worker/wire"
)

// Run executes one invocation, see invocation.Executor. Waiting for a worker
// and compiling are not part of its duration and wall limit.
func (l *Local) Run(ctx context.Context, job invocation.Job, host invocation.Host) invocation.Outcome {
	if job.Depth < 0 || job.Depth > contract.MaxChainDepth {
		return invocation.Outcome{Code: contract.FnChainTooDeep, Message: "Functions called each other more than four levels deep."}
	}
	if !l.enter(job.Depth) {
		return outcome(faultOf(errStopping))
	}
	defer l.exit()
	s, f := l.cache.get(ctx, job.Source)
	if f == nil {
		f = s.fault
	}
	if f != nil {
		return outcome(f)
	}
	if len(s.errors) > 0 {
		return rejected(s.errors[0])
	}
	lim := job.Limits.Effective()
	first, err := wire.Append(nil, wire.KindRun, wire.Run{
		Hash: s.hash, InvocationID: job.InvocationID, File: job.Source.Name, Entrypoint: job.Entrypoint,
		Context: job.Context, Permissions: job.Permissions, Siblings: job.Siblings,
		WallMs: lim.WallMs, MemoryMb: lim.MemoryMb, IngressBytes: lim.IngressBytes, EgressBytes: lim.EgressBytes,
		Seed: job.Seed, ClockStartMs: job.ClockStartMs, Endpoint: job.Endpoint, Offline: job.Offline,
	})
	if err != nil {
		return invocation.Outcome{Code: contract.ExecutorInternal, Message: "The invocation cannot be sent to a worker: " + err.Error()}
	}
	var result wire.Result
	o := order{
		level: job.Depth, first: first, hash: s.hash, code: s.frame, final: wire.KindResult, into: &result, host: host,
		peer:   job.Endpoint != "",
		wall:   time.Duration(lim.WallMs)*time.Millisecond + wallGrace,
		memory: int64(lim.MemoryMb)<<20 + memoryMargin,
	}
	var end ending
	if within := (limits{wallMs: lim.WallMs, memoryMb: lim.MemoryMb}); job.Shared {
		end = l.stream(ctx, o, job.AgentID, within)
	} else {
		end = l.do(ctx, o, within)
	}
	if end.fault != nil {
		out := outcome(end.fault)
		out.DurationUs, out.CPUUs = end.elapsed.Microseconds(), end.cpu.Microseconds()
		return out
	}
	return l.told(ctx, result, end)
}

// told turns a worker's own result into an outcome, as far as it can be true.
func (l *Local) told(ctx context.Context, r wire.Result, end ending) invocation.Outcome {
	o := invocation.Outcome{
		DurationUs:   min(max(r.DurationUs, 0), end.elapsed.Microseconds()),
		CPUUs:        min(max(r.CPUUs, 0), end.elapsed.Microseconds()*int64(l.slots)),
		IngressBytes: max(r.IngressBytes, 0),
		EgressBytes:  max(r.EgressBytes, 0),
	}
	switch f := r.Error; {
	case f == nil:
		o.Value = r.Value
	case ctx.Err() != nil:
		o.Code, o.Message = contract.InvocationCancelled, "The invocation was cancelled."
	case !f.Code.Known():
		o.Code, o.Message = contract.ExecutorInternal, "The worker gave an error code that does not exist."
	default:
		o.Code, o.Message, o.At = f.Code, f.Message, f.At
	}
	return o
}

func outcome(f *fault) invocation.Outcome {
	return invocation.Outcome{Code: f.code, Message: f.message, RetryAfterSec: f.retryAfterSec}
}

// rejected is the outcome of a source that does not compile.
func rejected(p contract.Problem) invocation.Outcome {
	o := invocation.Outcome{Code: p.Code, Message: p.Message}
	if p.Line > 0 {
		o.At = &contract.SourcePos{File: p.File, Line: p.Line, Column: p.Column}
	}
	return o
}

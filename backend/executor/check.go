package executor

import (
	"context"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/worker/wire"
)

// Loading a script for a check, without calling its handler.
const (
	checkWall   = 5 * time.Second
	checkMemory = contract.DefaultMemoryMb
)

// Check compiles a source, runs its top level and looks for the handler, see
// invocation.Executor.
func (l *Local) Check(ctx context.Context, src invocation.Source, entrypoint string) invocation.Check {
	if !l.enter(0) {
		return checkFault(faultOf(errStopping), src)
	}
	defer l.exit()
	s, f := l.cache.get(ctx, src)
	if f == nil {
		f = s.fault
	}
	if f != nil {
		return checkFault(f, src)
	}
	if len(s.errors) > 0 {
		return invocation.Check{Errors: s.errors, Warnings: s.warnings}
	}
	wallMs := int(l.checkWall / time.Millisecond)
	first, err := wire.Append(nil, wire.KindCheck, wire.Run{
		Hash: s.hash, File: src.Name, Entrypoint: entrypoint, Context: contract.RawJSON("{}"),
		WallMs: wallMs, MemoryMb: checkMemory, ClockStartMs: l.now().UnixMilli(),
	})
	if err != nil {
		return checkFault(faultOf(err), src)
	}
	var result wire.Result
	end := l.do(ctx, order{
		level: 0, first: first, hash: s.hash, code: s.frame, final: wire.KindChecked, into: &result,
		wall: l.checkWall + wallGrace, memory: checkMemory<<20 + memoryMargin,
	}, limits{wallMs: wallMs, memoryMb: checkMemory})
	if end.fault != nil {
		return checkFault(end.fault, src)
	}
	found := invocation.Check{Warnings: append(s.warnings[:len(s.warnings):len(s.warnings)], result.Warnings...)}
	if f := result.Error; f != nil {
		p := contract.Problem{Code: f.Code, Message: f.Message}
		if f.At != nil {
			p = p.At(f.At.File, f.At.Line, f.At.Column)
		} else {
			p = p.At(src.Name, 0, 0)
		}
		found.Errors = []contract.Problem{p}
	}
	return found
}

func checkFault(f *fault, src invocation.Source) invocation.Check {
	p := contract.Problem{Code: f.code, Message: f.message}.At(src.Name, 0, 0)
	return invocation.Check{Errors: []contract.Problem{p}}
}

package worker

import (
	"errors"
	"fmt"

	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

// outcome translates how the function ended.
func (r *run) outcome(o *sandbox.Outcome) *wire.Result {
	if o.Error == nil {
		return &wire.Result{Value: o.Value}
	}
	frames := sandbox.ReadStack(o.Error.Stack)
	f := &wire.Failure{Code: o.Error.Code, Message: clip(o.Error.Message, maxMessage), At: frames.Place(), Stack: clip(frames.Text(), maxStack)}
	if f.Code == "" {
		f.Code = codeOf(f.Message)
	}
	if f.Message == "" {
		f.Message = "The function threw an error without a message."
	}
	return &wire.Result{Error: f}
}

// Caps of what an error may carry.
const (
	maxMessage = 8 << 10
	maxStack   = 16 << 10
)

// stoppedBy is the failure of a run that was ended from outside.
func (r *run) stoppedBy(why error, stack string) *wire.Failure {
	frames := sandbox.ReadStack(stack)
	f := &wire.Failure{At: frames.Place(), Stack: clip(frames.Text(), maxStack)}
	switch {
	case errors.Is(why, errCancel):
		f.Code, f.Message = contract.InvocationCancelled, "The invocation was cancelled."
	default:
		f.Code = contract.WallTimeout
		f.Message = fmt.Sprintf("The function was stopped after %d ms (limits.wallMs).", r.wire.WallMs)
		if stack == "" {
			f.Message = fmt.Sprintf("The function was still waiting after %d ms (limits.wallMs).", r.wire.WallMs)
			if r.session.Waiting() == 0 {
				f.Message += " No host call or fetch was open: it waited for a promise that nothing resolves."
			}
		}
	}
	return f
}

package executor

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// cause is why the platform killed a worker; empty when it did not.
type cause string

const (
	causeWall   cause = "wall"
	causeMemory cause = "memory"
	causeCancel cause = "cancel"
	causeBreach cause = "breach"
	causeClose  cause = "close"
	causeShared cause = "shared" // its process was killed because of a neighbour
)

// fault is the end of a task that gave no answer of its own.
type fault struct {
	code          contract.Code
	message       string
	retryAfterSec int
	dead          bool // the worker died of it
}

func faultOf(err error) *fault {
	e := contract.AsError(err)
	if e == nil {
		return &fault{code: contract.ExecutorUnavailable, message: err.Error()}
	}
	return &fault{code: e.Code, message: e.Message, retryAfterSec: e.RetryAfterSec}
}

// afterlife is what is known of a worker that has ended.
type afterlife struct {
	why     cause
	exit    int
	killed  bool // by a signal, or from the outside on Windows
	signal  string
	reasons []string
	breach  string
}

// verdict says how a task ended whose worker did not live to tell. The limits
// are in the function's own units, for the message.
func verdict(a afterlife, limits limits) *fault {
	f := &fault{dead: true}
	switch {
	case a.why == causeCancel:
		f.code, f.message = contract.InvocationCancelled, "The invocation was cancelled."
	case a.why == causeClose:
		f.code, f.message = contract.InvocationCancelled, "The invocation was stopped because the platform is stopping."
	case a.why == causeShared:
		f.code = contract.ExecutorInternal
		f.message = "The process that this handler shared with other connections of its agent was stopped: " + a.breach + "."
	case a.why == causeBreach:
		f.code = contract.ExecutorInternal
		f.message = "The worker broke the rules of its pipe and was stopped: " + a.breach + "."
	case a.why == causeWall, a.exit == wire.ExitWall:
		f.code, f.message = contract.WallTimeout, limits.wallMessage()
	case a.why == causeMemory, a.exit == wire.ExitMemory, ranOut(a.reasons):
		f.code, f.message = contract.MemoryLimitExceeded, limits.memoryMessage()
	case a.killed:
		f.code = contract.ExecutorInternal
		f.message = fmt.Sprintf("The worker process was killed from outside (%s), perhaps because the system ran out of memory. "+
			"What the function did before is done; call it again if that is safe.", a.signal)
	default:
		f.code = contract.ExecutorInternal
		f.message = fmt.Sprintf("The worker process ended unexpectedly (exit code %d%s). "+
			"What the function did before is done; the platform's log says more.", a.exit, because(a.reasons))
	}
	return f
}

func because(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return ", " + reasons[0]
}

// ranOut reports whether the Go runtime gave up for want of memory or stack.
func ranOut(reasons []string) bool {
	for _, r := range reasons {
		for _, sign := range []string{"out of memory", "stack exceeds", "stack overflow", "cannot allocate memory", "out of address space"} {
			if strings.Contains(r, sign) {
				return true
			}
		}
	}
	return false
}

// limits are those a task ran under.
type limits struct {
	wallMs, memoryMb int
}

func (l limits) wallMessage() string {
	m := fmt.Sprintf("The function ran longer than its wall limit of %d ms and was stopped.", l.wallMs)
	if l.wallMs < contract.MaxWallMs {
		m += fmt.Sprintf(" limits.wallMs in the manifest may be up to %d.", contract.MaxWallMs)
	}
	return m
}

func (l limits) memoryMessage() string {
	m := fmt.Sprintf("The function used more memory than its limit of %d MB and was stopped.", l.memoryMb)
	if l.memoryMb < contract.MaxMemoryMb {
		m += fmt.Sprintf(" limits.memoryMb in the manifest may be up to %d.", contract.MaxMemoryMb)
	}
	return m
}

// autopsy waits for the end of the worker's process and says what is known.
func (t *task) autopsy(err error) afterlife {
	if b, ok := errors.AsType[breachError](err); ok {
		t.kill(causeBreach)
		<-t.w.done
		a := t.lookAt()
		a.breach = b.text
		return a
	}
	// The pipe has ended, so the process is about to; it gets a moment to
	// leave with its own exit code.
	late := time.AfterFunc(time.Second, t.w.kill)
	<-t.w.done
	late.Stop()
	return t.lookAt()
}

func (t *task) lookAt() afterlife {
	t.w.mu.Lock()
	a := afterlife{why: t.why}
	waited := t.parked()
	t.w.mu.Unlock()
	if t.w.shared != nil && a.why == "" && waited { // one that computed has itself to blame
		if text := t.w.shared.reason(); text != "" {
			a.why, a.breach = causeShared, text
		}
	}
	if t.w.state != nil {
		a.exit = t.w.state.ExitCode()
		if sig, ok := killedBy(t.w.state); ok {
			a.killed, a.signal = true, sig.String()
			if s, ok := sig.(syscall.Signal); ok {
				a.signal = fmt.Sprintf("signal %d, %s", int(s), sig)
			}
		}
	}
	a.reasons = reasons(t.w.stderr.text())
	return a
}

// cpuAfter is the CPU time the task took, once the process has ended.
func (t *task) cpuAfter() time.Duration {
	if s := t.w.state; s != nil {
		return max(0, s.UserTime()+s.SystemTime()-t.cpu0)
	}
	return 0
}

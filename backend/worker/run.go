package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/hostapi"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

// run is one invocation on its way.
type run struct {
	w       *worker
	sb      *sandbox.Sandbox
	session *hostapi.Session
	wire    wire.Run
	started time.Time
	resumed time.Time     // since when it has its slot
	active  time.Duration // with a slot, before that
	slot    bool          // the platform counts this run as running
	asked   bool          // a Wake is on its way
	result  *wire.Result

	mu     sync.Mutex
	over   bool
	ready  []func(*sandbox.Sandbox) error // I/O that has come back
	signal chan struct{}                  // one element: ready or stopped has something
	why    error                          // what cancel or the wall asked for
}

// run does one Run or Check and sends its Result.
func (w *worker) run(spec wire.Run, onlyLook bool) error {
	if spec.WallMs <= 0 {
		spec.WallMs = contract.DefaultWallMs
	}
	if spec.MemoryMb <= 0 {
		spec.MemoryMb = contract.DefaultMemoryMb
	}
	script, ok := w.programs.get(spec.Hash)
	if !ok {
		w.out.now(wire.KindNeed, wire.Need{Hash: spec.Hash})
		if err := w.await(spec.Hash); err != nil {
			return err
		}
		if script, ok = w.programs.get(spec.Hash); !ok {
			return fmt.Errorf("asked for the script of %.12s and got another", spec.Hash)
		}
	}
	r := &run{w: w, sb: w.next, wire: spec, started: time.Now(), slot: true, signal: make(chan struct{}, 1)}
	r.resumed = r.started
	w.next = nil
	r.session = hostapi.New(spec, r, r.started, w.outside)
	w.current.Store(r)
	if w.early.Load() {
		r.cancel() // it was cancelled before it began
	}
	cpu := cpuTime()
	w.guard.watch(spec.MemoryMb, r.wall(), func() { r.stop(errWall) })

	random := rand.New(rand.NewPCG(uint64(spec.Seed), 0x9E3779B97F4A7C15))
	if !onlyLook {
		noteRequest(r.session, script.bodyMembers, spec.Context)
	}
	err := r.drive(sandbox.Run{Script: script.Script, Entrypoint: spec.Entrypoint, Members: r.session.Members(),
		OnlyLook: onlyLook, Around: around(spec.Endpoint), Host: r.session, Now: r.session.Now, Random: random.Float64})

	w.current.Store(nil)
	over, heavy := w.guard.rest()
	r.end()
	if err != nil {
		return err
	}
	if over {
		r.result = &wire.Result{Error: &wire.Failure{Code: contract.MemoryLimitExceeded,
			Message: fmt.Sprintf("The function used more than %d MB of memory (limits.memoryMb).", spec.MemoryMb)}}
	}
	if !onlyLook {
		noteResult(r.session, spec.Context, r.result.Value)
	}
	r.result.DurationUs = time.Since(r.started).Microseconds()
	r.result.CPUUs = (cpuTime() - cpu).Microseconds()
	if w.lane {
		r.result.CPUUs = r.active.Microseconds() // the process's time is that of many runs
	}
	r.result.IngressBytes, r.result.EgressBytes = r.session.Traffic()
	kind := wire.KindResult
	if onlyLook {
		kind = wire.KindChecked
	}
	w.out.now(kind, r.result)
	if heavy && !w.lane { // a process that is shared gives memory back when it is quiet
		debug.FreeOSMemory()
	}
	return nil
}

// await reads the code frame that a Need asked for.
func (w *worker) await(hash string) error {
	for f := range w.in {
		switch f.kind {
		case wire.KindCode:
			return w.code(f.body)
		case wire.KindReply, wire.KindGo: // of a run before this one
		default:
			return fmt.Errorf("a frame of kind %d while waiting for the script of %.12s", f.kind, hash)
		}
	}
	return <-w.broken
}

// drive runs JavaScript until there is a result. An error is the worker's own
// end, not the function's.
func (r *run) drive(first sandbox.Run) error {
	err := r.sb.Start(first)
	for {
		if r.conclude(err) {
			return nil
		}
		if r.result, err = r.wait(); r.result != nil {
			return nil
		}
		var stopped *sandbox.Stopped
		if err != nil && !errors.As(err, &stopped) {
			return err
		}
	}
}

// conclude makes the result when the function has ended or was stopped.
func (r *run) conclude(err error) bool {
	var stopped *sandbox.Stopped
	switch {
	case errors.As(err, &stopped):
		r.result = &wire.Result{Error: r.stoppedBy(stopped.Reason, stopped.Stack)}
	case r.sb.Outcome() != nil:
		r.result = r.outcome(r.sb.Outcome())
	default:
		return false
	}
	return true
}

// wait lets go of the slot until something comes back, and runs it.
func (r *run) wait() (*wire.Result, error) {
	if r.slot {
		if f, ok := r.take(); ok {
			return nil, f(r.sb)
		}
		r.slot, r.asked = false, false
		r.active += time.Since(r.resumed)
		if r.session.WaitsForPeer() {
			r.w.guard.pause()
		}
		r.w.out.now(wire.KindIdle, nil)
	}
	for {
		select {
		case f, ok := <-r.w.in:
			if !ok {
				return nil, <-r.w.broken
			}
			switch f.kind {
			case wire.KindReply:
				var reply wire.Reply
				if err := read(f, &reply); err != nil {
					return nil, err
				}
				r.resume(r.session.OfPeer(reply.N))
				return nil, r.session.Replied(r.sb, reply)
			case wire.KindGo:
				r.resume(false)
				if f, ok := r.take(); ok {
					return nil, f(r.sb)
				}
				return nil, nil
			default:
				return nil, fmt.Errorf("a frame of kind %d during a run", f.kind)
			}
		case <-r.signal:
			r.mu.Lock()
			why, some := r.why, len(r.ready) > 0
			r.mu.Unlock()
			if why != nil {
				return &wire.Result{Error: r.stoppedBy(why, "")}, nil
			}
			if some && !r.asked {
				r.asked = true
				r.w.out.now(wire.KindWake, nil)
			}
		}
	}
}

// resume notes a slot. What comes from the peer starts the wall clock anew; so
// does whatever ends a wait for nothing but the peer.
func (r *run) resume(peer bool) {
	r.slot, r.resumed = true, time.Now()
	if peer || r.session.WaitsForPeer() {
		r.w.guard.renew(r.wall())
	}
}

func (r *run) wall() time.Duration { return time.Duration(r.wire.WallMs) * time.Millisecond }

// around is what calls the handler of an endpoint.
func around(endpoint string) string {
	switch endpoint {
	case wire.EndpointHTTP:
		return "endpoint.http"
	case wire.EndpointSocket:
		return "endpoint.ws"
	}
	return ""
}

// take gives the next piece of I/O that has come back.
func (r *run) take() (func(*sandbox.Sandbox) error, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ready) == 0 {
		return nil, false
	}
	f := r.ready[0]
	r.ready = r.ready[1:]
	return f, true
}

// Send and Later are the session's Port.
func (r *run) Send(kind wire.Kind, body any) { r.w.out.send(kind, body) }

// Later queues f for the run's own goroutine.
func (r *run) Later(f func(*sandbox.Sandbox) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.ready = append(r.ready, f)
	r.wake()
}

func (r *run) wake() {
	select {
	case r.signal <- struct{}{}:
	default:
	}
}

// cancel stops the run with INVOCATION_CANCELLED.
func (r *run) cancel() { r.stop(errCancel) }

func (r *run) stop(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over || r.why != nil {
		return
	}
	r.why = why
	r.sb.Interrupt(why)
	r.wake()
}

// end cuts off everything that is still on its way.
func (r *run) end() {
	r.mu.Lock()
	r.over, r.ready = true, nil
	r.mu.Unlock()
	r.session.Close()
}

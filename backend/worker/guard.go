package worker

import (
	"errors"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// What the watchdog inside the process goes by. The platform has a second one
// outside, for whatever stops this one.
const (
	memorySlack   = 24 << 20 // of the process itself, above the function's limit
	lookEvery     = 5 * time.Millisecond
	interruptWait = 250 * time.Millisecond // from the interrupt to the end of the process, unless a test is patient
	heavyProcess  = 64 << 20
	maxGoStack    = 64 << 20
	gcPercent     = 400
	compileWall   = 10 * time.Second
	compileMemory = contract.DefaultMemoryMb
)

// Reasons to stop JavaScript.
var (
	errWall   = errors.New("wall limit")
	errCancel = errors.New("cancelled")
)

// Regular expressions have no time limit of their own: the engine would take an
// expired one for "no match" and the function would go on with a wrong answer.
// The end of the process is the honest limit.

// settings are what a process does to itself before the first frame. They are
// the process's, not a run's, so only Main calls this.
func settings() {
	debug.SetMaxStack(maxGoStack)
	debug.SetGCPercent(gcPercent)
}

// guard watches one piece of work. One timer looks at memory and at the clock
// every few milliseconds; a hello is over before it looks at all.
type guard struct {
	exit    func(code int)
	grace   time.Duration
	mu      sync.Mutex
	timer   *time.Timer
	on      bool
	samples []metrics.Sample
	limit   uint64
	limited int64 // the runtime's soft limit as it is set
	wall    time.Time
	stop    func()
	stopped bool
	paused  bool // the work waits for its peer: no clock runs
}

func newGuard(exit func(int), grace time.Duration) *guard {
	g := &guard{exit: exit, grace: grace, samples: []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}}
	g.timer = time.AfterFunc(time.Hour, g.look)
	g.timer.Stop()
	return g
}

// watch starts. After wall, stop is called; if the work is not over
// grace later, the process ends.
func (g *guard) watch(memoryMb int, wall time.Duration, stop func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if soft := int64(memoryMb) << 20; soft != g.limited {
		g.limited = soft
		g.limit = uint64(soft) + memorySlack
		debug.SetMemoryLimit(soft)
	}
	g.on, g.stopped, g.paused, g.stop, g.wall = true, false, false, stop, time.Now().Add(wall)
	g.timer.Reset(min(lookEvery, wall))
}

// pause stops the clock of work that waits for its peer, and renew starts it
// anew. Nothing grows meanwhile, so memory is not looked at either.
func (g *guard) pause() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paused = true
	g.timer.Stop()
}

func (g *guard) renew(wall time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paused = false
	if g.on && !g.stopped {
		g.wall = time.Now().Add(wall)
		g.timer.Reset(min(lookEvery, wall))
	}
}

// rest ends the watch. It reports whether the work was above its limit at the
// end, because memory that was asked for and never touched costs no time, so that the
// work may be over before anybody looks; and whether what it left behind is so
// much that it should go back to the system before the next.
func (g *guard) rest() (over, heavy bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.on, g.stop = false, nil
	g.timer.Stop()
	held := g.held()
	return held > g.limit, held > heavyProcess
}

func (g *guard) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.on || g.paused && !g.stopped {
		return // it ended, or waits, while this was on its way
	}
	if g.held() > g.limit {
		g.exit(wire.ExitMemory)
		return
	}
	left := time.Until(g.wall)
	switch {
	case left > 0:
	case !g.stopped:
		g.stopped = true
		g.wall = time.Now().Add(g.grace)
		left = g.grace
		g.stop()
	default:
		g.exit(wire.ExitWall)
		return
	}
	g.timer.Reset(min(lookEvery, left))
}

// held is how much memory the process has from the system right now.
func (g *guard) held() uint64 {
	metrics.Read(g.samples)
	return g.samples[0].Value.Uint64() - g.samples[1].Value.Uint64()
}

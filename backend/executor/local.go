package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// Config says how a Local works. Zero values mean the defaults.
type Config struct {
	Worker     []string // command line of the worker program, see FindWorker
	Slots      int      // how many tasks may compute at a time: the number of cores
	MaxWorkers int      // processes for roots: 64
	Warm       int      // processes kept when idle: Slots
	MaxQueued  int      // roots waiting for a start, then POOL_SATURATED: 512
	Log        *slog.Logger
	Now        func() time.Time
}

// Local is an invocation.Executor that runs functions in worker processes.
type Local struct {
	slots   int
	log     *slog.Logger
	now     func() time.Time
	places  *places
	pool    *pool
	cache   *cache
	dog     *watchdog
	streams *streams

	checkWall time.Duration // a constant, but for tests

	mu      sync.Mutex
	tasks   int           // accepted and not ended, the queued ones too
	closing bool          // no new roots
	drained chan struct{} // closed when closing and tasks is 0
	empty   bool          // it is closed
}

var _ invocation.Executor = (*Local)(nil)

// New makes a Local and starts its warm workers in the background.
func New(c Config) (*Local, error) {
	if len(c.Worker) == 0 {
		return nil, errors.New("executor: no worker program is configured")
	}
	path, err := exec.LookPath(c.Worker[0])
	if err != nil {
		return nil, fmt.Errorf("executor: the worker program cannot be started: %w", err)
	}
	c.Worker = append([]string{path}, c.Worker[1:]...)
	if c.Slots <= 0 {
		c.Slots = runtime.NumCPU()
	}
	if c.MaxWorkers <= 0 {
		c.MaxWorkers = 64
	}
	if c.Warm <= 0 {
		c.Warm = c.Slots
	}
	if c.MaxQueued <= 0 {
		c.MaxQueued = 512
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	dir, err := os.MkdirTemp("", "benchtop-worker-")
	if err != nil {
		return nil, fmt.Errorf("executor: make the workers' empty folder: %w", err)
	}
	l := &Local{
		slots: c.Slots, log: c.Log, now: c.Now, checkWall: checkWall,
		places:  newPlaces(c.Slots, c.MaxWorkers, c.MaxQueued),
		drained: make(chan struct{}),
	}
	l.cache = newCache(l)
	l.dog = &watchdog{l: l, wake: make(chan struct{}, 1), stop: make(chan struct{}), gone: make(chan struct{})}
	l.pool = &pool{argv: c.Worker, dir: dir, warm: c.Warm, log: c.Log, now: c.Now, wake: l.dog.wake,
		settings: &settings{files: resolving, now: c.Now}}
	l.streams = newStreams(l)
	go l.dog.run()
	l.pool.mu.Lock()
	l.pool.fill(false)
	l.pool.mu.Unlock()
	return l, nil
}

// Stats is a look at the pool.
func (l *Local) Stats() contract.ExecutorStats {
	l.mu.Lock()
	tasks := l.tasks
	l.mu.Unlock()
	workers, busy := l.pool.counts()
	return contract.ExecutorStats{Workers: workers, Busy: busy, Slots: l.slots, InFlight: tasks, Queued: l.places.queued()}
}

// Close refuses new invocations, lets the running ones go on until ctx ends,
// stops those that are left and waits until no worker process is there.
func (l *Local) Close(ctx context.Context) error {
	l.mu.Lock()
	again := l.closing
	l.closing = true
	l.noteDrained()
	l.mu.Unlock()
	if again {
		return nil
	}
	l.places.close()
	select {
	case <-l.drained:
	case <-ctx.Done():
		l.killAll()
	}
	l.streams.close()
	l.pool.close()
	close(l.dog.stop)
	<-l.dog.gone
	if err := os.RemoveAll(l.pool.dir); err != nil {
		return fmt.Errorf("executor: remove the workers' folder: %w", err)
	}
	return nil
}

// killAll ends every task. One that was about to start when we looked is seen
// the next time.
func (l *Local) killAll() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		for _, t := range l.streams.busy(l.pool.busy(nil)) {
			t.kill(causeClose)
		}
		select {
		case <-l.drained:
			return
		case <-tick.C:
		}
	}
}

// enter counts a task in; false when the platform is stopping and it is a root.
func (l *Local) enter(level int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing && level == 0 {
		return false
	}
	l.tasks++
	return true
}

func (l *Local) exit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tasks--
	l.noteDrained()
}

// noteDrained closes drained, once. l.mu is held.
func (l *Local) noteDrained() {
	if l.tasks == 0 && l.closing && !l.empty {
		l.empty = true
		close(l.drained)
	}
}

// ending is how a task ended. fault is nil when its last frame is there.
type ending struct {
	fault   *fault
	after   *afterlife // of a dead worker
	elapsed time.Duration
	cpu     time.Duration
	// begun is false when the worker was dead before it could read the order:
	// it can be given to another one.
	begun bool
}

func refused(f *fault) ending { return ending{fault: f, begun: true} }

// do has a worker carry out an order: it waits for a place and a slot, talks to
// the worker, and leaves everything as it found it.
func (l *Local) do(ctx context.Context, o order, limits limits) ending {
	if ctx.Err() != nil {
		return refused(faultOf(errCancelled))
	}
	if caller, ok := ctx.Value(callerKey{}).(*task); ok {
		caller.letGo()
	}
	for try := 1; ; try++ {
		end := l.attempt(ctx, o, limits)
		if end.begun || try == 3 {
			return end
		}
	}
}

// attempt is do, once.
func (l *Local) attempt(ctx context.Context, o order, limits limits) ending {
	at, err := l.places.start(ctx, o.level)
	if err != nil {
		return refused(faultOf(err))
	}
	w, err := l.pool.take(o.hash)
	if err != nil {
		l.places.end(at, true)
		return refused(l.unavailable(err))
	}
	t := &task{order: o, l: l, w: w, ctx: ctx, place: at}
	return t.perform(limits)
}

func (l *Local) unavailable(err error) *fault {
	if e := contract.AsError(err); e != nil {
		return faultOf(e)
	}
	l.log.Error("no worker could be started", "error", err)
	return &fault{code: contract.ExecutorUnavailable,
		message: "No worker process could be started; the platform's log says why. Try again shortly.", retryAfterSec: 1}
}

// perform carries the task out and gives worker, place and slot back.
func (t *task) perform(limits limits) ending {
	w := t.w
	t.begun, t.cpu0 = t.l.now(), w.gauge.cpu()
	w.mu.Lock()
	w.task, t.slot, t.slotAt, t.wallFrom = t, true, t.begun, t.begun
	w.mu.Unlock()
	err := t.begin()
	if err == nil {
		stop := context.AfterFunc(t.ctx, t.cancel) // not before: a cancel must not overtake its order
		err = t.exchange()
		stop()
	}
	end := ending{begun: true}
	switch {
	case errors.Is(err, errNotBegun):
		w.kill()
		<-w.done
		end.begun = false
		end.fault = &fault{code: contract.ExecutorUnavailable, retryAfterSec: 1,
			message: "Worker processes end as soon as they start; the platform's log says why."}
	case err != nil:
		after := t.autopsy(err)
		end.after, end.fault = &after, verdict(after, limits)
		t.l.logDeath(t, after, end.fault)
	}
	slot := t.leave()
	end.elapsed = t.l.now().Sub(t.begun)
	if err != nil {
		end.cpu = t.cpuAfter()
		t.l.pool.bury(w)
	} else {
		t.l.pool.put(w, end.elapsed)
	}
	t.l.places.end(t.place, slot)
	t.settleCalls(err == nil)
	return end
}

// callGrace is what host calls get to end that the function did not wait for.
const callGrace = 250 * time.Millisecond

// settleCalls waits for the host calls that are still under way when the
// function has ended. The host is not called once it returns.
func (t *task) settleCalls(well bool) {
	if t.hostCancel == nil {
		return
	}
	if well {
		late := time.AfterFunc(callGrace, t.hostCancel)
		defer late.Stop()
	} else {
		t.hostCancel()
	}
	t.calls.Wait()
	t.hostCancel()
}

func (l *Local) logDeath(t *task, a afterlife, f *fault) {
	level := slog.LevelInfo // a function that hits its limits is everyday life
	if f.code == contract.ExecutorInternal {
		level = slog.LevelWarn
	}
	l.log.Log(context.Background(), level, "a worker was lost", "code", f.code, "exit", a.exit, "signal", a.signal,
		"cause", string(a.why), "reasons", a.reasons, "breach", a.breach)
}

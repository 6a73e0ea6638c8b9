package executor

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"benchtop/backend/worker/wire"
)

// pool keeps the worker processes. How many may be busy is places' business;
// the pool starts one whenever a task has a place and no worker is idle, keeps
// a few warm ones, and lets the others go when they have been idle for a while.
type pool struct {
	argv []string
	dir  string
	warm int
	log  *slog.Logger
	now  func() time.Time
	wake chan struct{} // of the watchdog

	settings *settings // of the network

	mu       sync.Mutex
	idle     []*worker // the last used one at the end
	all      []*worker
	out      int         // lent to tasks
	starting int         // spares on their way
	ready    *wire.Ready // what the last started worker said of itself
	resting  bool
	closed   bool
	shrinker *time.Timer
	starts   sync.WaitGroup
}

const (
	idleFor     = 10 * time.Second // then a worker beyond the warm ones leaves
	leaveWithin = time.Second      // after its pipe was closed
	// keepResident is how large a worker may be after a run. A worker that
	// runs small functions settles at 35 MB and does not grow over 20,000 runs,
	// so only one that a function has blown up leaves.
	keepResident = 96 << 20
	lookAtRuns   = 32 // a worker's size is looked at after that many quick runs,
	lookAfter    = 5 * time.Millisecond
	// shortLife is how long a worker must have lived for its death in idleness
	// to be answered with a new one, so that a broken program is not started
	// in a circle.
	shortLife = time.Second
	searchFor = 8 // idle workers asked whether they know the script
)

// take gives an idle worker, if possible one that has the script, or a new one.
func (p *pool) take(hash string) (*worker, error) {
	settings := p.settings.state()
	p.mu.Lock()
	p.idle = slices.DeleteFunc(p.idle, func(w *worker) bool {
		old := w.settings != settings
		if old {
			p.leave(w)
		}
		return old
	})
	if p.resting {
		p.resting = false
		p.wake <- struct{}{}
	}
	p.out++
	w := p.pick(hash)
	p.mu.Unlock()
	if w != nil {
		return w, nil
	}
	w, err := p.start()
	if err != nil {
		p.mu.Lock()
		p.out--
		p.mu.Unlock()
		return nil, err
	}
	return w, nil
}

func (p *pool) pick(hash string) *worker {
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	at := last
	for i := last; i >= 0 && i > last-searchFor && hash != ""; i-- {
		if p.idle[i].loaded[hash] {
			at = i
			break
		}
	}
	w := p.idle[at]
	p.idle = slices.Delete(p.idle, at, at+1)
	return w
}

// start starts a worker that nobody else knows yet.
func (p *pool) start() (*worker, error) {
	settings := p.settings.state() // before it reads them itself
	w, err := startWorker(p.argv, p.dir)
	if err != nil {
		return nil, err
	}
	w.bornAt, w.settings = p.now(), settings
	p.mu.Lock()
	closed := p.closed
	p.ready = &w.ready
	if !closed {
		p.all = append(p.all, w)
	}
	p.mu.Unlock()
	if closed {
		w.kill()
		<-w.done
		w.release()
		return nil, errStopping
	}
	go func() {
		<-w.done
		p.ended(w)
	}()
	return w, nil
}

// put takes a worker back after a task that took as long as took.
func (p *pool) put(w *worker, took time.Duration) {
	w.runs++
	large := (took > lookAfter || w.runs%lookAtRuns == 0) && w.gauge.resident() > keepResident
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out--
	if large || p.closed || w.process.ended() {
		p.leave(w)
		p.fill(false)
		return
	}
	w.idleAt = p.now()
	p.idle = append(p.idle, w)
	p.planShrink()
}

// bury takes back a worker that died in its task.
func (p *pool) bury(w *worker) {
	w.release()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out--
	p.fill(true)
}

// ended is called when a worker's process is gone, for whatever reason.
func (p *pool) ended(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.all, w); i >= 0 {
		p.all = slices.Delete(p.all, i, i+1)
	}
	if i := slices.Index(p.idle, w); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		w.release()
		p.log.Warn("an idle worker ended", "exit", w.state.String(), "reasons", reasons(w.stderr.text()))
		if p.now().Sub(w.bornAt) > shortLife || w.runs > 0 {
			p.fill(true)
		}
	}
}

// fill starts spares in the background: up to the warm number of processes,
// and one when a worker died and none is idle. p.mu is held.
func (p *pool) fill(died bool) {
	for !p.closed && (p.out+len(p.idle)+p.starting < p.warm || died && len(p.idle)+p.starting == 0) {
		p.starting++
		p.starts.Add(1)
		go p.spare()
	}
}

func (p *pool) spare() {
	defer p.starts.Done()
	w, err := p.start()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting--
	switch {
	case err != nil && !p.closed:
		p.log.Error("no worker could be started; the next invocation tries again", "error", err)
	case err != nil:
	case p.closed || w.process.ended():
		p.leave(w)
	default:
		w.idleAt = p.now()
		p.idle = append([]*worker{w}, p.idle...)
		p.planShrink()
	}
}

// leave sends a worker away that nobody uses. p.mu is held.
func (p *pool) leave(w *worker) {
	w.release()
	late := time.AfterFunc(leaveWithin, w.kill)
	go func() {
		<-w.done
		late.Stop()
	}()
}

// planShrink looks again when the idlest worker may have to leave. p.mu is held.
func (p *pool) planShrink() {
	if len(p.idle) <= p.warm || p.shrinker != nil || p.closed {
		return
	}
	p.shrinker = time.AfterFunc(idleFor, p.shrink)
}

func (p *pool) shrink() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shrinker = nil
	now := p.now()
	for len(p.idle) > p.warm && now.Sub(p.idle[0].idleAt) >= idleFor {
		p.leave(p.idle[0])
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	p.planShrink()
}

// busy appends the tasks under way to buf.
func (p *pool) busy(buf []*task) []*task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == 0 {
		return buf
	}
	for _, w := range p.all {
		w.mu.Lock()
		if w.task != nil {
			buf = append(buf, w.task)
		}
		w.mu.Unlock()
	}
	return buf
}

// rest lets the watchdog sleep until the next task, unless there is one.
func (p *pool) rest() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resting = p.out == 0
	return p.resting
}

// close sends the idle workers away and waits until every process is gone; the
// caller has seen to it that no task is under way.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	if p.shrinker != nil {
		p.shrinker.Stop()
	}
	for _, w := range p.idle {
		p.leave(w)
	}
	p.idle = nil
	left := slices.Clone(p.all)
	p.mu.Unlock()
	p.starts.Wait()
	for _, w := range left {
		<-w.done
	}
}

func (p *pool) counts() (workers, busy int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), p.out
}

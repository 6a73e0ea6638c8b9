package executor

import (
	"time"
)

// watchdog looks at every busy worker from outside: at its memory, its time and
// its hold on a CPU slot. The worker enforces the same limits inside, and
// earlier; this is for functions that the inside cannot stop.
type watchdog struct {
	l    *Local
	wake chan struct{}
	stop chan struct{}
	gone chan struct{}
}

const (
	watchEvery = 12 * time.Millisecond
	// watchRest is how long the watchdog goes on looking when nobody is busy
	// before it sleeps. Waking it costs more than a quick invocation.
	watchRest = time.Second
	// wallGrace is what a worker gets beyond the wall limit: the interrupt
	// inside, then its own grace of 250 ms, come first.
	wallGrace = 600 * time.Millisecond
	// memoryMargin is what a process may occupy beyond the function's limit:
	// the program itself, garbage, and 24 MB after which it stops itself.
	memoryMargin = 48 << 20
	// cancelGrace is what a cancelled worker gets to end by itself.
	cancelGrace = 250 * time.Millisecond
	// slotHold is how long a task may compute while others wait for its slot.
	slotHold = 50 * time.Millisecond
)

func (d *watchdog) run() {
	defer close(d.gone)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var quiet time.Duration
	var busy []*task
	for {
		select {
		case <-d.stop:
			return
		case <-tick.C:
		}
		if busy = d.l.pool.busy(busy[:0]); len(busy) > 0 {
			quiet = 0
			for i, t := range busy {
				d.look(t)
				busy[i] = nil
			}
			continue
		}
		if quiet += watchEvery; quiet < watchRest || !d.l.pool.rest() {
			continue
		}
		tick.Stop()
		select {
		case <-d.stop:
			return
		case <-d.wake:
		}
		tick.Reset(watchEvery)
		quiet = 0
	}
}

// look judges one task.
func (d *watchdog) look(t *task) {
	now, resident := d.l.now(), t.w.gauge.resident()
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if t.w.task != t {
		return // it ended while we looked
	}
	if t.parked() {
		t.wallFrom = now
	}
	switch {
	case resident > t.memory:
		t.killLocked(causeMemory)
	case now.Sub(t.wallFrom) > t.wall:
		t.killLocked(causeWall)
	case !t.cancelAt.IsZero() && now.Sub(t.cancelAt) > cancelGrace:
		t.killLocked(causeCancel)
	case t.slot && now.Sub(t.slotAt) > slotHold && d.l.places.lend():
		t.slot = false
	}
}

// kill ends the worker because of why, unless the task is over.
func (t *task) kill(why cause) {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if t.w.task == t {
		t.killLocked(why)
	}
}

func (t *task) killLocked(why cause) {
	if t.why != "" {
		return
	}
	t.why = why
	if t.w.shared != nil {
		t.w.shared.blame(why)
	}
	t.w.kill()
	if t.hostCancel != nil {
		t.hostCancel()
	}
}

// cancel tells the worker to stop; the watchdog ends it if it does not.
func (t *task) cancel() {
	t.w.mu.Lock()
	if t.w.task != t {
		t.w.mu.Unlock()
		return
	}
	t.cancelAt = t.l.now()
	if t.w.shared != nil && t.waiter != nil { // behind what waits for a slot: a cancel must not overtake its order
		t.pending = append(t.pending, cancelFrame...)
		t.w.mu.Unlock()
		return
	}
	t.w.mu.Unlock()
	_ = t.w.write(t, cancelFrame)
}

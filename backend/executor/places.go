package executor

import (
	"context"
	"sync"

	"benchtop/backend/contract"
)

// places decides who may have a process and who may use a CPU.
//
// A place is the right to keep a worker process busy, from the start of a task
// to its end. A slot is the right to compute; there are as many as cores. A
// task starts with both. It gives its slot back while it waits for I/O or for
// the host, and keeps its place.
//
// Places come in levels. A root (level 0) takes one of the shared places. A
// call nested d deep takes a shared place, or else one of the few that are kept
// for level d alone. Compiling has a level of its own above the deepest call,
// and only places of that level.
//
// No deadlock. A task on level d waits for nothing but a slot, the host, the
// outside world (both bounded by its wall limit) and tasks on levels above d.
//   - Slots always come back: whoever waits for anything but a slot holds none
//     (or for a moment, see holdFor), and one who computes too long loses his
//     (see lend).
//   - Compiling waits for no task, so every compilation ends, and the places
//     of its level, held by nobody else, come free: every compilation starts.
//   - Say that tasks of all levels above d start and end. Then a task on level
//     d waits only for things that end, so it ends. The places of level d are
//     held by tasks of level d alone, so they come free again, and the queue
//     of a level is first in, first out: every task on level d starts.
//
// So by induction from the top, calls of every level end. Roots hold shared
// places only together with tasks that end, so roots start and end too. 64
// parents four levels deep therefore need 64 shared places and one of each
// level, not 320 processes.
//
// Order: resumed tasks first (they hold memory and somebody waits), then
// compilations, then nested calls, deepest first, then roots; each first in,
// first out. One grant in rootShare goes to a root nevertheless, so that busy
// neighbours delay a newcomer but never keep him out.
type places struct {
	mu     sync.Mutex
	slots  int // free ones
	shared int
	kept   [levels]int // free places of each level; [0] stays 0

	resumes waiters
	starts  [levels]waiters
	waiting int // in all queues together
	granted uint
	limit   int // of each start queue of roots and compilations
	closed  bool
}

const (
	levelCompile = contract.MaxChainDepth + 1
	levels       = levelCompile + 1
	keptPlaces   = 4 // of each level above 0
	rootShare    = 8
)

// place says where a place came from, and has to go back to.
type place int

const placeShared place = 0 // others are the level

func newPlaces(slots, shared, limit int) *places {
	p := &places{slots: slots, shared: shared, limit: limit}
	for level := 1; level < levels; level++ {
		p.kept[level] = keptPlaces
	}
	return p
}

// start waits for a place and a slot. The error is a *contract.Error.
func (p *places) start(ctx context.Context, level int) (place, error) {
	p.mu.Lock()
	if p.closed && level == 0 {
		p.mu.Unlock()
		return 0, errStopping
	}
	if p.waiting == 0 && p.slots > 0 {
		if at, ok := p.takePlace(level); ok {
			p.slots--
			p.mu.Unlock()
			return at, nil
		}
	}
	q := &p.starts[level]
	if (level == 0 || level == levelCompile) && q.n >= p.limit {
		n := q.n
		p.mu.Unlock()
		err := contract.Errorf(contract.PoolSaturated, "%d invocations are waiting for a worker already; try again shortly", n)
		err.RetryAfterSec = retryAfter(n, p.limit)
		return 0, err
	}
	w := &waiter{level: level, ready: make(chan place, 1)}
	p.push(q, w)
	p.pump()
	p.mu.Unlock()

	select {
	case at := <-w.ready:
		return p.started(at)
	case <-ctx.Done():
		p.mu.Lock()
		gone := p.drop(w)
		p.mu.Unlock()
		if !gone { // granted in the same moment
			if at := <-w.ready; at != placeRefused {
				p.end(at, true)
			}
		}
		return 0, errCancelled
	}
}

const placeRefused place = -1

func (p *places) started(at place) (place, error) {
	if at == placeRefused {
		return 0, errStopping
	}
	return at, nil
}

// end gives a place back, and a slot when the task holds one.
func (p *places) end(at place, slot bool) {
	p.mu.Lock()
	if at == placeShared {
		p.shared++
	} else {
		p.kept[at]++
	}
	if slot {
		p.slots++
	}
	p.pump()
	p.mu.Unlock()
}

// resume takes a slot now, or queues for one: then granted is called later,
// from another goroutine, unless drop takes the waiter out before.
func (p *places) resume(granted func()) (now bool, w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slots > 0 && p.resumes.n == 0 {
		p.slots--
		return true, nil
	}
	w = &waiter{granted: granted}
	p.push(&p.resumes, w)
	return false, w
}

// pause gives a slot back.
func (p *places) pause() {
	p.mu.Lock()
	p.slots++
	p.pump()
	p.mu.Unlock()
}

// crowded reports whether anybody waits.
func (p *places) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting > 0
}

// lend gives back the slot of a task that goes on computing, when somebody
// waits: a function in an endless loop holds up its neighbours for moments, not
// until its wall limit. From then on the operating system shares the cores out.
func (p *places) lend() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == 0 || p.slots > 0 {
		return false
	}
	p.slots++
	p.pump()
	return true
}

// forget takes a waiter of resume out; false means that it was granted.
func (p *places) forget(w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drop(w)
}

// close refuses roots from now on, the queued ones too. Nested calls still
// start, so that their parents can end.
func (p *places) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for w := p.starts[0].first; w != nil; w = p.starts[0].first {
		p.drop(w)
		w.ready <- placeRefused
	}
}

// queued counts tasks that wait for their start.
func (p *places) queued() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting - p.resumes.n
}

// pump hands out what is free. p.mu is held.
func (p *places) pump() {
	for p.slots > 0 && p.waiting > 0 {
		p.granted++
		if p.granted%rootShare == 0 && p.grantStart(0) {
			continue
		}
		if w := p.resumes.first; w != nil {
			p.drop(w)
			p.slots--
			go w.granted()
			continue
		}
		if !p.grantAny() {
			return
		}
	}
}

func (p *places) grantAny() bool {
	for level := levels - 1; level >= 0; level-- {
		if p.grantStart(level) {
			return true
		}
	}
	return false
}

func (p *places) grantStart(level int) bool {
	w := p.starts[level].first
	if w == nil {
		return false
	}
	at, ok := p.takePlace(level)
	if !ok {
		return false
	}
	p.drop(w)
	p.slots--
	w.ready <- at
	return true
}

func (p *places) takePlace(level int) (place, bool) {
	if level < levelCompile && p.shared > 0 {
		p.shared--
		return placeShared, true
	}
	if p.kept[level] > 0 {
		p.kept[level]--
		return place(level), true
	}
	return 0, false
}

func (p *places) push(q *waiters, w *waiter) {
	w.q, w.prev = q, q.last
	if q.last == nil {
		q.first = w
	} else {
		q.last.next = w
	}
	q.last = w
	q.n++
	p.waiting++
}

// drop takes w out of its queue; false when it is in none.
func (p *places) drop(w *waiter) bool {
	q := w.q
	if q == nil {
		return false
	}
	if w.prev == nil {
		q.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.q, w.prev, w.next = nil, nil, nil
	q.n--
	p.waiting--
	return true
}

// waiters is a queue; its waiters can leave from the middle.
type waiters struct {
	first, last *waiter
	n           int
}

type waiter struct {
	level      int
	ready      chan place // of a start
	granted    func()     // of a resume
	q          *waiters
	prev, next *waiter
}

// retryAfter is a guess, in seconds: a full queue takes a while to drain.
func retryAfter(queued, limit int) int { return 1 + 4*queued/max(limit, 1) }

var (
	errStopping  = contract.Errorf(contract.ShuttingDown, "the platform is stopping and takes no more invocations")
	errCancelled = contract.Errorf(contract.InvocationCancelled, "The invocation was cancelled before it started.")
)

package executor

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/worker/wire"
)

// streamProcess is a worker process with lanes.
type streamProcess struct {
	s     *streams
	group streamGroup

	starter atomic.Bool   // somebody starts it
	ready   chan struct{} // closed when it has started, or failed to
	w       *worker       // from then on
	failed  error

	wmu sync.Mutex // one write at a time

	mu     sync.Mutex
	lanes  map[uint32]*lane
	next   uint32
	since  time.Time     // without lanes
	pulse  time.Time     // of the last look at all
	cpu    time.Duration // then
	active bool          // a lane computed since then
	over   bool          // it has ended

	why atomic.Pointer[string] // it was killed, or takes no more lanes
}

// lane is one run in a shared process.
type lane struct {
	p  *streamProcess
	id uint32
	in *wire.Inbox
	w  *worker
}

// write sends frames of a lane.
func (n *lane) write(frames []byte) error { return n.p.write(wire.AppendLane(nil, n.id, frames)) }

func (p *streamProcess) write(frames []byte) error {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	_, err := p.w.in.Write(frames)
	return err
}

// start starts the process that a lane was reserved in.
func (p *streamProcess) start() {
	defer close(p.ready)
	if p.w, p.failed = p.s.l.pool.start(); p.failed != nil {
		p.s.drop(p)
		return
	}
	go p.read()
	select {
	case p.s.some <- struct{}{}:
	default:
	}
}

// started reports whether the process is there.
func (p *streamProcess) started() bool {
	select {
	case <-p.ready:
		return p.failed == nil
	default:
		return false
	}
}

// add makes a lane; nil when there is no room.
func (p *streamProcess) add() *lane {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lanes) >= lanesPerProcess || p.over || p.why.Load() != nil {
		return nil
	}
	p.next++
	n := &lane{p: p, id: p.next, in: wire.NewInbox()}
	p.lanes[n.id] = n
	return n
}

// close ends a lane whose run is over.
func (n *lane) close() {
	n.forget()
	_ = n.write(nil) // a process that is gone needs no end
}

func (n *lane) forget() {
	n.p.mu.Lock()
	delete(n.p.lanes, n.id)
	if len(n.p.lanes) == 0 {
		n.p.since = n.p.s.l.now()
	}
	n.p.mu.Unlock()
	n.p.s.mu.Lock()
	n.p.s.lanes--
	n.p.s.mu.Unlock()
}

// read hands what the process sends to its lanes, until it ends.
func (p *streamProcess) read() {
	frames := p.w.frames
	for {
		kind, body, err := frames.Next()
		if err != nil {
			break
		}
		id, data, ok := wire.SplitLane(body)
		p.mu.Lock()
		n, known := p.lanes[id], id > 0 && id <= p.next
		p.mu.Unlock()
		if kind != wire.KindLane || !ok || !known {
			p.fail(fmt.Sprintf("it sent frame %d, which is no lane's", kind))
			break
		}
		if n != nil && n.in.Add(data) > laneInbox {
			p.fail(fmt.Sprintf("one of them sent more than %d MB at once", laneInbox>>20))
			break
		}
	}
	p.w.release()
	<-p.w.done
	p.s.drop(p)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	for _, n := range p.lanes {
		n.in.Close()
	}
}

// fail kills the process for a reason that all its lanes are told.
func (p *streamProcess) fail(why string) {
	p.why.CompareAndSwap(nil, &why)
	p.w.kill()
}

// blame notes for what one of its runs the process was killed.
func (p *streamProcess) blame(why cause) {
	text := map[cause]string{
		causeWall:   "one of them passed its wall limit and could not be interrupted",
		causeMemory: fmt.Sprintf("together they passed the memory limit of %d MB", p.group.memoryMb),
		causeCancel: "one of them was cancelled and could not be interrupted",
		causeBreach: "one of them broke the rules of its pipe",
		causeClose:  "the platform is stopping",
	}[why]
	p.why.CompareAndSwap(nil, &text)
}

// reason is why the process was stopped, for those who were not the cause.
func (p *streamProcess) reason() string {
	if why := p.why.Load(); why != nil {
		return *why
	}
	if p.w.state == nil {
		return ""
	}
	switch p.w.state.ExitCode() {
	case wire.ExitMemory:
		return fmt.Sprintf("together they passed the memory limit of %d MB", p.group.memoryMb)
	case wire.ExitWall:
		return "one of them passed its wall limit and could not be interrupted"
	}
	return ""
}

// leave sends an unused process away.
func (p *streamProcess) leave() {
	_ = p.w.in.Close()
	late := time.AfterFunc(leaveWithin, p.w.kill)
	go func() {
		<-p.w.done
		late.Stop()
	}()
}

func (p *streamProcess) busy(buf []*task) []*task {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.lanes {
		if n.w == nil {
			continue // it is just being opened
		}
		n.w.mu.Lock()
		if n.w.task != nil {
			buf = append(buf, n.w.task)
		}
		n.w.mu.Unlock()
	}
	return buf
}

func (p *streamProcess) look(now time.Time) {
	tasks := p.busy(nil)
	p.mu.Lock()
	idle := len(p.lanes) == 0 && !p.since.IsZero() && now.Sub(p.since) > streamLinger
	p.mu.Unlock()
	if idle {
		p.s.retire(p)
		return
	}
	active := false
	var first *task
	for _, t := range tasks {
		if t.tick(now) {
			active, first = true, t
		}
	}
	p.active = p.active || active
	pulse := now.Sub(p.pulse) >= streamPulse
	if first != nil || pulse && len(tasks) > 0 {
		if first == nil {
			first = tasks[0]
		}
		if p.w.gauge.resident() > first.memory {
			first.kill(causeMemory)
		}
	}
	if !pulse {
		return
	}
	// A process whose lanes all say that they wait must not compute: whoever
	// broke out of a sandbox would have no wall clock.
	if cpu := p.w.gauge.cpu(); !p.active && p.cpu > 0 && cpu-p.cpu > now.Sub(p.pulse)*9/10 {
		p.fail("it computed while all of its handlers said that they wait")
	} else {
		p.cpu = cpu
	}
	p.pulse, p.active = now, false
}

// tick judges one lane and reports whether it may be computing.
func (t *task) tick(now time.Time) bool {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if t.w.task != t {
		return false
	}
	parked := t.parked() || t.waiter != nil && len(t.pending) > 0 && t.idle && t.open == 0
	if parked {
		t.wallFrom = now
	}
	switch {
	case now.Sub(t.wallFrom) > t.wall:
		t.killLocked(causeWall)
	case !t.cancelAt.IsZero() && t.waiter == nil && now.Sub(t.cancelAt) > cancelGrace+wallGrace:
		t.killLocked(causeCancel)
	case t.slot && now.Sub(t.slotAt) > slotHold && t.l.places.lend():
		t.slot = false
	}
	return !parked
}

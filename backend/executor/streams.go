package executor

import (
	"context"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// streams keeps the processes of runs that last: open WebSockets and event
// streams, which wait nearly all of the time. Up to lanesPerProcess of them, all
// of one agent, share a process. Each has a runtime of its own; the memory limit
// is the process's, and what stops the process ends all of them.
type streams struct {
	l *Local

	mu     sync.Mutex
	groups map[streamGroup][]*streamProcess
	n      int // processes, those on their way too
	lanes  int
	closed bool
	some   chan struct{} // closed and replaced when a process is there to be watched
	stop   chan struct{}
	gone   chan struct{}
}

// streamGroup says who may share a process.
type streamGroup struct {
	agentID  string
	memoryMb int
}

const (
	lanesPerProcess  = 64
	maxStreamWorkers = 48
	// laneInbox bounds what a lane has sent and nobody has read.
	laneInbox = 48 << 20
	// streamLinger is how long a process without lanes is kept.
	streamLinger = 5 * time.Second
	// streamWatch is how often running lanes are looked at, and streamPulse how
	// often all are.
	streamWatch = 25 * time.Millisecond
	streamPulse = time.Second
)

func newStreams(l *Local) *streams {
	s := &streams{l: l, groups: map[streamGroup][]*streamProcess{}, stop: make(chan struct{}), gone: make(chan struct{}), some: make(chan struct{}, 1)}
	go s.watch()
	return s
}

// open makes a lane in a process of the group that has room, or in a new one.
// Those that come while it starts wait for it and share it.
func (s *streams) open(g streamGroup) (*lane, error) {
	p, n, err := s.reserve(g)
	if err != nil {
		return nil, err
	}
	if p.starter.CompareAndSwap(false, true) {
		p.start()
	}
	<-p.ready
	if p.failed != nil {
		n.forget()
		return nil, p.failed
	}
	w := &worker{process: p.w.process, frames: wire.LaneReader(n.in, frameLimit), loaded: map[string]bool{}, shared: p, lane: n}
	p.mu.Lock()
	n.w = w
	over := p.over
	p.mu.Unlock()
	if over { // it ended meanwhile, and nobody else tells this lane
		n.in.Close()
	}
	return n, nil
}

// reserve finds room for a lane.
func (s *streams) reserve(g streamGroup) (*streamProcess, *lane, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errStopping
	}
	for _, p := range s.groups[g] {
		if n := p.add(); n != nil {
			s.lanes++
			return p, n, nil
		}
	}
	if s.n >= maxStreamWorkers {
		err := contract.Errorf(contract.PoolSaturated, "%d streams are open in %d processes already; try again when some have ended", s.lanes, s.n)
		err.RetryAfterSec = 5
		return nil, nil, err
	}
	p := &streamProcess{s: s, group: g, ready: make(chan struct{}), lanes: map[uint32]*lane{}, pulse: s.l.now()}
	s.groups[g] = append(s.groups[g], p)
	s.n++
	s.lanes++
	return p, p.add(), nil
}

// drop forgets a process.
func (s *streams) drop(p *streamProcess) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.groups[p.group]
	for i, q := range all {
		if q == p {
			s.groups[p.group] = append(all[:i:i], all[i+1:]...)
			s.n--
		}
	}
	if len(s.groups[p.group]) == 0 {
		delete(s.groups, p.group)
	}
}

// processes are those that have started.
func (s *streams) processes() (all []*streamProcess) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.groups {
		for _, p := range g {
			if p.started() {
				all = append(all, p)
			}
		}
	}
	return all
}

// busy appends the tasks under way.
func (s *streams) busy(buf []*task) []*task {
	for _, p := range s.processes() {
		buf = p.busy(buf)
	}
	return buf
}

// close sends all processes away; no task is under way any more.
func (s *streams) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.stop)
	<-s.gone
	for _, p := range s.processes() {
		p.leave()
	}
}

// stream has a lane carry out an order. It waits for a slot, not for a place:
// what a lane holds is memory, which its process bounds.
func (l *Local) stream(ctx context.Context, o order, agentID string, within limits) ending {
	n, err := l.streams.open(streamGroup{agentID, within.memoryMb})
	if err != nil {
		return refused(l.unavailable(err))
	}
	defer n.close()
	t := &task{order: o, l: l, w: n.w, ctx: ctx}
	t.begun = l.now()
	n.w.mu.Lock()
	n.w.task, t.idle, t.wallFrom = t, true, t.begun
	n.w.mu.Unlock()
	t.deliver(o.first, false)
	stop := context.AfterFunc(ctx, t.cancel)
	err = t.exchange()
	stop()
	end := ending{begun: true}
	if err != nil {
		after := t.autopsy(err)
		end.after, end.fault = &after, verdict(after, within)
		l.logDeath(t, after, end.fault)
	}
	slot := t.leave()
	end.elapsed = l.now().Sub(t.begun)
	if slot {
		l.places.pause()
	}
	t.settleCalls(err == nil)
	return end
}

// watch is the watchdog of lanes. Those that wait for their peers cost nothing
// but a look at a flag.
func (s *streams) watch() {
	defer close(s.gone)
	tick := time.NewTicker(streamWatch)
	defer tick.Stop()
	for {
		all := s.processes()
		if len(all) == 0 {
			select {
			case <-s.stop:
				return
			case <-s.some:
			}
			continue
		}
		for _, p := range all {
			p.look(s.l.now())
		}
		select {
		case <-s.stop:
			return
		case <-tick.C:
		}
	}
}

// retire sends a process away that has had no lane for a while.
func (s *streams) retire(p *streamProcess) {
	s.mu.Lock()
	p.mu.Lock()
	idle := len(p.lanes) == 0
	if idle {
		why := "it was not used any more"
		p.why.Store(&why) // takes no new lane
	}
	p.mu.Unlock()
	s.mu.Unlock()
	if idle {
		s.drop(p)
		p.leave()
	}
}

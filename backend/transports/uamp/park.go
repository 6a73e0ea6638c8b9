package uamp

import (
	"sync"
	"time"
)

// Bounds of the sessions that wait for their clients.
const (
	parkedFor   = 10 * time.Minute
	maxParked   = 1000
	parkedBytes = 64 << 20
)

type parkKey struct{ agentID, owner, session string }

// state is what a session is without its connection.
type state struct {
	config  sessionConfig
	token   string
	items   []item
	bytes   int
	calls   []call
	started int64
	until   time.Time
}

// parked are the sessions that wait for their clients, the oldest first.
type parked struct {
	now func() time.Time

	mu    sync.Mutex
	all   map[parkKey]*state
	order []parkKey
	bytes int
}

func newParked(now func() time.Time) *parked { return &parked{now: now, all: map[parkKey]*state{}} }

func (p *parked) put(k parkKey, s *state) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(k)
	s.until = p.now().Add(parkedFor)
	p.all[k] = s
	p.order = append(p.order, k)
	p.bytes += s.bytes
	p.sweep()
}

// take gives a session to the connection that goes on with it, or nil.
func (p *parked) take(k parkKey) *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sweep()
	s := p.all[k]
	p.drop(k)
	return s
}

// sweep lets those go that waited too long, and the oldest when there are too
// many.
func (p *parked) sweep() {
	now := p.now()
	for len(p.order) > 0 {
		k := p.order[0]
		if len(p.order) <= maxParked && p.bytes <= parkedBytes && !now.After(p.all[k].until) {
			return
		}
		p.drop(k)
	}
}

func (p *parked) drop(k parkKey) {
	s := p.all[k]
	if s == nil {
		return
	}
	delete(p.all, k)
	p.bytes -= s.bytes
	for i, have := range p.order {
		if have == k {
			p.order = append(p.order[:i], p.order[i+1:]...)
			return
		}
	}
}

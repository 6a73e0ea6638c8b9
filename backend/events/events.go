// Package events is the platform's one live stream: whatever happens is
// published here once, numbered, kept in a bounded buffer and handed to every
// reader in order (spec section 6). Publishing never waits for a reader.
package events

import (
	"sync"

	"benchtop/backend/contract"
)

// DefaultBuffer is how many events can be read again after a reconnect.
const DefaultBuffer = 4096

// Config of a Bus. FirstID should grow from one start of the platform to the
// next (a clock in microseconds does), so that an id of an earlier run is seen
// to be expired.
type Config struct {
	Buffer  int
	FirstID uint64
}

// Bus numbers and distributes events.
type Bus struct {
	mu     sync.Mutex
	ring   []contract.Event // event id i is at ring[i % len(ring)]
	oldest uint64           // smallest id still in ring
	next   uint64           // id of the next event
	subs   map[*Subscription]struct{}
	closed bool
}

// New makes a Bus.
func New(cfg Config) *Bus {
	if cfg.Buffer <= 0 {
		cfg.Buffer = DefaultBuffer
	}
	if cfg.FirstID == 0 {
		cfg.FirstID = 1
	}
	return &Bus{
		ring:   make([]contract.Event, cfg.Buffer),
		oldest: cfg.FirstID,
		next:   cfg.FirstID,
		subs:   make(map[*Subscription]struct{}),
	}
}

// Publish adds an event. data must not change afterwards.
func (b *Bus) Publish(name contract.EventName, data any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.ring[b.next%uint64(len(b.ring))] = contract.Event{ID: b.next, Name: name, Data: data}
	b.next++
	if b.next-b.oldest > uint64(len(b.ring)) {
		b.oldest = b.next - uint64(len(b.ring))
	}
	for s := range b.subs {
		s.wake()
	}
}

// Subscribe starts a reader: from the next event on or, with resume, from the
// one behind after. When that is no longer (or was never) in the buffer, the
// first event read is stream.gap.
func (b *Bus) Subscribe(after uint64, resume bool) *Subscription {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make(chan contract.Event, 64)
	s := &Subscription{C: out, out: out, bus: b, at: b.next,
		notify: make(chan struct{}, 1), done: make(chan struct{})}
	if resume {
		if after+1 < b.oldest || after >= b.next {
			s.gap = "expired"
		} else {
			s.at = after + 1
		}
	}
	if b.closed {
		close(out)
		return s
	}
	b.subs[s] = struct{}{}
	s.wake()
	go s.pump()
	return s
}

// Close ends every subscription after what was published has been handed over
// to those that keep reading.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for s := range b.subs {
		s.wake()
	}
}

// take gives the events a reader has not seen, at most max of them, and
// whether the bus has ended behind them.
func (b *Bus) take(s *Subscription, batch []contract.Event) (events []contract.Event, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.at < b.oldest {
		s.gap, s.at = "slow", b.next
	}
	if s.gap != "" {
		// Numbered like the event before the ones that follow, so that a
		// reader that resumes from a gap goes on where the gap ended.
		batch = append(batch, contract.Event{ID: s.at - 1, Name: contract.EvGap, Data: contract.Gap{Reason: s.gap}})
		s.gap = ""
	}
	for s.at < b.next && len(batch) < cap(batch) {
		batch = append(batch, b.ring[s.at%uint64(len(b.ring))])
		s.at++
	}
	return batch, b.closed && s.at == b.next
}

// Subscription is one reader. C is closed when the Bus or the Subscription is.
type Subscription struct {
	C <-chan contract.Event

	out    chan contract.Event
	bus    *Bus
	at     uint64 // id of the next event to read; guarded by bus.mu
	gap    string // why events were skipped, until the reader has been told; guarded by bus.mu
	notify chan struct{}
	done   chan struct{}
	once   sync.Once
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.once.Do(func() {
		s.bus.mu.Lock()
		delete(s.bus.subs, s)
		s.bus.mu.Unlock()
		close(s.done)
	})
}

func (s *Subscription) wake() {
	select {
	case s.notify <- struct{}{}:
	default:
	}
}

func (s *Subscription) pump() {
	defer close(s.out)
	buf := make([]contract.Event, 0, 64)
	for {
		batch, ended := s.bus.take(s, buf)
		for _, ev := range batch {
			select {
			case s.out <- ev:
			case <-s.done:
				return
			}
		}
		if ended {
			s.Close()
			return
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-s.notify:
		case <-s.done:
			return
		}
	}
}

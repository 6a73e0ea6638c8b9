// Package scheduler fires the cron entries of all agents (contract.md 2.6). It
// looks at the clock at every minute: an entry fires once in each UTC minute
// that its timetable names, never beside a run of its own that is still under
// way, and what came due while nobody could look is counted, reported once and
// not made up for.
package scheduler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

// Entries are the skill entries of the agents, as they are now.
type Entries interface {
	// Agents are the ids of the agents that have entries.
	Agents() []string
	Of(agentID string) *consumers.Set
}

// Key names an entry of cron.
type Key struct {
	AgentID string
	EntryID string
}

// Past is what the store knows of an entry; either part may be nil.
type Past struct {
	Key
	Last   *contract.ScheduleRun
	Missed *contract.ScheduleMisses
}

// Store keeps which minutes have fired. Methods that say so are durable when
// they return.
type Store interface {
	// LoadSchedules gives the past of every entry and the last minute in which
	// the clock was looked at, zero when there is none. Runs that are still
	// running become interrupted, durably.
	LoadSchedules(ctx context.Context) (past []Past, seen time.Time, err error)
	// ClaimRun writes a run down, durably, and gives its number. Won is false
	// when that minute of the entry was claimed before; a manual run always wins.
	ClaimRun(ctx context.Context, k Key, run contract.ScheduleRun) (id int64, won bool, err error)
	// FinishRun writes down how a claimed run ended.
	FinishRun(ctx context.Context, id int64, run contract.ScheduleRun) error
	// NoteMissed writes down, durably, what an entry missed.
	NoteMissed(ctx context.Context, k Key, m contract.ScheduleMisses) error
	// SeenMinute writes down that the clock was looked at; zero forgets it.
	SeenMinute(ctx context.Context, at time.Time) error
}

// Fire asks for one run.
type Fire struct {
	Key
	Function  string
	PlannedAt time.Time
	FiredAt   time.Time
	// Clock is where the function's clock begins in a run by hand; nil is the real
	// time, which the records of the schedule keep in any case.
	Clock *contract.Clock
}

// Result is how a run ended. Code is empty for a good end.
type Result struct {
	InvocationID string
	Code         contract.Code
	Message      string
}

// Config of a Scheduler. Run runs a function; its error means that nothing ran.
// After gives a channel on which a value arrives after d, and a function that
// gives up waiting.
type Config struct {
	Entries Entries
	Store   Store
	Run     func(ctx context.Context, f Fire) (Result, error)
	Publish func(contract.EventName, any)
	Now     func() time.Time
	After   func(d time.Duration) (<-chan time.Time, func())
	Log     *slog.Logger
}

// Timer is the After of a real clock.
func Timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Scheduler fires. Start it once.
type Scheduler struct {
	cfg  Config
	stop context.CancelFunc
	done chan struct{}  // closed when the clock is no longer looked at
	runs sync.WaitGroup // fires under way

	mu     sync.Mutex
	at     time.Time // the minute that was looked at last
	noted  time.Time // what SeenMinute was told
	states map[Key]*state
	past   map[Key]*Past
	busy   map[Key]bool
	ended  bool
}

// state is what the clock knows of an enabled entry.
type state struct {
	entry *consumers.Entry
	next  time.Time // zero: never again
	round uint64    // when it was last seen to be there
}

// New loads what has fired. The entries there now count as there since the clock
// was last looked at: what came due since then was missed.
func New(ctx context.Context, cfg Config) (*Scheduler, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	past, seen, err := cfg.Store.LoadSchedules(ctx)
	if err != nil {
		return nil, fmt.Errorf("load schedules: %w", err)
	}
	s := &Scheduler{
		cfg: cfg, done: make(chan struct{}), noted: seen,
		states: map[Key]*state{}, past: map[Key]*Past{}, busy: map[Key]bool{},
	}
	for _, p := range past {
		s.past[p.Key] = &p
	}
	s.at = minuteOf(cfg.Now())
	if !seen.IsZero() && seen.Before(s.at) {
		s.at = minuteOf(seen)
	}
	s.follow(s.at, 0)
	return s, nil
}

func minuteOf(t time.Time) time.Time { return t.UTC().Truncate(time.Minute) }

// look is how long to wait for the next look at the clock at most. A timer does
// not run while the machine sleeps; looking often finds the wake-up soon.
const look = 15 * time.Second

// Start looks at the clock until Stop.
func (s *Scheduler) Start() {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() {
		defer close(s.done)
		for round := uint64(1); ; round++ {
			// From the minute that was looked at: the next one may have begun since.
			next := s.tick(ctx, round).Add(time.Minute)
			wait := min(look, max(0, next.Sub(s.cfg.Now())))
			due, giveUp := s.cfg.After(wait)
			select {
			case <-due:
			case <-ctx.Done():
				giveUp()
				return
			}
		}
	}()
}

// Stop ends the looking: nothing fires any more once it has returned. Runs under
// way go on.
func (s *Scheduler) Stop() {
	if s.stop != nil {
		s.stop()
		<-s.done
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
}

// Wait waits for the runs that were under way when Stop was called.
func (s *Scheduler) Wait() { s.runs.Wait() }

// tick is one look at the clock; it gives the minute that it was.
func (s *Scheduler) tick(ctx context.Context, round uint64) time.Time {
	now := s.cfg.Now()
	minute := minuteOf(now)
	s.mu.Lock()
	before := s.at
	s.at = minute
	switch {
	case minute.Before(before): // set back: what has fired does not fire again
		before = minute.Add(-time.Minute)
		for _, st := range s.states {
			st.next = nextOf(st.entry, before)
		}
	case minute.Sub(before) > time.Minute:
		s.miss(ctx, minute, now)
		before = minute.Add(-time.Minute)
	}
	s.follow(before, round)
	if minute.Equal(before) {
		s.mu.Unlock()
		return minute
	}
	var due []Fire
	for k, st := range s.states {
		if st.next.IsZero() || st.next.After(minute) {
			continue
		}
		due = append(due, Fire{Key: k, Function: st.entry.Use, PlannedAt: st.next, FiredAt: now.UTC()})
		st.next = nextOf(st.entry, minute)
	}
	idle := len(s.states) == 0
	s.mu.Unlock()
	s.fire(ctx, due)
	s.see(ctx, minute, idle)
	return minute
}

// follow takes over which entries there are. A new or changed one counts from
// after on.
func (s *Scheduler) follow(after time.Time, round uint64) {
	for _, agentID := range s.cfg.Entries.Agents() {
		for _, e := range s.cfg.Entries.Of(agentID).Schedules() {
			k := Key{agentID, e.ID}
			st := s.states[k]
			switch {
			case st == nil:
				st = &state{entry: e, next: nextOf(e, after)}
				s.states[k] = st
			case st.entry != e:
				if string(st.entry.JSON) != string(e.JSON) {
					st.next = nextOf(e, after)
				}
				st.entry = e
			}
			st.round = round
		}
	}
	for k, st := range s.states {
		if st.round != round {
			delete(s.states, k)
		}
	}
}

func nextOf(e *consumers.Entry, after time.Time) time.Time {
	next, ok := e.Schedule.Next(after)
	if !ok {
		return time.Time{}
	}
	return next
}

// maxMissed is how many missed runs of an entry are counted.
const maxMissed = 10_000

// miss counts what came due before minute and was not fired. What is due in
// minute itself is left to fire.
func (s *Scheduler) miss(ctx context.Context, minute, now time.Time) {
	for k, st := range s.states {
		if !s.there(k, st) {
			continue
		}
		var m contract.ScheduleMisses
		for !st.next.IsZero() && st.next.Before(minute) {
			if m.Count == 0 {
				m.From = st.next
			}
			if m.Count == maxMissed {
				m.More = true
				st.next = nextOf(st.entry, minute.Add(-time.Minute))
				break
			}
			m.Count, m.To = m.Count+1, st.next
			st.next = nextOf(st.entry, st.next)
		}
		if m.Count == 0 {
			continue
		}
		m.NotedAt = now.UTC()
		s.pastOf(k).Missed = &m
		s.runs.Go(func() {
			if err := s.cfg.Store.NoteMissed(context.WithoutCancel(ctx), k, m); err != nil {
				s.cfg.Log.Error("missed runs of a schedule could not be written down", "agent", k.AgentID, "schedule", k.EntryID, "error", err)
			}
		})
		s.cfg.Publish(contract.EvScheduleMissed, contract.ScheduleMissedEvent{
			AgentID: k.AgentID, EntryID: k.EntryID, Function: st.entry.Use, ScheduleMisses: m,
		})
	}
}

// there reports whether an entry is still the one whose runs are counted: one
// that went or changed during the gap has missed nothing.
func (s *Scheduler) there(k Key, st *state) bool {
	e, ok := s.cfg.Entries.Of(k.AgentID).Entry(contract.SkillCron, k.EntryID)
	return ok && e.Enabled && string(e.JSON) == string(st.entry.JSON)
}

func (s *Scheduler) pastOf(k Key) *Past {
	p := s.past[k]
	if p == nil {
		p = &Past{Key: k}
		s.past[k] = p
	}
	return p
}

// see writes down that a minute was looked at, so that a restart knows what was
// missed. Without entries there is nothing to miss, and the disk stays asleep.
func (s *Scheduler) see(ctx context.Context, minute time.Time, idle bool) {
	if idle {
		minute = time.Time{}
	}
	if minute.Equal(s.noted) {
		return
	}
	s.noted = minute
	if err := s.cfg.Store.SeenMinute(ctx, minute); err != nil && !errors.Is(err, context.Canceled) {
		s.cfg.Log.Error("the scheduler could not write down the minute", "error", err)
	}
}

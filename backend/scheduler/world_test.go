package scheduler

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

// world is a clock that the test moves, with everything around a scheduler.
// Whenever the scheduler waits, what it started has ended or is held by run.
type world struct {
	t testing.TB
	s *Scheduler

	mu      sync.Mutex
	now     time.Time
	claims  map[Key]map[time.Time]bool
	past    map[Key]*Past
	seen    time.Time
	finish  map[int64]contract.ScheduleRun
	fail    error
	entries *consumers.Consumers
	fired   map[Key][]time.Time
	events  []string
	run     func(f Fire) (Result, error)
	ids     int64
	// finished is told of each run that was written down to its end.
	finished func(contract.ScheduleRun)

	// advance moves the clock when the scheduler waits; false ends the test's
	// part, and the scheduler waits until it is stopped.
	advance func() bool
	parked  chan struct{}
	// waits are what the scheduler meant to wait after each look; slow, when
	// set, is called once as a look at the clock ends.
	waits []time.Duration
	slow  func()
}

func newWorld(t testing.TB, start string) *world {
	w := &world{
		t: t, now: moment(start), claims: map[Key]map[time.Time]bool{}, past: map[Key]*Past{}, finish: map[int64]contract.ScheduleRun{},
		fired: map[Key][]time.Time{}, parked: make(chan struct{}, 1),
	}
	w.run = func(Fire) (Result, error) { return Result{InvocationID: "inv"}, nil }
	var err error
	if w.entries, err = consumers.New(t.Context(), consumers.Config{Store: noStore{}}); err != nil {
		t.Fatal(err)
	}
	return w
}

type noStore struct{}

func (noStore) ListConsumers(context.Context) ([]consumers.Stored, error) { return nil, nil }
func (noStore) ReplaceConsumers(context.Context, string, []consumers.Stored) error {
	return nil
}

func moment(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return t
}

// set makes these the schedules of agent a: id and the rest of the entry's JSON.
func (w *world) set(schedules ...string) {
	w.t.Helper()
	raws := []consumers.Raw{}
	for _, text := range schedules {
		raws = append(raws, consumers.Raw{Skill: contract.SkillCron, JSON: json.RawMessage(text)})
	}
	entries, problems, _ := consumers.Check(raws, func(string) bool { return true })
	if len(problems) > 0 {
		w.t.Fatal(problems)
	}
	if _, err := w.entries.Replace(w.t.Context(), "a", entries); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) open() *Scheduler {
	w.t.Helper()
	s, err := New(w.t.Context(), Config{
		Entries: w.entries, Store: w, Now: w.clock, After: w.after, Publish: w.publish,
		Run: func(_ context.Context, f Fire) (Result, error) {
			w.mu.Lock()
			w.fired[f.Key] = append(w.fired[f.Key], f.PlannedAt)
			w.mu.Unlock()
			return w.run(f)
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.s = s
	return s
}

// play runs the scheduler for as long as advance says, then stops it.
func (w *world) play(advance func() bool) {
	w.t.Helper()
	w.advance = advance
	w.s.Start()
	<-w.parked
	w.s.Stop()
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) move(to time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = to
}

// after is asked by the scheduler's own goroutine when a look at the clock is
// over.
func (w *world) after(d time.Duration) (<-chan time.Time, func()) {
	w.waits = append(w.waits, d)
	c := make(chan time.Time, 1)
	if w.advance() {
		c <- w.clock()
	} else {
		w.parked <- struct{}{}
	}
	return c, func() {}
}

// steps moves the clock to each of these moments in turn, when the one before
// has been dealt with.
func (w *world) steps(moments ...string) {
	w.t.Helper()
	i := 0
	w.play(func() bool {
		w.s.Wait()
		if i == len(moments) {
			return false
		}
		w.move(moment(moments[i]))
		i++
		return true
	})
}

func (w *world) publish(name contract.EventName, data any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch ev := data.(type) {
	case contract.ScheduleEvent:
		w.events = append(w.events, fmt.Sprintf("%s %s %s %s", name, ev.EntryID, ev.PlannedAt.Format("15:04"), ev.Reason))
	case contract.ScheduleMissedEvent:
		w.events = append(w.events, fmt.Sprintf("%s %s %d %s-%s", name, ev.EntryID, ev.Count, ev.From.Format("02T15:04"), ev.To.Format("02T15:04")))
	}
}

func (w *world) LoadSchedules(context.Context) ([]Past, time.Time, error) {
	var all []Past
	for _, k := range slices.SortedFunc(maps.Keys(w.past), func(a, b Key) int { return len(a.EntryID) - len(b.EntryID) }) {
		all = append(all, *w.past[k])
	}
	return all, w.seen, nil
}

func (w *world) ClaimRun(_ context.Context, k Key, run contract.ScheduleRun) (int64, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fail != nil {
		return 0, false, w.fail
	}
	if w.claims[k] == nil {
		w.claims[k] = map[time.Time]bool{}
	}
	if !run.Manual {
		if w.claims[k][run.PlannedAt] {
			return 0, false, nil
		}
		w.claims[k][run.PlannedAt] = true
	}
	w.ids++
	return w.ids, true, nil
}

func (w *world) FinishRun(_ context.Context, id int64, run contract.ScheduleRun) error {
	w.mu.Lock()
	w.finish[id] = run
	w.mu.Unlock()
	if w.finished != nil {
		w.finished(run)
	}
	return nil
}

func (w *world) NoteMissed(_ context.Context, k Key, m contract.ScheduleMisses) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.past[k] = &Past{Key: k, Missed: &m}
	return nil
}

func (w *world) SeenMinute(_ context.Context, at time.Time) error {
	w.mu.Lock()
	w.seen = at
	slow := w.slow
	w.slow = nil
	w.mu.Unlock()
	if slow != nil {
		slow()
	}
	return nil
}

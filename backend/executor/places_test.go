package executor

import (
	"context"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
)

// machine drives places through random histories of tasks that start, pause,
// resume, nest, lose their slot, are cancelled and end.
type machine struct {
	p       *places
	slots   int
	shared  int
	running []*held
	queued  []*asked
}

// held is a task with a place.
type held struct {
	level  int
	at     place
	slot   bool
	paused bool
	want   *waiter       // of a resume that waits
	got    chan struct{} // closed when it is granted
}

// asked is a start that waits.
type asked struct {
	level  int
	cancel context.CancelFunc
	done   chan struct{}
	at     place
	err    error
}

// start asks for a start in a goroutine, and gives it the time to be granted or
// to be in its queue.
func (m *machine) start(t *rapid.T, level int) {
	ctx, cancel := context.WithCancel(context.Background())
	a := &asked{level: level, cancel: cancel, done: make(chan struct{})}
	before := m.waiting()
	go func() {
		a.at, a.err = m.p.start(ctx, level)
		close(a.done)
	}()
	for m.waiting() == before {
		select {
		case <-a.done:
			m.grant(t, a)
			return
		default:
			runtime.Gosched()
		}
	}
	m.queued = append(m.queued, a)
}

func (m *machine) waiting() int {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	return m.p.waiting
}

func (m *machine) grant(t *rapid.T, a *asked) {
	if a.err != nil {
		t.Fatalf("a start on level %d: %v", a.level, a.err)
	}
	m.running = append(m.running, &held{level: a.level, at: a.at, slot: true})
}

// settle collects what the last step has granted, and checks the accounts.
func (m *machine) settle(t *rapid.T) {
	m.p.mu.Lock()
	waiting := map[*waiter]bool{}
	starts := 0
	for level := range m.p.starts {
		starts += m.p.starts[level].n
	}
	for w := m.p.resumes.first; w != nil; w = w.next {
		waiting[w] = true
	}
	m.p.mu.Unlock()
	for _, h := range m.running {
		if h.want != nil && !waiting[h.want] {
			<-h.got
			h.want, h.slot, h.paused = nil, true, false
		}
	}
	var still []*asked
	granted := len(m.queued) - starts
	for granted > 0 {
		still = still[:0]
		for _, a := range m.queued {
			select {
			case <-a.done:
				m.grant(t, a)
				granted--
			default:
				still = append(still, a)
			}
		}
		m.queued = append([]*asked(nil), still...)
	}
	m.check(t)
}

func (m *machine) check(t *rapid.T) {
	slots, shared := m.slots, m.shared
	kept := [levels]int{}
	for _, h := range m.running {
		if h.slot {
			slots--
		}
		if h.at == placeShared {
			shared--
		} else {
			kept[h.at]++
			if int(h.at) != h.level {
				t.Fatalf("a task of level %d holds a place of level %d", h.level, h.at)
			}
		}
		if h.level == levelCompile && h.at == placeShared {
			t.Fatal("a compilation holds a shared place")
		}
	}
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.p.slots < 0 || m.p.slots != slots {
		t.Fatalf("%d slots are free, want %d", m.p.slots, slots)
	}
	if m.p.shared < 0 || m.p.shared != shared {
		t.Fatalf("%d shared places are free, want %d", m.p.shared, shared)
	}
	for level := 1; level < levels; level++ {
		if free := m.p.kept[level]; free < 0 || free+kept[level] != keptPlaces {
			t.Fatalf("level %d: %d places free, %d held", level, free, kept[level])
		}
	}
	if m.p.slots > 0 && m.p.resumes.n > 0 {
		t.Fatal("a slot is free and somebody waits to go on")
	}
	for level := range m.p.starts {
		if m.p.slots > 0 && m.p.starts[level].n > 0 && (m.p.kept[level] > 0 || level < levelCompile && m.p.shared > 0) {
			t.Fatalf("a slot and a place are free and level %d waits", level)
		}
	}
}

func pick(t *rapid.T, all []*held, fits func(*held) bool) *held {
	var some []*held
	for _, h := range all {
		if fits(h) {
			some = append(some, h)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[rapid.IntRange(0, len(some)-1).Draw(t, "which")]
}

func TestPlacesKeepTheirAccounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{slots: rapid.IntRange(1, 3).Draw(t, "slots"), shared: rapid.IntRange(1, 4).Draw(t, "shared")}
		m.p = newPlaces(m.slots, m.shared, 1000)
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) { m.start(t, rapid.IntRange(0, levels-1).Draw(t, "level")) },
			"pause": func(t *rapid.T) {
				if h := pick(t, m.running, func(h *held) bool { return h.slot }); h != nil {
					h.slot, h.paused = false, true
					m.p.pause()
				}
			},
			"lend": func(t *rapid.T) {
				if h := pick(t, m.running, func(h *held) bool { return h.slot }); h != nil && m.p.lend() {
					h.slot = false
				}
			},
			"resume": func(t *rapid.T) {
				if h := pick(t, m.running, func(h *held) bool { return h.paused && h.want == nil }); h != nil {
					got := make(chan struct{})
					now, w := m.p.resume(func() { close(got) })
					if now {
						h.slot, h.paused = true, false
					} else {
						h.want, h.got = w, got
					}
				}
			},
			"end": func(t *rapid.T) {
				if h := pick(t, m.running, func(h *held) bool { return h.want == nil }); h != nil {
					m.remove(h)
					m.p.end(h.at, h.slot)
				}
			},
			"forget": func(t *rapid.T) {
				if h := pick(t, m.running, func(h *held) bool { return h.want != nil }); h != nil {
					if !m.p.forget(h.want) {
						t.Fatal("a waiter in the queue was not found")
					}
					h.want = nil
				}
			},
			"cancel": func(t *rapid.T) {
				if len(m.queued) == 0 {
					return
				}
				i := rapid.IntRange(0, len(m.queued)-1).Draw(t, "which")
				a := m.queued[i]
				m.queued = append(m.queued[:i:i], m.queued[i+1:]...)
				a.cancel()
				<-a.done
				if e := contract.AsError(a.err); e == nil || e.Code != contract.InvocationCancelled {
					t.Fatalf("got %v", a.err)
				}
			},
			"": m.settle,
		})
		m.drain(t)
	})
}

func (m *machine) remove(h *held) {
	for i, r := range m.running {
		if r == h {
			m.running = append(m.running[:i:i], m.running[i+1:]...)
			return
		}
	}
}

// drain ends what runs until nothing is left: whoever waited got its turn.
func (m *machine) drain(t *rapid.T) {
	for len(m.running) > 0 {
		h := m.running[0]
		if h.want != nil && m.p.forget(h.want) {
			h.want = nil
		}
		m.remove(h)
		m.p.end(h.at, h.slot)
		m.settle(t)
	}
	if len(m.queued) > 0 || m.p.slots != m.slots || m.p.shared != m.shared {
		t.Fatalf("%d starts wait for ever, %d slots, %d shared places", len(m.queued), m.p.slots, m.p.shared)
	}
}

// Who waits gets a start in the order of resumed, compiling, nested, root, and
// in the order of arrival within each; roots get their share nevertheless.
func TestPlacesOrder(t *testing.T) {
	p := newPlaces(1, 64, 100)
	if _, err := p.start(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	turns := make(chan string)
	ask := func(name string, level int) {
		before := p.queued()
		go func() {
			at, err := p.start(t.Context(), level)
			if err != nil {
				t.Error(err)
			}
			turns <- name
			p.end(at, true)
		}()
		for p.queued() == before {
			runtime.Gosched()
		}
	}
	ask("root 1", 0)
	ask("root 2", 0)
	ask("child 1", 1)
	ask("child 2", 1)
	ask("grandchild", 2)
	ask("compile", levelCompile)
	p.resume(func() {
		turns <- "resumed"
		p.pause()
	})
	p.pause()
	for i, want := range []string{"resumed", "compile", "grandchild", "child 1", "child 2", "root 1", "root 2"} {
		if got := <-turns; got != want {
			t.Errorf("turn %d is %s, want %s", i, got, want)
		}
	}
}

func TestRootsGetTheirShare(t *testing.T) {
	p := newPlaces(1, 64, 100)
	if _, err := p.start(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	root := make(chan struct{})
	go func() {
		if _, err := p.start(t.Context(), 0); err != nil {
			t.Error(err)
		}
		close(root)
	}()
	for p.queued() == 0 {
		runtime.Gosched()
	}
	resumed := make(chan struct{})
	for n := 0; ; n++ {
		if n > rootShare {
			t.Fatalf("a root still waits after %d turns of others", n)
		}
		_, w := p.resume(func() { resumed <- struct{}{} })
		p.pause()
		select {
		case <-root:
			if !p.forget(w) {
				t.Error("one slot, two turns")
			}
			return
		case <-resumed:
		}
	}
}

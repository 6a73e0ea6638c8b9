package quota

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestWindow(t *testing.T) {
	ck := &clock{time.Unix(1000, 0)}
	limit := 60
	w := New(Config{Limit: func() int { return limit }, Per: time.Minute, Now: ck.now})
	for i := range limit {
		if _, ok := w.Take("a"); !ok {
			t.Fatalf("refused at %d", i)
		}
	}
	if wait, ok := w.Take("a"); ok || wait != time.Minute {
		t.Errorf("one over: %v, %v", wait, ok)
	}
	if _, ok := w.Take("b"); !ok {
		t.Error("another key has its own count")
	}
	ck.t = ck.t.Add(59 * time.Second)
	if wait, ok := w.Take("a"); ok || wait != time.Second {
		t.Errorf("a second early: %v, %v", wait, ok)
	}
	ck.t = ck.t.Add(time.Second)
	if _, ok := w.Take("a"); !ok {
		t.Error("refused after a minute")
	}
	limit = 1
	if wait, ok := w.Take("a"); ok || wait != time.Minute {
		t.Errorf("after the limit was lowered: %v, %v", wait, ok)
	}
	limit = 0
	for range 1000 {
		if _, ok := w.Take("a"); !ok {
			t.Fatal("refused without a limit")
		}
	}
}

// In no stretch of the window's length is more let through than the limit, and
// whoever waits as long as told is let through.
func TestWindowProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ck := &clock{time.Unix(1000, 0)}
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		w := New(Config{Limit: func() int { return limit }, Per: time.Minute, Now: ck.now})
		var taken []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "tries") {
			ck.t = ck.t.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "pause")) * time.Second)
			wait, ok := w.Take("k")
			if !ok {
				ck.t = ck.t.Add(wait)
				if _, ok = w.Take("k"); !ok || wait <= 0 || wait > time.Minute {
					t.Fatalf("told to wait %v", wait)
				}
			}
			taken = append(taken, ck.t)
			within := 0
			for _, at := range taken {
				if ck.t.Sub(at) < time.Minute {
					within++
				}
			}
			if within > limit {
				t.Fatalf("%d in a minute, the limit is %d", within, limit)
			}
		}
	})
}

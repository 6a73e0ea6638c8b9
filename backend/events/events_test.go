package events_test

import (
	"fmt"
	"sync"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/events"
)

func read(t *testing.T, s *events.Subscription, n int) []contract.Event {
	t.Helper()
	var got []contract.Event
	for range n {
		ev, ok := <-s.C
		if !ok {
			t.Fatalf("stream ended after %d of %d events", len(got), n)
		}
		got = append(got, ev)
	}
	return got
}

func TestReadersSeeEverythingInOrder(t *testing.T) {
	bus := events.New(events.Config{Buffer: 10_000})
	const readers, each = 8, 5_000
	var wg sync.WaitGroup
	for range readers {
		sub := bus.Subscribe(0, false)
		wg.Go(func() {
			last := uint64(0)
			n := 0
			for ev := range sub.C {
				if last != 0 && ev.ID != last+1 {
					t.Errorf("id %d after %d", ev.ID, last)
				}
				last = ev.ID
				n++
			}
			if n != each {
				t.Errorf("read %d events, want %d", n, each)
			}
		})
	}
	for i := range each {
		bus.Publish(contract.EvInvocationLog, i)
	}
	bus.Close()
	wg.Wait()
}

func TestResume(t *testing.T) {
	tests := []struct {
		name  string
		after uint64
		first contract.EventName
		id    uint64
	}{
		{"behind the last seen", 107, contract.EvInvocationLog, 108},
		{"the oldest still there", 105, contract.EvInvocationLog, 106},
		{"no longer there", 104, contract.EvGap, 109},
		{"of an earlier run", 3, contract.EvGap, 109},
		{"of the future", 5000, contract.EvGap, 109},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bus := events.New(events.Config{Buffer: 4, FirstID: 100})
			for i := range 10 { // ids 100 to 109, of which 106 to 109 stay
				bus.Publish(contract.EvInvocationLog, i)
			}
			sub := bus.Subscribe(tt.after, true)
			defer sub.Close()
			if got := read(t, sub, 1)[0]; got.Name != tt.first || got.ID != tt.id {
				t.Errorf("first event is %s %d, want %s %d", got.Name, got.ID, tt.first, tt.id)
			}
		})
	}
}

// A reader that does not read must neither stop the publisher nor others, and
// is told that it missed something.
func TestSlowReaderGetsGap(t *testing.T) {
	bus := events.New(events.Config{Buffer: 8})
	slow := bus.Subscribe(0, false)
	bus.Publish(contract.EvInvocationLog, "first")
	read(t, slow, 1)
	for i := range 1000 {
		bus.Publish(contract.EvInvocationLog, i)
	}
	bus.Close()
	gaps := 0
	for ev := range slow.C {
		if ev.Name == contract.EvGap {
			gaps++
			if g := ev.Data.(contract.Gap); g.Reason != "slow" {
				t.Errorf("reason %q", g.Reason)
			}
		}
	}
	if gaps == 0 {
		t.Error("1,000 events through a buffer of 8 and nobody was told of a gap")
	}
}

func TestCloseEndsReaders(t *testing.T) {
	bus := events.New(events.Config{})
	sub := bus.Subscribe(0, false)
	sub.Close()
	sub.Close()
	for range sub.C {
	}
	bus.Close()
	late := bus.Subscribe(0, false)
	if _, ok := <-late.C; ok {
		t.Error("a closed bus gave an event")
	}
	bus.Publish(contract.EvInvocationLog, "late")
}

func BenchmarkPublish(b *testing.B) {
	for _, readers := range []int{0, 1, 8} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			bus := events.New(events.Config{})
			for range readers {
				sub := bus.Subscribe(0, false)
				go func() {
					for range sub.C {
					}
				}()
			}
			b.ReportAllocs()
			data := &contract.InvocationLog{}
			for b.Loop() {
				bus.Publish(contract.EvInvocationLog, data)
			}
			bus.Close()
		})
	}
}

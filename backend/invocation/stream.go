package invocation

import (
	"context"
	"sync"
	"time"

	"benchtop/backend/contract"
)

// keepAlive is how long a stream may be silent before its reader is told that it
// is still there.
const keepAlive = 15 * time.Second

// EventSink takes the events of a streamed run. Its methods are called by one
// goroutine, the one that called Stream.
type EventSink interface {
	// Events gets what was emitted since the last call, perhaps nothing.
	Events(all []contract.EmittedEvent)
	// KeepAlive is called when nothing was emitted for a while.
	KeepAlive()
}

// Stream runs invoke and hands the run's events to sink as they happen; all of
// them are there before it returns what invoke gave. The run goes on when ctx
// ends, and a slow sink never holds it up. A panic of invoke is one of Stream.
func Stream(ctx context.Context, invoke func(context.Context, Request) (Answer, error), req Request, sink EventSink) (Answer, error) {
	type end struct {
		answer   Answer
		err      error
		panicked any
	}
	events := &emitted{ready: make(chan struct{}, 1)}
	req.OnEmit = events.add
	done := make(chan end, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- end{panicked: v}
			}
		}()
		answer, err := invoke(context.WithoutCancel(ctx), req)
		done <- end{answer: answer, err: err}
	}()
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		select {
		case <-events.ready:
			sink.Events(events.take())
		case <-tick.C:
			sink.KeepAlive()
		case e := <-done:
			if e.panicked != nil {
				panic(e.panicked) // in the goroutine that answers for it
			}
			sink.Events(events.take())
			return e.answer, e.err
		}
	}
}

// emitted collects a run's events for the goroutine that writes them.
type emitted struct {
	mu    sync.Mutex
	queue []contract.EmittedEvent
	ready chan struct{} // holds a token when queue may have something
}

func (e *emitted) add(ev contract.EmittedEvent) {
	e.mu.Lock()
	e.queue = append(e.queue, ev)
	e.mu.Unlock()
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

func (e *emitted) take() []contract.EmittedEvent {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := e.queue
	e.queue = nil
	return q
}

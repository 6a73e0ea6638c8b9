package remote

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// beatEvery is how often a stream says that its server still lives. A client
// that hears nothing for silence gives it up.
const (
	beatEvery = 2 * time.Second
	silence   = 15 * time.Second
)

// answer writes what happened in a run: line by line, or in one object at its
// end.
type answer struct {
	w      http.ResponseWriter
	stream bool

	mu     sync.Mutex
	ended  bool
	logs   []contract.LogLine
	events []contract.EmittedEvent
}

func newAnswer(w http.ResponseWriter, stream bool) *answer { return &answer{w: w, stream: stream} }

// line writes one, and lets it leave.
func (a *answer) line(l *Line) {
	text := []byte{'\n'}
	if l != nil {
		b, err := json.Marshal(l)
		if err != nil {
			return
		}
		text = append(b, '\n')
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	a.write(text)
}

// write is under a.mu.
func (a *answer) write(text []byte) {
	if a.w.Header().Get("Content-Type") == "" {
		a.w.Header().Set("Content-Type", streamType)
		a.w.WriteHeader(http.StatusOK)
	}
	c := http.NewResponseController(a.w)
	_ = c.SetWriteDeadline(time.Now().Add(silence)) // a client that does not read is given up
	if _, err := a.w.Write(text); err == nil {
		_ = c.Flush()
	}
}

// beat keeps a stream alive; the function it gives ends it.
func (a *answer) beat() func() {
	if !a.stream {
		return func() {}
	}
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				a.line(nil)
			}
		}
	}()
	return func() { close(stop); <-gone }
}

func (a *answer) log(atUs int64, l contract.LogLine) {
	if a.stream {
		a.line(&Line{Log: &LogLine{atUs, l}})
		return
	}
	a.mu.Lock()
	a.logs = append(a.logs, l)
	a.mu.Unlock()
}

func (a *answer) emit(atUs int64, e contract.EmittedEvent) {
	if a.stream {
		a.line(&Line{Emit: &Emit{atUs, e}})
		return
	}
	a.mu.Lock()
	a.events = append(a.events, e)
	a.mu.Unlock()
}

func (a *answer) fetch(e contract.TraceEntry) {
	if a.stream {
		a.line(&Line{Fetch: &e})
	}
}

// end writes how it ended.
func (a *answer) end(job invocation.Job, o invocation.Outcome) {
	if a.stream {
		out := Outcome(o)
		a.line(&Line{Outcome: &out})
		a.mu.Lock()
		a.ended = true
		a.mu.Unlock()
		return
	}
	writeJSON(a.w, http.StatusOK, Result{
		InvokeResult: contract.InvokeResult{
			InvocationID: job.InvocationID, OK: o.Code == "", Result: o.Value,
			ErrorCode: o.Code, ErrorMessage: o.Message, ErrorAt: o.At, RetryAfterSec: o.RetryAfterSec,
			DurationMs: float64(o.DurationUs) / 1000, CPUMs: float64(o.CPUUs) / 1000,
			IngressBytes: o.IngressBytes, EgressBytes: o.EgressBytes, Logs: a.logs,
		},
		Events: a.events,
	})
}

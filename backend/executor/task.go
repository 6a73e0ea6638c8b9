package executor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/worker/wire"
)

// order is what a worker is to do: compile, check or run.
type order struct {
	level  int
	first  []byte    // the frame that starts it
	hash   string    // of the script, empty for compiling
	code   []byte    // the frame that answers a KindNeed
	final  wire.Kind // the frame that ends it
	into   any       // what that frame is decoded into
	host   invocation.Host
	peer   bool          // it talks to a peer: its clock stands still while it waits for that alone
	wall   time.Duration // from outside: killed after this
	memory int64         // from outside: killed above this many bytes
}

// task is an order in the hands of a worker.
type task struct {
	order
	l        *Local
	w        *worker
	ctx      context.Context
	place    place
	begun    time.Time
	cpu0     time.Duration
	wallFrom time.Time      // from when its wall limit counts; guarded by w.mu
	ended    atomic.Bool    // its last frame was read: nothing more is sent for it
	calls    sync.WaitGroup // host calls whose answer is not sent yet

	// Used by the reading goroutine alone.
	lastCall int
	reported int // bytes of logs, events and fetches
	asked    bool

	// Guarded by w.mu.
	why        cause
	cancelAt   time.Time // when it was told to stop
	slot       bool      // it may compute
	slotAt     time.Time
	idle       bool        // it gave its slot back and gets one before it goes on
	hold       *time.Timer // takes the slot of an idle worker that keeps it
	waiter     *waiter     // queued for a slot
	pending    []byte      // frames to send once it has one
	answers    int         // host calls among them
	open       int         // host calls whose answer is not sent yet
	openPeers  int         // those to the peer among them
	held       int         // bytes of arguments and answers since open was 0
	hostCtx    context.Context
	hostCancel context.CancelFunc
}

const (
	maxReported  = 16 << 20 // bytes of logs, events and fetches in one task
	maxCalls     = 128      // host calls under way; the quota is below it
	maxCallBytes = 32 << 20
)

// errNotBegun says that the worker was gone before it could read the order.
var errNotBegun = errors.New("the worker had ended before")

// begin sends the order.
func (t *task) begin() error {
	if t.w.write(t, t.first) != nil {
		return errNotBegun
	}
	return nil
}

// exchange reads frames until the last one. The error is a breach of the wire
// or the end of the pipe.
func (t *task) exchange() error {
	for {
		kind, body, err := t.w.frames.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return breach("%v", err)
		case kind == t.final:
			if err := json.Unmarshal(body, t.into); err != nil {
				return breach("its last frame cannot be read: %v", err)
			}
			return nil
		}
		if err := t.take(kind, body); err != nil {
			return err
		}
	}
}

// take handles one frame that is not the last.
func (t *task) take(kind wire.Kind, body []byte) error {
	switch kind {
	case wire.KindHost:
		return t.hostCall(body)
	case wire.KindIdle:
		t.pause()
		return nil
	case wire.KindWake:
		t.deliver(goFrame, false)
		return nil
	case wire.KindNeed:
		return t.need(body)
	case wire.KindLog, wire.KindEmit, wire.KindFetch:
		return t.report(kind, body)
	default:
		return breach("frame %d came out of turn", kind)
	}
}

var goFrame, cancelFrame = bare(wire.KindGo), bare(wire.KindCancel)

func bare(kind wire.Kind) []byte {
	frame, err := wire.AppendRaw(nil, kind, nil)
	if err != nil {
		panic(err) // an empty body is never too large
	}
	return frame
}

// need answers the question for the script, once.
func (t *task) need(body []byte) error {
	var need wire.Need
	if err := json.Unmarshal(body, &need); err != nil || need.Hash != t.hash || t.hash == "" || t.asked {
		return breach("it asked for a script that it is not to run")
	}
	t.asked = true
	if err := t.w.write(t, t.code); err != nil {
		return io.ErrUnexpectedEOF
	}
	if len(t.w.loaded) >= cacheEntries {
		clear(t.w.loaded) // it is only a hint for the pool
	}
	t.w.loaded[t.hash] = true
	return nil
}

// report passes on what happened inside.
func (t *task) report(kind wire.Kind, body []byte) error {
	t.reported += len(body) + 64
	if t.reported > maxReported {
		return breach("it reported more than %d MB of logs, events and fetches", maxReported>>20)
	}
	if t.host == nil {
		return nil
	}
	var err error
	switch kind {
	case wire.KindLog:
		var v wire.Log
		if err = json.Unmarshal(body, &v); err == nil {
			t.host.Log(v.AtUs, v.LogLine)
		}
	case wire.KindEmit:
		var v wire.Emit
		if err = json.Unmarshal(body, &v); err == nil {
			t.host.Emit(v.AtUs, v.EmittedEvent)
		}
	default:
		var v wire.Fetch
		if err = json.Unmarshal(body, &v); err == nil {
			t.host.Fetch(v.TraceEntry)
		}
	}
	if err != nil {
		return breach("frame %d cannot be read: %v", kind, err)
	}
	return nil
}

// hostCall starts a host call in a goroutine of its own: a nested invocation
// may take seconds, and other calls go on meanwhile.
func (t *task) hostCall(body []byte) error {
	var call wire.Host
	if err := json.Unmarshal(body, &call); err != nil {
		return breach("a host call cannot be read: %v", err)
	}
	if call.N != t.lastCall+1 {
		return breach("host call %d came after %d", call.N, t.lastCall)
	}
	t.lastCall = call.N
	peer := t.peer && wire.PeerCall(call.Method)
	ctx, full := t.openCall(len(body), peer)
	if full {
		t.drain()
	}
	if peer {
		t.reported = 0 // a connection lasts; the bound is for what comes between two messages
	}
	t.calls.Add(1)
	go func() {
		reply := wire.Reply{N: call.N, HostReply: t.callHost(ctx, call, peer)}
		frame, err := wire.AppendReply(nil, reply)
		if err != nil {
			reply.HostReply = contract.HostReply{Error: &contract.HostFailed{
				Code: contract.HostBridgeError, Message: "the answer of " + call.Method + " cannot be sent: " + err.Error()}}
			frame, _ = wire.AppendReply(nil, reply)
		}
		t.keep(len(frame))
		if peer {
			t.heard()
		}
		t.deliver(frame, true)
	}()
	return nil
}

func (t *task) callHost(ctx context.Context, call wire.Host, peer bool) contract.HostReply {
	if t.peer && !peer {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.wall-wallGrace)
		defer cancel()
	}
	if t.host == nil {
		return contract.HostReply{Error: &contract.HostFailed{
			Code: contract.HostBridgeError, Message: "there is no host while the code is loaded: use ctx inside the handler"}}
	}
	return t.host.HostCall(invocation.WithLine(ctx, call.Line), call.N, call.Method, call.Args)
}

func (t *task) openCall(bytes int, peer bool) (ctx context.Context, full bool) {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if t.hostCtx == nil {
		// The deadline is the function's own, so that a call nested in it knows
		// how much time there is.
		ctx := context.WithValue(t.ctx, callerKey{}, t)
		if t.peer {
			t.hostCtx, t.hostCancel = context.WithCancel(ctx) // each call has its own time
		} else {
			t.hostCtx, t.hostCancel = context.WithDeadline(ctx, t.begun.Add(t.wall-wallGrace))
		}
		if t.why != "" {
			t.hostCancel()
		}
	}
	if t.open == 0 {
		t.held = 0
	}
	t.open++
	if peer {
		t.openPeers++
	}
	t.held += bytes
	return t.hostCtx, t.open > maxCalls || t.held > maxCallBytes
}

// heard notes that a call to the peer is over: the clock starts anew.
func (t *task) heard() {
	t.w.mu.Lock()
	t.openPeers--
	t.wallFrom = t.l.now()
	t.w.mu.Unlock()
}

// parked reports whether the task waits for nothing but its peer. w.mu is held.
func (t *task) parked() bool { return t.peer && t.idle && t.openPeers > 0 && t.openPeers == t.open }

// keep counts bytes that are kept for a call.
func (t *task) keep(bytes int) {
	t.w.mu.Lock()
	t.held += bytes
	t.w.mu.Unlock()
}

// callerKey is under which a host call's context has the task that made it.
type callerKey struct{}

// answered notes that the answers of n host calls were sent, or never will be.
func (t *task) answered(n int) {
	t.w.mu.Lock()
	t.open -= n
	t.w.mu.Unlock()
	t.calls.Add(-n)
}

// drain waits until every host call is answered: whoever keeps too many under
// way waits, instead of filling the platform's memory.
func (t *task) drain() {
	answered := make(chan struct{})
	go func() {
		t.calls.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-t.w.done:
		t.endCalls()
		<-answered
	}
}

// endCalls cancels the host calls under way.
func (t *task) endCalls() {
	t.w.mu.Lock()
	cancel := t.hostCancel
	t.w.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// breach is a fault of a worker that breaks the rules of the wire.
type breachError struct{ text string }

func (e breachError) Error() string { return e.text }

func breach(format string, args ...any) error { return breachError{fmt.Sprintf(format, args...)} }

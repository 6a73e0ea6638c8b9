package invocation

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/manifest"
)

// Functions finds what to run.
type Functions interface {
	Get(agentID, name string) (*functions.Function, bool)
	Names(agentID string) []string
}

// Agents finds who owns it.
type Agents interface {
	Resolve(idOrUsername string) (agents.Agent, bool)
}

// History keeps the rows.
type History interface {
	Begin(row contract.InvocationRow) contract.InvocationRow
	Finish(ctx context.Context, row contract.InvocationRow, d *history.Detail) error
}

// Pins are what the host bridge holds an invocation to.
type Pins struct {
	AgentID      string
	Function     string
	InvocationID string
	ConsumerID   string
	BilledTo     string
	Permissions  manifest.Permissions
	VisitorID    string // the verified visitor, empty without one
	IngressBytes int64  // the ingress quota
	Parent       string // the invocation it is nested in, empty for a root
	Depth        int
}

// Meters are what an invocation has used of its host-bridge quotas. IngressBytes
// are those of content and folders.
type Meters struct {
	HostCalls     int
	KVPutBytes    int64
	ContentWrites int
	IngressBytes  int64
}

// HostSession is the host bridge's side of one invocation. Its methods may be
// called from several goroutines.
type HostSession interface {
	Call(ctx context.Context, n int, method string, args json.RawMessage) contract.HostReply
	// Redact and RedactJSON hide the secret values the invocation has seen.
	Redact(text string) string
	RedactJSON(raw json.RawMessage) json.RawMessage
	// Notes gives the lines that host calls have left for the log of the run,
	// each once.
	Notes() []string
	// HideTokens keeps payment tokens that came with the call out of the records.
	HideTokens(tokens []string)
	Meters() Meters
	Close()
}

// Config of an Invoker. BaseURL is the platform's own address.
type Config struct {
	Functions Functions
	Agents    Agents
	Executor  Executor
	OpenHost  func(Pins) HostSession
	History   History
	Claims    ClaimStore
	Consumers Consumers // may be nil: no agent has any
	Payments  Payments  // may be nil: what has a price is refused
	Publish   func(contract.EventName, any)
	BaseURL   func() string
	Now       func() time.Time
	NewID     func() string
	NewSeed   func() int64
	Log       *slog.Logger
	// NanocentsPerDollar is the unit of prices and costs; nil is the default.
	NanocentsPerDollar func() int64
}

// Invoker runs invocations.
type Invoker struct {
	cfg     Config
	schemas schemas

	mu      sync.Mutex
	running map[string]*running // by invocation id
	flights map[flightKey]*flight
	closed  bool
	idle    sync.Cond // signalled when running or flights shrink
}

// running is an invocation under way.
type running struct {
	ctx     context.Context // of the run
	cancel  context.CancelCauseFunc
	lineage *lineage
	lasting bool // it would not end by itself
}

// New makes an Invoker.
func New(cfg Config) *Invoker {
	v := &Invoker{
		cfg:     cfg,
		running: make(map[string]*running),
		flights: make(map[flightKey]*flight),
	}
	v.idle.L = &v.mu
	return v
}

// Cancel stops a running invocation. known is false for an id that is not
// running here.
func (v *Invoker) Cancel(id string) (cancelled, known bool) {
	v.mu.Lock()
	r := v.running[id]
	v.mu.Unlock()
	if r == nil {
		return false, false
	}
	r.cancel(errCancelled)
	return true, true
}

// Running is the number of invocations under way.
func (v *Invoker) Running() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.running)
}

// Close refuses new invocations, waits for those under way until ctx ends, then
// cancels them and waits until their rows are stored.
func (v *Invoker) Close(ctx context.Context) {
	v.mu.Lock()
	v.closed = true
	for _, r := range v.running {
		if r.lasting {
			r.cancel(errShutdown)
		}
	}
	v.mu.Unlock()
	stop := context.AfterFunc(ctx, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, r := range v.running {
			r.cancel(errShutdown)
		}
	})
	defer stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	for len(v.running) > 0 || len(v.flights) > 0 {
		v.idle.Wait()
	}
}

// enter registers an invocation, so that it can be cancelled and waited for. A
// root goes on when its caller hangs up: only Cancel and Close end it; but an
// endpoint's ends as its peer decides, who holds the context. A nested
// one ends with its caller, and still starts while the platform is stopping, so
// that its caller can end well.
func (v *Invoker) enter(ctx context.Context, c *call) (context.Context, func(), error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	id := c.row.ID
	if c.req.nest == nil {
		if v.closed {
			return nil, nil, contract.Errorf(contract.ShuttingDown, "the platform is stopping; nothing ran")
		}
		if c.req.Endpoint == nil {
			ctx = context.WithoutCancel(ctx)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := func() bool { return true }
	if c.req.nest != nil {
		// The host call that asked may come from another machine, whose request
		// knows nothing of the caller's end.
		caller := v.running[c.req.nest.parent.id]
		if caller == nil {
			cancel(nil)
			return nil, nil, contract.Errorf(contract.InvocationCancelled, "the invocation that called %s has ended", c.fn.Name)
		}
		stop = context.AfterFunc(caller.ctx, func() { cancel(context.Cause(caller.ctx)) })
	}
	v.running[id] = &running{ctx, cancel, v.lineage(c), c.req.Endpoint.lasts()}
	return ctx, func() {
		stop()
		cancel(nil)
		v.mu.Lock()
		delete(v.running, id)
		v.idle.Broadcast()
		v.mu.Unlock()
	}, nil
}

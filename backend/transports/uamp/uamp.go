// Package uamp is the transport of universal agent messaging (spec 4.6,
// contract.md 6.8 and 6.9): sessions of events over a WebSocket, or over HTTP as
// a list or a stream. A session collects input, response.create has the agent
// answer it, and tools run on either side.
//
// A session outlives its connection for a while, so that a client whose
// connection broke goes on with session.create and the session's id; what was
// being answered ends with the connection.
package uamp

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/payments"
)

// Version is the version of the protocol.
const Version = "1.0"

// transportName is what AGENT.md calls it.
const transportName = "uamp"

// Turner answers a conversation.
type Turner interface {
	Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)
}

// Verifier looks at payment tokens.
type Verifier interface {
	Verify(ctx context.Context, r payments.VerifyRequest) payments.Verification
}

// Config of a Transport. Agent gives an agent as it is now: a session may last
// longer than what AGENT.md said when it began. Identify says whose credential the token of a session
// is; Payments may be nil, and tokens are taken as they are then. PayWithin,
// PingEvery and Greet have defaults: how long a client may take to pay, how often
// a silent connection is asked whether it is there, and how long one may take to
// create its first session.
type Config struct {
	Turner    Turner
	Agent     func(idOrUsername string) (agents.Agent, bool)
	Payments  Verifier
	Identify  func(ctx context.Context, bearer string) (auth.Caller, error)
	Tools     func(agentID string) []contract.ToolDefinition
	Provides  func(agentID string) []string
	PayWithin time.Duration
	PingEvery time.Duration
	Greet     time.Duration
	Now       func() time.Time
	NewID     func() string // random, and hexadecimal in its last 12 digits
	Log       *slog.Logger
}

// Bounds of what a client may have.
const (
	maxEvent       = 8 << 20 // bytes, of a frame and of the body of a request
	maxConnections = 1024    // at one agent
	maxSessions    = 16      // on one connection
	maxEvents      = 1000    // in one request
)

// Transport serves the protocol for all agents.
type Transport struct {
	cfg     Config
	parked  *parked
	buffers sync.Pool

	ctx    context.Context // of all connections
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[string]int // connections by agent
}

// New makes a Transport. Close ends it.
func New(cfg Config) *Transport {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		set *time.Duration
		to  time.Duration
	}{{&cfg.PayWithin, time.Minute}, {&cfg.PingEvery, 25 * time.Second}, {&cfg.Greet, 30 * time.Second}} {
		if *d.set == 0 {
			*d.set = d.to
		}
	}
	t := &Transport{cfg: cfg, parked: newParked(cfg.Now), open: map[string]int{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Close ends all connections and waits until they have.
func (t *Transport) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.cancel()
	t.wait.Wait()
}

// Mount is how agents serve it.
func (t *Transport) Mount() agenthttp.Transport {
	return agenthttp.Transport{Name: transportName, Routes: []agenthttp.Route{
		{Method: http.MethodGet, Path: "/uamp", Serve: t.socket},
		{Method: http.MethodPost, Path: "/uamp", Serve: t.list},
		{Method: http.MethodPost, Path: "/uamp/stream", Serve: t.stream},
	}}
}

// Connections is how many there are, of all agents.
func (t *Transport) Connections() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, of := range t.open {
		n += of
	}
	return n
}

// enter counts a connection, for as long as leave is not called.
func (t *Transport) enter(a agents.Agent) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, contract.Errorf(contract.ShuttingDown, "the platform is shutting down")
	}
	if t.open[a.ID] >= maxConnections {
		return nil, contract.Errorf(contract.ConcurrencyExceeded, "agent %s has %d connections; no more at once", a.Username, maxConnections)
	}
	t.open[a.ID]++
	t.wait.Add(1)
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.open[a.ID]--; t.open[a.ID] == 0 {
			delete(t.open, a.ID)
		}
		t.wait.Done()
	}, nil
}

// id makes an id such as sess_0123456789ab.
func (t *Transport) id(prefix string) string {
	hex := strings.ReplaceAll(t.cfg.NewID(), "-", "")
	return prefix + "_" + hex[max(0, len(hex)-12):]
}

package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// Config of an Executor.
type Config struct {
	URLs   []string    // of the servers
	Secret string      // sent as the bearer; may be empty on loopback
	TLS    *tls.Config // client certificate and roots; may be nil
	// Bridge is the address of the host bridge as the servers see it, and Mint
	// signs the invocation token of an invocation that is under way.
	Bridge func() string
	Mint   func(invocationID string) (string, error)
	// Local runs what no server offers: /invoke where they all have /validate
	// alone. It may be nil.
	Local invocation.Executor
	Now   func() time.Time
	Log   *slog.Logger
}

// Executor is an invocation.Executor whose functions run on other machines.
type Executor struct {
	cfg   Config
	peers []*peer
	turn  atomic.Uint64

	mu   sync.Mutex
	live map[string]*run // by invocation id
}

var _ invocation.Executor = (*Executor)(nil)

// New makes an Executor. The addresses are checked, and not called.
func New(cfg Config) (*Executor, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy, t.MaxIdleConnsPerHost, t.TLSClientConfig = nil, 128, cfg.TLS
	t.DialContext, t.ExpectContinueTimeout = dialer.DialContext, goesOn
	client := &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	e := &Executor{cfg: cfg, live: map[string]*run{}}
	for _, text := range cfg.URLs {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			return nil, fmt.Errorf("executor address %q: write it as http://host:port or https://host:port, several with commas between", text)
		}
		e.peers = append(e.peers, &peer{base: strings.TrimSuffix(u.String(), "/"), cfg: cfg, client: client})
	}
	if len(e.peers) == 0 {
		return nil, errors.New("executor: no address is given")
	}
	return e, nil
}

// Run gives the invocation to a server, see invocation.Executor. The order of
// the servers: those that answer before those that did not, then the one with
// the least to do for us.
func (e *Executor) Run(ctx context.Context, job invocation.Job, h invocation.Host) invocation.Outcome {
	if job.Endpoint != "" && e.cfg.Local != nil {
		return e.cfg.Local.Run(ctx, job, h) // its peer is a connection of this machine
	}
	token, err := e.cfg.Mint(job.InvocationID)
	if err != nil {
		e.cfg.Log.Error("no invocation token could be made", "invocation", job.InvocationID, "error", err)
		return invocation.Outcome{Code: contract.ExecutorInternal, Message: "no invocation token could be made; the platform's log says why"}
	}
	r := e.begin(ctx, job, h)
	defer e.end(r)
	var refusal *invocation.Outcome
	unable := 0
	for _, p := range e.order() {
		o, fate := p.run(ctx, job, HostBridge{e.cfg.Bridge(), token}, r)
		switch {
		case fate == fateUnable:
			unable++
		case fate == fateUnread:
		case refused(o):
			if refusal == nil || o.RetryAfterSec < refusal.RetryAfterSec {
				refusal = &o
			}
		default:
			return o
		}
		if ctx.Err() != nil {
			return invocation.Outcome{Code: contract.InvocationCancelled, Message: "The invocation was cancelled."}
		}
	}
	switch {
	case refusal != nil:
		return *refusal
	case unable == len(e.peers) && e.cfg.Local != nil:
		return e.cfg.Local.Run(ctx, job, h)
	}
	return invocation.Outcome{Code: contract.ExecutorUnavailable, RetryAfterSec: 1,
		Message: "No executor can be reached, so nothing ran. The platform's log says why; SERVICE_EXECUTOR_URL names them."}
}

// Check has a server validate, see invocation.Executor.
func (e *Executor) Check(ctx context.Context, src invocation.Source, entrypoint string) invocation.Check {
	for _, p := range e.order() {
		if found, ok := p.check(ctx, src, entrypoint); ok {
			return found
		}
	}
	if e.cfg.Local != nil {
		return e.cfg.Local.Check(ctx, src, entrypoint)
	}
	return invocation.Check{Errors: []contract.Problem{{Code: contract.ExecutorUnavailable, Message: "no executor can be reached, so nothing was checked"}}}
}

// Unreachable lists the servers that do not answer.
func (e *Executor) Unreachable() []string {
	var out []string
	for _, p := range e.peers {
		if p.down() {
			out = append(out, p.base)
		}
	}
	return out
}

// order gives the servers, the best one first.
func (e *Executor) order() []*peer {
	n := len(e.peers)
	first := int(e.turn.Add(1) % uint64(n))
	out := append(append(make([]*peer, 0, n), e.peers[first:]...), e.peers[:first]...)
	slices.SortStableFunc(out, func(a, b *peer) int {
		if x, y := a.down(), b.down(); x != y {
			if x {
				return 1
			}
			return -1
		}
		return int(a.inFlight.Load() - b.inFlight.Load())
	})
	return out
}

// run is an invocation that is under way on a server. Its host calls come in at
// the network door and go to the pipeline as if they had come over a pipe.
type run struct {
	id     string
	ctx    context.Context
	cancel context.CancelFunc
	host   invocation.Host

	mu      sync.Mutex
	ended   bool
	replies map[int]*reply // a repeated call gets its first reply
	calls   sync.WaitGroup
}

type reply struct {
	done  chan struct{}
	value contract.HostReply
}

func (e *Executor) begin(ctx context.Context, job invocation.Job, h invocation.Host) *run {
	r := &run{id: job.InvocationID, host: h, replies: map[int]*reply{}}
	r.ctx, r.cancel = context.WithCancel(ctx)
	e.mu.Lock()
	e.live[r.id] = r
	e.mu.Unlock()
	return r
}

// end waits for the host calls that are under way: the host is not called once
// Run has returned.
func (e *Executor) end(r *run) {
	e.mu.Lock()
	delete(e.live, r.id)
	e.mu.Unlock()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.cancel()
	r.calls.Wait()
}

// HostCall answers a host call of an invocation that runs on a server; ok is
// false when none of that id does. The door has checked the token.
func (e *Executor) HostCall(ctx context.Context, invocationID string, n int, method string, args contract.RawJSON) (_ contract.HostReply, ok bool) {
	e.mu.Lock()
	r := e.live[invocationID]
	e.mu.Unlock()
	if r == nil {
		return contract.HostReply{}, false
	}
	return r.call(ctx, n, method, args)
}

func (r *run) call(ctx context.Context, n int, method string, args contract.RawJSON) (_ contract.HostReply, ok bool) {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return contract.HostReply{}, false
	}
	a, again := r.replies[n]
	if !again {
		if len(r.replies) > 2*contract.MaxHostCalls { // each is charged: beyond the quota none can be new
			r.mu.Unlock()
			return contract.HostReply{Error: &contract.HostFailed{Code: contract.HostQuotaExceeded,
				Message: fmt.Sprintf("callsTotal: more than %d host calls in one invocation", contract.MaxHostCalls)}}, true
		}
		a = &reply{done: make(chan struct{})}
		r.replies[n] = a
		r.calls.Add(1)
	}
	r.mu.Unlock()
	if !again {
		// It goes on when its client hangs up: the repeated call wants the reply.
		go func() {
			defer r.calls.Done()
			defer close(a.done)
			a.value = r.host.HostCall(r.ctx, n, method, args)
		}()
	}
	select {
	case <-a.done:
		return a.value, true
	case <-ctx.Done():
		return bridgeError("the call was given up before its reply was there"), true
	}
}

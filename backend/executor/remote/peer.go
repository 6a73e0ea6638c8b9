package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// fate says what is known of an invocation that was sent.
type fate int

const (
	fateRead   fate = iota // the server has it, or may have it: never send it again
	fateUnread             // the server has not read it
	fateUnable             // the server has no /invoke
)

// dialer gives a server that is not there up soon.
var dialer = net.Dialer{Timeout: 3 * time.Second, KeepAlive: 15 * time.Second}

// goesOn is how long a server may take to say that it wants the body of its first
// request; one that never says so gets the body then.
const goesOn = 3 * time.Second

// Bounds of how long a server that failed is asked last.
const (
	firstRest   = 250 * time.Millisecond
	longestRest = 10 * time.Second
)

// peer is one server.
type peer struct {
	base     string
	cfg      Config
	client   *http.Client
	inFlight atomic.Int64

	mu    sync.Mutex
	rest  time.Duration // 0 when it answered the last time
	until time.Time     // it is asked last until then
	lame  bool          // it has no /invoke
	heard bool          // it answered, and has not failed since
	live  bool          // its answers are streams, so it is never silent
}

// down reports whether the server is to be asked last.
func (p *peer) down() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rest > 0 && p.cfg.Now().Before(p.until)
}

func (p *peer) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest == 0 {
		p.cfg.Log.Warn("an executor does not answer", "executor", p.base, "error", err)
	}
	p.heard = false
	p.rest = min(max(2*p.rest, firstRest), longestRest)
	p.until = p.cfg.Now().Add(p.rest)
}

func (p *peer) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest > 0 {
		p.cfg.Log.Info("an executor answers again", "executor", p.base)
	}
	p.rest = 0
}

// post sends a body. begun tells whether the server can have read any of it.
//
// In TLS 1.3 a client may write before the server has looked at its certificate,
// and a server that hangs up then looks like one that died with the request. So a
// server that has not answered yet is asked to say that it goes on before it gets
// the body, without which it can run nothing.
func (p *peer) post(ctx context.Context, path, accept string, body any) (res *http.Response, begun bool, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, false, err
	}
	var sent atomic.Bool
	open := func() (io.ReadCloser, error) { return io.NopCloser(&noticed{bytes.NewReader(text), &sent}), nil }
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, http.NoBody)
	if err != nil {
		return nil, false, err
	}
	req.Body, _ = open()
	req.GetBody, req.ContentLength = open, int64(len(text))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	if p.cfg.Secret != "" {
		req.Header.Set("Authorization", "Bearer "+p.cfg.Secret)
	}
	p.mu.Lock()
	if !p.heard && req.URL.Scheme == "https" {
		req.Header.Set("Expect", "100-continue")
	}
	p.mu.Unlock()
	if res, err = p.client.Do(req); err == nil {
		p.mu.Lock()
		p.heard = true
		p.mu.Unlock()
	}
	return res, sent.Load(), err
}

// noticed is a body of which is known whether any of it was taken to be sent.
type noticed struct {
	io.Reader
	taken *atomic.Bool
}

func (n *noticed) Read(b []byte) (int, error) {
	n.taken.Store(true)
	return n.Reader.Read(b)
}

// run has the server run one invocation.
func (p *peer) run(ctx context.Context, job invocation.Job, bridge HostBridge, r *run) (invocation.Outcome, fate) {
	p.mu.Lock()
	lame, patience := p.lame, silence
	if !p.live {
		patience = 2*silence + time.Duration(job.Limits.Effective().WallMs)*time.Millisecond
	}
	p.mu.Unlock()
	if lame {
		return invocation.Outcome{}, fateUnable
	}
	p.inFlight.Add(1)
	defer p.inFlight.Add(-1)
	// A stream that says nothing for a while is lost.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(patience, func() { cancel(errSilent) })
	defer quiet.Stop()
	res, begun, err := p.post(ctx, pathInvoke, streamType+", application/json", Envelope{
		FunctionName: job.Function, AgentID: job.AgentID, BundleSHA256: job.Source.SHA256,
		Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS, Entrypoint: job.Entrypoint, Permissions: job.Permissions, Limits: job.Limits},
		CodeRef:  manifest.CodeRef{Kind: "inline", Source: job.Source.Text, SHA256: job.Source.SHA256},
		Context:  job.Context, Chain: &Chain{Depth: job.Depth}, HostBridge: &bridge,
		Run: &Run{InvocationID: job.InvocationID, File: job.Source.Name, Siblings: job.Siblings, Seed: job.Seed, ClockStartMs: job.ClockStartMs},
	})
	if err != nil {
		return p.broken(ctx, err, begun)
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK, http.StatusInternalServerError:
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		p.mu.Lock()
		p.lame = true
		p.mu.Unlock()
		p.cfg.Log.Info("an executor has no /invoke and is used for validation alone", "executor", p.base)
		return invocation.Outcome{}, fateUnable
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests:
		p.failed(fmt.Errorf("it refused with %s", res.Status))
		return invocation.Outcome{}, fateUnread
	default: // a proxy between us may say so after the server has begun
		return p.broken(ctx, fmt.Errorf("it answered %s", res.Status), true)
	}
	o, err := p.read(res, r, quiet)
	if err != nil {
		return p.broken(ctx, err, true)
	}
	p.answered()
	return o, fateRead
}

var errSilent = errors.New("it said nothing for too long")

// broken judges a connection that broke.
func (p *peer) broken(ctx context.Context, err error, begun bool) (invocation.Outcome, fate) {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errSilent) {
		return invocation.Outcome{Code: contract.InvocationCancelled, Message: "The invocation was cancelled."}, fateRead
	}
	p.failed(err)
	if !begun {
		return invocation.Outcome{}, fateUnread
	}
	return invocation.Outcome{Code: contract.InvocationInterrupted, DurationUs: 1,
		Message: "The executor was lost while it had this invocation. What it did until then is done; it is not run again by itself."}, fateRead
}

// read follows an answer to its end.
func (p *peer) read(res *http.Response, r *run, quiet *time.Timer) (invocation.Outcome, error) {
	body := io.LimitReader(res.Body, maxAnswer)
	if res.Header.Get("Content-Type") != streamType {
		return readWhole(body, r)
	}
	p.mu.Lock()
	p.live = true
	p.mu.Unlock()
	lines := bufio.NewReaderSize(body, 64<<10)
	for {
		text, err := lines.ReadBytes('\n')
		quiet.Reset(silence)
		if err != nil {
			return invocation.Outcome{}, fmt.Errorf("its answer ended too early: %w", err)
		}
		if len(text) == 1 {
			continue
		}
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return invocation.Outcome{}, errors.New("its answer is no JSON")
		}
		switch {
		case l.Log != nil:
			r.host.Log(l.Log.AtUs, l.Log.LogLine)
		case l.Emit != nil:
			r.host.Emit(l.Emit.AtUs, l.Emit.EmittedEvent)
		case l.Fetch != nil:
			r.host.Fetch(*l.Fetch)
		case l.Outcome != nil:
			return believable(invocation.Outcome(*l.Outcome)), nil
		}
	}
}

// readWhole reads the one object of an executor that does not stream.
func readWhole(body io.Reader, r *run) (invocation.Outcome, error) {
	var res Result
	if err := json.NewDecoder(body).Decode(&res); err != nil {
		return invocation.Outcome{}, fmt.Errorf("its answer is no result: %w", err)
	}
	for _, l := range res.Logs {
		r.host.Log(0, l)
	}
	for _, e := range res.Events {
		r.host.Emit(0, e)
	}
	o := invocation.Outcome{
		Value: res.Result, Code: res.ErrorCode, Message: res.ErrorMessage, At: res.ErrorAt, RetryAfterSec: res.RetryAfterSec,
		DurationUs: int64(res.DurationMs * 1000), CPUUs: int64(res.CPUMs * 1000), IngressBytes: res.IngressBytes, EgressBytes: res.EgressBytes,
	}
	if !res.OK && o.Code == "" {
		o.Code, o.Message = contract.ExecutorInternal, "The executor gave neither a result nor an error."
	}
	return believable(o), nil
}

// believable holds an outcome to what can be true.
func believable(o invocation.Outcome) invocation.Outcome {
	if o.Code != "" && !o.Code.Known() {
		o.Message = fmt.Sprintf("The executor gave the error code %.40q, which does not exist: %.400s", o.Code, o.Message)
		o.Code = contract.ExecutorInternal
	}
	if o.Code != "" {
		o.Value = nil
	}
	o.DurationUs, o.CPUUs = max(0, o.DurationUs), max(0, o.CPUUs)
	o.IngressBytes, o.EgressBytes = max(0, o.IngressBytes), max(0, o.EgressBytes)
	o.RetryAfterSec = min(max(0, o.RetryAfterSec), 3600)
	return o
}

// check asks for a validation; false when this server gives none.
func (p *peer) check(ctx context.Context, src invocation.Source, entrypoint string) (invocation.Check, bool) {
	ctx, cancel := context.WithTimeout(ctx, 2*silence)
	defer cancel()
	res, _, err := p.post(ctx, pathValidate, "application/json", Validate{
		Runtime: manifest.RuntimeJS, Source: src.Text, File: src.Name, Entrypoint: entrypoint,
		Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS, Entrypoint: entrypoint},
	})
	if err != nil {
		if ctx.Err() == nil {
			p.failed(err)
		}
		return invocation.Check{}, false
	}
	defer res.Body.Close()
	var v Validated
	if res.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(res.Body, maxReply)).Decode(&v) != nil {
		p.failed(fmt.Errorf("its /validate answered %s", res.Status))
		return invocation.Check{}, false
	}
	p.answered()
	if !v.OK && len(v.Errors) == 0 {
		v.Errors = []contract.Problem{{Code: contract.ExecutorInternal, Message: "the executor found the source wrong and did not say why"}}
	}
	return invocation.Check{Errors: v.Errors, Warnings: v.Warnings}, true
}

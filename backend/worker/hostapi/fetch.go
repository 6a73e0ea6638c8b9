package hostapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wire"
)

var fetchOps = []sandbox.Op{
	// fetchCheck(text) refuses what must not even be parsed.
	{Name: "fetchCheck", Do: func(c *sandbox.Call) (any, error) {
		err := checkText(c.String(0))
		if err != nil {
			of(c).refuse(c.Line(), err)
		}
		return nil, err
	}},
	// fetchStart(method, url, headers in turn, body, timeoutMs, maxBytes, redirect)
	// gives the call's number.
	{Name: "fetchStart", Do: func(c *sandbox.Call) (any, error) {
		return of(c).fetch(&fetch{method: c.String(0), url: c.String(1), headers: c.Strings(2), body: c.Bytes(3), hasBody: c.Has(3),
			timeoutMs: c.Int(4), maxBytes: c.Int(5), redirect: c.String(6), line: c.Line()})
	}},
	{Name: "fetchAbort", Do: func(c *sandbox.Call) (any, error) { of(c).abort(int(c.Int(0))); return nil, nil }},
}

// fetch is one request of a function, with all its redirects.
type fetch struct {
	method    string
	url       string
	headers   []string
	body      []byte
	hasBody   bool
	timeoutMs int64
	maxBytes  int64
	redirect  string
	line      int // of the author's source

	id      int
	startUs int64
	sent    int64  // bytes, over all hops
	to      string // where it was redirected last
}

// answer is what a finished fetch gave.
type answer struct {
	status     int
	statusText string
	url        string
	redirected bool
	headers    []string
	body       []byte
}

// fetch checks the address and starts the request. Numbers of fetches count
// down, those of host calls up.
func (s *Session) fetch(f *fetch) (int, error) {
	u, err := url.Parse(f.url)
	if err != nil {
		return 0, err
	}
	if err := checkURL(s.run.Permissions.Fetch, u); err != nil {
		s.report(f, u, nil, err)
		return 0, err
	}
	if s.net.started >= maxFetches {
		return 0, contract.Errorf(contract.HostQuotaExceeded, "more than %d fetches in one invocation", maxFetches)
	}
	s.net.open()
	s.net.started++
	s.waiting++
	f.id, f.startUs = -s.net.started, s.atUs()
	limit := f.timeoutMs
	if limit <= 0 || limit > contract.MaxWallMs {
		limit = contract.MaxWallMs // the run itself ends before that
	}
	ctx, cancel := context.WithTimeout(s.net.ctx, time.Duration(limit)*time.Millisecond)
	s.net.mu.Lock()
	s.net.aborts[f.id] = cancel
	s.net.mu.Unlock()
	go s.perform(ctx, cancel, f, u)
	return f.id, nil
}

// perform runs beside JavaScript and comes back by way of the port.
func (s *Session) perform(ctx context.Context, cancel context.CancelFunc, f *fetch, u *url.Url) {
	var a *answer
	var err error
	select {
	case s.net.slots <- struct{}{}:
		a, err = s.reach(ctx, f, u)
		<-s.net.slots
	case <-ctx.Done():
		err = ctx.Err()
	}
	err = explain(err, f, ctx)
	s.net.mu.Lock()
	delete(s.net.aborts, f.id)
	s.net.mu.Unlock()
	cancel()
	s.port.Later(func(sb *sandbox.Sandbox) error {
		s.waiting--
		s.report(f, u, a, err)
		if e := contract.AsError(err); e != nil {
			return sb.Reject(f.id, e.Code, e.Message)
		}
		return sb.Resolve(f.id, a.meta(), a.body)
	})
}

func (s *Session) abort(id int) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if cancel := s.net.aborts[id]; cancel != nil {
		cancel()
	}
}

// meta is the answer's head as fetch.js takes it apart.
func (a *answer) meta() []string {
	redirected := "false"
	if a.redirected {
		redirected = "true"
	}
	return append([]string{itoa(a.status), a.statusText, a.url, redirected}, a.headers...)
}

// report sends the trace entry of a fetch that has ended.
func (s *Session) report(f *fetch, u *url.Url, a *answer, err error) {
	asked := map[string]any{"method": f.method, "url": u.Href(false), "headers": tracedHeaders(f.headers)}
	if body := traced(f.body); body != nil {
		asked["body"] = body
	}
	if failed := contract.AsError(err); f.to != "" && failed != nil && failed.Code == contract.FetchForbidden {
		asked["refused"] = f.to // it was not the address that was asked for
	}
	args, _ := json.Marshal(asked)
	e := contract.TraceEntry{Kind: contract.TraceFetch, Name: f.method + " " + clip(u.Href(true)), StartUs: f.startUs, Args: args, OutBytes: f.sent, Line: f.line}
	if f.id == 0 {
		e.StartUs = s.atUs()
	}
	e.DurationUs = s.atUs() - e.StartUs
	if failed := contract.AsError(err); failed != nil {
		e.Error = &contract.HostFailed{Code: failed.Code, Message: failed.Message}
	}
	if a != nil && err == nil {
		got := map[string]any{"status": a.status, "bytes": len(a.body), "headers": tracedHeaders(a.headers)}
		if body := traced(a.body); body != nil {
			got["body"] = body
		}
		if a.redirected {
			got["url"] = a.url
		}
		e.Result, _ = json.Marshal(got)
		e.InBytes = int64(len(a.body))
	}
	s.port.Send(wire.KindFetch, wire.Fetch{TraceEntry: e})
}

// refuse sends the trace entry of a fetch whose address is not even read. The
// text of it may hold a password, so it is left out.
func (s *Session) refuse(line int, err error) {
	failed := contract.AsError(err)
	e := contract.TraceEntry{Kind: contract.TraceFetch, Name: "fetch", StartUs: s.atUs(), Line: line}
	e.Error = &contract.HostFailed{Code: failed.Code, Message: failed.Message}
	s.port.Send(wire.KindFetch, wire.Fetch{TraceEntry: e})
}

// credential reports whether a header's value is nobody's business.
func credential(name string) bool {
	switch name {
	case "authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key":
		return true
	}
	return false
}

// Package hostapi is what a running function reaches of the world: ctx, built
// from the contract's table of host calls, with log, emit and fetch, which stay
// inside the worker. A Session is the native side of one run.
package hostapi

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

//go:embed *.js
var files embed.FS

// Port is where a session's frames go and where its I/O comes back.
type Port interface {
	// Send queues a frame; it leaves soon, also while JavaScript runs.
	Send(kind wire.Kind, body any)
	// Later runs f on the run's own goroutine, with a slot. It may be called
	// from any goroutine and does nothing once the run has ended.
	Later(f func(*sandbox.Sandbox) error)
}

// Session belongs to one run.
type Session struct {
	run     wire.Run
	port    Port
	started time.Time
	calls   int              // host calls sent, those to the peer too
	asked   int              // those to the host bridge
	peers   map[int]struct{} // calls to the peer that are open
	waiting int              // operations whose promise is open
	logged  int
	logFull bool
	emitted int
	events  int
	request contract.RawJSON
	reads   map[int]string // host calls whose answer counts as ingress
	net     network
}

// maxHostCalls ends a loop that makes host calls without waiting for one. The
// platform's own quota is reached long before and answers with its text.
const maxHostCalls = 10 * contract.MaxHostCalls

// New makes the session of a run that starts now.
func New(run wire.Run, port Port, started time.Time, outside wall.Outside) *Session {
	s := &Session{run: run, port: port, started: started}
	s.net.outside = outside
	s.net.ingress.name, s.net.ingress.max = "ingress", run.IngressBytes
	s.net.egress.name, s.net.egress.max = "egress", run.EgressBytes
	return s
}

// Waiting is how many promises the outside still owes the function.
func (s *Session) Waiting() int { return s.waiting }

// Traffic is what fetch has received and sent, in bytes.
func (s *Session) Traffic() (ingress, egress int64) {
	return s.net.ingress.used.Load(), s.net.egress.used.Load()
}

// Now is the function's clock: it starts at the run's ClockStartMs.
func (s *Session) Now() time.Time {
	return time.UnixMilli(s.run.ClockStartMs).Add(time.Since(s.started))
}

func (s *Session) atUs() int64 { return time.Since(s.started).Microseconds() }

// Replied hands the answer of a host call to the function.
func (s *Session) Replied(sb *sandbox.Sandbox, r wire.Reply) error {
	if r.N < 1 || r.N > s.calls {
		return nil
	}
	s.waiting--
	delete(s.peers, r.N)
	if err := contract.AsError(s.received(r)); err != nil {
		return sb.Reject(r.N, err.Code, err.Message)
	}
	switch {
	case r.OK && r.Result == nil:
		return sb.Resolve(r.N, nil)
	case r.OK:
		return sb.Resolve(r.N, sandbox.JSON(r.Result))
	case r.Error == nil:
		return sb.Reject(r.N, contract.HostBridgeError, "the host bridge answered with neither a result nor an error")
	}
	return sb.Reject(r.N, r.Error.Code, strings.TrimPrefix(r.Error.Message, string(r.Error.Code)+": "))
}

// Scripts are the preludes of this package, by file name.
func Scripts() ([]sandbox.Script, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var out []sandbox.Script
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, sandbox.Script{Name: strings.TrimSuffix(e.Name(), ".js"), Source: string(text)})
	}
	return out, nil
}

// spaces is the table of host calls as calls.js reads it: the rows of each
// namespace of ctx, as JSON. One at a time, because a function that reads a key
// should not pay for the rows of every other namespace.
type spaces struct {
	names []string
	rows  map[string]string
}

func spacesOf(calls []contract.HostCall) (spaces, error) {
	type row struct {
		Name   string   `json:"name"`
		Wire   string   `json:"wire"`
		Params []string `json:"params"`
		Keyed  bool     `json:"keyed,omitempty"`
	}
	s := spaces{rows: map[string]string{}}
	table := map[string][]row{}
	for _, c := range calls {
		space, name, keyed := c.Path()
		if name == "" {
			return s, fmt.Errorf("hostapi: the host call %q has no namespace", c.Method)
		}
		if table[space] == nil {
			s.names = append(s.names, space)
		}
		table[space] = append(table[space], row{name, c.Method, append([]string{}, c.Params...), keyed})
	}
	for space, rows := range table {
		b, err := json.Marshal(rows)
		if err != nil {
			return s, err
		}
		s.rows[space] = string(b)
	}
	return s, nil
}

// Ops are the native operations of ctx.
func Ops() ([]sandbox.Op, error) {
	table, err := spacesOf(contract.HostCalls)
	if err != nil {
		return nil, err
	}
	ops := []sandbox.Op{
		{Name: "hostSpaces", Do: func(*sandbox.Call) (any, error) { return append([]string{}, table.names...), nil }},
		{Name: "hostRows", Do: func(c *sandbox.Call) (any, error) {
			rows, ok := table.rows[c.String(0)]
			if !ok {
				rows = "[]"
			}
			return sandbox.JSON(rows), nil
		}},
		{Name: "siblings", Do: func(c *sandbox.Call) (any, error) {
			return append([]string{}, of(c).run.Siblings...), nil
		}},
		{Name: "hostCall", Do: func(c *sandbox.Call) (any, error) {
			s := of(c)
			if s.asked >= maxHostCalls {
				return nil, contract.Errorf(contract.HostQuotaExceeded, "more than %d host calls in one invocation", maxHostCalls)
			}
			s.asked++
			s.calls++
			s.waiting++
			s.sent(s.calls, c.String(0))
			s.port.Send(wire.KindHost, wire.Host{N: s.calls, Method: c.String(0), Args: contract.RawJSON(c.String(1)), Line: c.Line()})
			return s.calls, nil
		}},
		{Name: "request", Do: func(c *sandbox.Call) (any, error) {
			if s := of(c); s.request != nil {
				return sandbox.JSON(s.request), nil
			}
			return nil, nil
		}},
		{Name: "fromBase64", Do: func(c *sandbox.Call) (any, error) {
			b, err := base64.StdEncoding.DecodeString(c.String(0))
			if err != nil {
				return nil, fmt.Errorf("ctx.request.rawBody: %w", err)
			}
			return b, nil
		}},
		{Name: "log", Do: func(c *sandbox.Call) (any, error) { of(c).log(c.String(0), c.String(1)); return nil, nil }},
		{Name: "emit", Do: func(c *sandbox.Call) (any, error) {
			var payload contract.RawJSON
			if c.Has(1) {
				payload = contract.RawJSON(c.String(1))
			}
			return nil, of(c).emit(c.String(0), payload)
		}},
	}
	return slices.Concat(ops, callOps, fetchOps, peerOps), nil
}

func of(c *sandbox.Call) *Session { return c.Host.(*Session) }

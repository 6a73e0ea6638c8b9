package recorded

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"sync"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
	"benchtop/backend/worker/wire"
)

// Player stands before the executor and plays the recorded world to functions:
// their clock and chance, the answers of their host calls, and no network. It
// plays one test at a time.
type Player struct {
	mu    sync.Mutex
	world *World
	given []given // by call of the world
	extra []Call
}

// given says that a recorded call was made, and with what.
type given struct {
	made bool
	args json.RawMessage
}

// Play begins a test.
func (p *Player) Play(w *World) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.world, p.given, p.extra = w, make([]given, len(w.Calls)), nil
}

// Compare says which host calls the run did not make, made with other arguments
// or made beside the recorded ones, masks left out.
func (p *Player) Compare(masks []string) []Difference {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := comparison{masks: masks}
	for i, g := range p.given {
		at := []string{"calls", strconv.Itoa(i)}
		if !g.made {
			c.value(at, p.world.Calls[i].String(), absent{})
		} else if !equal(p.world.Calls[i].Args, g.args) {
			c.value(append(at, "args"), tree(orObject(p.world.Calls[i].Args)), tree(orObject(g.args)))
		}
	}
	for i, call := range p.extra {
		c.value([]string{"calls", strconv.Itoa(len(p.given) + i)}, absent{}, call.String())
	}
	return c.found
}

// Calls are the calls that the run made, for a recording to be made anew: the
// recorded ones in their order, then those that were new.
func (p *Player) Calls() (calls []Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, g := range p.given {
		if g.made {
			call := p.world.Calls[i]
			call.Args = g.args
			calls = append(calls, call)
		}
	}
	return append(calls, p.extra...)
}

// String is the call as text.
func (c Call) String() string { return c.Method + " " + string(orObject(c.Args)) }

func orObject(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// Before gives the executor that plays.
func (p *Player) Before(inner invocation.Executor) invocation.Executor { return &played{inner, p} }

type played struct {
	invocation.Executor
	p *Player
}

// Run implements invocation.Executor. A nested run happens only when the call
// that makes it is not in the recording; it is offline, too.
func (x *played) Run(ctx context.Context, job invocation.Job, host invocation.Host) invocation.Outcome {
	x.p.mu.Lock()
	w := x.p.world
	x.p.mu.Unlock()
	job.Offline = &wire.Offline{Answers: []wire.FetchAnswer{}}
	if w == nil || job.Depth > 0 {
		return x.Executor.Run(ctx, job, host)
	}
	job.Seed, job.ClockStartMs = w.Seed, w.ClockStartMs
	job.Offline.Answers = append(job.Offline.Answers, w.Fetches...)
	return x.Executor.Run(ctx, job, &playedHost{host, x.p, job.Permissions})
}

type playedHost struct {
	invocation.Host
	p       *Player
	granted manifest.Permissions
}

// HostCall implements invocation.Host. What the manifest does not grant is
// refused as ever, whatever the recording says.
func (h *playedHost) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	if wire.PeerCall(method) {
		return h.Host.HostCall(ctx, n, method, args)
	}
	name := nameOf(method, args)
	c, recorded := h.p.take(name, args)
	denied := c.Error != nil && c.Error.Code == contract.PermissionDenied
	if recorded && !denied && manifest.Granted(h.granted, contract.HostCallNamed(name), args) == nil {
		return contract.HostReply{OK: c.Error == nil, Result: c.Result, Error: c.Error}
	}
	reply := h.Host.HostCall(ctx, n, method, args)
	if !recorded {
		h.p.mu.Lock()
		h.p.extra = append(h.p.extra, Call{name, args, reply.Result, reply.Error})
		h.p.mu.Unlock()
	}
	return reply
}

// nameOf is the name of a call in a trace: those of ctx.portal travel in an
// envelope.
func nameOf(method string, args contract.RawJSON) string {
	var inner struct {
		Method string `json:"method"`
	}
	if method == contract.PortalDispatch && json.Unmarshal(args, &inner) == nil && inner.Method != "" {
		return contract.PortalSpace + inner.Method
	}
	return method
}

// take gives the first recorded call that was not given yet: one with the same
// arguments or, when there is none, one of the same name.
func (p *Player) take(name string, args contract.RawJSON) (Call, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, strict := range []bool{true, false} {
		for i, c := range p.world.Calls {
			if !p.given[i].made && c.Method == name && (!strict || equal(c.Args, args)) {
				p.given[i] = given{true, args}
				return c, true
			}
		}
	}
	return Call{}, false
}

// equal compares JSON by value; nothing and an empty object are the same.
func equal(a, b json.RawMessage) bool {
	values := [2]any{}
	for i, raw := range []json.RawMessage{a, b} {
		values[i] = map[string]any{}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if dec.Decode(&values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

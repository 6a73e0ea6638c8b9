package agenthttp

import (
	"context"
	"encoding/json"
	"iter"
	"sync"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// maxModelCalls is how many streams of its model a handler may have open.
const maxModelCalls = 8

// modelCalls are the streams of ctx.agent.complete that one run has open.
type modelCalls struct {
	ctx    context.Context
	cancel context.CancelFunc
	x      *exchange

	mu   sync.Mutex
	open map[int]*modelCall
	last int
}

type modelCall struct {
	mu   sync.Mutex // one chunk at a time
	next func() (contract.RawJSON, error, bool)
	stop func()
	end  context.CancelFunc
}

func newModelCalls(ctx context.Context, x *exchange) *modelCalls {
	m := &modelCalls{x: x, open: map[int]*modelCall{}}
	m.ctx, m.cancel = context.WithCancel(ctx)
	return m
}

// call answers agent.complete, agent.next and agent.stop; run is the context of
// the call, of which a stream only keeps whose run it is in.
func (m *modelCalls) call(run context.Context, method string, args contract.RawJSON) contract.HostReply {
	var in struct {
		ID       int             `json:"id"`
		Messages json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return failed(contract.Errorf(contract.InvalidRequest, "%s: the arguments do not parse", method))
	}
	switch method {
	case "agent.complete":
		return m.start(run, in.Messages)
	case "agent.next":
		return m.next(in.ID)
	case "agent.stop":
		if c := m.drop(in.ID); c != nil {
			c.close()
		}
		return replied(struct{}{})
	}
	return failed(contract.Errorf(contract.UnknownHostCall, "there is no %.64s", method))
}

func (m *modelCalls) start(run context.Context, messages contract.RawJSON) contract.HostReply {
	if m.x.s.cfg.Complete == nil {
		return failed(contract.Errorf(contract.HostBridgeError, "ctx.agent.complete: this platform has no model for agents"))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.open) >= maxModelCalls {
		return failed(contract.Errorf(contract.HostQuotaExceeded, "ctx.agent.complete: %d streams of the model are open already", maxModelCalls))
	}
	ctx, end := context.WithCancel(invocation.WithRun(m.ctx, invocation.RunOf(run)))
	next, stop := iter.Pull2(m.x.s.cfg.Complete(ctx, m.x.agent, messages))
	m.last++
	m.open[m.last] = &modelCall{next: next, stop: stop, end: end}
	return replied(map[string]int{"id": m.last})
}

func (m *modelCalls) next(id int) contract.HostReply {
	m.mu.Lock()
	c := m.open[id]
	m.mu.Unlock()
	if c == nil {
		return replied(map[string]bool{"done": true})
	}
	c.mu.Lock()
	chunk, err, more := c.next()
	c.mu.Unlock()
	if more && err == nil {
		return replied(struct {
			Chunk contract.RawJSON `json:"chunk"`
		}{chunk})
	}
	if m.drop(id) != nil {
		c.close()
	}
	if !more {
		return replied(map[string]bool{"done": true})
	}
	if e := contract.AsError(err); e != nil {
		return failed(e)
	}
	if m.ctx.Err() == nil {
		m.x.s.cfg.Log.Error("an agent's model failed", "agent", m.x.agent.Username, "error", err)
	}
	return failed(contract.Errorf(contract.HostBridgeError, "the model failed; the platform's log says why"))
}

func (m *modelCalls) drop(id int) *modelCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.open[id]
	delete(m.open, id)
	return c
}

// close ends a stream, also one that is waiting for its next chunk.
func (c *modelCall) close() {
	c.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

// end closes all of them.
func (m *modelCalls) end() {
	m.cancel()
	m.mu.Lock()
	open := m.open
	m.open = nil
	m.mu.Unlock()
	for _, c := range open {
		c.close()
	}
}

// replied and failed are answers to a handler.
func replied(v any) contract.HostReply {
	b, err := json.Marshal(v)
	if err != nil {
		return failed(contract.Errorf(contract.HostBridgeError, "the answer cannot be written: %v", err))
	}
	return contract.HostReply{OK: true, Result: b}
}

func failed(e *contract.Error) contract.HostReply {
	return contract.HostReply{Error: &contract.HostFailed{Code: e.Code, Message: e.Message}}
}

package model

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
)

// runTool calls a tool and passes on what it emits meanwhile. Like every root
// invocation it goes on when its caller hangs up: only the turn ends.
func (t *turn) runTool(ctx context.Context, c ToolCall) (ToolAnswer, error) {
	if !t.own[c.Function.Name] {
		return toolFailed(contract.Errorf(contract.ToolNotFound, "there is no tool %.64q", c.Function.Name)), nil
	}
	args := contract.RawJSON(c.Function.Arguments)
	if len(args) == 0 {
		args = contract.RawJSON("{}")
	}
	if !json.Valid(args) {
		return toolFailed(contract.Errorf(contract.ParametersInvalid, "the arguments are not JSON")), nil
	}
	type end struct {
		answer   ToolAnswer
		err      error
		panicked any
	}
	events := newMailbox[contract.EmittedEvent]()
	done := make(chan end, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- end{panicked: v}
			}
		}()
		answer, err := t.m.cfg.Tools.CallTool(ctx, ToolRequest{
			AgentID: t.req.Agent.ID, Tool: c.Function.Name, Args: args, CallID: c.ID,
			Caller: t.req.Caller, Tokens: t.req.Tokens, OnEmit: events.put,
		})
		done <- end{answer: answer, err: err}
	}()
	progress := func() error {
		for _, ev := range events.take() {
			if err := t.pass(Chunk{Kind: ChunkToolProgress, Call: &c, Event: &ev}); err != nil {
				return err
			}
		}
		return nil
	}
	for {
		select {
		case <-events.ready:
			if err := progress(); err != nil {
				return ToolAnswer{}, err
			}
		case <-ctx.Done():
			return ToolAnswer{}, ctx.Err()
		case e := <-done:
			if e.panicked != nil {
				panic(e.panicked) // in the goroutine that answers for it
			}
			if err := progress(); err != nil {
				return ToolAnswer{}, err
			}
			if err := contract.AsError(e.err); err != nil && err.Code == contract.ToolNotFound {
				return toolFailed(err), nil // it went while the turn was under way
			}
			return e.answer, e.err
		}
	}
}

package model

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// errStopped says that whoever took the chunks wants no more.
var errStopped = errors.New("no more chunks are wanted")

// Complete answers a conversation for code of the agent itself, such as an
// endpoint's handler with ctx.agent.complete (decisions.md 23). messages is the
// JSON of a list of messages; the chunks are those of the OpenAI protocol
// (chat.completion.chunk), as POST .../chat/completions streams them, the last
// one with the usage. A pair with an error is the last. Who stops taking ends the
// turn.
func (m *Model) Complete(ctx context.Context, a agents.Agent, messages contract.RawJSON) iter.Seq2[contract.RawJSON, error] {
	return func(yield func(contract.RawJSON, error) bool) {
		var all []Message
		if err := json.Unmarshal(messages, &all); err != nil {
			yield(nil, contract.Errorf(contract.InvalidRequest, "messages is a list of {role, content}"))
			return
		}
		chunks := m.Chunks(a.Username, true)
		pass := func(list []CompletionChunk) error {
			for _, c := range list {
				b, err := json.Marshal(c)
				if err != nil {
					return err
				}
				if !yield(b, nil) {
					return errStopped
				}
			}
			return nil
		}
		stopped := false
		emit := func(c Chunk) error {
			err := pass(chunks.Of(c))
			stopped = errors.Is(err, errStopped)
			return err
		}
		result, err := m.Turn(ctx, TurnRequest{
			Agent: a, Messages: all, Caller: auth.Caller{Kind: auth.KindAgent, AgentID: a.ID}, inside: true, paid: true,
		}, emit)
		switch {
		case stopped:
		case err != nil:
			yield(nil, err)
		default:
			_ = pass(chunks.End(result)) // the last there are
		}
	}
}

package hostbridge

import (
	"context"
	"encoding/json"
	"math"

	"benchtop/backend/contract"
)

// Nested is what a function asks of ctx.fn.invoke. Parent is the invocation that
// asks; TimeoutMs is 0 for as long as there is time.
type Nested struct {
	Parent         string
	Name           string
	Args           json.RawMessage
	TimeoutMs      int
	IdempotencyKey string
}

// NestedResult is what came of it. Value is nil for undefined; Replayed says
// that it is the answer of an earlier run.
type NestedResult struct {
	Value    json.RawMessage
	Replayed bool
}

func (b *Bridge) fnInvoke(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	n := Nested{Parent: s.claims.InvocationID, Args: a["args"]}
	if err := a.texts(map[string]*string{"name": &n.Name, "idempotencyKey": &n.IdempotencyKey}); err != nil {
		return nil, err
	}
	timeout, err := a.number("timeoutMs")
	if err != nil {
		return nil, err
	}
	if !math.IsNaN(timeout) {
		if timeout < 1 {
			return nil, contract.Errorf(contract.InvalidRequest, "fn.invoke: timeoutMs must be at least 1")
		}
		n.TimeoutMs = int(min(timeout, contract.MaxWallMs))
	}
	result, err := b.cfg.Invoke(ctx, n)
	if err != nil {
		return nil, err
	}
	if result.Replayed {
		// The secrets of the run that gave this answer are not known here any
		// more, so all of the agent's are kept out of the records.
		if err := b.rememberAll(ctx, s, s.claims.AgentID); err != nil {
			return nil, err
		}
	}
	return result.Value, nil
}

func (b *Bridge) rememberAll(ctx context.Context, s *Session, agentID string) error {
	bindings, err := b.cfg.Secrets.List(ctx, agentID, "")
	if err != nil {
		return err
	}
	for _, of := range bindings {
		value, set, err := b.cfg.Secrets.Get(ctx, agentID, of.Function, of.Binding)
		if err != nil {
			return err
		}
		if set {
			s.remember(of.Binding, value)
		}
	}
	return nil
}

func (b *Bridge) fnList(_ context.Context, s *Session, _ arguments) (json.RawMessage, error) {
	names := b.cfg.Functions.Names(s.claims.AgentID)
	if names == nil {
		names = []string{}
	}
	return json.Marshal(names)
}

package hostbridge

import (
	"context"
	"encoding/json"
	"math"

	"benchtop/backend/contract"
)

// portalCallTool calls a tool of another agent, or of the function's own.
func (b *Bridge) portalCallTool(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	c := ToolCall{Parent: s.claims.InvocationID, Args: a["params"]}
	var ref string
	if err := a.texts(map[string]*string{"agentRef": &ref, "toolName": &c.Tool}); err != nil {
		return nil, err
	}
	opts, err := a.options("portal.callTool", "opts")
	if err != nil {
		return nil, err
	}
	if c.PaymentToken, err = opts.text("paymentToken"); err != nil {
		return nil, err
	}
	timeout, err := opts.number("timeoutMs")
	if err != nil || timeout < 1 {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.callTool: timeoutMs must be a number of at least 1")
	}
	if !math.IsNaN(timeout) {
		c.TimeoutMs = int(min(timeout, contract.MaxWallMs))
	}
	agent, ok := b.cfg.Portal.Agent(ref)
	if !ok {
		return nil, contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", ref)
	}
	c.AgentID = agent.ID
	result, err := b.cfg.Portal.CallTool(ctx, c)
	if err != nil {
		return nil, err
	}
	if agent.ID != s.claims.AgentID {
		// What the other agent read is not known here: all its secrets are kept
		// out of this one's records.
		if err := b.rememberAll(ctx, s, agent.ID); err != nil {
			return nil, err
		}
	}
	return result, nil
}

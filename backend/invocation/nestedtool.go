package invocation

import (
	"context"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// NestedTool is what a running function asks of ctx.portal.callTool. Parent is
// its own invocation, AgentID whose tool it is.
type NestedTool struct {
	Parent    string
	AgentID   string
	Tool      string
	Args      contract.RawJSON
	TimeoutMs int // 0: as long as there is time
	// PaymentToken pays for a tool with a price, instead of who pays for the chain.
	PaymentToken string
}

// CallToolNested calls a tool for a running function and gives its result, nil
// for undefined. It is part of the function's chain like InvokeNested: of its
// depth, its time and its turn, whichever agents it goes through, so that two
// agents cannot keep calling each other.
func (v *Invoker) CallToolNested(ctx context.Context, n NestedTool) (contract.RawJSON, error) {
	parent := v.lineageOf(n.Parent)
	if parent == nil {
		return nil, contract.Errorf(contract.HostBridgeError, "the invocation that calls %.64q has ended", n.Tool)
	}
	select {
	case parent.turn <- struct{}{}:
		defer func() { <-parent.turn }()
	case <-ctx.Done():
		return nil, contract.Errorf(contract.InvocationCancelled, "portal.callTool: the caller ended before %.64q could start", n.Tool)
	}
	answer, err := v.CallTool(ctx, ToolRequest{
		AgentID: n.AgentID, Tool: n.Tool, Args: n.Args, CallID: "",
		Caller: auth.Caller{Kind: auth.KindAgent, AgentID: parent.agentID, Scopes: []string{nestedScope}},
		nest:   &nest{parent: parent, timeoutMs: n.TimeoutMs},
		Tokens: tokensOf(n.PaymentToken),
	})
	if err != nil {
		return nil, err
	}
	if id, ok := ctx.Value(childKey{}).(*string); ok {
		*id = answer.InvocationID
	}
	if answer.Code != "" {
		return nil, contract.Errorf(answer.Code, "%s", answer.Message)
	}
	return answer.Value, nil
}

func tokensOf(token string) []string {
	if token == "" {
		return nil
	}
	return []string{token}
}

// step names a call in its chain. Functions of another agent than the one at the
// root have the agent's name in front, so that a name they share makes no cycle.
func (c *call) step(rootAgent string) string {
	if c.agent.ID == rootAgent {
		return c.fn.Name
	}
	return c.agent.Username + "/" + c.fn.Name
}

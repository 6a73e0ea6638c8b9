package invocation

import (
	"context"
	"encoding/json"

	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
)

// Consumers are the skill entries of the agents.
type Consumers interface {
	Of(agentID string) *consumers.Set
}

// ToolRequest asks for a call of one of an agent's custom_tools by the name that
// models know. CallID is the model's; empty takes the invocation's.
type ToolRequest struct {
	AgentID   string
	Tool      string
	Args      contract.RawJSON // nil is {}
	CallID    string
	Caller    auth.Caller
	OnEmit    func(contract.EmittedEvent)
	TimeoutMs int // 0: as long as the function may take
	// Tokens are payment tokens for a tool with a price.
	Tokens []string
	// Within is the run in which the call happens without being its own, such as
	// that of a handler which has its agent's model answer; empty without one. It
	// ends with that run and is paid for like it, with time of its own.
	Within string
	nest   *nest
}

// ToolAnswer is how a tool call ended. Value is what a model gets: the function's
// result, null for undefined, or a ToolFailure when Code is set. InvocationID is
// empty when nothing ran.
type ToolAnswer struct {
	Value         contract.RawJSON
	Code          contract.Code
	Message       string
	InvocationID  string
	RetryAfterSec int
}

// toolCall is what a function sees of it.
type toolCall struct {
	entry  *consumers.Entry
	callID string
}

// Tools gives an agent's enabled tools in the form in which models are told of
// them. Parameters are the entry's own, else the function's.
func (v *Invoker) Tools(agentID string) []contract.ToolDefinition {
	tools := []contract.ToolDefinition{}
	if v.cfg.Consumers == nil {
		return tools
	}
	for _, e := range v.cfg.Consumers.Of(agentID).Tools() {
		fn, ok := v.cfg.Functions.Get(agentID, e.Use)
		if !ok {
			continue // nothing would answer
		}
		d := contract.ToolDefinition{Type: "function", Function: contract.ToolFunction{
			Name: e.Tool.Name, Description: e.Description, Parameters: e.Tool.Parameters}}
		if d.Function.Description == "" {
			d.Function.Description = fn.Manifest.Description
		}
		if len(d.Function.Parameters) == 0 {
			d.Function.Parameters = fn.Manifest.Parameters
		}
		if len(d.Function.Parameters) == 0 {
			d.Function.Parameters = contract.RawJSON(`{"type":"object","properties":{}}`)
		}
		tools = append(tools, d)
	}
	return tools
}

// CallTool runs the function behind a tool. What goes wrong is in the answer, for
// the model to read; the error is of the platform, or TOOL_NOT_FOUND,
// AGENT_NOT_FOUND, SHUTTING_DOWN.
func (v *Invoker) CallTool(ctx context.Context, req ToolRequest) (ToolAnswer, error) {
	agent, ok := v.cfg.Agents.Resolve(req.AgentID)
	if !ok {
		return ToolAnswer{}, contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", req.AgentID)
	}
	var entry *consumers.Entry
	if v.cfg.Consumers != nil {
		entry, _ = v.cfg.Consumers.Of(agent.ID).Tool(req.Tool)
	}
	if entry == nil {
		return ToolAnswer{}, contract.Errorf(contract.ToolNotFound, "agent %s has no tool %.64q", agent.Username, req.Tool)
	}
	if req.Within != "" && req.nest == nil {
		parent := v.lineageOf(req.Within)
		if parent == nil {
			return ToolAnswer{}, contract.Errorf(contract.InvocationCancelled, "the run in which %.64q was called has ended", req.Tool)
		}
		req.nest = &nest{parent: parent, beside: true}
	}
	args := orEmpty(req.Args)
	body, err := json.Marshal(map[string]json.RawMessage{"args": args})
	if err != nil {
		return toolFailed(contract.Errorf(contract.ParametersInvalid, "the arguments are not JSON"))
	}
	answer, err := v.Invoke(ctx, Request{
		AgentID: agent.ID, Function: entry.Use, Skill: contract.SkillTools, ConsumerID: entry.ID,
		Body: body, Caller: req.Caller, OnEmit: req.OnEmit, WallMs: req.TimeoutMs,
		Payment: paidWith(req.Tokens),
		tool:    &toolCall{entry, req.CallID}, nest: req.nest,
	})
	if e := contract.AsError(err); e != nil {
		switch e.Code {
		case contract.ShuttingDown, contract.StorageUnavailable:
			return ToolAnswer{}, err
		}
		return toolFailed(e)
	}
	if err != nil {
		return ToolAnswer{}, err
	}
	r := answer.Result
	out := ToolAnswer{Value: r.Result, InvocationID: r.InvocationID}
	if !r.OK {
		out, err = toolFailed(&contract.Error{Code: r.ErrorCode, Message: r.ErrorMessage, RetryAfterSec: r.RetryAfterSec})
		out.InvocationID = r.InvocationID
	}
	if out.Value == nil {
		out.Value = contract.RawJSON("null")
	}
	return out, err
}

// paidWith is a payment of a price that the function itself has.
func paidWith(tokens []string) *Payment {
	if len(tokens) == 0 {
		return nil
	}
	return &Payment{Tokens: tokens}
}

func toolFailed(e *contract.Error) (ToolAnswer, error) {
	value, err := json.Marshal(contract.ToolFailure{Error: contract.ToolError{Code: e.Code, Message: e.Message, Detail: e.Problems}})
	return ToolAnswer{Value: value, Code: e.Code, Message: e.Message, RetryAfterSec: e.RetryAfterSec}, err
}

// fits holds the arguments of a tool call to the entry's schema, or to the
// function's when the entry has none.
func (v *Invoker) fits(c *call) ([]contract.Problem, error) {
	if c.req.tool != nil && len(c.req.tool.entry.Tool.Parameters) > 0 {
		return c.req.tool.entry.Tool.Check(c.manual.Args), nil
	}
	if len(c.fn.Manifest.Parameters) == 0 {
		return nil, nil
	}
	return v.schemas.check(c.fn, c.manual.Args)
}

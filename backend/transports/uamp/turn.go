package uamp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/model"
)

// turnOptions are what a client asks of one response.
type turnOptions struct {
	instructions string
	tools        []contract.ToolDefinition // in the place of the session's, when hasTools
	hasTools     bool
	options      map[string]contract.RawJSON
}

// response is one answer of the agent.
type response struct {
	s      *session
	id     string
	ctx    context.Context
	stop   context.CancelFunc
	output []contentItem
}

// create answers response.create.
func (s *session) create(in incoming) *failure {
	var e struct {
		Response struct {
			Instructions string          `json:"instructions"`
			Tools        json.RawMessage `json:"tools"`
			Messages     []model.Message `json:"messages"`
			Temperature  json.RawMessage `json:"temperature"`
			MaxTokens    json.RawMessage `json:"max_tokens"`
		} `json:"response"`
		ResponseFormat json.RawMessage `json:"response_format"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	o := turnOptions{instructions: e.Response.Instructions, options: map[string]contract.RawJSON{}}
	var f *failure
	if o.tools, f = readTools(e.Response.Tools); f != nil {
		return f
	}
	o.hasTools = len(e.Response.Tools) > 0 && string(e.Response.Tools) != "null"
	for name, value := range map[string]json.RawMessage{"temperature": e.Response.Temperature, "max_tokens": e.Response.MaxTokens, "response_format": e.ResponseFormat} {
		if len(value) > 0 && string(value) != "null" {
			o.options[name] = value
		}
	}
	if e.Response.Messages != nil {
		if err := model.CheckMessages(e.Response.Messages); err != nil {
			return invalid("response.%s", clip(contract.AsError(err).Message))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active != nil {
		return &failure{Code: codeActive, Message: "response " + s.active.id + " is under way: cancel it or wait for its end"}
	}
	if e.Response.Messages != nil { // the client keeps the conversation itself
		s.items, s.bytes, s.calls = nil, 0, nil
		for _, m := range e.Response.Messages {
			s.add(itemOf(m))
		}
	}
	s.settleCalls()
	if len(s.items) == 0 {
		return invalid("there is nothing to answer: send input first")
	}
	s.begin(o)
	return nil
}

// cancel answers response.cancel.
func (s *session) cancel(in incoming) *failure {
	var e struct {
		ResponseID string `json:"response_id"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil || e.ResponseID != "" && e.ResponseID != s.active.id {
		return &failure{Code: codeNoResponse, Message: "no such response is under way"}
	}
	s.active.stop()
	return nil
}

// begin starts a response; the lock is held, and nothing is being answered.
func (s *session) begin(o turnOptions) {
	c := s.c
	if c.ctx.Err() != nil {
		return // the client has gone
	}
	agent, there := c.t.cfg.Agent(c.agent.ID)
	if !there || !agent.Serves(transportName) {
		s.say(event{"type": "response.error", "error": failure{Code: codeNoAgent, Message: "the agent is not served here any more"}})
		return
	}
	r := &response{s: s, id: c.t.id("resp")}
	r.ctx, r.stop = context.WithCancel(c.ctx)
	req := model.TurnRequest{Agent: agent, Caller: s.caller, Tools: s.config.tools, Options: map[string]contract.RawJSON{}}
	if o.hasTools {
		req.Tools = o.tools
	}
	if isObject(s.config.ResponseFormat) {
		req.Options["response_format"] = s.config.ResponseFormat
	}
	for name, value := range o.options {
		req.Options[name] = value
	}
	if s.config.Instructions != nil && *s.config.Instructions != "" {
		req.Messages = append(req.Messages, model.TextMessage(model.RoleSystem, *s.config.Instructions))
	}
	req.Messages = append(req.Messages, s.messages()...)
	if o.instructions != "" {
		req.Messages = append(req.Messages, model.TextMessage(model.RoleSystem, o.instructions))
	}
	s.active = r
	c.turns.Add(1)
	go func() {
		defer c.turns.Done()
		defer r.stop()
		r.run(req)
	}()
}

func isObject(raw json.RawMessage) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(raw, &object) == nil && object != nil
}

func (r *response) say(kind string, e event) {
	e["type"], e["response_id"] = kind, r.id
	r.s.say(e)
}

func (r *response) delta(kind string, value any) {
	r.say("response.delta", event{"delta": map[string]any{"type": kind, kind: value}})
}

// run answers and ends the response with exactly one event: response.done,
// response.cancelled or response.error.
func (r *response) run(req model.TurnRequest) {
	r.say("response.created", event{})
	result, err := r.turn(req)
	if e := contract.AsError(err); e != nil {
		if accepts, required := e.Accepts(); required {
			if err = r.pay(e, accepts); err == nil {
				result, err = r.turn(req)
			}
		}
	}
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active = nil
	switch {
	case err == nil:
		r.keep(result.Steps)
		r.say("response.done", event{"response": map[string]any{
			"id": r.id, "status": "completed", "output": r.items(), "usage": usageOf(result.Usage),
		}})
		s.tellBalance()
		s.proceed()
	case r.ctx.Err() != nil:
		r.keepPartial()
		r.say("response.cancelled", event{"partial_output": r.items()})
	default:
		s.calls = nil // of an answer that is none
		r.fail(err)
	}
}

// turn has the agent answer. A panic ends the response and not the platform.
func (r *response) turn(req model.TurnRequest) (result model.TurnResult, err error) {
	r.s.mu.Lock()
	req.Tokens = r.s.tokens()
	r.s.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			// The value may hold anything, a secret too; a stack has addresses only.
			r.s.c.t.cfg.Log.Error("a response panicked", "agent", req.Agent.Username, "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			err = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
		}
	}()
	return r.s.c.t.cfg.Turner.Turn(r.ctx, req, func(c model.Chunk) error {
		r.pass(c)
		return r.ctx.Err()
	})
}

// pass tells the client of one thing that happened in the turn.
func (r *response) pass(c model.Chunk) {
	switch c.Kind {
	case model.ChunkText:
		if last := len(r.output) - 1; last >= 0 && r.output[last].Type == "text" {
			r.output[last].Text += c.Text
		} else {
			r.output = append(r.output, contentItem{Type: "text", Text: c.Text})
		}
		r.delta("text", c.Text)
	case model.ChunkThinking:
		r.say("thinking", event{"content": c.Text, "is_delta": true})
	case model.ChunkToolCall:
		call := toolCall{ID: c.Call.ID, Name: c.Call.Function.Name, Arguments: c.Call.Function.Arguments}
		r.output = append(r.output, contentItem{Type: "tool_call", ToolCall: &call})
		if c.ByClient {
			r.s.expect(call)
			r.say("tool.call", event{"call_id": call.ID, "name": call.Name, "arguments": call.Arguments})
			return
		}
		r.delta("tool_call", toolCall{ID: call.ID, Name: call.Name})
		r.delta("tool_call", call)
	case model.ChunkToolProgress:
		r.delta("tool_progress", toolProgress{CallID: c.Call.ID, Name: c.Call.Function.Name, Event: c.Event.Event, Payload: c.Event.Payload})
	case model.ChunkToolResult:
		result := toolResult{CallID: c.Call.ID, Result: string(c.Result), IsError: c.Failed != "", Run: c.InvocationID}
		r.output = append(r.output, contentItem{Type: "tool_result", ToolResult: &result})
		r.delta("tool_result", result)
	case model.ChunkUsage:
		r.say("usage.delta", event{"delta": usageOf(*c.Usage)})
	}
}

// expect says that the client is to run a tool. Its result may come before the
// response has ended.
func (s *session) expect(c toolCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call{id: c.ID, name: c.Name})
}

// items are the output so far.
func (r *response) items() []contentItem {
	if r.output == nil {
		return []contentItem{}
	}
	return r.output
}

// keep puts what the turn added into the conversation; the session's lock is held.
func (r *response) keep(steps []model.Message) {
	for _, m := range steps {
		r.s.add(itemOf(m))
	}
}

// keepPartial keeps what was said before the end, so that both sides know it.
func (r *response) keepPartial() {
	r.s.calls = nil
	var text strings.Builder
	for _, it := range r.output {
		text.WriteString(it.Text)
	}
	if text.Len() > 0 {
		r.s.add(itemOf(model.TextMessage(model.RoleAssistant, text.String())))
	}
}

// fail ends the response with an error.
func (r *response) fail(err error) {
	e := contract.AsError(err)
	if e == nil {
		r.s.c.t.cfg.Log.Error("a response failed", "agent", r.s.c.agent.Username, "error", err)
		e = contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
	}
	f := &failure{Code: codeGeneration, Message: e.Message, Details: map[string]any{"code": e.Code}}
	var unpaid errUnpaid
	switch accepts, required := e.Accepts(); {
	case errors.As(err, &unpaid):
		f.Code = unpaid.code
	case required:
		f.Code, f.Details = codePayFailed, map[string]any{"code": e.Code, "accepts": accepts}
		r.say("payment.error", paymentError(e, false))
	case e.Code == contract.ConcurrencyExceeded:
		f.Code = codeRateLimited
		wait := max(e.RetryAfterSec, 1)
		r.say("rate_limit", event{"limit": 0, "remaining": 0, "reset_at": r.s.c.t.cfg.Now().UnixMilli() + int64(wait)*1000})
	}
	r.say("response.error", event{"error": f})
}

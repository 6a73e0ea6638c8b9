package model

import (
	"context"
	"encoding/json"
	"errors"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

const (
	// maxSteps is how often a turn asks its model before the model has to answer
	// without tools.
	maxSteps = 10
	// maxCalls is how many tools one answer of a model may call.
	maxCalls = 32
	// maxTurns is how many turns an agent may have under way. It also ends what
	// goes round in a circle in a way that cannot be seen here.
	maxTurns = 256
)

// TurnRequest asks for an answer to a conversation. Tools are those that the
// client runs itself; where one has the name of a tool of the agent, the agent's
// counts. Choice and Options are the client's tool_choice and other parameters of
// the OpenAI protocol, by name; a model takes those it knows. Tokens are the
// payment tokens that came with the request.
type TurnRequest struct {
	Agent    agents.Agent
	Messages []Message
	Tools    []contract.ToolDefinition
	Choice   Choice
	Options  map[string]contract.RawJSON
	Caller   auth.Caller
	Tokens   []string
	// chain are the usernames of the agents in whose turns this one happens.
	chain []string
	// inside is set for turns that the platform starts by itself, for an agent or
	// its owner: whoever may use the agent has been settled.
	inside bool
	// paid is set for those within a run of the agent's own, whose bill its tools
	// are on.
	paid bool
}

// Turn answers a conversation: the model is asked, the agent's own tools that it
// calls are run one after another, and it is asked again with their results,
// until it answers, or calls a tool of the client's. emit gets everything as it
// happens, from the calling goroutine's side: it is never called twice at once
// nor after Turn has returned. What it returns as an error ends the turn.
//
// An error is a *contract.Error. Those of Admit, of payments and of requests
// come before the first chunk.
func (m *Model) Turn(ctx context.Context, req TurnRequest, emit func(Chunk) error) (TurnResult, error) {
	if err := m.admit(ctx, req); err != nil {
		return TurnResult{}, err
	}
	leave, err := m.enter(req.Agent)
	if err != nil {
		return TurnResult{}, err
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(m.background.ctx, func() { cancel(errStopping) })()
	e, err := m.engine(ctx, req)
	if err != nil {
		return TurnResult{}, err
	}
	t := &turn{m: m, req: req, engine: e, emit: emit, own: map[string]bool{}}
	return t.run(ctx)
}

func (m *Model) admit(ctx context.Context, req TurnRequest) error {
	if !req.inside {
		if err := Admit(req.Agent, req.Caller); err != nil {
			return err
		}
	}
	if err := CheckMessages(req.Messages); err != nil {
		return err
	}
	if m.cfg.Payments == nil || req.paid {
		return nil
	}
	return m.cfg.Payments.Require(ctx, req.Agent, req.Caller, req.Tokens)
}

func (m *Model) enter(a agents.Agent) (leave func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running[a.ID] >= maxTurns {
		e := contract.Errorf(contract.ConcurrencyExceeded, "%d turns of agent %s are under way; no more at once", maxTurns, a.Username)
		e.RetryAfterSec = 1
		return nil, e
	}
	m.running[a.ID]++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running[a.ID]--; m.running[a.ID] == 0 {
			delete(m.running, a.ID)
		}
	}, nil
}

// Running is how many turns of an agent are under way.
func (m *Model) Running(agentID string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.running[agentID]
}

// turn is one on its way.
type turn struct {
	m      *Model
	req    TurnRequest
	engine engine
	emit   func(Chunk) error
	own    map[string]bool // names of the agent's tools
	result TurnResult
	text   string // of the whole turn
}

func (t *turn) run(ctx context.Context) (TurnResult, error) {
	ask, err := t.question()
	if err != nil {
		return TurnResult{}, err
	}
	for step := 1; ; step++ {
		if step > maxSteps {
			ask.choice = Choice{Mode: ChoiceNone}
		}
		answer, err := t.engine.step(ctx, ask, t.say)
		if err != nil {
			return TurnResult{}, t.failed(ctx, err)
		}
		t.result.Usage.add(answer.usage)
		if step > maxSteps && len(answer.calls) > 0 && t.text == "" {
			return TurnResult{}, contract.Errorf(contract.ModelFailed, "the model of agent %s called tools %d times and gave no answer", t.req.Agent.Username, maxSteps)
		}
		if ask.choice.Mode == ChoiceNone {
			answer.calls = nil
		}
		own, theirs := t.sort(answer.calls)
		message := TextMessage(RoleAssistant, answer.text)
		message.ToolCalls = own
		if len(own) == 0 {
			return t.end(ctx, message, theirs, answer.finish)
		}
		if answer.text == "" {
			message.Content = contract.RawJSON("null")
		}
		t.add(&ask, message)
		for i := range own {
			reply, err := t.call(ctx, own[i])
			if err != nil {
				return TurnResult{}, t.failed(ctx, err)
			}
			t.add(&ask, reply)
		}
		if ask.choice.forces() {
			ask.choice = Choice{} // it was done
		}
	}
}

// question is what the model is asked first: the agent's instructions, then the
// conversation, with all tools.
func (t *turn) question() (question, error) {
	ask := question{choice: t.req.Choice, options: t.req.Options, think: t.think}
	if t.req.Agent.Instructions != "" {
		ask.messages = append(ask.messages, TextMessage(RoleSystem, t.req.Agent.Instructions))
	}
	ask.messages = append(ask.messages, t.req.Messages...)
	if t.m.cfg.Tools != nil {
		ask.tools = t.m.cfg.Tools.Tools(t.req.Agent.ID)
	}
	for _, tool := range ask.tools {
		t.own[tool.Function.Name] = true
	}
	theirs := map[string]bool{}
	for _, tool := range t.req.Tools {
		name := tool.Function.Name
		if theirs[name] {
			return ask, contract.Errorf(contract.InvalidRequest, "tools names %.64q twice", name)
		}
		theirs[name] = true
		if !t.own[name] {
			ask.tools = append(ask.tools, tool)
		}
	}
	if name := ask.choice.Name; name != "" && !t.own[name] && !theirs[name] {
		return ask, contract.Errorf(contract.InvalidRequest, "tool_choice names %.64q, which is no tool of this request or of the agent", name)
	}
	return ask, nil
}

// sort tells the agent's tools from the client's. An answer that calls both is
// taken as calling the agent's: a client knows nothing of their results and
// could not send them back, so the model is asked again and calls the client's
// then. A name that nobody has is the agent's, and fails.
func (t *turn) sort(calls []ToolCall) (own, theirs []ToolCall) {
	for _, c := range calls {
		if t.isTheirs(c.Function.Name) {
			theirs = append(theirs, c)
		} else {
			own = append(own, c)
		}
	}
	return own, theirs
}

func (t *turn) isTheirs(name string) bool {
	if t.own[name] {
		return false
	}
	for _, tool := range t.req.Tools {
		if tool.Function.Name == name {
			return true
		}
	}
	return false
}

func (t *turn) add(ask *question, m Message) {
	ask.messages = append(ask.messages, m)
	t.result.Steps = append(t.result.Steps, m)
}

// say passes on a piece of text.
func (t *turn) say(text string) error {
	if text == "" {
		return nil
	}
	t.text += text
	return t.pass(Chunk{Kind: ChunkText, Text: text})
}

// think passes on a piece of what the model reasons. It is kept nowhere.
func (t *turn) think(text string) error {
	if text == "" {
		return nil
	}
	return t.pass(Chunk{Kind: ChunkThinking, Text: text})
}

var errStopping = errors.New("the platform is stopping")

// errGone wraps what emit returned: whoever listens has gone.
type errGone struct{ error }

func (e errGone) Unwrap() error { return e.error }

func (t *turn) pass(c Chunk) error {
	if t.emit == nil {
		return nil
	}
	if err := t.emit(c); err != nil {
		return errGone{err}
	}
	return nil
}

// end closes a turn with the model's last answer.
func (t *turn) end(ctx context.Context, last Message, theirs []ToolCall, finish string) (TurnResult, error) {
	last.ToolCalls = theirs
	t.result.Finish = finish
	if finish == "" || finish == FinishToolCalls {
		t.result.Finish = FinishStop
	}
	for i := range theirs {
		t.result.Finish = FinishToolCalls
		if err := t.pass(Chunk{Kind: ChunkToolCall, Call: &theirs[i], ByClient: true}); err != nil {
			return TurnResult{}, t.failed(ctx, err)
		}
	}
	if len(theirs) > 0 && last.Text() == "" {
		last.Content = contract.RawJSON("null")
	}
	t.result.Steps = append(t.result.Steps, last)
	t.result.Message = last
	if t.text != last.Text() { // the text of earlier steps has been heard, too
		t.result.Message.Content = textJSON(t.text)
	}
	u := t.result.Usage
	if err := t.pass(Chunk{Kind: ChunkUsage, Usage: &u}); err != nil {
		return TurnResult{}, t.failed(ctx, err)
	}
	return t.result, nil
}

// failed makes every end a *contract.Error that says what happened.
func (t *turn) failed(ctx context.Context, err error) error {
	if e := contract.AsError(err); e != nil {
		return e
	}
	if errors.Is(context.Cause(ctx), errStopping) {
		return contract.Errorf(contract.ShuttingDown, "the platform is stopping")
	}
	var gone errGone
	if errors.As(err, &gone) || ctx.Err() != nil {
		return contract.Errorf(contract.TurnCancelled, "the turn was ended before its answer was complete")
	}
	t.m.cfg.Log.Error("a turn failed", "agent", t.req.Agent.Username, "error", err)
	return contract.Errorf(contract.Internal, "a fault of the platform; its log has the details")
}

// call runs one of the agent's own tools and gives the message that the model
// reads of it.
func (t *turn) call(ctx context.Context, c ToolCall) (Message, error) {
	if err := t.pass(Chunk{Kind: ChunkToolCall, Call: &c}); err != nil {
		return Message{}, err
	}
	answer, err := t.runTool(ctx, c)
	if err != nil {
		return Message{}, err
	}
	if err := t.pass(Chunk{Kind: ChunkToolResult, Call: &c, Result: answer.Value, Failed: answer.Code, InvocationID: answer.InvocationID}); err != nil {
		return Message{}, err
	}
	reply := TextMessage(RoleTool, string(answer.Value))
	reply.ToolCallID, reply.Name = c.ID, c.Function.Name
	return reply, nil
}

func toolFailed(e *contract.Error) ToolAnswer {
	value, _ := json.Marshal(contract.ToolFailure{Error: contract.ToolError{Code: e.Code, Message: e.Message, Detail: e.Problems}}) // texts always marshal
	return ToolAnswer{Value: value, Code: e.Code}
}

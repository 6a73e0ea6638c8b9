package uamp

import (
	"encoding/json"
	"slices"
	"sync"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// session is one conversation of a connection.
type session struct {
	c       *connection
	id      string
	own     bool // the client made its id
	caller  auth.Caller
	resumed bool
	started int64 // ms

	mu      sync.Mutex
	config  sessionConfig
	token   string // a payment token
	balance string // what it had when the client was told
	items   []item
	bytes   int
	audio   audio
	calls   []call    // of tools that the client is to run
	active  *response // being answered
	paying  chan string
}

// call is a call of a tool of the client's, and what came of it.
type call struct {
	id, name string
	result   *string
}

// state is the session without its connection.
func (s *session) state() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &state{config: s.config, token: s.token, items: s.items, bytes: s.bytes, calls: s.calls, started: s.started}
}

func (s *session) resume(was *state) {
	s.own, s.resumed = false, true
	s.config, s.token, s.items, s.bytes, s.calls, s.started = was.config, was.token, was.items, was.bytes, was.calls, was.started
}

// say sends an event of the session.
func (s *session) say(e event) {
	if s.own || s.c.isMany() {
		e["session_id"] = s.id
	}
	s.c.emit(e)
}

// greet answers session.create.
func (s *session) greet() {
	s.mu.Lock()
	e := event{"type": "session.created", "uamp_version": Version, "session": s.described(), "agent": s.c.agent.Username}
	s.mu.Unlock()
	if s.resumed {
		e["resumed"] = true
	}
	s.say(e)
	s.tellCapabilities(incoming{})
}

// described is the session as the client sees it; the lock is held.
func (s *session) described() map[string]any {
	config := s.config
	if config.Modalities == nil {
		config.Modalities = []string{"text"}
	}
	return map[string]any{"id": s.id, "created_at": s.started, "status": "active", "config": config}
}

// tellCapabilities answers capabilities.query.
func (s *session) tellCapabilities(incoming) *failure {
	a, cfg := s.c.agent, s.c.t.cfg
	tools := []string{}
	if cfg.Tools != nil {
		for _, t := range cfg.Tools(a.ID) {
			tools = append(tools, t.Function.Name)
		}
	}
	provides := []string{}
	if cfg.Provides != nil {
		provides = append(provides, cfg.Provides(a.ID)...)
	}
	s.say(event{"type": "capabilities", "capabilities": map[string]any{
		"id": a.Username, "provider": "benchtop", "modalities": []string{"text", "image", "audio", "file"},
		"supports_streaming": true, "supports_thinking": a.Settings.Model.Kind == agents.ModelOpenAI, "supports_caching": false, "provides": provides,
		"tools": map[string]any{"supports_tools": true, "supports_parallel_tools": true, "supports_streaming_tools": true, "built_in_tools": tools},
	}})
	return nil
}

// update answers session.update.
func (s *session) update(in incoming) *failure {
	var e sessionEvent
	if f := in.into(&e); f != nil {
		return f
	}
	config, given, f := e.read()
	if f != nil {
		return f
	}
	caller := s.caller
	if given.Token != "" {
		if caller, f = s.c.admit(given.Token); f != nil {
			return f
		}
	}
	s.mu.Lock()
	s.caller, s.config = caller, s.config.with(config)
	if given.PaymentToken != "" {
		s.token = given.PaymentToken
	}
	answer := event{"type": "session.updated", "session": s.described()}
	s.mu.Unlock()
	s.say(answer)
	return nil
}

// end ends the session for good.
func (s *session) end(incoming) *failure {
	s.stop()
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, s.id)
	if c.first == s {
		c.first = nil
	}
	return nil
}

// stop ends what is being answered.
func (s *session) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active != nil {
		s.active.stop()
	}
}

func (s *session) keepToken(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
}

// tokens are the payment tokens of a turn; the lock is held.
func (s *session) tokens() []string {
	if s.token == "" || slices.Contains(s.c.tokens, s.token) {
		return s.c.tokens
	}
	return append([]string{s.token}, s.c.tokens...)
}

// declineVoice answers voice.invite: there are no calls here.
func (s *session) declineVoice(incoming) *failure {
	s.say(event{"type": "voice.decline", "reason": "voice calls are not supported"})
	return nil
}

// extension answers extension.message: none is spoken here.
func (s *session) extension(in incoming) *failure {
	var e struct {
		Namespace string `json:"namespace"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	return &failure{Code: codeExtension, Message: "the extension " + clip(e.Namespace) + " is not spoken here"}
}

// toolResult takes what a tool of the client's gave. The last one of a response
// has the agent go on.
func (s *session) toolResult(in incoming) *failure {
	var e struct {
		CallID  string          `json:"call_id"`
		Result  json.RawMessage `json:"result"`
		IsError bool            `json:"is_error"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	result := string(e.Result)
	if json.Unmarshal(e.Result, &result) != nil && len(e.Result) == 0 {
		return invalid("tool.result has no result: JSON text")
	}
	if e.IsError {
		b, err := json.Marshal(contract.ToolFailure{Error: contract.ToolError{Code: "CLIENT_TOOL_FAILED", Message: result}})
		if err == nil {
			result = string(b)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.calls {
		if s.calls[i].id != e.CallID || s.calls[i].result != nil {
			continue
		}
		if s.bytes+len(result) > maxConversation {
			return tooLarge()
		}
		s.calls[i].result = &result
		s.say(event{"type": "tool.call_done", "call_id": e.CallID})
		if s.active == nil {
			s.proceed()
		}
		return nil
	}
	return &failure{Code: codeUnknownCall, Message: "no call " + clip(e.CallID) + " of a tool waits for a result"}
}

// proceed answers once all results are there; the lock is held, and nothing is
// being answered.
func (s *session) proceed() {
	for _, c := range s.calls {
		if c.result == nil {
			return
		}
	}
	if len(s.calls) > 0 {
		s.settleCalls()
		s.begin(turnOptions{})
	}
}

// settleCalls puts the results into the conversation; the lock is held. A client
// that goes on without one has not run the tool.
func (s *session) settleCalls() {
	for _, c := range s.calls {
		result := `{"ok":false,"error":{"code":"NO_RESULT","message":"the client gave no result"}}`
		if c.result != nil {
			result = *c.result
		}
		s.add(toolItem(c.id, c.name, result))
	}
	s.calls = nil
}

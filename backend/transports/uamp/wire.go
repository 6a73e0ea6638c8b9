package uamp

import (
	"encoding/json"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/transports/answer"
)

// event is what the server sends: its type and members.
type event map[string]any

// failure is what an event of an error says.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// Codes of failures.
const (
	codeInternal        = "internal_error" // what was sent cannot be read
	codeSessionRequired = "session_required"
	codeSessionNotFound = "session_not_found"
	codeUnknownEvent    = "unknown_event"
	codeInvalidEvent    = "invalid_event"
	codeVersion         = "version_mismatch"
	codeGeneration      = "generation_error"
	codeNoAgent         = "no_agent"
	codeActive          = "response_active"
	codeNoResponse      = "response_not_found"
	codeUnknownCall     = "unknown_call"
	codeItemNotFound    = "item_not_found"
	codeTooLarge        = "conversation_too_large"
	codeExtension       = "unknown_extension"
	codePayTimeout      = "payment_timeout"
	codePayRequired     = "payment_required"
	codePayFailed       = "payment_failed"
	codeRateLimited     = "rate_limited"
	codeUnauthorized    = "unauthorized"
)

// incoming is what all events of a client have.
type incoming struct {
	Type         string `json:"type"`
	EventID      string `json:"event_id"`
	SessionID    string `json:"session_id"`
	PaymentToken string `json:"payment_token"`
	raw          json.RawMessage
}

// parse reads an event of a client.
func parse(raw json.RawMessage) (incoming, *failure) {
	var in incoming
	if err := json.Unmarshal(raw, &in); err != nil {
		return in, &failure{Code: codeInternal, Message: "an event is a JSON object with a type, and with texts for its ids"}
	}
	if in.Type == "" {
		return in, &failure{Code: codeInvalidEvent, Message: "the event has no type"}
	}
	in.raw = raw
	return in, nil
}

// into reads the members of an event.
func (in incoming) into(v any) *failure {
	if err := json.Unmarshal(in.raw, v); err != nil {
		return invalid("%s is not of its form: %s", clip(in.Type), clip(answer.Unfit(err)))
	}
	return nil
}

func invalid(format string, args ...any) *failure {
	return &failure{Code: codeInvalidEvent, Message: contract.Errorf(contract.InvalidRequest, format, args...).Message}
}

func clip(s string) string {
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// sessionConfig is how a client wants its session. What is absent in an update
// stays.
type sessionConfig struct {
	Modalities     []string                   `json:"modalities,omitempty"`
	Instructions   *string                    `json:"instructions,omitempty"`
	Tools          json.RawMessage            `json:"tools,omitempty"`
	Voice          json.RawMessage            `json:"voice,omitempty"`
	InputAudio     json.RawMessage            `json:"input_audio_format,omitempty"`
	OutputAudio    json.RawMessage            `json:"output_audio_format,omitempty"`
	TurnDetection  json.RawMessage            `json:"turn_detection,omitempty"`
	ResponseFormat json.RawMessage            `json:"response_format,omitempty"`
	Extensions     map[string]json.RawMessage `json:"extensions,omitempty"`
	tools          []contract.ToolDefinition
}

// access are the credentials that may stand in session events, beside session or
// in it.
type access struct {
	Token        string `json:"token"`
	PaymentToken string `json:"payment_token"`
}

// sessionEvent is session.create and session.update.
type sessionEvent struct {
	access
	Version string          `json:"uamp_version"`
	Session json.RawMessage `json:"session"`
}

// read gives the configuration and the credentials of a session event.
func (e sessionEvent) read() (c sessionConfig, a access, f *failure) {
	a = e.access
	if len(e.Session) == 0 || string(e.Session) == "null" {
		return c, a, nil
	}
	var inside access
	if json.Unmarshal(e.Session, &c) != nil || json.Unmarshal(e.Session, &inside) != nil {
		return c, a, invalid("session is an object with modalities, instructions, tools and extensions")
	}
	for _, m := range []struct{ to, from *string }{{&a.Token, &inside.Token}, {&a.PaymentToken, &inside.PaymentToken}} {
		if *m.to == "" {
			*m.to = *m.from
		}
	}
	var extension string
	if a.PaymentToken == "" && json.Unmarshal(c.Extensions["X-Payment-Token"], &extension) == nil {
		a.PaymentToken = extension
	}
	delete(c.Extensions, "X-Payment-Token") // never told again
	if c.tools, f = readTools(c.Tools); f != nil {
		return c, a, f
	}
	return c, a, nil
}

// with is the configuration after an update.
func (c sessionConfig) with(u sessionConfig) sessionConfig {
	if u.Modalities != nil {
		c.Modalities = u.Modalities
	}
	if u.Instructions != nil {
		c.Instructions = u.Instructions
	}
	for _, m := range []struct{ to, from *json.RawMessage }{
		{&c.Voice, &u.Voice}, {&c.InputAudio, &u.InputAudio}, {&c.OutputAudio, &u.OutputAudio},
		{&c.TurnDetection, &u.TurnDetection}, {&c.ResponseFormat, &u.ResponseFormat},
	} {
		if *m.from != nil {
			*m.to = *m.from
		}
	}
	if u.Tools != nil {
		c.Tools, c.tools = u.Tools, u.tools
	}
	if u.Extensions != nil {
		c.Extensions = u.Extensions
	}
	return c
}

const maxTools = 128

// readTools reads tools of the client's, {type: function, function: {name, …}} or
// {name, …} alone.
func readTools(raw json.RawMessage) ([]contract.ToolDefinition, *failure) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var written []struct {
		contract.ToolFunction
		Function *contract.ToolFunction `json:"function"`
	}
	if json.Unmarshal(raw, &written) != nil || len(written) > maxTools {
		return nil, invalid(`tools is a list of at most %d {"type":"function","function":{"name":…,"parameters":{…}}}`, maxTools)
	}
	var tools []contract.ToolDefinition
	for i, w := range written {
		f := w.ToolFunction
		if w.Function != nil {
			f = *w.Function
		}
		if !isToolName(f.Name) {
			return nil, invalid("tools[%d] has no name of letters, digits, _ and -, 64 at most", i)
		}
		var object map[string]json.RawMessage
		if len(f.Parameters) == 0 || string(f.Parameters) == "null" {
			f.Parameters = contract.RawJSON(`{"type":"object","properties":{}}`)
		} else if json.Unmarshal(f.Parameters, &object) != nil {
			return nil, invalid("tools[%d].parameters is no JSON Schema of an object", i)
		}
		tools = append(tools, contract.ToolDefinition{Type: "function", Function: f})
	}
	return tools, nil
}

func isToolName(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// usage is what a turn took, as the protocol has it.
type usage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Total  int `json:"total_tokens"`
}

func usageOf(u model.Usage) usage { return usage{u.PromptTokens, u.CompletionTokens, u.TotalTokens} }

// contentItem is an element of a response.
type contentItem struct {
	Type       string      `json:"type"`
	Text       string      `json:"text,omitempty"`
	ToolCall   *toolCall   `json:"tool_call,omitempty"`
	ToolResult *toolResult `json:"tool_result,omitempty"`
}

type toolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type toolResult struct {
	CallID  string `json:"call_id"`
	Result  string `json:"result"`
	IsError bool   `json:"is_error,omitempty"`
	Run     string `json:"invocation_id,omitempty"` // which the history has, beside the protocol's own
}

type toolProgress struct {
	CallID  string          `json:"call_id"`
	Name    string          `json:"name"`
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

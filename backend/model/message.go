package model

import (
	"encoding/json"
	"strings"

	"benchtop/backend/contract"
)

// Roles of messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one message of a conversation in the form of the OpenAI protocol.
// Content is a JSON text, a list of parts ({type: text | image_url | ...}), or
// null. ToolCalls are an assistant's; ToolCallID says which call a message of
// role tool answers.
type Message struct {
	Role       string           `json:"role"`
	Content    contract.RawJSON `json:"content"`
	Name       string           `json:"name,omitempty"`
	ToolCallID string           `json:"tool_call_id,omitempty"`
	ToolCalls  []ToolCall       `json:"tool_calls,omitempty"`
}

// ToolCall is a model's wish to call a tool. Arguments are JSON text, as the
// model wrote it: it need not be valid.
type ToolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // function
	Function FunctionCall `json:"function"`
}

// FunctionCall names the tool of a ToolCall.
type FunctionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage is what a turn took of its model, in tokens, all its steps together.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func (u *Usage) add(more Usage) {
	u.PromptTokens += more.PromptTokens
	u.CompletionTokens += more.CompletionTokens
	u.TotalTokens += more.TotalTokens
}

// TextMessage makes a message of plain text.
func TextMessage(role, text string) Message {
	return Message{Role: role, Content: textJSON(text)}
}

func textJSON(text string) contract.RawJSON {
	b, _ := marshal(text) // a text always marshals
	return b
}

// Text is what a message says in words: its content, or the text parts of it
// one below the other.
func (m Message) Text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	var lines []string
	for _, p := range parts {
		if p.Text != "" && (p.Type == "text" || p.Type == "input_text" || p.Type == "output_text") {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

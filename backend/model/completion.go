package model

import (
	"encoding/json"

	"benchtop/backend/contract"
)

// Completion is a whole answer in the form of the OpenAI protocol, contract.md
// 6.6.
type Completion struct {
	ID      string             `json:"id"`
	Object  string             `json:"object"` // chat.completion
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []CompletionChoice `json:"choices"`
	Usage   Usage              `json:"usage"`
}

// CompletionChoice is the one choice of a Completion.
type CompletionChoice struct {
	Index        int             `json:"index"`
	Message      CompletionReply `json:"message"`
	FinishReason string          `json:"finish_reason"`
}

// CompletionReply is the assistant's message in it. Content is null when there is
// no text.
type CompletionReply struct {
	Role      string           `json:"role"`
	Content   contract.RawJSON `json:"content"`
	Refusal   *string          `json:"refusal"` // always null
	ToolCalls []ToolCall       `json:"tool_calls,omitempty"`
}

// CompletionChunk is a piece of a streamed answer. The one with Usage has no
// choices.
type CompletionChunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"` // chat.completion.chunk
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []DeltaChoice `json:"choices"`
	Usage   *Usage        `json:"usage,omitempty"`
	// Progress is what a tool of the agent's emits while it runs: beyond the
	// protocol, and passed over by clients that do not know it (decisions.md 12).
	Progress *ToolProgress `json:"tool_progress,omitempty"`
}

// DeltaChoice is the one choice of a CompletionChunk.
type DeltaChoice struct {
	Index        int     `json:"index"`
	Delta        Delta   `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

// Delta is what a chunk adds to the message.
type Delta struct {
	Role      string      `json:"role,omitempty"`
	Content   *string     `json:"content,omitempty"`
	Reasoning string      `json:"reasoning_content,omitempty"` // beyond the protocol, as upstream models say it
	ToolCalls []DeltaCall `json:"tool_calls,omitempty"`
}

// DeltaCall is a call of a tool that the client runs.
type DeltaCall struct {
	Index int `json:"index"`
	ToolCall
}

// ToolProgress is something that one of the agent's own tools does: Kind call when
// it starts, with its arguments, emit with the name and payload of a ctx.emit,
// result when it has ended, with what the model gets.
type ToolProgress struct {
	CallID       string           `json:"call_id"`
	Tool         string           `json:"tool"`
	Kind         string           `json:"kind"`
	Event        string           `json:"event,omitempty"`
	Payload      contract.RawJSON `json:"payload,omitempty"`
	InvocationID string           `json:"invocation_id,omitempty"`
}

// Kinds of Completion and CompletionChunk, and of ToolProgress.
const (
	objectCompletion = "chat.completion"
	objectChunk      = "chat.completion.chunk"
	ProgressCall     = "call"
	ProgressEmit     = "emit"
	ProgressResult   = "result"
)

// Chunks translates the chunks of one turn.
type Chunks struct {
	id      string
	created int64
	model   string
	usage   bool
	begun   bool
	calls   int
}

// Chunks makes a translation with an id of its own. name is what the client
// called the model; usage says whether it wants the last chunk with the usage.
func (m *Model) Chunks(name string, usage bool) *Chunks {
	return &Chunks{id: "chatcmpl-" + m.cfg.NewID(), created: m.cfg.Now().Unix(), model: name, usage: usage}
}

func (c *Chunks) chunk(choices ...DeltaChoice) CompletionChunk {
	if choices == nil {
		choices = []DeltaChoice{}
	}
	return CompletionChunk{ID: c.id, Object: objectChunk, Created: c.created, Model: c.model, Choices: choices}
}

// Of gives what a chunk of the turn is in the protocol: nothing, or one, or two,
// as the first says the role.
func (c *Chunks) Of(chunk Chunk) (out []CompletionChunk) {
	if !c.begun {
		c.begun = true
		empty := ""
		out = append(out, c.chunk(DeltaChoice{Delta: Delta{Role: RoleAssistant, Content: &empty}}))
	}
	switch chunk.Kind {
	case ChunkText:
		text := chunk.Text
		return append(out, c.chunk(DeltaChoice{Delta: Delta{Content: &text}}))
	case ChunkThinking:
		return append(out, c.chunk(DeltaChoice{Delta: Delta{Reasoning: chunk.Text}}))
	case ChunkToolCall:
		if !chunk.ByClient {
			return append(out, c.progress(chunk, ToolProgress{Kind: ProgressCall, Payload: argumentsOf(*chunk.Call)}))
		}
		call := DeltaCall{Index: c.calls, ToolCall: *chunk.Call}
		c.calls++
		return append(out, c.chunk(DeltaChoice{Delta: Delta{ToolCalls: []DeltaCall{call}}}))
	case ChunkToolProgress:
		return append(out, c.progress(chunk, ToolProgress{Kind: ProgressEmit, Event: chunk.Event.Event, Payload: chunk.Event.Payload}))
	case ChunkToolResult:
		return append(out, c.progress(chunk, ToolProgress{Kind: ProgressResult, Payload: chunk.Result, InvocationID: chunk.InvocationID}))
	}
	return out
}

func (c *Chunks) progress(chunk Chunk, p ToolProgress) CompletionChunk {
	p.CallID, p.Tool = chunk.Call.ID, chunk.Call.Function.Name
	out := c.chunk(DeltaChoice{})
	out.Progress = &p
	return out
}

// argumentsOf gives the arguments of a call as JSON: as they are, or as a text
// when the model wrote something else.
func argumentsOf(call ToolCall) contract.RawJSON {
	switch args := call.Function.Arguments; {
	case args == "":
		return contract.RawJSON("{}")
	case json.Valid([]byte(args)):
		return contract.RawJSON(args)
	default:
		return textJSON(args)
	}
}

// End gives the chunks after the last one of the turn.
func (c *Chunks) End(r TurnResult) []CompletionChunk {
	finish := r.Finish
	out := []CompletionChunk{c.chunk(DeltaChoice{FinishReason: &finish})}
	if c.usage {
		last := c.chunk()
		last.Usage = &r.Usage
		out = append(out, last)
	}
	return out
}

// Completion gives the whole answer.
func (c *Chunks) Completion(r TurnResult) Completion {
	return Completion{ID: c.id, Object: objectCompletion, Created: c.created, Model: c.model, Usage: r.Usage,
		Choices: []CompletionChoice{{FinishReason: r.Finish, Message: CompletionReply{
			Role: RoleAssistant, Content: r.Message.Content, ToolCalls: r.Message.ToolCalls}}}}
}

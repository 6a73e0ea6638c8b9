package model

import "benchtop/backend/contract"

// Kinds of chunks.
const (
	ChunkText         = "text"          // Text: a piece of the answer
	ChunkThinking     = "thinking"      // Text: a piece of what the model reasons before it; no part of the answer
	ChunkToolCall     = "tool_call"     // Call, and ByClient: who is to run it
	ChunkToolProgress = "tool_progress" // Call and Event: the tool's ctx.emit, while it runs
	ChunkToolResult   = "tool_result"   // Call, Result, Failed, InvocationID
	ChunkUsage        = "usage"         // Usage: of the whole turn; the last chunk
)

// Chunk is one thing that happens in a turn, in order. A tool's chunks all have
// its Call; those of the agent's own tools are call, any progress, result. A
// client's call ends the turn, whose result has it too.
type Chunk struct {
	Kind         string                 `json:"type"`
	Text         string                 `json:"text,omitempty"`
	Call         *ToolCall              `json:"call,omitempty"`
	ByClient     bool                   `json:"byClient,omitempty"`
	Event        *contract.EmittedEvent `json:"event,omitempty"`
	Result       contract.RawJSON       `json:"result,omitempty"` // what the model gets
	Failed       contract.Code          `json:"failed,omitempty"` // why the tool failed; Result says more
	InvocationID string                 `json:"invocationId,omitempty"`
	Usage        *Usage                 `json:"usage,omitempty"`
}

// Why a turn ended.
const (
	FinishStop      = "stop"
	FinishToolCalls = "tool_calls" // the client is to run Message.ToolCalls
	FinishLength    = "length"     // the model ran into its limit of tokens
	FinishFilter    = "content_filter"
)

// TurnResult is a turn's end. Message is the assistant's: its whole text, and the
// calls of tools that are the client's. Steps are all messages that the turn has
// added to the conversation, calls and results of the agent's own tools among
// them, the last one in the place of Message.
type TurnResult struct {
	Message Message
	Steps   []Message
	Finish  string
	Usage   Usage
}

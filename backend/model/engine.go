package model

import (
	"context"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// engine is a model: one question, one answer. say gets the text in pieces as it
// comes; the answer has the whole of it.
type engine interface {
	step(ctx context.Context, q question, say func(text string) error) (answer, error)
}

type question struct {
	messages []Message
	tools    []contract.ToolDefinition
	choice   Choice
	options  map[string]contract.RawJSON
	think    func(text string) error // takes what the model reasons; nil: nobody does
}

type answer struct {
	text   string
	calls  []ToolCall
	finish string // as the model says it; empty is stop
	usage  Usage
}

// engine gives the model that AGENT.md names.
func (m *Model) engine(ctx context.Context, req TurnRequest) (engine, error) {
	spec := req.Agent.Settings.Model
	switch spec.Kind {
	case agents.ModelEcho:
		return echo{}, nil
	case agents.ModelOpenAI:
		return m.upstream(ctx, req)
	}
	s, err := m.script(req.Agent)
	if err != nil {
		return nil, err
	}
	return &scripted{script: s, agent: req.Agent, newID: m.cfg.NewID}, nil
}

package model

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// scripted is the model that needs no network. The same conversation has the same
// answer, in the same pieces and with the same usage, at any time: only the ids
// of calls are new.
type scripted struct {
	script *Script
	agent  agents.Agent
	newID  func() string
}

// command is how a person has a tool called: /tool <name> {json}.
var command = regexp.MustCompile(`(?s)^\s*/tool\s+(\S+)\s*(.*?)\s*$`)

func (s *scripted) step(ctx context.Context, q question, say func(string) error) (answer, error) {
	said, results, turns := s.heard(q.messages)
	if call, ok := s.forced(q, said); ok {
		return s.call(ctx, q, call, "", say)
	}
	free := q.choice.Mode != ChoiceNone
	if m := command.FindStringSubmatch(said); m != nil {
		switch {
		case len(results) > 0:
			return s.speak(ctx, plainResult(results[len(results)-1]), q, say)
		case !has(q.tools, m[1]):
			return s.speak(ctx, fmt.Sprintf("There is no tool %s. %s", m[1], s.tools(q.tools)), q, say)
		case m[2] != "" && !json.Valid([]byte(m[2])):
			return s.speak(ctx, fmt.Sprintf("What follows /tool %s is not JSON. Write /tool %s {\"name\": \"value\"}.", m[1], m[1]), q, say)
		case free:
			return s.call(ctx, q, FunctionCall{Name: m[1], Arguments: orObject(m[2])}, "", say)
		}
	}
	for i := range s.script.Rules {
		r := &s.script.Rules[i]
		groups := []string{said}
		if r.When != nil {
			if groups = r.When.FindStringSubmatch(said); groups == nil {
				continue
			}
		}
		return s.follow(ctx, r, fill{s.agent, said, groups, results}, q, say)
	}
	if len(results) > 0 { // of a call that was forced
		return s.speak(ctx, plainResult(results[len(results)-1]), q, say)
	}
	if n := len(s.script.Replies); n > 0 {
		f := fill{s.agent, said, []string{said}, nil}
		return s.speak(ctx, f.text(s.script.Replies[turns%n]), q, say)
	}
	return s.speak(ctx, fmt.Sprintf("%s here. You said: %s\n%s", s.agent.Name, said, s.tools(q.tools)), q, say)
}

// heard takes a conversation apart: what a person said last, what tools have
// given since, and how many answers there were before.
func (s *scripted) heard(all []Message) (said string, results []string, turns int) {
	last := -1
	for i, m := range all {
		if m.Role == RoleUser {
			last = i
		}
	}
	for i, m := range all {
		switch {
		case i == last:
			said = m.Text()
		case i > last && m.Role == RoleTool:
			results = append(results, m.Text())
		case i < last && m.Role == RoleAssistant && len(m.ToolCalls) == 0:
			turns++
		}
	}
	return said, results, turns
}

// follow does what a rule says.
func (s *scripted) follow(ctx context.Context, r *Rule, f fill, q question, say func(string) error) (answer, error) {
	switch {
	case r.Fail != "":
		return answer{}, contract.Errorf(contract.ModelFailed, "the scripted model failed as %s says: %s", ScriptFile, f.text(r.Fail))
	case r.Call == nil || q.choice.Mode == ChoiceNone && len(f.results) == 0:
		return s.speak(ctx, f.text(r.Reply), q, say)
	case len(f.results) == 0:
		args, err := marshal(f.value(r.Call.Args))
		if err != nil {
			return answer{}, err
		}
		return s.call(ctx, q, FunctionCall{Name: f.text(r.Call.Tool), Arguments: string(args)}, f.text(r.Reply), say)
	}
	if why, failed := failure(f.results[len(f.results)-1]); failed && r.Else != "" {
		return s.speak(ctx, f.text(r.Else), q, say)
	} else if failed && r.Then != "" {
		return s.speak(ctx, "That did not work: "+why, q, say)
	}
	if r.Then == "" {
		return s.speak(ctx, plainResult(f.results[len(f.results)-1]), q, say)
	}
	return s.speak(ctx, f.text(r.Then), q, say)
}

// failure gives the words of a tool that failed.
func failure(result string) (words string, failed bool) {
	var f struct {
		OK    *bool `json:"ok"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(result), &f) != nil || f.OK == nil || *f.OK || f.Error == nil {
		return "", false
	}
	return f.Error.Message, true
}

// forced is the call that tool_choice asks for: of the tool that it names, or of
// the first one. Its arguments are the JSON that was said, else the least that
// the tool's schema takes.
func (s *scripted) forced(q question, said string) (FunctionCall, bool) {
	if !q.choice.forces() || len(q.tools) == 0 {
		return FunctionCall{}, false
	}
	tool := q.tools[0].Function
	for _, t := range q.tools {
		if t.Function.Name == q.choice.Name {
			tool = t.Function
		}
	}
	if m := command.FindStringSubmatch(said); m != nil && (q.choice.Name == "" || m[1] == q.choice.Name) && has(q.tools, m[1]) && json.Valid([]byte(orObject(m[2]))) {
		return FunctionCall{Name: m[1], Arguments: orObject(m[2])}, true
	}
	if args := strings.TrimSpace(said); strings.HasPrefix(args, "{") && json.Valid([]byte(args)) {
		return FunctionCall{Name: tool.Name, Arguments: args}, true
	}
	return FunctionCall{Name: tool.Name, Arguments: leastArguments(tool.Parameters, said)}, true
}

func (s *scripted) call(ctx context.Context, q question, call FunctionCall, before string, say func(string) error) (answer, error) {
	a, err := s.speak(ctx, before, q, say)
	a.calls = []ToolCall{{ID: "call_" + strings.ReplaceAll(s.newID(), "-", ""), Type: "function", Function: call}}
	a.finish = FinishToolCalls
	a.usage.CompletionTokens += tokens(call.Name) + tokens(call.Arguments)
	a.usage.TotalTokens = a.usage.PromptTokens + a.usage.CompletionTokens
	return a, err
}

func (s *scripted) speak(ctx context.Context, text string, q question, say func(string) error) (answer, error) {
	return speak(ctx, text, q, s.script.Words, say)
}

// tools is a sentence about what can be called.
func (s *scripted) tools(all []contract.ToolDefinition) string {
	if len(all) == 0 {
		return "I have no tools; rules for what I say are in " + ScriptFile + "."
	}
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.Function.Name
	}
	return fmt.Sprintf("My tools: %s. Write /tool %s {} to have one called.", strings.Join(names, ", "), names[0])
}

func has(tools []contract.ToolDefinition, name string) bool {
	for _, t := range tools {
		if t.Function.Name == name {
			return true
		}
	}
	return false
}

func orObject(args string) string {
	if args == "" {
		return "{}"
	}
	return args
}

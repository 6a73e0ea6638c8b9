package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

func mia() agents.Agent {
	return agents.Agent{Username: "mia", Settings: agents.Settings{Visibility: agents.VisibilityPublic}}
}

func client(names ...string) (list []contract.ToolDefinition) {
	for _, n := range names {
		list = append(list, contract.ToolDefinition{Type: "function", Function: contract.ToolFunction{Name: n, Parameters: contract.RawJSON(`{"type":"object","required":["q"],"properties":{"q":{"type":"string"}}}`)}})
	}
	return list
}

// What happens in a turn, in order.
func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		says   string
		tools  []contract.ToolDefinition
		choice Choice
		want   string
		finish string
	}{
		"no tool":                 {says: "hello", want: "says Mia here. You said: hello\nMy tools: add, slow, fails. Write /tool add {} to have one called.", finish: FinishStop},
		"a tool of the agent":     {says: `/tool add {"a": 1, "b": 2}`, want: "calls add {\"a\": 1, \"b\": 2} client:false\ngives {\"sum\":3,\"list\":[{\"n\":1}]} \nsays {\"sum\":3,\"list\":[{\"n\":1}]}", finish: FinishStop},
		"one that fails":          {says: "/tool fails", want: "calls fails {} client:false\ngives {\"ok\":false,\"error\":{\"code\":\"JS_RUNTIME_ERROR\",\"message\":\"no luck\"}} JS_RUNTIME_ERROR\nsays {\"ok\":false,\"error\":{\"code\":\"JS_RUNTIME_ERROR\",\"message\":\"no luck\"}}", finish: FinishStop},
		"one that is not there":   {says: "/tool nope", want: "says There is no tool nope. My tools: add, slow, fails. Write /tool add {} to have one called.", finish: FinishStop},
		"what is no JSON":         {says: "/tool add {", want: "says What follows /tool add is not JSON. Write /tool add {\"name\": \"value\"}.", finish: FinishStop},
		"the client's own":        {says: `/tool look {"q": "x"}`, tools: client("look"), want: "calls look {\"q\": \"x\"} client:true", finish: FinishToolCalls},
		"a name that both have":   {says: `/tool add {"a": 1, "b": 2}`, tools: client("add"), want: "calls add {\"a\": 1, \"b\": 2} client:false\ngives {\"sum\":3,\"list\":[{\"n\":1}]} \nsays {\"sum\":3,\"list\":[{\"n\":1}]}", finish: FinishStop},
		"none may be called":      {says: `/tool add {}`, choice: Choice{Mode: ChoiceNone}, want: "says Mia here. You said: /tool add {}\nMy tools: add, slow, fails. Write /tool add {} to have one called.", finish: FinishStop},
		"one has to be":           {says: "well", choice: Choice{Mode: ChoiceRequired}, want: "calls add {\"a\":1,\"b\":5} client:false\ngives {\"sum\":6,\"list\":[{\"n\":1}]} \nsays {\"sum\":6,\"list\":[{\"n\":1}]}", finish: FinishStop},
		"this one has to be":      {says: "well", choice: Choice{ChoiceFunction, "look"}, tools: client("look", "hear"), want: "calls look {\"q\":\"well\"} client:true", finish: FinishToolCalls},
		"this one, with its JSON": {says: `{"q": 1}`, choice: Choice{ChoiceFunction, "look"}, tools: client("hear", "look"), want: "calls look {\"q\": 1} client:true", finish: FinishToolCalls},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, mia())
			req := w.ask(t, "mia", c.says)
			req.Tools, req.Choice = c.tools, c.choice
			r, chunks, err := w.listen(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if got := told(chunks); got != c.want {
				t.Errorf("happened:\n%s\nwant:\n%s", got, c.want)
			}
			last := chunks[len(chunks)-1]
			if r.Finish != c.finish || last.Kind != ChunkUsage || *last.Usage != r.Usage || r.Usage.PromptTokens < 1 || r.Usage.CompletionTokens < 1 ||
				r.Usage.TotalTokens != r.Usage.PromptTokens+r.Usage.CompletionTokens {
				t.Errorf("finish %s, used %+v, last %+v", r.Finish, r.Usage, last)
			}
			again, _, err := w.listen(t.Context(), req)
			if err != nil || again.Message.Text() != r.Message.Text() || again.Usage != r.Usage {
				t.Errorf("again: %+v, %v", again, err)
			}
			if w.Running("id-mia") != 0 {
				t.Error("a turn is still counted")
			}
		})
	}
}

// A tool's call has the turn's caller, tokens and call id.
func TestToolRequest(t *testing.T) {
	w := newWorld(t, mia())
	req := w.ask(t, "mia", `/tool add {"a": 1, "b": 2}`)
	req.Caller, req.Tokens = auth.Caller{Kind: auth.KindVisitor, UserID: "ada"}, []string{"tok"}
	r, chunks, err := w.listen(t.Context(), req)
	if err != nil || len(w.calls) != 1 {
		t.Fatal(err, w.calls)
	}
	c := w.calls[0]
	if c.AgentID != "id-mia" || c.Caller.UserID != "ada" || c.Tokens[0] != "tok" || c.CallID == "" || c.CallID != chunks[0].Call.ID {
		t.Errorf("%+v", c)
	}
	if len(r.Steps) != 3 || r.Steps[0].ToolCalls[0].ID != c.CallID || r.Steps[1].ToolCallID != c.CallID || r.Steps[1].Role != RoleTool {
		t.Errorf("%+v", r.Steps)
	}
}

// Progress is heard while the tool runs.
func TestProgress(t *testing.T) {
	w := newWorld(t, mia())
	heard := make(chan Chunk, 16)
	done := make(chan error, 1)
	go func() {
		_, err := w.Turn(t.Context(), w.ask(t, "mia", "/tool slow"), func(c Chunk) error { heard <- c; return nil })
		done <- err
	}()
	<-w.started
	if c := <-heard; c.Kind != ChunkToolCall {
		t.Errorf("%+v", c)
	}
	if c := <-heard; c.Kind != ChunkToolProgress || c.Event.Event != "half" {
		t.Errorf("%+v", c)
	}
	close(w.release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if c := <-heard; c.Kind != ChunkToolResult || c.InvocationID != "i1" {
		t.Errorf("%+v", c)
	}
}

// Whoever goes ends the turn; the tool that runs goes on.
func TestGone(t *testing.T) {
	t.Run("while a tool runs", func(t *testing.T) {
		w := newWorld(t, mia())
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, _, err := w.listen(ctx, w.ask(t, "mia", "/tool slow"))
			done <- err
		}()
		<-w.started
		cancel()
		if err := <-done; codeOf(err) != contract.TurnCancelled {
			t.Error(err)
		}
		if w.Running("id-mia") != 0 {
			t.Error("the turn is still counted")
		}
		close(w.release)
	})
	t.Run("while it speaks", func(t *testing.T) {
		w, n := newWorld(t, mia()), 0
		_, err := w.Turn(t.Context(), w.ask(t, "mia", "hello"), func(Chunk) error {
			if n++; n == 3 {
				return errors.New("gone")
			}
			return nil
		})
		if codeOf(err) != contract.TurnCancelled || n != 3 {
			t.Error(err, n)
		}
	})
}

// looping is a model that calls a tool whenever it may.
type looping struct{ asked []question }

func (l *looping) step(_ context.Context, q question, say func(string) error) (answer, error) {
	l.asked = append(l.asked, q)
	a := answer{text: "x", usage: Usage{1, 1, 2}}
	for _, name := range []string{"add", "look", "unknown"} {
		a.calls = append(a.calls, ToolCall{ID: fmt.Sprint(name, len(l.asked)), Function: FunctionCall{Name: name, Arguments: "{}"}})
	}
	return a, say(a.text)
}

// A model that never stops calling has to answer in the end, and a client's call
// beside one of the agent's is left for the next answer.
func TestStepsEnd(t *testing.T) {
	w, l := newWorld(t, mia()), &looping{}
	var chunks []Chunk
	req := w.ask(t, "mia", "go on")
	req.Tools = client("look")
	tn := &turn{m: w.Model, req: req, engine: l, own: map[string]bool{}, emit: func(c Chunk) error { chunks = append(chunks, c); return nil }}
	r, err := tn.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(l.asked) != maxSteps+1 || r.Finish != FinishStop || len(r.Message.ToolCalls) != 0 || r.Message.Text() != strings.Repeat("x", maxSteps+1) || r.Usage.TotalTokens != 2*(maxSteps+1) {
		t.Errorf("asked %d times: %+v", len(l.asked), r)
	}
	if l.asked[maxSteps].choice.Mode != ChoiceNone {
		t.Error("the last question still lets it call")
	}
	if len(w.calls) != maxSteps {
		t.Errorf("%d calls", len(w.calls))
	}
	for _, m := range l.asked[1].messages {
		for _, c := range m.ToolCalls {
			if c.Function.Name == "look" {
				t.Error("a call nobody answers is in the conversation")
			}
		}
	}
	last := l.asked[1].messages[len(l.asked[1].messages)-1]
	if last.Name != "unknown" || !strings.Contains(last.Text(), "TOOL_NOT_FOUND") {
		t.Errorf("%+v", last)
	}
}

// mute is a model that calls a tool whatever it was told, and says nothing.
type mute struct{}

func (mute) step(context.Context, question, func(string) error) (answer, error) {
	return answer{calls: []ToolCall{{ID: "c", Function: FunctionCall{Name: "add", Arguments: "{}"}}}}, nil
}

// One that even then has no answer has failed: an empty answer would say nothing.
func TestStepsEndWithoutAnAnswer(t *testing.T) {
	w := newWorld(t, mia())
	tn := &turn{m: w.Model, req: w.ask(t, "mia", "go on"), engine: mute{}, own: map[string]bool{}}
	_, err := tn.run(t.Context())
	if e := contract.AsError(err); e == nil || e.Code != contract.ModelFailed || !strings.Contains(e.Message, "called tools 10 times") {
		t.Error(err)
	}
}

func TestWhoMay(t *testing.T) {
	private := agents.Agent{ID: "me", Username: "me"}
	for _, c := range []struct {
		caller auth.Caller
		code   contract.Code
	}{
		{auth.Caller{Kind: auth.KindOwner}, ""},
		{auth.Caller{Kind: auth.KindAdmin}, ""},
		{auth.Caller{Kind: auth.KindPortal, Scopes: []string{"invoke"}}, ""},
		{auth.Caller{Kind: auth.KindPortal, Scopes: []string{"read"}}, contract.Forbidden},
		{auth.Caller{Kind: auth.KindPortal, Scopes: []string{"invoke"}, AgentID: "me"}, ""},
		{auth.Caller{Kind: auth.KindPortal, Scopes: []string{"invoke"}, AgentID: "you"}, contract.Forbidden},
		{auth.Caller{Kind: auth.KindAgent, Scopes: []string{"invoke"}, AgentID: "me"}, ""},
		{auth.Caller{Kind: auth.KindAgent, Scopes: []string{"invoke"}, AgentID: "you"}, contract.Forbidden},
		{auth.Caller{Kind: auth.KindVisitor, UserID: "ada"}, contract.Forbidden},
		{auth.Caller{Kind: auth.KindAnonymous}, contract.Forbidden},
		{auth.Caller{Kind: auth.KindAnonymous, Refused: true}, contract.Unauthorized},
	} {
		if err := Admit(private, c.caller); codeOf(err) != c.code {
			t.Errorf("%+v: %v", c.caller, err)
		}
		if err := Admit(mia(), c.caller); err != nil {
			t.Errorf("public, %+v: %v", c.caller, err)
		}
	}
	w := newWorld(t, private)
	req := w.ask(t, "me", "hello")
	req.Caller = auth.Caller{Kind: auth.KindAnonymous}
	if _, err := w.Turn(t.Context(), req, nil); codeOf(err) != contract.Forbidden {
		t.Error(err)
	}
}

func TestTurnRefusals(t *testing.T) {
	w := newWorld(t, mia())
	w.price["mia"] = true
	refused := func(want contract.Code, change func(*TurnRequest)) {
		t.Helper()
		req := w.ask(t, "mia", "hello")
		req.Tokens = []string{"tok"}
		change(&req)
		_, chunks, err := w.listen(t.Context(), req)
		if codeOf(err) != want || len(chunks) != 0 {
			t.Errorf("%v after %v, want %s", err, chunks, want)
		}
	}
	refused(contract.PaymentTokenRequired, func(r *TurnRequest) { r.Tokens = nil })
	refused(contract.InvalidRequest, func(r *TurnRequest) { r.Messages = nil })
	refused(contract.InvalidRequest, func(r *TurnRequest) { r.Messages = make([]Message, maxMessages+1) })
	refused(contract.InvalidRequest, func(r *TurnRequest) { r.Tools = client("a", "a") })
	refused(contract.InvalidRequest, func(r *TurnRequest) { r.Choice = Choice{ChoiceFunction, "nope"} })
	for range maxTurns {
		leave, err := w.enter(w.agents["mia"])
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	refused(contract.ConcurrencyExceeded, func(*TurnRequest) {})
}

// A fault of ours is told without its text.
func TestFaults(t *testing.T) {
	w := newWorld(t, mia())
	_, _, err := w.listen(t.Context(), w.ask(t, "mia", "/tool add []"))
	if codeOf(err) != contract.Internal || strings.Contains(err.Error(), "unmarshal") {
		t.Error(err)
	}
}

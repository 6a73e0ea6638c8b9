package model

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/secrets"
)

// world is a Model with everything around it in memory. Tools of every agent:
// add {a, b}, slow, which emits "half" and waits for release, and fails.
type world struct {
	*Model
	agents  map[string]agents.Agent
	secrets map[string]string // binding: value, of the function "chat"
	calls   []ToolRequest
	started chan struct{}
	release chan struct{}
	price   map[string]bool // agents whose tools cost something
	given   []string        // tokens that were delegated, and "back" for each that was given back
	mu      sync.Mutex
	ids     int
}

func newWorld(t testing.TB, list ...agents.Agent) *world {
	t.Helper()
	w := &world{agents: map[string]agents.Agent{}, secrets: map[string]string{}, started: make(chan struct{}, 8), release: make(chan struct{}), price: map[string]bool{}}
	for _, a := range list {
		if a.ID == "" {
			a.ID = "id-" + a.Username
		}
		if a.Name == "" {
			a.Name = strings.ToUpper(a.Username[:1]) + a.Username[1:]
		}
		w.agents[a.Username] = a
	}
	w.Model = New(Config{
		Agents: w, Tools: w, Secrets: w, Payments: w, BaseURL: func() string { return "http://127.0.0.1:4321" },
		Silence: time.Minute, Now: func() time.Time { return time.Unix(1700000000, 0) }, NewID: w.newID,
	})
	return w
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return strconv.Itoa(w.ids)
}

func (w *world) Resolve(ref string) (agents.Agent, bool) {
	a, ok := w.agents[ref]
	return a, ok
}

func (w *world) Tools(string) []contract.ToolDefinition {
	var list []contract.ToolDefinition
	for _, name := range []string{"add", "slow", "fails"} {
		list = append(list, contract.ToolDefinition{Type: "function", Function: contract.ToolFunction{Name: name,
			Parameters: contract.RawJSON(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer","minimum":5}},"required":["a","b"]}`)}})
	}
	return list
}

func (w *world) CallTool(_ context.Context, c ToolRequest) (ToolAnswer, error) {
	w.mu.Lock()
	w.calls = append(w.calls, c)
	w.mu.Unlock()
	switch c.Tool {
	case "slow":
		c.OnEmit(contract.EmittedEvent{Event: "half", Payload: contract.RawJSON("50")})
		w.started <- struct{}{}
		<-w.release
		return ToolAnswer{Value: contract.RawJSON(`"done"`), InvocationID: "i1"}, nil
	case "fails":
		return ToolAnswer{Value: contract.RawJSON(`{"ok":false,"error":{"code":"JS_RUNTIME_ERROR","message":"no luck"}}`), Code: contract.JSRuntimeError, InvocationID: "i2"}, nil
	case "add":
		var n struct{ A, B float64 }
		if err := json.Unmarshal(c.Args, &n); err != nil {
			return ToolAnswer{}, err
		}
		return ToolAnswer{Value: contract.RawJSON(fmt.Sprintf(`{"sum":%g,"list":[{"n":1}]}`, n.A+n.B)), InvocationID: "i3"}, nil
	}
	return ToolAnswer{}, contract.Errorf(contract.ToolNotFound, "no tool %s", c.Tool)
}

func (w *world) List(context.Context, string, string) (all []secrets.Binding, err error) {
	for name := range w.secrets {
		all = append(all, secrets.Binding{Function: "chat", Binding: name})
	}
	return all, nil
}

func (w *world) Get(_ context.Context, _, _, binding string) (string, bool, error) {
	v, ok := w.secrets[binding]
	return v, ok, nil
}

func (w *world) Require(_ context.Context, a agents.Agent, _ auth.Caller, tokens []string) error {
	if w.price[a.Username] && len(tokens) == 0 {
		return contract.Errorf(contract.PaymentTokenRequired, "this costs something")
	}
	return nil
}

func (w *world) Delegate(_ context.Context, _, to agents.Agent, _ auth.Caller, tokens []string) (string, func(), error) {
	if !w.price[to.Username] {
		return "", func() {}, nil
	}
	if len(tokens) == 0 {
		return "", nil, contract.Errorf(contract.PaymentTokenRequired, "this costs something")
	}
	w.given = append(w.given, tokens[0]+" for "+to.Username)
	return tokens[0] + " for " + to.Username, func() { w.given = append(w.given, "back") }, nil
}

// ask has the owner say something to an agent.
func (w *world) ask(t testing.TB, agent, text string) TurnRequest {
	t.Helper()
	a, ok := w.agents[agent]
	if !ok {
		t.Fatalf("no agent %s", agent)
	}
	return TurnRequest{Agent: a, Messages: []Message{TextMessage(RoleUser, text)}, Caller: auth.Caller{Kind: auth.KindOwner}}
}

// told puts the chunks of a turn into words, text without its joints and without
// the usage at the end.
func told(chunks []Chunk) string {
	var b strings.Builder
	last := ""
	for _, c := range chunks {
		if c.Kind == ChunkText || c.Kind == ChunkThinking {
			if last != c.Kind {
				b.WriteString(map[string]string{ChunkText: "\nsays ", ChunkThinking: "\nthinks "}[c.Kind])
			}
			b.WriteString(c.Text)
			last = c.Kind
			continue
		}
		last = c.Kind
		switch c.Kind {
		case ChunkToolCall:
			fmt.Fprintf(&b, "\ncalls %s %s client:%v", c.Call.Function.Name, c.Call.Function.Arguments, c.ByClient)
		case ChunkToolProgress:
			fmt.Fprintf(&b, "\nemits %s %s", c.Event.Event, c.Event.Payload)
		case ChunkToolResult:
			fmt.Fprintf(&b, "\ngives %s %s", c.Result, c.Failed)
		}
	}
	return strings.TrimSpace(b.String())
}

// listen runs a turn and collects its chunks.
func (w *world) listen(ctx context.Context, req TurnRequest) (TurnResult, []Chunk, error) {
	var chunks []Chunk
	r, err := w.Turn(ctx, req, func(c Chunk) error {
		chunks = append(chunks, c)
		return nil
	})
	return r, chunks, err
}

// upstreamAgent is one whose model is a server of the test.
func upstreamAgent(url string) agents.Agent {
	return agents.Agent{Username: "far", Instructions: "You are far.", Settings: agents.Settings{
		Visibility: agents.VisibilityPublic, Model: agents.ModelSpec{Kind: agents.ModelOpenAI, BaseURL: url + "/v1", Model: "tiny"}}}
}

// serve gives the address of a server that answers like this.
func serve(t testing.TB, answer http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	return srv.URL
}

func codeOf(err error) contract.Code {
	if e := contract.AsError(err); e != nil {
		return e.Code
	}
	return ""
}

package uamp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/model"
	"benchtop/backend/payments"
	"benchtop/backend/transports/uamp"
)

type turner func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)

func (f turner) Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	return f(ctx, req, emit)
}

// parrot answers in two pieces with what it was asked last.
func parrot(_ context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	text := "you said " + req.Messages[len(req.Messages)-1].Text()
	return said(emit, text[:4], text[4:])
}

func said(emit func(model.Chunk) error, pieces ...string) (model.TurnResult, error) {
	for _, p := range pieces {
		if err := emit(model.Chunk{Kind: model.ChunkText, Text: p}); err != nil {
			return model.TurnResult{}, err
		}
	}
	u := model.Usage{PromptTokens: 3, CompletionTokens: 2, TotalTokens: 5}
	if err := emit(model.Chunk{Kind: model.ChunkUsage, Usage: &u}); err != nil {
		return model.TurnResult{}, err
	}
	m := model.TextMessage(model.RoleAssistant, strings.Join(pieces, ""))
	return model.TurnResult{Message: m, Steps: []model.Message{m}, Finish: model.FinishStop, Usage: u}, nil
}

type noConsumers struct{}

func (noConsumers) Of(string) *consumers.Set { return &consumers.Set{} }

type noFunctions struct{}

func (noFunctions) Get(string, string) (*functions.Function, bool) { return nil, false }

// purse verifies tokens by their names.
type purse map[string]payments.Verification

func (p purse) Verify(_ context.Context, r payments.VerifyRequest) payments.Verification {
	if v, ok := p[r.Token]; ok {
		return v
	}
	return payments.Verification{Reason: "the token is unknown", Subcode: contract.SubTokenNotFound}
}

// clock is a time that tests move.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time { return time.UnixMilli(1_700_000_000_000 + c.at.Load()) }

type world struct {
	t       *testing.T
	agent   agents.Agent
	clock   clock
	uamp    *uamp.Transport
	url     string
	handler http.Handler
	log     bytes.Buffer

	mu     sync.Mutex
	caller auth.Caller // of the next connections
	asked  []model.TurnRequest
}

// open serves a public agent whose turns are done by f.
func open(t *testing.T, f turner, change ...func(*uamp.Config)) *world {
	t.Helper()
	w := &world{t: t, caller: auth.Caller{Kind: auth.KindAnonymous}, agent: agents.Agent{ID: "a1", Username: "mia", Settings: agents.Settings{
		Visibility: agents.VisibilityPublic, Transports: []string{"uamp"},
	}}}
	var ids atomic.Int64
	cfg := uamp.Config{
		Turner: turner(func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
			w.mu.Lock()
			w.asked = append(w.asked, req)
			w.mu.Unlock()
			return f(ctx, req, emit)
		}),
		Agent: func(string) (agents.Agent, bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.agent, w.agent.ID != ""
		},
		Identify: func(_ context.Context, bearer string) (auth.Caller, error) {
			if bearer == "owner" {
				return auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}, nil
			}
			return auth.Caller{Kind: auth.KindAnonymous}, contract.Errorf(contract.Unauthorized, "the token is none of ours")
		},
		Tools: func(string) []contract.ToolDefinition {
			return []contract.ToolDefinition{{Type: "function", Function: contract.ToolFunction{Name: "quote"}}}
		},
		Provides: func(string) []string { return []string{"users"} },
		Now:      w.clock.now, NewID: func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", ids.Add(1)) },
		Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
	for _, c := range change {
		c(&cfg)
	}
	w.uamp = uamp.New(cfg)
	server := agenthttp.New(agenthttp.Config{Consumers: noConsumers{}, Functions: noFunctions{}, Transports: []agenthttp.Transport{w.uamp.Mount()}, Listed: agents.Agent.Serves})
	w.handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		a, c := w.agent, w.caller
		w.mu.Unlock()
		server.Handler(a).ServeHTTP(rw, r.WithContext(auth.WithCaller(r.Context(), c)))
	})
	s := httptest.NewServer(w.handler)
	w.url = s.URL
	t.Cleanup(func() {
		w.uamp.Close()
		s.Close()
	})
	return w
}

func (w *world) is(c auth.Caller) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.caller = c
}

// request is the request of a turn.
func (w *world) request(i int) model.TurnRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i >= len(w.asked) {
		w.t.Fatalf("only %d turns", len(w.asked))
	}
	return w.asked[i]
}

type object = map[string]any

// client is one end of a WebSocket.
type client struct {
	t  *testing.T
	ws *websocket.Conn
}

func (w *world) dial(header ...string) *client {
	w.t.Helper()
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	ws, res, err := websocket.DefaultDialer.DialContext(w.t.Context(), "ws"+strings.TrimPrefix(w.url, "http")+"/uamp", h)
	if err != nil {
		w.t.Fatalf("%v: %+v", err, res)
	}
	w.t.Cleanup(func() { _ = ws.Close() })
	return &client{w.t, ws}
}

// session is a client that has created a session, and what it was told.
func (w *world) session(create object, header ...string) (c *client, created object) {
	w.t.Helper()
	c = w.dial(header...)
	c.send("session.create", create)
	created = c.wants("session.created")
	c.wants("capabilities")
	return c, created
}

func (c *client) send(kind string, e object) {
	c.t.Helper()
	m := object{"type": kind, "event_id": "e"}
	for k, v := range e {
		m[k] = v
	}
	if err := c.ws.WriteJSON(m); err != nil {
		c.t.Fatal(err)
	}
}

// next reads an event, nil when the connection has ended.
func (c *client) next() object {
	c.t.Helper()
	if err := c.ws.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		c.t.Fatal(err)
	}
	var e object
	if err := c.ws.ReadJSON(&e); err != nil {
		return nil
	}
	if id, _ := e["event_id"].(string); !strings.HasPrefix(id, "evt_") || e["timestamp"] == nil {
		c.t.Errorf("an event without its id or time: %s", text(e))
	}
	return e
}

// wants reads an event of a type.
func (c *client) wants(kind string) object {
	c.t.Helper()
	e := c.next()
	if e["type"] != kind {
		c.t.Fatalf("got %s, want %s", text(e), kind)
	}
	return e
}

// until reads events up to one of a type, and gives the types of all.
func (c *client) until(kind string) (last object, kinds string) {
	c.t.Helper()
	for {
		e := c.next()
		if e == nil {
			c.t.Fatalf("the connection ended after %s, before %s", kinds, kind)
		}
		kinds += " " + e["type"].(string)
		if e["type"] == kind {
			return e, strings.TrimSpace(kinds)
		}
	}
}

// ask sends text and has it answered.
func (c *client) ask(what string) (done object) {
	c.t.Helper()
	c.send("input.text", object{"text": what})
	c.send("response.create", nil)
	done, _ = c.until("response.done")
	return done
}

// post sends events over HTTP.
func (w *world) post(path string, body any, header ...string) (int, string) {
	w.t.Helper()
	b, ok := body.(string)
	if !ok {
		b = text(body)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), "POST", w.url+path, strings.NewReader(b))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(out)
}

// kindsOf are the types of a list of events.
func kindsOf(t *testing.T, list string) string {
	t.Helper()
	var all []object
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	var kinds []string
	for _, e := range all {
		kinds = append(kinds, e["type"].(string))
	}
	return strings.Join(kinds, " ")
}

func at(v any, path ...any) any {
	for _, step := range path {
		switch s := step.(type) {
		case string:
			o, _ := v.(object)
			v = o[s]
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// wait waits for what something else does.
func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !done(); <-tick.C {
		if time.Now().After(end) {
			t.Errorf("still not: %s", what)
			return
		}
	}
}

package a2a_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/model"
	"benchtop/backend/tasks"
	"benchtop/backend/transports/a2a"
)

type turner func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)

func (f turner) Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	return f(ctx, req, emit)
}

// saying answers with pieces of text.
func saying(pieces ...string) turner {
	return func(_ context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		for _, p := range pieces {
			if err := emit(model.Chunk{Kind: model.ChunkText, Text: p}); err != nil {
				return model.TurnResult{}, err
			}
		}
		return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, strings.Join(pieces, ""))}, nil
	}
}

// failing fails.
func failing(err error) turner {
	return func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
		return model.TurnResult{}, err
	}
}

type noConsumers struct{}

func (noConsumers) Of(string) *consumers.Set { return &consumers.Set{} }

type noFunctions struct{}

func (noFunctions) Get(string, string) (*functions.Function, bool) { return nil, false }

// memory keeps tasks.
type memory struct {
	mu  sync.Mutex
	all map[string]tasks.Task
}

func (m *memory) PutTask(ctx context.Context, t tasks.Task, _ int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.History, t.Artifacts = slices.Clone(t.History), slices.Clone(t.Artifacts)
	m.all[t.ID] = t
	return ctx.Err()
}

func (m *memory) Task(_ context.Context, agentID, id string) (*tasks.Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t, ok := m.all[id]; ok && t.AgentID == agentID {
		return &t, nil
	}
	return nil, nil
}

func (m *memory) ListTasks(_ context.Context, q tasks.Query) (page []tasks.Task, total int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.all {
		if t.AgentID == q.AgentID && t.Caller == q.Caller && (q.ContextID == "" || t.ContextID == q.ContextID) && (q.State == "" || t.State == q.State) {
			page = append(page, t)
		}
	}
	slices.SortFunc(page, func(a, b tasks.Task) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), strings.Compare(b.ID, a.ID))
	})
	total = len(page)
	for i, t := range page {
		if t.ID == q.BeforeID {
			page = page[i+1:]
			break
		}
	}
	return page[:min(len(page), q.Limit)], total, nil
}

func (m *memory) FailTasks(context.Context, time.Time) error { return nil }

type world struct {
	t       *testing.T
	agent   agents.Agent
	caller  auth.Caller // of the next requests
	legacy  atomic.Bool
	log     bytes.Buffer
	url     string
	handler http.Handler
	a2a     *a2a.Transport
}

// open serves a public agent whose turns are done by f.
func open(t *testing.T, f turner) *world {
	t.Helper()
	w := &world{t: t, agent: agents.Agent{ID: "a1", Username: "mia", Name: "Mia", Description: "Quotes", Settings: agents.Settings{
		Visibility: agents.VisibilityPublic, Transports: []string{"a2a"},
	}}, caller: auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}}
	w.legacy.Store(true)
	store, err := tasks.New(t.Context(), tasks.Config{Store: &memory{all: map[string]tasks.Task{}}, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var ids atomic.Int64
	w.a2a = a2a.New(a2a.Config{
		Turner: f, Tasks: store, Legacy: w.legacy.Load, Version: "1.2.3", BaseURL: func() string { return w.url },
		Tools: func(string) []contract.ToolDefinition {
			return []contract.ToolDefinition{{Type: "function", Function: contract.ToolFunction{Name: "quote", Description: "Price a job", Parameters: contract.RawJSON(`{"type":"object"}`)}}}
		},
		NewID: func() string { return fmt.Sprint("id-", ids.Add(1)) }, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	})
	server := agenthttp.New(agenthttp.Config{Consumers: noConsumers{}, Functions: noFunctions{}, Transports: []agenthttp.Transport{w.a2a.Mount()}, Listed: agents.Agent.Serves})
	w.handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		server.Handler(w.agent).ServeHTTP(rw, r.WithContext(auth.WithCaller(r.Context(), w.caller)))
	})
	s := httptest.NewServer(w.handler)
	w.url = s.URL
	t.Cleanup(func() {
		w.a2a.Close()
		s.Close()
	})
	return w
}

type object = map[string]any

// ask sends a request and gives its status, headers and JSON.
func (w *world) ask(method, path string, body any, header ...string) (int, http.Header, object) {
	w.t.Helper()
	res := w.do(w.t.Context(), method, path, body, header...)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var out object
	if err := json.Unmarshal(text, &out); err != nil {
		w.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	return res.StatusCode, res.Header, out
}

func (w *world) do(ctx context.Context, method, path string, body any, header ...string) *http.Response {
	w.t.Helper()
	var b []byte
	switch v := body.(type) {
	case nil:
	case string:
		b = []byte(v)
	default:
		var err error
		if b, err = json.Marshal(v); err != nil {
			w.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, w.url+path, bytes.NewReader(b))
	if err != nil {
		w.t.Fatal(err)
	}
	if len(b) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return res
}

// rpc calls a method and gives its result, or its error.
func (w *world) rpc(method string, params any, header ...string) (result, failed object) {
	w.t.Helper()
	status, _, out := w.ask("POST", "/a2a", object{"jsonrpc": "2.0", "id": 7, "method": method, "params": params}, header...)
	if status != 200 || out["jsonrpc"] != "2.0" || out["id"] != 7.0 {
		w.t.Fatalf("%s: %d %v", method, status, out)
	}
	result, _ = out["result"].(object)
	failed, _ = out["error"].(object)
	return result, failed
}

func hello(more ...any) object {
	m := object{"messageId": "m1", "role": "ROLE_USER", "parts": []object{{"text": "hello"}}}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	return object{"message": m}
}

// frames reads a stream to its end.
func frames(t *testing.T, r io.Reader) []object {
	t.Helper()
	var all []object
	for s := bufio.NewScanner(r); s.Scan(); {
		if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
			var v object
			if err := json.Unmarshal([]byte(data), &v); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			all = append(all, v)
		}
	}
	return all
}

// at finds a value by its path: at(v, "task", "status", "state").
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

// Package a2a is the agent-to-agent transport (spec 4.6, contract.md 6.7): the
// agent's card, and tasks over JSON-RPC and over REST in the form of version 1.0.
// The verbs of earlier versions are there while the owner's settings say so.
//
// A task goes on when whoever reads its stream has gone, because the protocol
// lets them subscribe again; one that is waited for ends with its connection.
package a2a

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
	"benchtop/backend/payments"
	"benchtop/backend/tasks"
)

// Turner answers a conversation.
type Turner interface {
	Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)
}

// Config of a Transport. Tools are an agent's, which its card shows as skills.
// Legacy says whether the verbs of earlier versions are there: they are when it
// is nil.
type Config struct {
	Turner  Turner
	Tasks   *tasks.Tasks
	Tools   func(agentID string) []contract.ToolDefinition
	Legacy  func() bool
	BaseURL func() string
	Version string // of the platform
	NewID   func() string
	Log     *slog.Logger
}

// Bounds of what one agent may have under way, and for how long.
const (
	maxRuns = 64
	maxTime = 10 * time.Minute
)

// Transport serves the protocol for all agents.
type Transport struct {
	cfg Config

	ctx    context.Context // of all tasks under way
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	runs   map[key]*run
	count  map[string]int // of runs by agent
}

// key names a task.
type key struct{ agentID, id string }

// New makes a Transport. Close ends it.
func New(cfg Config) *Transport {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Legacy == nil {
		cfg.Legacy = func() bool { return true }
	}
	t := &Transport{cfg: cfg, runs: map[key]*run{}, count: map[string]int{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Close ends all tasks and waits until that is written down.
func (t *Transport) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.cancel()
	t.wait.Wait()
}

// Mount is how agents serve it.
func (t *Transport) Mount() agenthttp.Transport {
	return agenthttp.Transport{Name: "a2a", Routes: []agenthttp.Route{
		{Method: http.MethodGet, Path: "/.well-known/agent-card.json", Serve: t.card},
		{Method: http.MethodGet, Path: "/.well-known/agent.json", Serve: t.legacyCard},
		{Method: http.MethodPost, Path: "/a2a", Serve: t.rpc},
		{Method: http.MethodPost, Path: "/a2a/message:send", Serve: t.rest(restSend)},
		{Method: http.MethodPost, Path: "/a2a/message:stream", Serve: t.rest(restStream)},
		{Method: http.MethodGet, Path: "/a2a/tasks", Serve: t.rest(restList)},
		{Method: http.MethodPost, Path: "/a2a/tasks", Serve: t.legacyStart},
		{Method: http.MethodGet, Path: "/a2a/tasks/{id}", Serve: t.rest(restGet)},
		{Method: http.MethodDelete, Path: "/a2a/tasks/{id}", Serve: t.legacyDelete},
		{Method: http.MethodPost, Path: "/a2a/tasks/{id}:cancel", Serve: t.rest(restCancel)},
		{Method: http.MethodGet, Path: "/a2a/tasks/{id}:subscribe", Serve: t.rest(restSubscribe)},
		{Method: http.MethodPost, Path: "/a2a/tasks/{id}:subscribe", Serve: t.rest(restSubscribe)},
		{Path: "/a2a/tasks/{id}/pushNotificationConfigs", Serve: t.rest(restPush)},
		{Path: "/a2a/tasks/{id}/pushNotificationConfigs/{config}", Serve: t.rest(restPush)},
		{Method: http.MethodGet, Path: "/a2a/extendedAgentCard", Serve: t.rest(restExtendedCard)},
	}}
}

// call is one request of the protocol, whichever way it came.
type call struct {
	ctx    context.Context
	agent  agents.Agent
	who    auth.Caller
	tokens []string
	form   form
}

func (t *Transport) call(r *http.Request, a agents.Agent) call {
	return call{ctx: r.Context(), agent: a, who: auth.CallerOf(r.Context()), tokens: payments.TokensOf(r.Header)}
}

// owner is the name by which a task's caller finds it again.
func (c call) owner() string {
	switch {
	case c.who.AgentID != "":
		return "agent:" + c.who.AgentID
	case c.who.UserID != "":
		return "user:" + c.who.UserID
	case c.who.Kind == auth.KindAnonymous:
		return ""
	}
	return c.who.Kind
}

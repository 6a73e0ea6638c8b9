package model

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/secrets"
)

// Tools are the agent's own, run through the pipeline of all invocations.
type Tools interface {
	Tools(agentID string) []contract.ToolDefinition
	// CallTool runs one. What goes wrong in it is in the answer, for the model to
	// read; the error is of the platform.
	CallTool(ctx context.Context, c ToolRequest) (ToolAnswer, error)
}

// ToolRequest is a call of a tool during a turn. Tokens are the payment tokens
// that came with the turn.
type ToolRequest struct {
	AgentID string
	Tool    string
	Args    contract.RawJSON
	CallID  string
	Caller  auth.Caller
	Tokens  []string
	OnEmit  func(contract.EmittedEvent)
}

// ToolAnswer is what a model gets of a tool; Code is set when it failed.
type ToolAnswer struct {
	Value        contract.RawJSON
	Code         contract.Code
	InvocationID string
}

// Secrets hold the keys of models. A key is set for the agent itself, under the
// function "", or for any of its functions.
type Secrets interface {
	Get(ctx context.Context, agentID, function, binding string) (value string, set bool, err error)
	// List gives what is set, of all functions for an empty name.
	List(ctx context.Context, agentID, function string) ([]secrets.Binding, error)
}

// Payments is what a turn needs of them; both may refuse with PAYMENT_REQUIRED,
// whose details are what a client of the protocol pays by.
type Payments interface {
	// Require makes sure, before anything runs or is sent, that one of the tokens
	// can pay for what the agent's tools may cost a caller. It takes nothing.
	Require(ctx context.Context, a agents.Agent, caller auth.Caller, tokens []string) error
	// Delegate gives a token by which one agent pays for a turn of another out of
	// the caller's money: empty when that turn costs the caller nothing. done
	// gives back what is left of it.
	Delegate(ctx context.Context, from, to agents.Agent, caller auth.Caller, tokens []string) (token string, done func(), err error)
}

// Agents finds the agents of this platform.
type Agents interface {
	Resolve(idOrUsername string) (agents.Agent, bool)
}

// Config of a Model. BaseURL is the platform's own address: a model there is
// another agent. Payments may be nil: everything is free.
type Config struct {
	Agents   Agents
	Tools    Tools
	Secrets  Secrets
	Payments Payments
	BaseURL  func() string
	HTTP     http.RoundTripper // to upstream models; nil is one of its own
	Silence  time.Duration     // how long an upstream model may say nothing; 0 is two minutes
	Now      func() time.Time
	NewID    func() string
	Log      *slog.Logger
	// Report gets the end of each run in the background; it may be nil.
	Report func(b BackgroundRun, chatID string, result TurnResult, err error)
}

// Model answers for all agents.
type Model struct {
	cfg Config

	mu      sync.Mutex
	running map[string]int // turns under way by agent

	background background
	scripts    scripts
}

// New makes a Model. Close ends it.
func New(cfg Config) *Model {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Silence == 0 {
		cfg.Silence = 2 * time.Minute
	}
	if cfg.HTTP == nil {
		cfg.HTTP = &http.Transport{
			Proxy:       http.ProxyFromEnvironment,
			DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		}
	}
	m := &Model{cfg: cfg, running: make(map[string]int)}
	m.background.last = make(map[string]time.Time)
	m.background.ctx, m.background.end = context.WithCancel(context.Background())
	return m
}

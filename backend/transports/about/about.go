// Package about is what every agent says of itself: who it is, what it can do and
// where (contract.md 6.5).
package about

import (
	"net/http"
	"slices"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/transports/answer"
)

// Config is what the transport needs. Admit says who may use an agent; Provides
// are the names that its endpoints add to its capabilities; they may be nil.
type Config struct {
	Admit    func(a agents.Agent, c auth.Caller) error
	Tools    func(agentID string) []contract.ToolDefinition
	Provides func(agentID string) []string
	BaseURL  func() string
}

// New makes the transport, which every agent has: GET / and /info, /capabilities,
// /health. An entry of the agent's own on one of these paths comes first.
func New(cfg Config) agenthttp.Transport {
	return agenthttp.Transport{Name: "about", Always: true, Routes: []agenthttp.Route{
		{Method: http.MethodGet, Path: "/", Serve: cfg.info},
		{Method: http.MethodGet, Path: "/info", Serve: cfg.info},
		{Method: http.MethodGet, Path: "/capabilities", Serve: cfg.capabilities},
		{Method: http.MethodGet, Path: "/health", Serve: cfg.health},
	}}
}

// Info answers GET /<agent>. Endpoints are the addresses of what it speaks.
type Info struct {
	ID           string                    `json:"id"`
	Name         string                    `json:"name"`
	Username     string                    `json:"username"`
	Description  string                    `json:"description"`
	Instructions string                    `json:"instructions"`
	Model        string                    `json:"model"`
	Capabilities Capabilities              `json:"capabilities"`
	Tools        []contract.ToolDefinition `json:"tools"`
	Endpoints    map[string]string         `json:"endpoints"`
	Provides     []string                  `json:"provides"`
}

// Capabilities are what a client may ask of the agent.
type Capabilities struct {
	Transports []string `json:"transports"`
	Streaming  bool     `json:"streaming"`
	Tools      bool     `json:"tools"`
	Provides   []string `json:"provides"`
}

// Health answers GET /<agent>/health.
type Health struct {
	Status string `json:"status"` // healthy
	Agent  string `json:"agent"`
}

// paths are where a transport is, below the agent.
var paths = map[string]map[string]string{
	"completions": {"chat_completions": "/v1/chat/completions", "models": "/v1/models"},
	"a2a":         {"a2a": "/a2a", "agent_card": "/.well-known/agent-card.json"},
	"uamp":        {"uamp": "/uamp"},
	"hello":       {"hello": "/hello"},
}

func (cfg Config) info(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if err := cfg.Admit(a, auth.CallerOf(r.Context())); err != nil {
		answer.Fail(w, err)
		return
	}
	base := cfg.BaseURL() + "/" + a.Username
	endpoints := map[string]string{"health": base + "/health"}
	for _, name := range a.Settings.Transports {
		for key, path := range paths[name] {
			endpoints[key] = base + path
		}
	}
	can := cfg.can(a)
	answer.JSON(w, http.StatusOK, Info{
		ID: a.ID, Name: a.Name, Username: a.Username, Description: a.Description, Instructions: a.Instructions,
		Model: modelOf(a), Capabilities: can, Tools: cfg.Tools(a.ID), Endpoints: endpoints, Provides: can.Provides,
	})
}

func (cfg Config) capabilities(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	if err := cfg.Admit(a, auth.CallerOf(r.Context())); err != nil {
		answer.Fail(w, err)
		return
	}
	answer.JSON(w, http.StatusOK, cfg.can(a))
}

// health says nothing that the address has not said already.
func (cfg Config) health(w http.ResponseWriter, _ *http.Request, a agents.Agent) {
	answer.JSON(w, http.StatusOK, Health{Status: "healthy", Agent: a.Username})
}

func (cfg Config) can(a agents.Agent) Capabilities {
	c := Capabilities{Transports: slices.Clone(a.Settings.Transports), Provides: []string{}, Tools: len(cfg.Tools(a.ID)) > 0}
	if c.Transports == nil {
		c.Transports = []string{}
	}
	c.Streaming = len(c.Transports) > 0
	if cfg.Provides != nil {
		c.Provides = append(c.Provides, cfg.Provides(a.ID)...)
	}
	return c
}

// modelOf names the model, never where it is.
func modelOf(a agents.Agent) string {
	if m := a.Settings.Model; m.Kind == agents.ModelOpenAI {
		return m.Model
	}
	return a.Settings.Model.Kind
}

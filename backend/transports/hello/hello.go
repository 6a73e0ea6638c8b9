// Package hello is the smallest transport there is, and the template of one: a
// protocol that greets. A transport is a folder like this one: a Config with what
// it needs of the platform, and a list of addresses below an agent's own. One
// line in the table of backend/platform/transports.go mounts it, and an agent has
// it when its AGENT.md names it under transports.
package hello

import (
	"net/http"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/transports/answer"
)

// Config is what the transport needs. Admit says who may use an agent.
type Config struct {
	Admit func(a agents.Agent, c auth.Caller) error
}

// New makes the transport: GET /hello.
func New(cfg Config) agenthttp.Transport {
	return agenthttp.Transport{Name: "hello", Routes: []agenthttp.Route{
		{Method: http.MethodGet, Path: "/hello", Serve: cfg.greet},
	}}
}

// Greeting is the answer.
type Greeting struct {
	Hello string `json:"hello"` // the agent's name
	You   string `json:"you"`   // what kind of caller it sees
}

func (cfg Config) greet(w http.ResponseWriter, r *http.Request, a agents.Agent) {
	caller := auth.CallerOf(r.Context())
	if err := cfg.Admit(a, caller); err != nil {
		answer.Fail(w, err)
		return
	}
	answer.JSON(w, http.StatusOK, Greeting{Hello: a.Name, You: caller.Kind})
}

package platform

import (
	"strings"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/functions"
)

// openPages makes what agents answer below their own addresses.
func (p *Platform) openPages(ag *agents.Agents, fns *functions.Functions, cons *consumers.Consumers) *agenthttp.Server {
	return agenthttp.New(agenthttp.Config{
		Consumers: cons, Functions: fns, Invoker: p.invoker, Visitor: p.auth.Visitor, Endpoints: p.endpoints,
		Complete: p.model.Complete, Transports: p.transports(), Listed: agents.Agent.Serves, Log: p.cfg.Log,
	})
}

// routes gives everything that an agent answers.
func (p *Platform) routes(ag *agents.Agents) func(agentID string) []contract.AgentRoute {
	return func(agentID string) []contract.AgentRoute {
		a, ok := ag.Resolve(agentID)
		if !ok || p.pages == nil {
			return nil
		}
		return p.pages.Routes(a)
	}
}

// provides are the names that an agent's endpoints add to its capabilities.
func (p *Platform) provides(agentID string) []string { return p.endpoints.Of(agentID).Provides() }

// agentEndpoints describes the custom endpoints of an agent for the console.
func (p *Platform) agentEndpoints(a agents.Agent) contract.AgentEndpointList {
	set := p.endpoints.Of(a.ID)
	out := contract.AgentEndpointList{Endpoints: []contract.AgentEndpoint{}, Problems: append([]contract.Problem{}, set.Problems...), Routes: p.pages.Routes(a)}
	base := p.URL() + "/" + a.Username
	for _, e := range set.Entries {
		out.Endpoints = append(out.Endpoints, endpointOf(base, e))
	}
	return out
}

func endpointOf(base string, e *endpoints.Entry) contract.AgentEndpoint {
	address := base + e.Path
	if e.Socket {
		address = "ws" + strings.TrimPrefix(address, "http")
	}
	return contract.AgentEndpoint{
		ID: e.ID, Method: e.Method, Path: e.Path, Kind: e.Kind(), Scopes: append([]string{}, e.Scopes...), Handler: e.Handler(), Enabled: e.Enabled,
		Provides: e.Provides, Description: e.Description, ContentType: e.ContentType, Price: e.Price, Protocols: e.Protocols,
		Parameters: e.Schema, Address: address, Problems: e.Problems,
	}
}

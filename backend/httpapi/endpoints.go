package httpapi

import (
	"slices"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// listAgentEndpoints answers with the agent's custom endpoints, what is wrong
// with those that do not serve, and everything that the agent answers.
func (a *api) listAgentEndpoints(c *call) error {
	if a.deps.AgentEndpoints == nil {
		return c.ok(contract.AgentEndpointList{Endpoints: []contract.AgentEndpoint{}, Problems: []contract.Problem{}, Routes: []contract.AgentRoute{}})
	}
	return c.ok(a.deps.AgentEndpoints(c.agent))
}

// addTransport has the agent speak a protocol, dropTransport not any more.
func (a *api) addTransport(c *call) error { return a.setTransport(c, true) }

func (a *api) dropTransport(c *call) error { return a.setTransport(c, false) }

func (a *api) setTransport(c *call, on bool) error {
	res, err := a.deps.Authoring.SetTransport(c.r.Context(), c.agent, c.r.PathValue("transport"), on)
	if err != nil {
		return err
	}
	return c.ok(res)
}

// agentSchema answers with the JSON Schema of AGENT.md's frontmatter.
func (a *api) agentSchema(c *call) error {
	return c.ok(contract.RawJSON(manifest.AgentSchema()))
}

// hasModule reports whether the name in the path is that of a module whose
// handlers answer custom endpoints, such as endpoints/users.js.
func (a *api) hasModule(c *call) bool {
	return a.deps.AgentEndpoints != nil && slices.ContainsFunc(a.deps.AgentEndpoints(c.agent).Endpoints, func(e contract.AgentEndpoint) bool {
		module, _, _ := strings.Cut(e.Handler, "#")
		return module == c.name()
	})
}

package httpapi

import (
	"net/http"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// listAgents answers a bare array, as the hosted platform does. A credential of
// one agent sees that one.
func (a *api) listAgents(c *call) error {
	out := []contract.Agent{}
	for _, ag := range a.deps.Agents.List() {
		if c.caller.AgentID == "" || c.caller.AgentID == ag.ID {
			out = append(out, a.agentOf(ag))
		}
	}
	return c.ok(out)
}

// createAgent makes an agent without a folder.
func (a *api) createAgent(c *call) error {
	var req contract.CreateAgentRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	req.Name = strings.TrimSpace(req.Name)
	if req.Name == "" {
		return contract.Errorf(contract.InvalidRequest, "name is missing")
	}
	settings, err := agents.RequestedSettings(req)
	if err != nil {
		return err
	}
	made, err := a.deps.Agents.Create(c.r.Context(), agents.Agent{
		Name: req.Name, Username: req.Username, Description: req.Description,
		Instructions: req.Instructions, Model: req.Model, Settings: settings,
	})
	if err != nil {
		return err
	}
	out := a.agentOf(made)
	a.deps.Events.Publish(contract.EvAgentCreated, out)
	return c.json(http.StatusCreated, out)
}

func (a *api) getAgent(c *call) error { return c.ok(a.agentOf(c.agent)) }

// changeAgent changes an agent without a folder; one with a folder is what its
// AGENT.md says.
func (a *api) changeAgent(c *call) error {
	var req contract.ChangeAgentRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if c.agent.Folder != "" {
		return contract.Errorf(contract.VersionConflict, "agent %s is what %s/AGENT.md says: change it there", c.agent.Username, c.agent.Folder)
	}
	next, err := c.agent.Changed(req)
	if err != nil {
		return err
	}
	if next.Equal(c.agent) {
		return c.ok(a.agentOf(c.agent))
	}
	next, err = a.deps.Agents.Update(c.r.Context(), next)
	if err != nil {
		return err
	}
	out := a.agentOf(next)
	a.deps.Events.Publish(contract.EvAgentChanged, out)
	return c.ok(out)
}

// removeAgent deletes an agent, its functions, keys and data. Its project folder
// and its history stay.
func (a *api) removeAgent(c *call) error {
	if a.deps.AgentRemover == nil {
		return contract.Errorf(contract.NotFound, "agents cannot be deleted here")
	}
	if err := a.deps.AgentRemover.RemoveAgent(c.r.Context(), c.agent); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}

func (a *api) agentOf(ag agents.Agent) contract.Agent {
	out := ag.Listed(a.deps.URL())
	if a.deps.AgentEndpoints != nil {
		out.Provides = a.deps.AgentEndpoints(ag).Provides()
	}
	return out
}

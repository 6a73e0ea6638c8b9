package platform

import (
	"context"

	"benchtop/backend/agents"
	"benchtop/backend/authoring"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/functions"
)

// removal deletes agents: what is stored goes in one piece, then everybody who
// serves from memory forgets it. Its history, and the money it earned, stay.
type removal struct {
	p         *Platform
	agents    *agents.Agents
	functions *functions.Functions
	consumers *consumers.Consumers
	authoring *authoring.Authoring
}

// RemoveAgent implements httpapi.AgentRemover. The folder of a project is closed
// first and stays as it is.
func (r removal) RemoveAgent(ctx context.Context, a agents.Agent) error {
	if err := r.p.projects.Close(ctx, a.ID); err != nil {
		if e := contract.AsError(err); e == nil || e.Code != contract.NotFound {
			return err
		}
	}
	// Its credentials first: nobody calls in its name while it goes.
	if err := r.p.auth.ForgetAgent(ctx, a.ID); err != nil {
		return err
	}
	if err := r.agents.Delete(ctx, a.ID); err != nil {
		return err
	}
	r.functions.Forget(a.ID)
	r.consumers.Forget(a.ID)
	r.p.endpoints.Replace(a.ID, &endpoints.Set{})
	r.authoring.Forget(a.ID)
	r.p.bus.Publish(contract.EvAgentRemoved, a.Listed(""))
	return nil
}

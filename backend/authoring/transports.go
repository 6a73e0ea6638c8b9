package authoring

import (
	"context"
	"encoding/json"
	"slices"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// SetTransport has an agent speak a protocol, or not any more: in AGENT.md as it
// is on the disk now, whoever wrote it last, or in the store for an agent without
// a folder. It serves when this is over. The warnings are of the agent's own
// addresses that the protocol has taken.
func (a *Authoring) SetTransport(ctx context.Context, ag agents.Agent, name string, on bool) (contract.TransportsResponse, error) {
	var none contract.TransportsResponse
	desk := a.desk(ag.ID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	names := slices.DeleteFunc(slices.Clone(ag.Settings.Transports), func(n string) bool { return n == name })
	if on {
		names = append(names, name)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return none, err
	}
	next, err := ag.Changed(contract.ChangeAgentRequest{Transports: list})
	if err != nil {
		return none, err
	}
	var warnings []contract.Problem
	if ag.Folder == "" {
		next, err = a.cfg.Agents.Update(ctx, next)
	} else {
		next, warnings, err = a.setTransportInFile(ctx, ag, name, on)
	}
	if err != nil {
		return none, err
	}
	a.cfg.Publish(contract.EvAgentChanged, next.Listed(""))
	a.cfg.Publish(contract.EvConsumersChanged, contract.ConsumersChange{AgentID: ag.ID})
	return contract.TransportsResponse{Transports: next.Settings.Transports, Warnings: warnings}, nil
}

func (a *Authoring) setTransportInFile(ctx context.Context, ag agents.Agent, name string, on bool) (next agents.Agent, warnings []contract.Problem, err error) {
	if err := writeAgent(ag, func(text string) (string, error) { return project.SetTransport(text, name, on) }); err != nil {
		return ag, nil, err
	}
	unit, err := project.Read(ag.Folder)
	if err != nil {
		return ag, nil, err
	}
	if unit.Agent.Valid {
		if _, _, err := a.updateAgent(ctx, ag, unit.Agent); err != nil {
			return ag, nil, err
		}
	}
	_, entries, err := a.loadEntries(ctx, ag.ID, unit)
	if err != nil {
		return ag, nil, err
	}
	_, endpoints, err := a.loadEndpoints(ctx, ag, unit)
	if err != nil {
		return ag, nil, err
	}
	next, _ = a.cfg.Agents.Resolve(ag.ID)
	return next, slices.DeleteFunc(slices.Concat(entries, endpoints), func(p contract.Problem) bool { return p.Code != contract.RouteConflict }), nil
}

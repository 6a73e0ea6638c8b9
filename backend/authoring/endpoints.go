package authoring

import (
	"context"
	"fmt"
	"slices"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/project"
)

// routeEndpoint and routeHTTP are kinds of routes; all others are transports.
const (
	routeEndpoint = "endpoint"
	routeHTTP     = contract.SkillHTTP
)

// loadEndpoints brings the custom endpoints up to what AGENT.md and their modules
// say. A module that does not load keeps the version that served.
func (a *Authoring) loadEndpoints(ctx context.Context, ag agents.Agent, u *project.Unit) (changed bool, problems []contract.Problem, err error) {
	if a.cfg.Endpoints == nil || !u.Agent.Valid {
		return false, nil, nil
	}
	raws := make([]endpoints.Raw, len(u.Agent.Endpoints))
	for i, e := range u.Agent.Endpoints {
		raws[i] = endpoints.Raw{Path: e.Path, JSON: e.JSON, File: project.AgentFileName, At: e.At}
	}
	entries, problems := endpoints.Check(raws, endpoints.Options{
		Modules: func(file string) (endpoints.Module, error) { return moduleOf(u, file) },
		Taken: func(method string, t endpoints.Template, socket bool) string {
			return a.taken(ag.ID, method, t, socket, routeEndpoint)
		},
	})
	was := a.cfg.Endpoints.Of(ag.ID)
	kept := entries[:0]
	states := moduleStates(u)
	for _, e := range entries {
		before, served := was.Entry(e.ID)
		if !served || before.SHA256 != e.SHA256 || before.Handler() != e.Handler() {
			var errs []contract.Problem
			if errs, e.Warnings, err = a.check(ctx, e.Manifest, e.Module, e.Source, e.Manifest.Entrypoint); err != nil {
				return false, problems, err
			}
			states.add(e.Module, errs, nil)
			if problems = append(problems, errs...); len(errs) > 0 {
				if !served {
					continue
				}
				e.Serve(before, errs)
			}
		} else {
			e.Serve(before, nil)
		}
		problems = append(problems, e.Warnings...)
		if len(e.Problems) == 0 {
			states.add(e.Module, nil, e.Warnings)
		}
		kept = append(kept, e)
	}
	a.desk(ag.ID).setModules(states)
	if changed = a.cfg.Endpoints.Replace(ag.ID, &endpoints.Set{Entries: kept, Problems: problems}); changed {
		a.cfg.Publish(contract.EvConsumersChanged, contract.ConsumersChange{AgentID: ag.ID})
	}
	return changed, problems, nil
}

func moduleOf(u *project.Unit, file string) (endpoints.Module, error) {
	m := u.Modules[file]
	switch {
	case m.Err != nil:
		return endpoints.Module{}, m.Err
	case m.Source == nil:
		return endpoints.Module{}, fmt.Errorf("%s is missing", file)
	}
	out := endpoints.Module{Text: m.Source.Text, SHA256: m.Source.SHA256}
	if m.Manifest != nil {
		out.Manifest, out.ManifestFile = m.Manifest.Text, m.Manifest.Path
	}
	return out, nil
}

// taken names what else answers a method and path of an agent; routes of the kind
// of whoever asks are left out.
func (a *Authoring) taken(agentID, method string, t endpoints.Template, socket bool, besides ...string) string {
	if a.cfg.Routes == nil {
		return ""
	}
	for _, r := range a.cfg.Routes(agentID) {
		if r.Default || slices.Contains(besides, r.Kind) || r.Method != "" && r.Method != method {
			continue
		}
		other, err := endpoints.ParseTemplate(r.Path)
		if err != nil || other.Shape() != t.Shape() {
			continue
		}
		switch r.Kind {
		case routeHTTP:
			if socket {
				continue // a request that asks for a WebSocket is told apart
			}
			return fmt.Sprintf("the entry %s of custom_http", r.ID)
		case routeEndpoint:
			return "the endpoint " + r.ID
		}
		return "the transport " + r.Kind
	}
	return ""
}

// clashes are the entries of custom_http on a method and path that something else
// answers. id chooses one entry; empty is all, then endpoints are left out: they
// are told themselves.
func (a *Authoring) clashes(agentID string, entries []*consumers.Entry, id string) map[string]string {
	besides := []string{routeHTTP}
	if id == "" {
		besides = append(besides, routeEndpoint)
	}
	found := map[string]string{}
	for _, e := range entries {
		if e.Endpoint == nil || !e.Enabled || id != "" && e.ID != id {
			continue
		}
		t, err := endpoints.ParseTemplate(e.Endpoint.Path)
		if err != nil {
			continue
		}
		if who := a.taken(agentID, e.Endpoint.Method, t, false, besides...); who != "" {
			found[e.ID] = fmt.Sprintf("%s %s of the entry %s is taken by %s, which answers; two answers on one method and path are not possible", e.Endpoint.Method, e.Endpoint.Path, e.ID, who)
		}
	}
	return found
}

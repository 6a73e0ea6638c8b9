package authoring

import (
	"context"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Remove ends a function and detaches whatever used it, spec 4.1 row 3. Its
// files in a project folder go to .benchtop/trash, its entry leaves AGENT.md.
func (a *Authoring) Remove(ctx context.Context, ag agents.Agent, name, surface string) (contract.RemoveResponse, error) {
	none := contract.Errorf(contract.FnNotFound, "agent %s has no function %.80q", ag.Username, name)
	if !manifest.ValidName(name) {
		return contract.RemoveResponse{}, none
	}
	desk := a.desk(ag.ID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	_, found := a.cfg.Functions.Get(ag.ID, name)
	if ag.Folder != "" {
		trashed, err := a.trash(ag, name)
		if err != nil {
			return contract.RemoveResponse{}, err
		}
		found = found || trashed
	}
	if !found {
		return contract.RemoveResponse{}, none
	}
	desk.drop(name)
	detached, err := a.end(ctx, ag.ID, name, surface)
	if err != nil {
		return contract.RemoveResponse{}, err
	}
	return contract.RemoveResponse{OK: true, Name: name, Detached: detached}, nil
}

// trash moves a function's files away; false: there were none.
func (a *Authoring) trash(ag agents.Agent, name string) (bool, error) {
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	files, err := folder.Function(name)
	if err != nil {
		return false, err
	}
	var source string
	if files != nil && files.Source != nil {
		source = files.Source.Path
	}
	id, err := folder.Trash(a.cfg.Now(), name, project.PathsOf(name, source)...)
	if err != nil {
		return false, err
	}
	if id == "" {
		return false, nil
	}
	entries, err := entriesUsing(ag, name)
	if err != nil {
		return true, err
	}
	err = folder.UpdateAgent(func(text string) (string, bool) {
		text, changed := project.RemoveEntry(text, name)
		for _, e := range entries {
			if next, err := project.RemoveSkill(text, e.Skill, e.EntryID); err == nil {
				text, changed = next, true
			}
		}
		return text, changed
	})
	return true, err
}

// entriesUsing are the entries of AGENT.md that use a function.
func entriesUsing(ag agents.Agent, name string) (found []contract.Detached, err error) {
	u, err := project.Read(ag.Folder)
	if err != nil {
		return nil, err
	}
	for _, s := range u.Agent.Skills {
		if id, use := keysOf(s.JSON); use == name && id != "" {
			found = append(found, contract.Detached{Skill: s.Skill, EntryID: id})
		}
	}
	return found, nil
}

// end stops a function from serving, with an audit row and an event.
func (a *Authoring) end(ctx context.Context, agentID, name, surface string) ([]contract.Detached, error) {
	detached := []contract.Detached{}
	// A file that disappears from the disk may come back, and AGENT.md is its
	// author's: the entry stays, with a problem.
	if a.cfg.Consumers != nil && surface != SurfaceDisk {
		var err error
		if detached, err = a.cfg.Consumers.Detach(ctx, agentID, name); err != nil {
			return nil, err
		}
		if len(detached) > 0 {
			a.cfg.Publish(contract.EvConsumersChanged, contract.ConsumersChange{AgentID: agentID})
		}
	}
	old, err := a.cfg.Functions.Remove(ctx, agentID, name)
	if err != nil {
		return nil, err
	}
	version := 0
	if old != nil {
		version = old.Version
	}
	a.cfg.Publish(contract.EvFunctionRemoved, contract.FunctionChange{AgentID: agentID, Name: name, Version: version, Surface: surface})
	return detached, a.audit(ctx, agentID, name, version, "remove", surface)
}

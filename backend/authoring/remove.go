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
	var before, after string
	err = folder.UpdateAgent(func(text string) (string, bool) {
		before = text
		text, changed := project.RemoveEntry(text, name)
		for _, e := range entries {
			if next, err := project.RemoveSkill(text, e.Skill, e.EntryID); err == nil {
				text, changed = next, true
			}
		}
		after = text
		return text, changed
	})
	if err == nil && after != before {
		err = folder.NoteAgent(id, before, after)
	}
	return true, err
}

// Restore brings back the files of the function that was removed last under a
// name, and what AGENT.md said of it unless AGENT.md was changed since.
func (a *Authoring) Restore(ctx context.Context, ag agents.Agent, name, surface string) (res contract.RestoreResponse, err error) {
	if err := manifest.CheckName(name); err != nil {
		return res, err
	}
	if err := a.restore(ctx, ag, name, surface, &res); err != nil {
		return res, err
	}
	res.Function, err = a.WorkFunction(ctx, ag, name)
	return res, err
}

func (a *Authoring) restore(ctx context.Context, ag agents.Agent, name, surface string, res *contract.RestoreResponse) error {
	folder, err := openFor(ag)
	if err != nil {
		return err
	}
	defer folder.Close()
	desk := a.desk(ag.ID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	files, err := folder.Function(name)
	if err != nil {
		return err
	}
	if files != nil {
		return contract.Errorf(contract.VersionConflict, "there is a function %s again", name)
	}
	id := folder.LastTrash(name)
	if err := folder.Restore(id); err != nil {
		return err
	}
	if files, err = folder.Function(name); err != nil || files == nil {
		return err
	}
	if _, err := a.load(ctx, ag.ID, desk, files, surface); err != nil {
		return err
	}
	back, err := folder.RestoreAgent(id)
	res.EntriesLeft = !back
	return err
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

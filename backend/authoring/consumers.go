package authoring

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// Attach adds an entry to a skill: to AGENT.md for an agent with a folder, to the
// store for one without. What breaks a rule is refused with its code; what was
// there before stays as it is.
func (a *Authoring) Attach(ctx context.Context, ag agents.Agent, skill string, req contract.UseRequest) (contract.UseResponse, error) {
	return a.editEntries(ctx, ag, skill, func(raws []consumers.Raw) ([]consumers.Raw, string, edit, error) {
		entry, id, err := consumers.Complete(skill, req.Entry, req.Use, func(id string) bool { return findRaw(raws, skill, id) >= 0 })
		if err != nil {
			return nil, "", nil, err
		}
		raws = append(raws, consumers.Raw{Skill: skill, Path: editedPath, JSON: entry})
		return raws, id, func(text string) (string, error) { return project.AddSkill(text, skill, entry) }, nil
	})
}

// ChangeEntry changes keys of an entry; null takes one away. Its id stays.
func (a *Authoring) ChangeEntry(ctx context.Context, ag agents.Agent, skill, id string, req contract.UseRequest) (contract.UseResponse, error) {
	patch := req.Entry
	if len(patch) == 0 {
		patch = contract.RawJSON("{}")
	}
	if req.Use != "" {
		use, err := json.Marshal(map[string]string{"use": req.Use})
		if err == nil {
			patch, err = consumers.Merge(patch, use)
		}
		if err != nil {
			return contract.UseResponse{}, err
		}
	}
	return a.editEntries(ctx, ag, skill, func(raws []consumers.Raw) ([]consumers.Raw, string, edit, error) {
		i := findRaw(raws, skill, id)
		if i < 0 {
			return nil, "", nil, noEntry(ag, skill, id)
		}
		entry, err := consumers.Merge(raws[i].JSON, patch)
		if err != nil {
			return nil, "", nil, err
		}
		if now, _ := keysOf(entry); now != id {
			return nil, "", nil, contract.Errorf(contract.InvalidEntry, "the id of an entry stays; detach %q and attach another one", id)
		}
		// Checked as the last one, so that what it clashes with is not its fault.
		raws = append(append(append([]consumers.Raw{}, raws[:i]...), raws[i+1:]...), consumers.Raw{Skill: skill, Path: editedPath, JSON: entry})
		return raws, id, func(text string) (string, error) { return project.ChangeSkill(text, skill, id, entry) }, nil
	})
}

// DetachEntry takes an entry away.
func (a *Authoring) DetachEntry(ctx context.Context, ag agents.Agent, skill, id string) (contract.DetachResponse, error) {
	res, err := a.editEntries(ctx, ag, skill, func(raws []consumers.Raw) ([]consumers.Raw, string, edit, error) {
		i := findRaw(raws, skill, id)
		if i < 0 {
			return nil, "", nil, noEntry(ag, skill, id)
		}
		raws = append(append([]consumers.Raw{}, raws[:i]...), raws[i+1:]...)
		return raws, id, func(text string) (string, error) { return project.RemoveSkill(text, skill, id) }, nil
	})
	return contract.DetachResponse{OK: err == nil, EntryID: res.EntryID}, err
}

func noEntry(ag agents.Agent, skill, id string) error {
	return contract.Errorf(contract.EntryNotFound, "%s of agent %s has no entry %.80q", skill, ag.Username, id)
}

// editedPath is what problems call the entry that a request brings.
const editedPath = "entry"

// edit does to the text of AGENT.md what a request does to the entries.
type edit func(text string) (string, error)

// editEntries changes the entries of an agent: change gives them as they shall
// be, the id concerned, and the same as an edit of AGENT.md.
func (a *Authoring) editEntries(ctx context.Context, ag agents.Agent, skill string, change func([]consumers.Raw) ([]consumers.Raw, string, edit, error)) (contract.UseResponse, error) {
	var none contract.UseResponse
	if contract.SkillList(skill) == "" || a.cfg.Consumers == nil {
		return none, contract.Errorf(contract.NotFound, "no skill %.64q uses functions; custom_tools, custom_http and cron do", skill)
	}
	desk := a.desk(ag.ID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	raws := a.stored(ag.ID)
	var unit *project.Unit
	if ag.Folder != "" {
		var err error
		if unit, err = project.Read(ag.Folder); err != nil {
			return none, err
		}
		raws = rawsOf(unit)
	}
	next, id, edit, err := change(raws)
	if err != nil {
		return none, err
	}
	entries, errs, warns := consumers.Check(next, a.declared(ag.ID))
	if mine := edited(errs); len(mine) > 0 {
		return none, refused(mine)
	}
	if skill == contract.SkillHTTP {
		if why, clash := a.clashes(ag.ID, entries, id)[id]; clash {
			return none, contract.Errorf(contract.RouteConflict, "%s", why)
		}
	}
	if ag.Folder != "" {
		if err := writeAgent(ag, edit); err != nil {
			return none, err
		}
		if unit, err = project.Read(ag.Folder); err != nil {
			return none, err
		}
		_, _, err = a.loadEntries(ctx, ag.ID, unit)
		return contract.UseResponse{OK: true, EntryID: id, Warnings: edited(warns)}, err
	}
	if err := a.replaceEntries(ctx, ag.ID, inOrder(entries, raws)); err != nil {
		return none, err
	}
	warns = append(edited(warns), a.portability(ag.ID, entries, id)...)
	return contract.UseResponse{OK: true, EntryID: id, Warnings: warns}, nil
}

// inOrder puts a changed entry, which was checked last, back where it was.
func inOrder(entries []*consumers.Entry, before []consumers.Raw) []*consumers.Entry {
	if len(entries) == 0 {
		return entries
	}
	last := entries[len(entries)-1]
	at := findRaw(before, last.Skill, last.ID)
	if at < 0 || at >= len(entries) {
		return entries
	}
	out := append([]*consumers.Entry{}, entries[:at]...)
	return append(append(out, last), entries[at:len(entries)-1]...)
}

// edited are the problems of the entry that a request brings.
func edited(all []contract.Problem) (mine []contract.Problem) {
	for _, p := range all {
		if p.Path == editedPath || strings.HasPrefix(p.Path, editedPath+".") {
			mine = append(mine, p)
		}
	}
	return mine
}

func writeAgent(ag agents.Agent, change edit) error {
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return err
	}
	defer folder.Close()
	if !folder.Exists(project.AgentFileName) {
		name, err := json.Marshal(ag.Name) // a JSON text is a YAML one, too
		if err != nil {
			return err
		}
		if err := folder.Write(project.AgentFileName, fmt.Sprintf("---\nname: %s\n---\n%s\n", name, ag.Instructions)); err != nil {
			return err
		}
	}
	var failed error
	err = folder.UpdateAgent(func(text string) (string, bool) {
		next, err := change(text)
		failed = err
		return next, err == nil
	})
	if err == nil {
		err = failed
	}
	return err
}

func (a *Authoring) declared(agentID string) func(string) bool {
	return func(name string) bool {
		_, ok := a.cfg.Functions.Get(agentID, name)
		return ok
	}
}

// stored are the entries of an agent as they serve.
func (a *Authoring) stored(agentID string) (raws []consumers.Raw) {
	for _, e := range a.cfg.Consumers.Of(agentID).Entries {
		raws = append(raws, consumers.Raw{Skill: e.Skill, Path: "skills." + e.Skill + "." + e.ID, JSON: e.JSON})
	}
	return raws
}

// rawsOf are the entries of AGENT.md.
func rawsOf(u *project.Unit) (raws []consumers.Raw) {
	for _, s := range u.Agent.Skills {
		raws = append(raws, consumers.Raw{Skill: s.Skill, Path: s.Path, JSON: s.JSON, ID: s.ID, File: project.AgentFileName, At: s.At})
	}
	return raws
}

func findRaw(raws []consumers.Raw, skill, id string) int {
	for i, r := range raws {
		if have, _ := keysOf(r.JSON); r.Skill == skill && have == id {
			return i
		}
	}
	return -1
}

// keysOf gives id and use of an entry, empty where they are no texts.
func keysOf(entry json.RawMessage) (id, use string) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(entry, &keys) != nil {
		return "", ""
	}
	if json.Unmarshal(keys["id"], &id) != nil {
		id = ""
	}
	if json.Unmarshal(keys["use"], &use) != nil {
		use = ""
	}
	return id, use
}

// loadEntries brings the entries up to AGENT.md. One with an error keeps serving
// as it did before; one whose function is missing waits for it.
func (a *Authoring) loadEntries(ctx context.Context, agentID string, u *project.Unit) (changed bool, problems []contract.Problem, err error) {
	if a.cfg.Consumers == nil || !u.Agent.Valid {
		return false, nil, nil // what served goes on
	}
	raws := rawsOf(u)
	for _, r := range a.stored(agentID) {
		if slices.Contains(u.Agent.Unread, r.Skill) {
			raws = append(raws, r)
		}
	}
	was := a.cfg.Consumers.Of(agentID)
	entries, errs, warns := consumers.CheckKeeping(raws, was, a.declared(agentID))
	problems = append(errs, warns...)
	for _, p := range a.portability(agentID, entries, "") {
		for _, r := range raws {
			if id, _ := keysOf(r.JSON); r.At != nil && p.Path == r.Skill+"/"+id {
				p.Path = r.Path + ".use"
				line, column := r.At("use")
				problems = append(problems, p.At(r.File, line, column))
				break
			}
		}
	}
	clashes := a.clashes(agentID, entries, "")
	for _, r := range raws { // in the author's order, which is the same each time
		own, _ := keysOf(r.JSON)
		if why, clash := clashes[own]; clash && r.At != nil && r.Skill == contract.SkillHTTP {
			line, column := r.At("path")
			problems = append(problems, contract.Problem{Code: contract.RouteConflict, Path: r.Path + ".path", Message: why}.At(r.File, line, column))
		}
	}
	err = a.replaceEntries(ctx, agentID, entries)
	return was != a.cfg.Consumers.Of(agentID), problems, err
}

func (a *Authoring) replaceEntries(ctx context.Context, agentID string, entries []*consumers.Entry) error {
	changed, err := a.cfg.Consumers.Replace(ctx, agentID, entries)
	if changed {
		a.cfg.Publish(contract.EvConsumersChanged, contract.ConsumersChange{AgentID: agentID})
	}
	return err
}

// portability warns where a function's own time limit counts here and not on the
// hosted platform. id chooses one entry; empty is all.
func (a *Authoring) portability(agentID string, entries []*consumers.Entry, id string) (warnings []contract.Problem) {
	for _, e := range entries {
		if id != "" && e.ID != id || e.Skill == contract.SkillCron {
			continue
		}
		fn, ok := a.cfg.Functions.Get(agentID, e.Use)
		if !ok || fn.Manifest.Limits.WallMs == 0 || e.Endpoint != nil && e.Endpoint.TimeoutMs > 0 && e.Endpoint.TimeoutMs <= fn.Manifest.Limits.WallMs {
			continue
		}
		warnings = append(warnings, contract.Problem{Code: contract.Portability, Path: e.Skill + "/" + e.ID,
			Message: fmt.Sprintf("limits.wallMs of %s (%d ms) counts here; the hosted platform looks at the endpoint's timeoutMs alone, or allows 30 s", e.Use, fn.Manifest.Limits.WallMs)})
	}
	return warnings
}

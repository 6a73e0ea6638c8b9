package authoring

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

const layoutModule = "module" // a file of endpoints

// modules are the states of the files of endpoints, by path.
type modules map[string]saved

// moduleStates says what is wrong with the modules before anybody compiles them.
func moduleStates(u *project.Unit) modules {
	states := modules{}
	for name, m := range u.Modules {
		states.add(name, nil, nil)
		if m.Err != nil {
			states.add(name, []contract.Problem{contract.Problem{Code: contract.ProjectInvalid, Message: m.Err.Error()}.At(name, 0, 0)}, nil)
		}
		if m.Source == nil {
			continue
		}
		opts := manifest.Options{DefaultRuntime: manifest.RuntimeJS, File: name}
		var errs, warns []contract.Problem
		if m.Manifest != nil {
			opts.File = m.Manifest.Path
			_, errs, warns = manifest.Parse([]byte(m.Manifest.Text), opts)
		} else {
			_, _, errs, warns = manifest.Docblock(m.Source.Text, opts)
		}
		states.add(name, errs, warns)
	}
	return states
}

// add puts problems to those of a module, each of them once: several endpoints
// may share a file.
func (s modules) add(name string, errs, warns []contract.Problem) {
	m := s[name]
	m.layout = layoutModule
	m.errors, m.warnings = addNew(m.errors, errs), addNew(m.warnings, warns)
	m.broken = len(m.errors) > 0
	s[name] = m
}

func addNew(all, more []contract.Problem) []contract.Problem {
	for _, p := range more {
		if !slices.ContainsFunc(all, func(q contract.Problem) bool { return sameProblem(p, q) }) {
			all = append(all, p)
		}
	}
	return all
}

func (d *desk) setModules(states modules) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.modules = states
}

func (d *desk) module(name string) (saved, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.modules[name]
	return s, ok
}

func (d *desk) moduleNames() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.modules))
}

// workModules lists the agent's files of endpoints, without texts.
func (a *Authoring) workModules(ag agents.Agent) []contract.WorkFunction {
	out := []contract.WorkFunction{}
	for _, name := range a.desk(ag.ID).moduleNames() {
		out = append(out, a.workModule(ag, name))
	}
	return out
}

func (a *Authoring) workModule(ag agents.Agent, name string) contract.WorkFunction {
	w := contract.WorkFunction{Name: name, Layout: layoutModule, Errors: []contract.Problem{}, Warnings: []contract.Problem{}, Actions: []contract.UserAction{}}
	if s, ok := a.desk(ag.ID).module(name); ok {
		w.Broken, w.Errors, w.Warnings = s.broken, list(s.errors), list(s.warnings)
	}
	if a.cfg.Endpoints == nil {
		return w
	}
	for _, e := range a.cfg.Endpoints.Of(ag.ID).Entries {
		if e.Module == name {
			w.Version = 1
			w.Handlers = append(w.Handlers, contract.WorkHandler{ID: e.ID, Kind: e.Kind(), Export: e.Export, Own: e.Own, Manifest: normalised(e), Parameters: e.Schema})
		}
	}
	return w
}

func normalised(e *endpoints.Entry) contract.RawJSON {
	b, err := json.Marshal(e.Manifest)
	if err != nil { // a manifest that was parsed always marshals
		return []byte("{}")
	}
	return b
}

// Module gives a file of endpoints with its texts as they are saved now.
// NOT_FOUND when no entry of AGENT.md names it. One that is named and not there
// yet has an empty source without a hash, which a save creates.
func (a *Authoring) Module(_ context.Context, ag agents.Agent, name string) (contract.WorkFunction, error) {
	m, err := a.readModule(ag, name)
	if err != nil {
		return contract.WorkFunction{}, err
	}
	w := a.workModule(ag, name)
	w.Source = workFile(m.Source)
	if m.Source == nil {
		w.Broken = true
		w.Source = &contract.WorkFile{Path: name}
	}
	// A file that no entry reads would be edited in vain.
	if len(w.Handlers) == 0 || slices.ContainsFunc(w.Handlers, func(h contract.WorkHandler) bool { return !h.Own }) {
		w.Manifest = workFile(m.Manifest)
	}
	return w, nil
}

func (a *Authoring) readModule(ag agents.Agent, name string) (project.Module, error) {
	var none project.Module
	missing := contract.Errorf(contract.NotFound, "no endpoint of agent %s has its handler in %.120q", ag.Username, name)
	if ag.Folder == "" {
		return none, missing
	}
	u, err := project.Read(ag.Folder)
	if err != nil {
		return none, err
	}
	m, ok := u.Modules[name]
	if !ok {
		// While AGENT.md cannot be read, what it named last is still worked on.
		if _, known := a.desk(ag.ID).module(name); !known || u.Agent.Valid {
			return none, missing
		}
		m = u.ReadModule(name)
	}
	return m, nil
}

// SaveModule stores what an editor holds of a file of endpoints and loads it at
// once. It holds to the rules of Save; the manifest is the JSON file beside the
// module.
func (a *Authoring) SaveModule(ctx context.Context, ag agents.Agent, name string, req contract.SaveRequest) (contract.WorkFunction, error) {
	var none contract.WorkFunction
	if err := sizes(req); err != nil {
		return none, err
	}
	desk := a.desk(ag.ID)
	err := func() error {
		desk.busy.Lock()
		defer desk.busy.Unlock()
		m, err := a.readModule(ag, name)
		if err != nil {
			return err
		}
		if err := conflict(name, req, workFile(m.Source), workFile(m.Manifest)); err != nil {
			return err
		}
		return a.writeModule(ctx, ag, name, m, req)
	}()
	if err != nil {
		return none, err
	}
	return a.Module(ctx, ag, name)
}

func (a *Authoring) writeModule(ctx context.Context, ag agents.Agent, name string, m project.Module, req contract.SaveRequest) error {
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return err
	}
	defer folder.Close()
	beside := strings.TrimSuffix(name, path.Ext(name)) + ".json"
	for _, f := range []struct {
		text *string
		old  *project.File
		path string
	}{{req.Source, m.Source, name}, {req.Manifest, m.Manifest, beside}} {
		if f.text == nil {
			continue
		}
		if f.old == nil && folder.Exists(f.path) {
			return contract.Errorf(contract.ProjectInvalid, "%s is there but cannot be read; it is not overwritten", f.path)
		}
		if err := a.writeChanged(folder, f.old, f.path, *f.text); err != nil {
			return err
		}
	}
	u, err := project.Read(ag.Folder)
	if err != nil {
		return err
	}
	_, _, err = a.loadEndpoints(ctx, ag, u)
	return err
}

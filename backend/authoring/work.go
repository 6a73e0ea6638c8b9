package authoring

import (
	"context"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

const layoutStored = "stored" // no file of a folder belongs to it

// Work lists the agent's functions as the workbench shows them, without texts:
// those that serve and those whose files do not load yet.
func (a *Authoring) Work(ctx context.Context, ag agents.Agent) (contract.WorkList, error) {
	out := contract.WorkList{Functions: []contract.WorkFunction{}, Modules: a.workModules(ag)}
	if ag.Folder != "" {
		file := a.workAgent(ag, a.desk(ag.ID).problems())
		out.AgentFile = &file
	}
	names := append(slices.Clone(a.cfg.Functions.Names(ag.ID)), a.desk(ag.ID).names()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		w, err := a.work(ctx, ag, name)
		if err != nil {
			return out, err
		}
		out.Functions = append(out.Functions, w)
	}
	return out, nil
}

// work describes one function by what is known of it.
func (a *Authoring) work(ctx context.Context, ag agents.Agent, name string) (contract.WorkFunction, error) {
	w := contract.WorkFunction{Name: name, Layout: layoutStored, Errors: []contract.Problem{}, Warnings: []contract.Problem{}, Actions: []contract.UserAction{}}
	serving, ok := a.cfg.Functions.Get(ag.ID, name)
	if ok {
		w.Version = serving.Version
		w.Layout = layoutOf(ag, serving)
		actions, err := a.actions(ctx, ag.ID, name, serving.Manifest)
		if err != nil {
			return w, err
		}
		w.Actions = actions
	}
	if s, ok := a.desk(ag.ID).get(name); ok {
		w.Layout, w.Broken = s.layout, s.broken
		w.Errors, w.Warnings = list(s.errors), list(s.warnings)
	}
	return w, nil
}

func layoutOf(ag agents.Agent, f *functions.Function) string {
	switch {
	case ag.Folder == "":
		return layoutStored
	case strings.HasPrefix(f.File, strings.TrimSuffix(project.ManifestPath(f.Name), "manifest.json")):
		return project.LayoutFolder
	}
	return project.LayoutFile
}

// WorkFunction gives one function with its texts as they are saved now, which
// may be newer than what serves. FN_NOT_FOUND when there is nothing of it.
func (a *Authoring) WorkFunction(ctx context.Context, ag agents.Agent, name string) (contract.WorkFunction, error) {
	notFound := contract.Errorf(contract.FnNotFound, "agent %s has no function %.80q", ag.Username, name)
	if !manifest.ValidName(name) {
		return contract.WorkFunction{}, notFound
	}
	w, err := a.work(ctx, ag, name)
	if err != nil {
		return w, err
	}
	if ag.Folder != "" {
		unit, err := project.Read(ag.Folder)
		switch {
		case err != nil: // what serves is shown, with the reason
			p := contract.AsError(err)
			if p == nil {
				return w, err
			}
			w.Errors = append(w.Errors, contract.Problem{Code: p.Code, Message: p.Message})
		case unit.Function(name) != nil:
			a.withFiles(&w, ag, unit.Function(name))
			return w, nil
		}
	}
	serving, ok := a.cfg.Functions.Get(ag.ID, name)
	if !ok {
		return w, notFound
	}
	w.Source = &contract.WorkFile{Text: serving.Source, SHA256: serving.SourceSHA256}
	text := storedManifest(serving)
	w.Manifest = &contract.WorkFile{Text: text, SHA256: project.SHA256(text)}
	return w, nil
}

// withFiles puts the texts in. Files nobody has loaded yet (their folder is
// closed) are looked at here, without compiling.
func (a *Authoring) withFiles(w *contract.WorkFunction, ag agents.Agent, files *project.Files) {
	w.Layout = files.Layout
	w.Source, w.Manifest = workFile(files.Source), workFile(files.Manifest)
	if _, known := a.desk(ag.ID).get(files.Name); !known {
		l := files.Load(checkSchema)
		w.Broken, w.Errors, w.Warnings = len(l.Errors) > 0, list(l.Errors), list(l.Warnings)
	}
}

func workFile(f *project.File) *contract.WorkFile {
	if f == nil {
		return nil
	}
	return &contract.WorkFile{Path: f.Path, Text: f.Text, SHA256: f.SHA256}
}

// storedManifest is the manifest as text, for a function that has none.
func storedManifest(f *functions.Function) string {
	if f.ManifestText != "" {
		return f.ManifestText
	}
	return string(manifest.Rewrite([]byte(canonical(f.Manifest)), f.Manifest.Runtime))
}

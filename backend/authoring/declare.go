package authoring

import (
	"context"
	"strings"
	"unicode/utf8"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Declare stores a function under its name, spec 4.1 row 2: it checks manifest
// and source, writes the project folder when the agent has one, and lets the new
// version serve. The same declaration again makes no new version.
func (a *Authoring) Declare(ctx context.Context, ag agents.Agent, req contract.DeclareRequest, surface string) (contract.DeclareResponse, error) {
	var none contract.DeclareResponse
	if err := manifest.CheckName(req.Name); err != nil {
		return none, err
	}
	posted := req.Source
	if posted == nil {
		posted = req.Code
	}
	desk := a.desk(ag.ID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	d, err := a.draftOf(ctx, ag, req.Name, req.Manifest, posted)
	if err != nil {
		return none, err
	}
	serving, _ := a.cfg.Functions.Get(ag.ID, req.Name)
	if len(d.errors) == 0 && d.source == "" {
		d.fail(contract.SourceEmpty, "source", "%s is new: send its source", req.Name)
	}
	if len(d.errors) > 0 {
		return none, refused(d.errors)
	}
	file := project.SourcePath(req.Name)
	if serving != nil {
		file = serving.File
	}
	errs, warns, err := a.check(ctx, d.manifest, file, d.source, d.manifest.Entrypoint)
	if err != nil {
		return none, err
	}
	if len(errs) > 0 {
		return none, refused(errs)
	}
	d.warnings = append(d.warnings, warns...)
	actions, err := a.actions(ctx, ag.ID, req.Name, d.manifest)
	if err != nil {
		return none, err
	}
	if ag.Folder != "" {
		if file, err = a.writeDraft(ag, serving, req.Name, d); err != nil {
			return none, err
		}
	}
	fn, _, err := a.put(ctx, functions.Function{AgentID: ag.ID, Name: req.Name, Manifest: d.manifest, ManifestText: d.text,
		Source: d.source, File: file, Surface: surface}, d.warnings)
	if err != nil {
		return none, err
	}
	if ag.Folder != "" {
		a.noteWritten(ctx, ag, desk, req.Name, surface)
	}
	return contract.DeclareResponse{OK: true, Name: req.Name, Version: fn.Version, RequiresUserAction: actions, Warnings: d.warnings}, nil
}

// put lets a checked function serve: the next version, an audit row, an event.
// Nothing happens when exactly that serves.
func (a *Authoring) put(ctx context.Context, f functions.Function, warnings []contract.Problem) (*functions.Function, bool, error) {
	action := "declare"
	if serving, ok := a.cfg.Functions.Get(f.AgentID, f.Name); ok {
		if same(serving, &f) {
			return serving, false, nil
		}
		action = "update"
	}
	stored, err := a.cfg.Functions.Put(ctx, f)
	if err != nil {
		return nil, false, err
	}
	a.cfg.Publish(contract.EvFunctionDeclared, contract.FunctionChange{AgentID: f.AgentID, Name: f.Name, Version: stored.Version,
		Surface: f.Surface, Warnings: warnings})
	return stored, true, a.audit(ctx, f.AgentID, f.Name, stored.Version, action, f.Surface)
}

// noteWritten takes note of files just written, so that the watcher finds
// nothing new in them.
func (a *Authoring) noteWritten(ctx context.Context, ag agents.Agent, desk *desk, name, surface string) {
	u, err := project.Read(ag.Folder)
	if err == nil {
		if files := u.Function(name); files != nil {
			_, err = a.load(ctx, ag.ID, desk, files, surface)
		}
	}
	if err != nil { // the function is declared; the watcher reads the folder again
		a.cfg.Log.Warn("the folder cannot be read back", "folder", ag.Folder, "error", err)
	}
}

// audit writes the row even when the caller has gone: the change is made.
func (a *Authoring) audit(ctx context.Context, agentID, name string, version int, action, surface string) error {
	by := auth.CallerOf(ctx)
	return a.cfg.History.Audit(context.WithoutCancel(ctx), contract.InvocationRow{AgentID: agentID, FunctionName: name, FunctionVersion: version,
		SourceSkill: contract.SkillAuthoring, AuthoringAction: action, AuthoringSurface: surface,
		CallerUserID: by.UserID, CallerAgentID: by.AgentID})
}

// same reports whether two versions would behave, and read, the same.
func same(x, y *functions.Function) bool {
	return x.Source == y.Source && x.File == y.File && x.ManifestText == y.ManifestText && canonical(x.Manifest) == canonical(y.Manifest)
}

// writeDraft puts a posted function into the folder and gives the path of its
// source. Text in the folder that never served goes to the trash first.
func (a *Authoring) writeDraft(ag agents.Agent, serving *functions.Function, name string, d *draft) (string, error) {
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return "", err
	}
	defer folder.Close()
	files, err := folder.Function(name)
	if err != nil {
		return "", err
	}
	source := project.SourcePath(name)
	if files != nil {
		if err := a.keepUnserved(folder, serving, name, files, d); err != nil {
			return "", err
		}
		if files.Source != nil {
			source = files.Source.Path
		}
		if files.Layout == project.LayoutFile {
			if headerSays(d) && files.Source != nil {
				d.text = "" // the header is the manifest
				return source, a.writeChanged(folder, files.Source, source, d.source)
			}
			source = project.SourcePath(name)
			if files.Source != nil {
				if _, err := folder.Trash(a.cfg.Now(), name, files.Source.Path); err != nil {
					return "", err
				}
				files.Source = nil
			}
		}
	} else {
		files = &project.Files{Name: name}
	}
	if err := a.writeChanged(folder, files.Source, source, d.source); err != nil {
		return "", err
	}
	if err := a.writeChanged(folder, files.Manifest, project.ManifestPath(name), d.text); err != nil {
		return "", err
	}
	return source, folder.UpdateAgent(func(text string) (string, bool) { return project.AddEntry(text, name, d.manifest.Description) })
}

// headerSays reports whether the source's own header is the posted manifest.
func headerSays(d *draft) bool {
	m, found, errs, _ := manifest.Docblock(d.source, manifest.Options{})
	return found && len(errs) == 0 && canonical(m) == canonical(d.manifest)
}

// writeChanged writes a text unless it is there. A file that is not UTF-8 was
// read with signs for what cannot be read; they are not written over the bytes
// that they stand for.
func (a *Authoring) writeChanged(folder *project.Folder, old *project.File, path, text string) error {
	if old != nil && old.Path == path && old.Text == text {
		return nil
	}
	if old != nil && !utf8.ValidString(old.Text) && strings.ContainsRune(text, utf8.RuneError) {
		return contract.Errorf(contract.ProjectInvalid, "%s is not UTF-8, so characters of it would be lost; nothing was written. "+
			"Replace each \ufffd by what it should be, or save the file as UTF-8 in the editor it came from", path)
	}
	return folder.Write(path, text)
}

// keepUnserved copies what an author wrote but never ran, before it is
// overwritten.
func (a *Authoring) keepUnserved(folder *project.Folder, serving *functions.Function, name string, files *project.Files, d *draft) error {
	var keep []*project.File
	if f := files.Source; f != nil && f.Text != d.source && (serving == nil || f.Text != serving.Source) {
		keep = append(keep, f)
	}
	if f := files.Manifest; f != nil && f.Text != d.text && (serving == nil || f.Text != serving.ManifestText) {
		keep = append(keep, f)
	}
	if len(keep) == 0 {
		return nil
	}
	return folder.Keep(a.cfg.Now(), name, keep...)
}

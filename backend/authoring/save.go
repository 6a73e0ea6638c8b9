package authoring

import (
	"context"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Save stores what an editor of the workbench holds and loads it at once. Files
// of a project folder are written even when they do not load; the answer says
// why, and the last good version serves on. A text whose base is not what is
// stored now answers VERSION_CONFLICT with the stored texts, and nothing is
// written. An agent without a folder has no place for what does not load: the
// error then has the problems.
func (a *Authoring) Save(ctx context.Context, ag agents.Agent, name string, req contract.SaveRequest, surface string) (contract.WorkFunction, error) {
	var none contract.WorkFunction
	if err := manifest.CheckName(name); err != nil {
		return none, err
	}
	if err := sizes(req); err != nil {
		return none, err
	}
	desk := a.desk(ag.ID)
	err := func() error {
		desk.busy.Lock()
		defer desk.busy.Unlock()
		if ag.Folder == "" {
			return a.saveStored(ctx, ag, name, req, surface)
		}
		return a.saveFiles(ctx, ag, desk, name, req, surface)
	}()
	if err != nil {
		return none, err
	}
	return a.WorkFunction(ctx, ag, name)
}

// sizes holds the texts of a save to their limits.
func sizes(req contract.SaveRequest) error {
	if req.Source != nil && len(*req.Source) > contract.MaxStoredSource {
		return contract.Errorf(contract.CodeTooLarge, "the source has %d bytes; %d are allowed", len(*req.Source), contract.MaxStoredSource)
	}
	if req.Manifest != nil && len(*req.Manifest) > manifest.MaxManifestBytes {
		return contract.Errorf(contract.CodeTooLarge, "the manifest has %d bytes; %d are allowed", len(*req.Manifest), manifest.MaxManifestBytes)
	}
	return nil
}

// conflict compares the bases of an edit with what is stored. A text that is
// stored already is no conflict, whatever its base.
func conflict(name string, req contract.SaveRequest, source, mani *contract.WorkFile) error {
	stale := func(text *string, base string, now *contract.WorkFile) bool {
		switch {
		case text == nil:
			return false
		case now == nil:
			return base != ""
		}
		return base != now.SHA256 && *text != now.Text
	}
	if !stale(req.Source, req.SourceBase, source) && !stale(req.Manifest, req.ManifestBase, mani) {
		return nil
	}
	e := contract.Errorf(contract.VersionConflict, "%s was changed somewhere else since this edit began; nothing was written", name)
	e.Details = contract.SaveConflict{Source: source, Manifest: mani}
	return e
}

func (a *Authoring) saveFiles(ctx context.Context, ag agents.Agent, desk *desk, name string, req contract.SaveRequest, surface string) error {
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return err
	}
	defer folder.Close()
	files, err := folder.Function(name)
	if err != nil {
		return err
	}
	if files == nil {
		files = &project.Files{Name: name}
	}
	if err := conflict(name, req, workFile(files.Source), workFile(files.Manifest)); err != nil {
		return err
	}
	source, text := project.SourcePath(name), ""
	switch {
	case files.Layout == project.LayoutFile && req.Manifest != nil:
		// A manifest of its own makes a single file a folder.
		if files.Source != nil {
			text = files.Source.Text
		}
	case files.Source != nil:
		source = files.Source.Path
	case files.Layout == "" && req.Manifest == nil && req.Source != nil && strings.Contains(*req.Source, manifest.Marker):
		source = project.SingleFilePath(name)
	}
	if files.Source == nil && req.Source != nil && folder.Exists(source) {
		return contract.Errorf(contract.ProjectInvalid, "%s is there but cannot be read; it is not overwritten", source)
	}
	if files.Manifest == nil && req.Manifest != nil && folder.Exists(project.ManifestPath(name)) {
		return contract.Errorf(contract.ProjectInvalid, "%s is there but cannot be read; it is not overwritten", project.ManifestPath(name))
	}
	if req.Source != nil {
		text = *req.Source
	}
	moves := files.Source != nil && files.Source.Path != source
	if req.Source != nil || moves {
		if err := a.writeChanged(folder, files.Source, source, text); err != nil {
			return err
		}
	}
	if req.Manifest != nil {
		if err := a.writeChanged(folder, files.Manifest, project.ManifestPath(name), *req.Manifest); err != nil {
			return err
		}
	}
	if moves {
		if _, err := folder.Trash(a.cfg.Now(), name, files.Source.Path); err != nil {
			return err
		}
	}
	now, err := folder.Function(name)
	if err != nil || now == nil {
		return err
	}
	_, err = a.load(ctx, ag.ID, desk, now, surface)
	return err
}

// saveStored is Save for an agent without a folder: declare, or say why not.
func (a *Authoring) saveStored(ctx context.Context, ag agents.Agent, name string, req contract.SaveRequest, surface string) error {
	f := functions.Function{AgentID: ag.ID, Name: name, File: project.SourcePath(name), Surface: surface}
	var source, mani *contract.WorkFile
	serving, ok := a.cfg.Functions.Get(ag.ID, name)
	if ok {
		f.File, f.Source, f.ManifestText = serving.File, serving.Source, storedManifest(serving)
		source = &contract.WorkFile{Text: serving.Source, SHA256: serving.SourceSHA256}
		mani = &contract.WorkFile{Text: f.ManifestText, SHA256: project.SHA256(f.ManifestText)}
	}
	if err := conflict(name, req, source, mani); err != nil {
		return err
	}
	if req.Source != nil {
		f.Source = *req.Source
	}
	if req.Manifest != nil {
		f.ManifestText = *req.Manifest
	}
	if f.ManifestText == "" {
		return contract.Errorf(contract.InvalidRequest, "%s is new: send its manifest, too", name)
	}
	m, errs, warns := manifest.Parse([]byte(f.ManifestText), manifest.Options{
		File: "manifest.json", Schema: func(s contract.RawJSON) ([]string, string) { return checkSchema(s) }})
	f.Manifest = m
	if strings.TrimSpace(f.Source) == "" {
		errs = append(errs, contract.Problem{Code: contract.SourceEmpty, Message: "the source is empty", Path: "source"})
	} else {
		entry := m.Entrypoint
		if entry == "" {
			entry = "default"
		}
		more, moreWarns, err := a.check(ctx, f.Manifest, f.File, f.Source, entry)
		if err != nil {
			return err
		}
		errs, warns = append(errs, more...), append(warns, moreWarns...)
	}
	if len(errs) > 0 {
		return refused(errs)
	}
	f.Manifest.Code = nil
	_, _, err := a.put(ctx, f, warns)
	return err
}

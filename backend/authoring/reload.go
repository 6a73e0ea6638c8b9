package authoring

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Reload reads the agent's folder and brings what serves up to date: new and
// changed functions that load are declared, removed ones end, broken ones keep
// their last good version. The error is of the folder as a whole
// (PROJECT_UNREACHABLE), of files that are being written (project.ErrUnsettled:
// read again soon) or of the platform; what could not be read has not changed.
func (a *Authoring) Reload(ctx context.Context, agentID string) (project.Report, error) {
	desk := a.desk(agentID)
	desk.busy.Lock()
	defer desk.busy.Unlock()
	ag, ok := a.cfg.Agents.Resolve(agentID)
	if !ok || ag.Folder == "" {
		return project.Report{}, contract.Errorf(contract.AgentNotFound, "agent %s has no project folder", agentID)
	}
	report, err := a.reload(ctx, desk, ag)
	if err == nil || errors.Is(err, project.ErrUnsettled) {
		desk.mu.Lock()
		report.Changed = report.Changed || desk.untold
		desk.untold = false
		desk.mu.Unlock()
	}
	return report, err
}

// reload is Reload for whoever holds the desk.
func (a *Authoring) reload(ctx context.Context, desk *desk, ag agents.Agent) (project.Report, error) {
	var report project.Report
	u, err := project.ReadSettled(ag.Folder)
	if err != nil {
		return report, err
	}
	report.Problems = u.Problems
	if u.Agent.Valid {
		changed, problems, err := a.updateAgent(ctx, ag, u.Agent)
		if err != nil {
			return report, err
		}
		report.Changed = changed
		report.Problems = append(report.Problems, problems...)
	}
	var unsettled error
	for i := range u.Functions {
		if desk.waits(&u.Functions[i]) {
			unsettled = project.ErrUnsettled
			continue
		}
		if f := &u.Functions[i]; !u.Agent.Valid && !f.Declares() {
			desk.hold(f) // what it may do stands in AGENT.md, which cannot be read now
			continue
		}
		outcome, err := a.load(ctx, ag.ID, desk, &u.Functions[i], SurfaceDisk)
		if err != nil {
			return report, err
		}
		switch outcome {
		case declared:
			report.Declared = append(report.Declared, u.Functions[i].Name)
		case broken:
			report.Failed = append(report.Failed, u.Functions[i].Name)
		}
	}
	if !u.Partial && u.Agent.Valid {
		if report.Removed, err = a.removeMissing(ctx, ag.ID, desk, u); err != nil {
			return report, err
		}
	}
	changed, problems, err := a.loadEntries(ctx, ag.ID, u)
	if err != nil {
		return report, err
	}
	report.Changed = report.Changed || changed
	report.Problems = append(report.Problems, problems...)
	if changed, problems, err = a.loadEndpoints(ctx, ag, u); err != nil {
		return report, err
	}
	report.Changed = report.Changed || changed
	report.Problems = append(report.Problems, problems...)
	if a.cfg.Script != nil {
		report.Problems = append(report.Problems, a.cfg.Script(ag)...)
	}
	desk.mu.Lock()
	report.Changed = report.Changed || len(report.Declared)+len(report.Removed) > 0 || !slices.EqualFunc(desk.last, report.Problems, sameProblem)
	desk.last = report.Problems
	// A comment changes nothing that serves, and still the text that is shown.
	hash := "none"
	if u.Agent.File != nil {
		hash = u.Agent.File.SHA256
	}
	report.Changed = report.Changed || desk.agent != "" && desk.agent != hash
	desk.agent = hash
	desk.mu.Unlock()
	return report, unsettled
}

// blankReadings is how often a file without text is taken for one that is just
// being written.
const blankReadings = 8

// waits reports whether a function that loaded before has an empty file now, and
// not for long: many programs empty a file first and fill it then.
func (d *desk) waits(f *project.Files) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	blank := f.Source != nil && strings.TrimSpace(f.Source.Text) == "" || f.Manifest != nil && strings.TrimSpace(f.Manifest.Text) == ""
	was, known := d.saved[f.Name]
	if !blank || !known || was.broken || d.blank[f.Name] >= blankReadings {
		if !blank {
			delete(d.blank, f.Name)
		}
		return false
	}
	d.blank[f.Name]++
	return true
}

// hold shows a function that never loaded as one that waits for AGENT.md; what is
// known of others stays.
func (d *desk) hold(f *project.Files) {
	if _, known := d.get(f.Name); known {
		return
	}
	d.set(f.Name, saved{layout: f.Layout, broken: true, errors: []contract.Problem{contract.Problem{Code: contract.AgentFileInvalid,
		Message: "AGENT.md cannot be read, so nobody knows what the function may do; mend AGENT.md first"}.At(project.AgentFileName, 0, 0)}})
}

func sameProblem(x, y contract.Problem) bool {
	x.Loc, y.Loc = nil, nil
	return x == y
}

type outcome int

const (
	unchanged outcome = iota
	declared
	broken
)

// load brings one function up to its files.
func (a *Authoring) load(ctx context.Context, agentID string, desk *desk, files *project.Files, surface string) (outcome, error) {
	l := files.Load(checkSchema)
	serving, _ := a.cfg.Functions.Get(agentID, files.Name)
	hash := hashOf(l)
	if old, ok := desk.get(files.Name); ok && old.hash == hash && (old.broken || serving != nil) {
		if old.broken {
			return broken, nil
		}
		return unchanged, nil
	}
	if len(l.Errors) == 0 {
		errs, warns, err := a.check(ctx, l.Manifest, l.File, l.Source, l.Manifest.Entrypoint)
		if err != nil {
			return unchanged, err
		}
		l.Errors, l.Warnings = errs, append(l.Warnings, warns...)
	}
	state := saved{hash: hash, layout: files.Layout, broken: len(l.Errors) > 0, errors: l.Errors, warnings: l.Warnings}
	if state.broken {
		desk.set(files.Name, state)
		a.failed(agentID, files.Name, serving, l.Errors)
		return broken, nil
	}
	_, changed, err := a.put(ctx, functions.Function{AgentID: agentID, Name: files.Name, Manifest: l.Manifest,
		ManifestText: l.ManifestText, Source: l.Source, File: l.File, Surface: surface}, l.Warnings)
	if err != nil {
		return unchanged, err
	}
	was, known := desk.get(files.Name)
	desk.set(files.Name, state)
	if changed {
		a.cfg.Log.Info("function is live", "function", files.Name, "file", l.File, "surface", surface)
		return declared, nil
	}
	if known && was.broken {
		// The files are back at what serves: pages that show a failure are told.
		a.cfg.Publish(contract.EvFunctionDeclared, contract.FunctionChange{AgentID: agentID, Name: files.Name, Version: serving.Version,
			Surface: surface, Warnings: l.Warnings})
	}
	return unchanged, nil
}

// failed tells pages and log that a function's files do not load.
func (a *Authoring) failed(agentID, name string, serving *functions.Function, errs []contract.Problem) {
	version := 0
	if serving != nil {
		version = serving.Version
	}
	for _, p := range errs {
		at := p.File
		if p.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
		}
		a.cfg.Log.Warn("function does not load", "function", name, "at", at, "code", string(p.Code), "problem", p.Message, "serving", version)
	}
	a.cfg.Publish(contract.EvFunctionFailed, contract.FunctionFailure{AgentID: agentID, Name: name, Version: version, Errors: errs})
}

// removeMissing ends functions whose files are gone.
func (a *Authoring) removeMissing(ctx context.Context, agentID string, desk *desk, u *project.Unit) ([]string, error) {
	for _, name := range desk.names() {
		if u.Function(name) == nil {
			desk.drop(name)
		}
	}
	var removed []string
	for _, name := range slices.Clone(a.cfg.Functions.Names(agentID)) {
		if u.Function(name) != nil {
			continue
		}
		if _, err := a.end(ctx, agentID, name, SurfaceDisk); err != nil {
			return removed, err
		}
		removed = append(removed, name)
	}
	return removed, nil
}

// updateAgent takes over what AGENT.md says about the agent. A username that is
// taken is a problem, the old one stays; so does a setting that cannot be read.
func (a *Authoring) updateAgent(ctx context.Context, ag agents.Agent, file project.Agent) (bool, []contract.Problem, error) {
	next := ag
	var problems []contract.Problem
	next.Settings, problems = settingsOf(file, ag.Settings)
	next.Name, next.Description, next.Model, next.Instructions = file.Name, file.Description, file.Model, file.Instructions
	if next.Name != ag.Name {
		if slug := agents.Slug(next.Name); agents.CheckUsername(slug) == nil {
			next.Username = slug
		}
	}
	if next.Equal(ag) {
		return false, problems, nil
	}
	_, err := a.cfg.Agents.Update(ctx, next)
	if e := contract.AsError(err); e != nil && e.Code == contract.UsernameTaken {
		p := contract.Problem{Code: e.Code, Path: "name", Message: fmt.Sprintf("the name %q gives the username %s, which another agent has; this one stays %s",
			next.Name, next.Username, ag.Username)}.At(project.AgentFileName, 1, 1)
		next.Name, next.Username = ag.Name, ag.Username
		problems = append(problems, p)
		if next.Equal(ag) {
			return false, problems, nil
		}
		_, err = a.cfg.Agents.Update(ctx, next)
	}
	return err == nil, problems, err
}

// settingsOf reads the settings of AGENT.md; one with an error keeps what it is
// in before.
func settingsOf(file project.Agent, before agents.Settings) (agents.Settings, []contract.Problem) {
	written := make([]agents.Setting, len(file.Settings))
	places := map[string]project.Setting{}
	for i, s := range file.Settings {
		written[i], places[s.Key] = agents.Setting{Key: s.Key, JSON: s.JSON}, s
	}
	settings, faults := agents.ParseSettings(written, before)
	var problems []contract.Problem
	for _, f := range faults {
		line, column := places[f.At[0]].At(f.At)
		problems = append(problems, contract.Problem{Code: f.Code, Path: f.Path(), Message: f.Message}.At(project.AgentFileName, line, column))
	}
	return settings, problems
}

// hashOf covers everything that decides how a function loads.
func hashOf(l project.Loaded) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d %s\n%d %s\n%s\n", l.File, len(l.Source), l.Source, len(l.ManifestText), l.ManifestText, canonical(l.Manifest))
	for _, p := range append(slices.Clone(l.Errors), l.Warnings...) {
		fmt.Fprintf(h, "%s %s %d:%d %s\n", p.Code, p.File, p.Line, p.Column, p.Message)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func canonical(m manifest.Manifest) string {
	b, err := json.Marshal(m)
	if err != nil { // a manifest that was parsed always marshals
		return ""
	}
	return string(b)
}

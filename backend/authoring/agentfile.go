package authoring

import (
	"context"
	"errors"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

const layoutAgent = "agent" // AGENT.md itself

// workAgent describes AGENT.md by what is known of it, without its text. The
// problems of the project are its own: whatever has no file of its own is
// settled there.
func (a *Authoring) workAgent(ag agents.Agent, problems []contract.Problem) contract.WorkFunction {
	w := contract.WorkFunction{Name: project.AgentFileName, Version: 1, Layout: layoutAgent, Errors: []contract.Problem{}, Warnings: []contract.Problem{}, Actions: []contract.UserAction{}}
	for _, p := range problems {
		switch {
		case p.File != project.AgentFileName:
		case p.Code == contract.Portability || p.Code == contract.UnknownKey || p.Line == 0 && p.Code == contract.AgentFileInvalid:
			w.Warnings = append(w.Warnings, p)
		default:
			w.Errors = append(w.Errors, p)
		}
	}
	w.Broken = len(w.Errors) > 0
	return w
}

// AgentFile gives AGENT.md with its text as it is saved now. One that is not
// there has an empty text without a hash, which a save creates. PROJECT_INVALID
// when it is there and cannot be read, NOT_FOUND for an agent without a folder.
func (a *Authoring) AgentFile(_ context.Context, ag agents.Agent) (contract.WorkFunction, error) {
	var none contract.WorkFunction
	folder, err := openAgentFolder(ag)
	if err != nil {
		return none, err
	}
	defer folder.Close()
	file, err := folder.Agent()
	if err != nil {
		return none, err
	}
	w := a.workAgent(ag, a.desk(ag.ID).problems())
	if w.Source = workFile(file); file == nil {
		w.Source = &contract.WorkFile{Path: project.AgentFileName}
	}
	return w, nil
}

func openAgentFolder(ag agents.Agent) (*project.Folder, error) {
	if ag.Folder == "" {
		return nil, contract.Errorf(contract.NotFound, "agent %s has no project folder, so it has no AGENT.md", ag.Username)
	}
	return project.OpenFolder(ag.Folder)
}

// SaveAgentFile stores what an editor holds of AGENT.md and takes it over at
// once. It holds to the rules of Save: a text that says nothing readable is
// written, too, and what was said last goes on; a base that is not what is
// stored answers VERSION_CONFLICT.
func (a *Authoring) SaveAgentFile(ctx context.Context, ag agents.Agent, req contract.SaveRequest) (contract.WorkFunction, error) {
	var none contract.WorkFunction
	if req.Source == nil || req.Manifest != nil {
		return none, contract.Errorf(contract.InvalidRequest, "AGENT.md is one text: send it as source")
	}
	if len(*req.Source) > project.MaxAgentFile {
		return none, contract.Errorf(contract.CodeTooLarge, "AGENT.md has %d bytes; %d are allowed", len(*req.Source), project.MaxAgentFile)
	}
	desk := a.desk(ag.ID)
	err := func() error {
		desk.busy.Lock()
		defer desk.busy.Unlock()
		if err := a.writeAgentFile(ag, req); err != nil {
			return err
		}
		report, err := a.reload(ctx, desk, ag)
		// Whoever watches the folder reads it again soon, finds nothing new, and
		// tells of what this reading found.
		desk.mu.Lock()
		desk.untold = desk.untold || report.Changed
		desk.mu.Unlock()
		if errors.Is(err, project.ErrUnsettled) {
			return nil // the text is written, and read again as soon as the folder is quiet
		}
		return err
	}()
	if err != nil {
		return none, err
	}
	return a.AgentFile(ctx, ag)
}

func (a *Authoring) writeAgentFile(ag agents.Agent, req contract.SaveRequest) error {
	folder, err := openAgentFolder(ag)
	if err != nil {
		return err
	}
	defer folder.Close()
	file, err := folder.Agent()
	if err != nil {
		return err
	}
	if err := conflict(project.AgentFileName, req, workFile(file), nil); err != nil {
		return err
	}
	return a.writeChanged(folder, file, project.AgentFileName, *req.Source)
}

// problems are those of the folder, as last read.
func (d *desk) problems() []contract.Problem {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

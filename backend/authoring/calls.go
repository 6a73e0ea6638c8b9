package authoring

import (
	"context"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Calls gives the saved calls of an agent. One without a folder has none.
func (a *Authoring) Calls(_ context.Context, ag agents.Agent) (contract.SavedCalls, error) {
	if ag.Folder == "" {
		return contract.SavedCalls{Calls: []contract.SavedCall{}, Client: []contract.ClientCall{}, Problems: []contract.Problem{}}, nil
	}
	folder, err := project.OpenFolder(ag.Folder)
	if err != nil {
		return contract.SavedCalls{}, err
	}
	defer folder.Close()
	return folder.Calls()
}

// SaveCall keeps a call as a file of the project.
func (a *Authoring) SaveCall(_ context.Context, ag agents.Agent, function, name string, req contract.SaveCallRequest) (c contract.SavedCall, err error) {
	if err := manifest.CheckName(function); err != nil {
		return c, err
	}
	folder, err := openFor(ag)
	if err != nil {
		return c, err
	}
	defer folder.Close()
	return folder.SaveCall(function, name, req)
}

// RemoveCall removes one; false when there is none of that name.
func (a *Authoring) RemoveCall(_ context.Context, ag agents.Agent, function, name string) (bool, error) {
	if err := manifest.CheckName(function); err != nil {
		return false, err
	}
	folder, err := openFor(ag)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	return folder.RemoveCall(function, name)
}

// SaveClientCall keeps a call of the Client place as a file of the project,
// without credentials. One save is done before the next one looks at the file.
func (a *Authoring) SaveClientCall(_ context.Context, ag agents.Agent, name string, req contract.SaveClientCallRequest) (c contract.ClientCall, err error) {
	folder, err := openFor(ag)
	if err != nil {
		return c, err
	}
	defer folder.Close()
	a.calls.Lock()
	defer a.calls.Unlock()
	return folder.SaveClientCall(name, req.Base, req.Call)
}

// RenameClientCall gives one another name.
func (a *Authoring) RenameClientCall(_ context.Context, ag agents.Agent, name, to string) (c contract.ClientCall, err error) {
	folder, err := openFor(ag)
	if err != nil {
		return c, err
	}
	defer folder.Close()
	a.calls.Lock()
	defer a.calls.Unlock()
	return folder.RenameClientCall(name, to)
}

// RemoveClientCall removes one; false when there is none of that name.
func (a *Authoring) RemoveClientCall(_ context.Context, ag agents.Agent, name string) (bool, error) {
	folder, err := openFor(ag)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	a.calls.Lock()
	defer a.calls.Unlock()
	return folder.RemoveClientCall(name)
}

func openFor(ag agents.Agent) (*project.Folder, error) {
	if ag.Folder == "" {
		return nil, contract.Errorf(contract.InvalidRequest, "agent %s has no project folder, and saved calls are files of one; open a folder for it", ag.Username)
	}
	return project.OpenFolder(ag.Folder)
}

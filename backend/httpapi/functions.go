package httpapi

import (
	"encoding/json"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
)

// listFunctions is spec 4.1 row 1.
func (a *api) listFunctions(c *call) error {
	list := a.deps.Functions.List(c.agent.ID)
	out := contract.FunctionList{Functions: make([]contract.FunctionInfo, len(list))}
	for i, f := range list {
		out.Functions[i] = contract.FunctionInfo{Name: f.Name, Declaration: declarationOf(f), UsedBy: a.usedBy(c, f)}
	}
	return c.ok(out)
}

// declareFunction is spec 4.1 row 2.
func (a *api) declareFunction(c *call) error {
	var req contract.DeclareRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.Name == "" {
		return contract.Errorf(contract.InvalidRequest, "name is missing: the name of the function")
	}
	if len(req.Manifest) == 0 {
		return contract.Errorf(contract.InvalidRequest, "manifest is missing: an object with at least runtime")
	}
	res, err := a.deps.Authoring.Declare(c.authored(), c.agent, req, c.surface)
	if err != nil {
		return err
	}
	return c.ok(res)
}

// removeFunction is spec 4.1 row 3.
func (a *api) removeFunction(c *call) error {
	res, err := a.deps.Authoring.Remove(c.authored(), c.agent, c.name(), c.surface)
	if err != nil {
		return err
	}
	return c.ok(res)
}

// validateFunction is spec 4.1 row 4; the function need not exist.
func (a *api) validateFunction(c *call) error {
	var req contract.ValidateRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if len(req.Manifest) == 0 {
		return contract.Errorf(contract.InvalidRequest, "manifest is missing: the object to validate")
	}
	if wait, ok := a.deps.Validations.Take(c.agent.ID); !ok {
		e := contract.Errorf(contract.QuotaExceeded, "agent %s has used up its validations of this minute; try again in %d s", c.agent.Username, seconds(wait))
		e.RetryAfterSec = seconds(wait)
		return e
	}
	res, err := a.deps.Authoring.Validate(c.r.Context(), c.agent, c.name(), req)
	if err != nil {
		return err
	}
	if res.Errors == nil {
		res.Errors = []contract.Problem{}
	}
	if res.Warnings == nil {
		res.Warnings = []contract.Problem{}
	}
	return c.ok(res)
}

// seconds rounds up, so that whoever waits that long has waited long enough.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// getFunction answers one function with what is left to do for its owner.
func (a *api) getFunction(c *call) error {
	f, err := a.function(c)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(f.Manifest)
	if err != nil {
		return err
	}
	actions, err := a.actions(c, f)
	if err != nil {
		return err
	}
	return c.ok(contract.FunctionDetail{
		Name: f.Name, Declaration: declarationOf(f), Manifest: manifest,
		Version: f.Version, UpdatedAt: f.CreatedAt, UsedBy: a.usedBy(c, f), RequiresUserAction: actions,
	})
}

func (a *api) getFunctionSource(c *call) error {
	f, err := a.function(c)
	if err != nil {
		return err
	}
	return c.ok(contract.FunctionSource{Name: f.Name, Source: f.Source, SHA256: f.SourceSHA256, Version: f.Version,
		ManifestText: f.ManifestText, File: f.File})
}

// function finds the function of {name}.
func (a *api) function(c *call) (*functions.Function, error) {
	f, ok := a.deps.Functions.Get(c.agent.ID, c.name())
	if !ok {
		return nil, noFunction(c)
	}
	return f, nil
}

func noFunction(c *call) error {
	return contract.Errorf(contract.FnNotFound, "agent %s has no function %.64q", c.agent.Username, c.name())
}

// actions is what only the owner can do before the function works.
func (a *api) actions(c *call, f *functions.Function) ([]contract.UserAction, error) {
	actions := []contract.UserAction{}
	bindings := f.Manifest.Permissions.Bindings()
	if len(bindings) == 0 {
		return actions, nil
	}
	missing, err := a.deps.Secrets.Missing(c.r.Context(), c.agent.ID, f.Name, bindings)
	for _, b := range missing {
		actions = append(actions, contract.UserAction{
			Kind: "set_function_secret", FunctionName: f.Name, Binding: b,
			Reason: "the manifest of " + f.Name + " declares the secret " + b + ", which is not set",
		})
	}
	return actions, err
}

func declarationOf(f *functions.Function) contract.Declaration {
	return contract.Declaration{
		ContentID: f.ContentID, Runtime: f.Manifest.Runtime,
		Permissions: permissionsJSON(f), Description: f.Manifest.Description,
	}
}

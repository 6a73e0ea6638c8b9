package httpapi

import "benchtop/backend/contract"

func (a *api) workList(c *call) error {
	list, err := a.deps.Authoring.Work(c.r.Context(), c.agent)
	if err != nil {
		return err
	}
	return c.ok(list)
}

func (a *api) workFunction(c *call) error {
	f, err := a.deps.Authoring.WorkFunction(c.r.Context(), c.agent, c.name())
	if err != nil {
		return err
	}
	return c.ok(f)
}

// saveFunction stores what an editor holds. What does not load is saved too, and
// says why; what is newer than the edit's base is a conflict.
func (a *api) saveFunction(c *call) error {
	var req contract.SaveRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.Source == nil && req.Manifest == nil {
		return contract.Errorf(contract.InvalidRequest, "send source, manifest or both")
	}
	f, err := a.deps.Authoring.Save(c.authored(), c.agent, c.name(), req, c.surface)
	if err != nil {
		return err
	}
	return c.ok(f)
}

// restoreFunction brings back what was removed last under a name.
func (a *api) restoreFunction(c *call) error {
	res, err := a.deps.Authoring.Restore(c.authored(), c.agent, c.name(), c.surface)
	if err != nil {
		return err
	}
	return c.ok(res)
}

// workModule answers with a file of endpoints; its path is one part of the
// address, with its slashes escaped.
func (a *api) workModule(c *call) error {
	f, err := a.deps.Authoring.Module(c.r.Context(), c.agent, c.name())
	if err != nil {
		return err
	}
	return c.ok(f)
}

// saveModule is saveFunction for a file of endpoints.
func (a *api) saveModule(c *call) error {
	var req contract.SaveRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.Source == nil && req.Manifest == nil {
		return contract.Errorf(contract.InvalidRequest, "send source, manifest or both")
	}
	f, err := a.deps.Authoring.SaveModule(c.r.Context(), c.agent, c.name(), req)
	if err != nil {
		return err
	}
	return c.ok(f)
}

// workAgentFile answers with AGENT.md. The address names no file, so none but
// this one can be reached by it.
func (a *api) workAgentFile(c *call) error {
	f, err := a.deps.Authoring.AgentFile(c.r.Context(), c.agent)
	if err != nil {
		return err
	}
	return c.ok(f)
}

// saveAgentFile is saveFunction for AGENT.md.
func (a *api) saveAgentFile(c *call) error {
	var req contract.SaveRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	f, err := a.deps.Authoring.SaveAgentFile(c.authored(), c.agent, req)
	if err != nil {
		return err
	}
	return c.ok(f)
}

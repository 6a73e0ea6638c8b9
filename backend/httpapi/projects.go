package httpapi

import (
	"net/http"
	"path/filepath"

	"benchtop/backend/contract"
)

func (a *api) listProjects(c *call) error {
	list, err := a.deps.Projects.List(c.r.Context())
	if err != nil {
		return err
	}
	return c.ok(list)
}

// openProject opens a folder, or makes one from a sample and opens it.
func (a *api) openProject(c *call) error {
	var req contract.OpenProjectRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if req.Path == "" && req.Sample == "" {
		return contract.Errorf(contract.InvalidRequest, "send path, the folder to open, or sample, the project to make")
	}
	// A relative path would be relative to wherever the platform was started.
	if req.Path != "" && !filepath.IsAbs(req.Path) {
		return contract.Errorf(contract.InvalidRequest, "path must be absolute, %.128q is not", req.Path)
	}
	if req.Sample != "" {
		p, err := a.deps.Projects.Create(c.r.Context(), req.Sample, req.Path)
		if err != nil {
			return err
		}
		return c.json(http.StatusCreated, p)
	}
	p, err := a.deps.Projects.Open(c.r.Context(), req.Path)
	if err != nil {
		return err
	}
	return c.ok(p)
}

func (a *api) closeProject(c *call) error {
	if err := a.deps.Projects.Close(c.r.Context(), c.agent.ID); err != nil {
		return err
	}
	return c.ok(contract.OKResponse{OK: true})
}

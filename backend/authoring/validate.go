package authoring

import (
	"context"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// Validate says what declaring would say and stores nothing, spec 4.1 row 4 and
// 7.3. The source is compiled even when the manifest is refused, so that all
// problems come at once. The error is the platform's, never the author's.
func (a *Authoring) Validate(ctx context.Context, ag agents.Agent, name string, req contract.ValidateRequest) (contract.ValidateResponse, error) {
	posted := req.Source
	if posted == nil {
		posted = req.Code
	}
	d, err := a.draftOf(ctx, ag, name, req.Manifest, posted)
	if err != nil {
		return contract.ValidateResponse{}, err
	}
	if e := manifest.CheckName(name); e != nil {
		d.fail(e.Code, "name", "%s", e.Message)
	}
	serving, _ := a.cfg.Functions.Get(ag.ID, name)
	if d.source != "" && len(d.source) <= contract.MaxStoredSource {
		file := project.SourcePath(name)
		if serving != nil {
			file = serving.File
		}
		entry := d.manifest.Entrypoint
		if entry == "" {
			entry = "default"
		}
		errs, warns, err := a.check(ctx, d.manifest, file, d.source, entry)
		if err != nil {
			return contract.ValidateResponse{}, err
		}
		d.errors, d.warnings = append(d.errors, errs...), append(d.warnings, warns...)
	}
	return contract.ValidateResponse{OK: len(d.errors) == 0, Errors: list(d.errors), Warnings: list(d.warnings)}, nil
}

// list makes an empty list of none: JSON tells them apart.
func list(ps []contract.Problem) []contract.Problem {
	if ps == nil {
		return []contract.Problem{}
	}
	return ps
}

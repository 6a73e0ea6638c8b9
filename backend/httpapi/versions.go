package httpapi

import (
	"encoding/json"
	"strconv"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
)

// listVersions answers all versions that a function ever had. A function that
// was removed still has them.
func (a *api) listVersions(c *call) error {
	all, err := a.deps.Functions.Versions(c.r.Context(), c.agent.ID, c.name())
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return noFunction(c)
	}
	out := contract.FunctionVersions{Name: c.name(), Versions: make([]contract.FunctionVersion, len(all))}
	if f, ok := a.deps.Functions.Get(c.agent.ID, c.name()); ok {
		out.Serving = f.Version
	}
	for i, v := range all {
		out.Versions[i] = versionOf(v)
	}
	return c.ok(out)
}

// getVersion answers one version with its manifest and source.
func (a *api) getVersion(c *call) error {
	n, err := strconv.Atoi(c.r.PathValue("version"))
	if err != nil || n < 1 {
		return contract.Errorf(contract.InvalidRequest, "a version is a whole number from 1")
	}
	f, err := a.deps.Functions.Version(c.r.Context(), c.agent.ID, c.name(), n)
	if err != nil {
		return err
	}
	if f == nil {
		return contract.Errorf(contract.FnNotFound, "agent %s has no version %d of a function %.64q", c.agent.Username, n, c.name())
	}
	manifest, err := json.Marshal(f.Manifest)
	if err != nil {
		return err
	}
	return c.ok(contract.FunctionVersionDetail{
		Name: f.Name, Manifest: manifest, ManifestText: f.ManifestText, File: f.File, Source: f.Source,
		FunctionVersion: versionOf(functions.VersionInfo{
			Version: f.Version, ContentID: f.ContentID, SourceSHA256: f.SourceSHA256, SourceBytes: len(f.Source),
			Surface: f.Surface, CreatedAt: f.CreatedAt,
		}),
	})
}

func versionOf(v functions.VersionInfo) contract.FunctionVersion {
	return contract.FunctionVersion{
		Version: v.Version, ContentID: v.ContentID, SHA256: v.SourceSHA256, Bytes: v.SourceBytes,
		Surface: v.Surface, CreatedAt: v.CreatedAt,
	}
}

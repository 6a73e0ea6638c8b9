package httpapi

import "benchtop/backend/permissions"

// permissionReport answers what a function is granted and never used.
func (a *api) permissionReport(c *call) error {
	f, ok := a.deps.Functions.Get(c.agent.ID, c.name())
	if !ok {
		return noFunction(c)
	}
	report, err := permissions.Report(c.r.Context(), a.deps.History, f)
	if err != nil {
		return err
	}
	return c.ok(report)
}

package httpapi

import "benchtop/backend/contract"

func (a *api) getSettings(c *call) error { return c.ok(a.deps.Settings.Get()) }

// putSettings changes what the body names.
func (a *api) putSettings(c *call) error {
	var req contract.SettingsRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	now, err := a.deps.Settings.Put(c.r.Context(), req)
	if err != nil {
		return err
	}
	return c.ok(now)
}

package contract

// PermissionReport answers GET
// /api/local/agents/<a>/functions/<name>/permissions: what the function's
// present manifest grants, and what of it the recorded runs used.
type PermissionReport struct {
	Runs     int             `json:"runs"`            // that were looked at, of every version
	Present  int             `json:"present"`         // of those, runs of the present version
	Complete bool            `json:"complete"`        // false: there are more runs, or some with more calls than are kept
	Since    string          `json:"since,omitempty"` // started_at of the oldest of them
	Version  int             `json:"version"`
	Grants   []PermissionUse `json:"grants"`
	// Suggested is the permissions without what was never used; absent when all
	// of it was, or when there are no runs to judge by.
	Suggested RawJSON `json:"suggested,omitempty"`
}

// PermissionUse is one thing a manifest grants. Grant names it: "kv:rw",
// "secrets:API_KEY", "fetch:https://api.example.com", "folders:inbox:rw",
// "content:read", "portal:getOwner". Unseen says that a run does not show
// whether it was used, so that it is never suggested for removal.
type PermissionUse struct {
	Grant    string `json:"grant"`
	Uses     int    `json:"uses"`
	LastUsed string `json:"lastUsed,omitempty"` // started_at of the newest run that used it
	Unseen   bool   `json:"unseen,omitempty"`
	// Suggest is what would be enough: "none", or a narrower grant such as "kv:ro".
	Suggest string `json:"suggest,omitempty"`
}

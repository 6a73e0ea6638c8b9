package contract

import "time"

// FunctionList answers GET /api/agents/<a>/functions, spec 4.1 row 1.
type FunctionList struct {
	Functions []FunctionInfo `json:"functions"`
}

// FunctionInfo is one declared function, spec 2.1.
type FunctionInfo struct {
	Name        string      `json:"name"`
	Declaration Declaration `json:"declaration"`
	UsedBy      []UsedBy    `json:"usedBy"`
}

// Declaration is the stored part of a function.
type Declaration struct {
	ContentID   string  `json:"contentId"`
	Runtime     string  `json:"runtime"`
	Permissions RawJSON `json:"permissions"`
	Description string  `json:"description,omitempty"`
}

// UsedBy names a consumer of a function.
type UsedBy struct {
	Skill       string `json:"skill"`
	EntryID     string `json:"entryId"`
	Description string `json:"description"`
}

// FunctionDetail answers GET /api/agents/<a>/functions/<name>.
type FunctionDetail struct {
	Name               string       `json:"name"`
	Declaration        Declaration  `json:"declaration"`
	Manifest           RawJSON      `json:"manifest"`
	Version            int          `json:"version"`
	UpdatedAt          time.Time    `json:"updatedAt"`
	UsedBy             []UsedBy     `json:"usedBy"`
	RequiresUserAction []UserAction `json:"requiresUserAction"`
}

// FunctionSource answers GET /api/agents/<a>/functions/<name>/source: the texts
// as their author wrote them. ManifestText is absent where the manifest stands
// in the source; File is the source's path in a project folder.
type FunctionSource struct {
	Name         string `json:"name"`
	Source       string `json:"source"`
	SHA256       string `json:"sha256"`
	Version      int    `json:"version"`
	ManifestText string `json:"manifestText,omitempty"`
	File         string `json:"file,omitempty"`
}

// DeclareRequest is the body of POST /api/agents/<a>/functions. Code is what
// the self-edit client of the platform sends in place of Source.
type DeclareRequest struct {
	Name     string  `json:"name"`
	Manifest RawJSON `json:"manifest"`
	Source   *string `json:"source,omitempty"`
	Code     *string `json:"code,omitempty"`
}

// DeclareResponse answers a declaration.
type DeclareResponse struct {
	OK                 bool         `json:"ok"`
	Name               string       `json:"name"`
	Version            int          `json:"version"`
	RequiresUserAction []UserAction `json:"requiresUserAction,omitempty"`
	Warnings           []Problem    `json:"warnings,omitempty"`
}

// UserAction is something only the owner can do, such as setting a secret.
type UserAction struct {
	Kind         string `json:"kind"` // set_function_secret
	FunctionName string `json:"functionName"`
	Binding      string `json:"binding"`
	Reason       string `json:"reason"`
}

// RemoveResponse answers DELETE /api/agents/<a>/functions/<name>.
type RemoveResponse struct {
	OK       bool       `json:"ok"`
	Name     string     `json:"name"`
	Detached []Detached `json:"detached"`
}

// RestoreResponse answers POST /api/local/agents/<a>/functions/<name>/restore.
// EntriesLeft says that AGENT.md was changed since the function was removed, so
// that entries that used it were not put back.
type RestoreResponse struct {
	Function    WorkFunction `json:"function"`
	EntriesLeft bool         `json:"entriesLeft"`
}

// Detached names a consumer that lost its function.
type Detached struct {
	Skill   string `json:"skill"`
	EntryID string `json:"entryId"`
}

// ValidateRequest is the body of POST .../validate.
type ValidateRequest struct {
	Manifest RawJSON `json:"manifest"`
	Source   *string `json:"source,omitempty"`
	Code     *string `json:"code,omitempty"`
}

// ValidateResponse answers a validation; the status is 200 either way.
type ValidateResponse struct {
	OK       bool      `json:"ok"`
	Errors   []Problem `json:"errors"`
	Warnings []Problem `json:"warnings"`
}

// SecretRequest is the body of POST .../secret.
type SecretRequest struct {
	Binding string `json:"binding"`
	Value   string `json:"value"`
}

// SecretResponse answers POST and DELETE .../secret. Removed is only there
// after a DELETE.
type SecretResponse struct {
	OK      bool  `json:"ok"`
	Removed *bool `json:"removed,omitempty"`
}

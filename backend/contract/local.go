package contract

import "time"

// Status answers GET /api/local/status: what runs here, for the shell.
type Status struct {
	Version   string        `json:"version"`
	URL       string        `json:"url"`
	DataDir   string        `json:"dataDir"`
	DataID    string        `json:"dataId"`
	Ephemeral bool          `json:"ephemeral"`
	Notices   []Notice      `json:"notices"` // what the owner should know, such as "no keychain"
	Executor  ExecutorStats `json:"executor"`
}

// Notice is something the owner should know.
type Notice struct {
	Kind    string `json:"kind"` // warning, info
	Code    string `json:"code"` // stable, such as keychain_file
	Message string `json:"message"`
}

// ExecutorStats is a look at the worker pool.
type ExecutorStats struct {
	Workers  int `json:"workers"`
	Busy     int `json:"busy"`
	Slots    int `json:"slots"`
	InFlight int `json:"inFlight"`
	Queued   int `json:"queued"`
}

// ProjectList answers GET /api/local/projects.
type ProjectList struct {
	Projects []Project       `json:"projects"`
	Recent   []RecentProject `json:"recent"`
	Samples  []Sample        `json:"samples"`
}

// Project is an open folder: one agent.
type Project struct {
	AgentID  string    `json:"agentId"`
	Username string    `json:"username"`
	Name     string    `json:"name"`
	Path     string    `json:"path"`
	OpenedAt time.Time `json:"openedAt"`
	Problems []Problem `json:"problems"` // of AGENT.md itself
}

// RecentProject is a folder opened before. Missing says it is no longer there.
type RecentProject struct {
	Path     string    `json:"path"`
	Name     string    `json:"name"`
	OpenedAt time.Time `json:"openedAt"`
	Missing  bool      `json:"missing,omitempty"`
}

// Sample is an embedded sample project.
type Sample struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// OpenProjectRequest is the body of POST /api/local/projects: a folder to open,
// or a sample to create (in Path, or ~/Benchtop/<sample> when Path is empty).
type OpenProjectRequest struct {
	Path   string `json:"path,omitempty"`
	Sample string `json:"sample,omitempty"`
}

// WorkFunction is a function as the workbench sees it: what serves, what is
// saved, and what is wrong with what is saved. Version 0 means that nothing
// serves yet.
type WorkFunction struct {
	Name     string       `json:"name"`
	Version  int          `json:"version"`
	Layout   string       `json:"layout"` // folder, file, module, agent (AGENT.md), stored (no project folder)
	Broken   bool         `json:"broken"` // the saved files do not load; Version still serves
	Errors   []Problem    `json:"errors"`
	Warnings []Problem    `json:"warnings"`
	Actions  []UserAction `json:"requiresUserAction"`
	Source   *WorkFile    `json:"source,omitempty"`   // only when one function is asked for
	Manifest *WorkFile    `json:"manifest,omitempty"` // nil for a docblock function
	// Handlers are those of a module of custom endpoints, whose Layout is module
	// and whose Name is its path; its Version is 1 when any of them serves.
	Handlers []WorkHandler `json:"handlers,omitempty"`
}

// WorkHandler is a custom endpoint that a module answers (spec 2.8). Manifest is
// what its handler may do, normalised; Own says that AGENT.md says it, so that no
// file beside the module counts.
type WorkHandler struct {
	ID         string  `json:"id"`   // such as "GET /users/{id}"
	Kind       string  `json:"kind"` // http, sse or ws
	Export     string  `json:"export"`
	Own        bool    `json:"own"`
	Manifest   RawJSON `json:"manifest"`
	Parameters RawJSON `json:"parameters,omitempty"` // JSON Schema of its arguments
}

// WorkFile is a file of a function. Path is relative to the project folder,
// and empty when there is none; SHA256 is what an edit names as its base.
type WorkFile struct {
	Path   string `json:"path"`
	Text   string `json:"text"`
	SHA256 string `json:"sha256"`
}

// WorkList answers GET /api/local/agents/<a>/functions. Modules are the files
// that entries under endpoints in AGENT.md name, by path. AgentFile is AGENT.md;
// nil for an agent without a folder.
type WorkList struct {
	Functions []WorkFunction `json:"functions"`
	AgentFile *WorkFunction  `json:"agentFile,omitempty"`
	Modules   []WorkFunction `json:"modules"`
}

// SaveRequest is the body of PUT /api/local/agents/<a>/functions/<name>. A nil
// text leaves that file alone; a base that is not what is stored answers 409
// VERSION_CONFLICT with a SaveConflict in details; an empty base means that the
// file is new.
type SaveRequest struct {
	Source       *string `json:"source,omitempty"`
	SourceBase   string  `json:"sourceBase,omitempty"`
	Manifest     *string `json:"manifest,omitempty"`
	ManifestBase string  `json:"manifestBase,omitempty"`
}

// SaveConflict is the details of a VERSION_CONFLICT: what is stored now.
type SaveConflict struct {
	Source   *WorkFile `json:"source,omitempty"`
	Manifest *WorkFile `json:"manifest,omitempty"`
}

// SecretList answers GET /api/local/agents/<a>/secrets. It never has a value.
type SecretList struct {
	Secrets []SecretInfo `json:"secrets"`
	Store   string       `json:"store"` // keychain, file
}

// SecretInfo is a binding of a function: declared in its manifest, set, or both.
// Without a function it is of the agent itself: the key of its model.
type SecretInfo struct {
	Function string     `json:"function"`
	Binding  string     `json:"binding"`
	Declared bool       `json:"declared"`
	Set      bool       `json:"set"`
	SetAt    *time.Time `json:"setAt,omitempty"`
}

// LoginLink answers POST /api/local/login-code: a one-time address for a
// browser. URL carries the code in its fragment, which is never sent to a
// server.
type LoginLink struct {
	Code      string    `json:"code"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// FocusResponse answers POST /api/local/focus; Focused is false where there is
// no window.
type FocusResponse struct {
	OK      bool `json:"ok"`
	Focused bool `json:"focused"`
}

// OKResponse answers what has nothing else to say.
type OKResponse struct {
	OK bool `json:"ok"`
}

package contract

import "time"

// Settings answers GET and PUT /api/local/settings. 0 does not limit.
type Settings struct {
	// HistoryRows and HistoryDays say what the history keeps: a row goes when
	// either is passed. Rows about authoring stay.
	HistoryRows int `json:"historyRows"`
	HistoryDays int `json:"historyDays"`
	// ValidationsPerMinute is the size of the validation bucket of one agent.
	ValidationsPerMinute int `json:"validationsPerMinute"`
	// RelaxedPayments lets calls of /api/payments without a credential count as
	// the owner's, as a client library that sends none needs (decisions.md 5).
	RelaxedPayments bool `json:"relaxedPayments"`
	// NanocentsPerDollar says what functions mean by an amount: 1e9 (the default),
	// 1e8 or 1e11.
	NanocentsPerDollar int64 `json:"nanocentsPerDollar"`
	// A2ALegacy says that agents also answer the verbs of the agent-to-agent
	// protocol before 1.0, and serve its card at agent.json.
	A2ALegacy bool `json:"a2aLegacy"`
}

// SettingsRequest is the body of PUT /api/local/settings: what is absent stays.
type SettingsRequest struct {
	HistoryRows          *int `json:"historyRows,omitempty"`
	HistoryDays          *int `json:"historyDays,omitempty"`
	ValidationsPerMinute *int `json:"validationsPerMinute,omitempty"`

	RelaxedPayments    *bool  `json:"relaxedPayments,omitempty"`
	NanocentsPerDollar *int64 `json:"nanocentsPerDollar,omitempty"`
	A2ALegacy          *bool  `json:"a2aLegacy,omitempty"`
}

// Defaults of the settings, and their bounds.
const (
	DefaultHistoryRows = 100_000
	DefaultHistoryDays = 30

	MaxHistoryRows          = 100_000_000
	MaxHistoryDays          = 36_500
	MaxValidationsPerMinute = 1_000_000
)

// FunctionVersions answers GET /api/local/agents/<a>/functions/<n>/versions,
// the newest first. Serving is the version that runs, 0 when the function was
// removed.
type FunctionVersions struct {
	Name     string            `json:"name"`
	Serving  int               `json:"serving"`
	Versions []FunctionVersion `json:"versions"`
}

// FunctionVersion is one version without its texts.
type FunctionVersion struct {
	Version   int       `json:"version"`
	ContentID string    `json:"contentId"`
	SHA256    string    `json:"sha256"`
	Bytes     int       `json:"bytes"` // of the source
	Surface   string    `json:"surface"`
	CreatedAt time.Time `json:"createdAt"`
}

// FunctionVersionDetail answers GET .../versions/<v>. ManifestText is as the
// author wrote it, empty for a docblock in the source.
type FunctionVersionDetail struct {
	Name string `json:"name"`
	FunctionVersion
	Manifest     RawJSON `json:"manifest"`
	ManifestText string  `json:"manifestText"`
	File         string  `json:"file"`
	Source       string  `json:"source"`
}

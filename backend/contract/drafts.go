package contract

import "time"

// Bounds of drafts: a text in bytes, and all that an agent has.
const (
	MaxDraftBytes  = MaxStoredSource
	MaxDrafts      = 200
	MaxDraftsBytes = 16 * MB
)

// DraftBase is the stored text that an edit began with; an empty SHA256 means
// that there was no file.
type DraftBase struct {
	Text   string `json:"text"`
	SHA256 string `json:"sha256"`
}

// DraftRequest is the body of PUT /api/local/drafts/<a>/<name>/<file>.
type DraftRequest struct {
	Text string    `json:"text"`
	Base DraftBase `json:"base"`
}

// Draft is the unsaved text of a file of an agent: what an editor holds, kept so
// that no crash loses it. Name is what the file belongs to, such as a function,
// and File is which of its files.
type Draft struct {
	Name      string    `json:"name"`
	File      string    `json:"file"`
	Text      string    `json:"text"`
	Base      DraftBase `json:"base"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// DraftList answers GET /api/local/drafts/<a>, by name and file.
type DraftList struct {
	Drafts []Draft `json:"drafts"`
}

// DraftKept answers what keeps a draft.
type DraftKept struct {
	OK        bool      `json:"ok"`
	UpdatedAt time.Time `json:"updatedAt"`
}

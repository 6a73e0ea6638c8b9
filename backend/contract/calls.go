package contract

// SavedCalls answers GET /api/local/agents/<a>/calls: the calls that are kept as
// files of the project, .benchtop/calls/<function>/<name>.json. Client are those
// of the Client place, .benchtop/calls/client/<name>.json. Problems are of files
// of functions that are no saved calls.
type SavedCalls struct {
	Calls    []SavedCall  `json:"calls"`
	Client   []ClientCall `json:"client"`
	Problems []Problem    `json:"problems"`
}

// SavedCall is one of them. Body is that of a manual invoke (spec 4.2); Caller
// is who calls, as Benchtop-Caller says it, empty for the owner.
type SavedCall struct {
	Function string  `json:"function"`
	Name     string  `json:"name"`
	Path     string  `json:"path"` // relative to the project folder
	Body     RawJSON `json:"body"`
	Caller   string  `json:"caller,omitempty"`
}

// SaveCallRequest is the body of PUT
// /api/local/agents/<a>/functions/<name>/calls/<call>.
type SaveCallRequest struct {
	Body   RawJSON `json:"body"`
	Caller string  `json:"caller,omitempty"`
}

// Who makes a manual invoke, as its header Benchtop-Caller says. Only the owner
// may send one: it is how the console shows a function to somebody else.
const (
	CallAsOwner     = "owner"
	CallAsPortal    = "portal"    // a portal token of a user who is not the owner
	CallAsAnonymous = "anonymous" // nobody
)

// PortalTestUser is the subject of the portal token that CallAsPortal stands for.
const PortalTestUser = "test-user"

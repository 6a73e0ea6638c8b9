package contract

// Tabs of the Client place, as a saved call names them.
const (
	TabHTTP      = "http"
	TabWebSocket = "websocket"
	TabSSE       = "sse"
	TabChat      = "chat"
	TabA2A       = "a2a"
	TabUAMP      = "uamp"
)

// ClientCall is a call of the Client place that is kept as a file of the project.
// Either Call or Problem is there: a file that is no saved call is listed with
// the reason. Withheld is set in the answer to a save alone: the places where a
// credential stood that was not written.
type ClientCall struct {
	Name     string             `json:"name"`
	File     string             `json:"file"`             // relative to the project folder
	SHA256   string             `json:"sha256,omitempty"` // of the file; empty when it cannot be read
	Problem  string             `json:"problem,omitempty"`
	Call     *ClientCallContent `json:"call,omitempty"`
	Withheld []string           `json:"withheld,omitempty"`
}

// ClientCallContent is what such a file holds. Path may hold names in braces for
// what is to be filled in, and /{agent}/ for the agent's own addresses. Messages
// are what the client says, in order: frames of a WebSocket, events of UAMP, what
// a person says in Chat and A2A. BodyFile is the name of a file that is sent as
// the body and is chosen anew each time. Answers that lead elsewhere are followed
// unless NoFollow is set. Credentials are never in it.
type ClientCallContent struct {
	Tab      string       `json:"tab"` // http, websocket, sse, chat, a2a, uamp
	Method   string       `json:"method,omitempty"`
	Path     string       `json:"path,omitempty"`
	Headers  []HeaderPair `json:"headers,omitempty"`
	Body     string       `json:"body,omitempty"`
	BodyFile string       `json:"bodyFile,omitempty"`
	NoFollow bool         `json:"noFollow,omitempty"`
	Caller   SavedCaller  `json:"caller"`
	Messages []string     `json:"messages,omitempty"`
}

// SavedCaller says as whom a saved call is sent. ID is a visitor's. Whoever sends
// it as a bearer, or pays, brings the token anew.
type SavedCaller struct {
	Kind string `json:"kind"` // anonymous, owner, visitor, admin, bearer
	ID   string `json:"id,omitempty"`
}

// SaveClientCallRequest is the body of PUT
// /api/local/agents/<a>/calls/client/<call>. Base is the SHA-256 of the file that
// is replaced, empty for a new one; another file there is VERSION_CONFLICT.
type SaveClientCallRequest struct {
	Base string            `json:"base,omitempty"`
	Call ClientCallContent `json:"call"`
}

// RenameCallRequest is the body of POST
// /api/local/agents/<a>/calls/client/<call>/rename.
type RenameCallRequest struct {
	Name string `json:"name"`
}

// CallsChange says that the saved calls of an agent are others now.
type CallsChange struct {
	AgentID string `json:"agentId"`
}

package contract

// Kinds of callers that the Client place can be.
const (
	ClientAnonymous = "anonymous"
	ClientOwner     = "owner"
	ClientVisitor   = "visitor"
	ClientAdmin     = "admin"
	ClientBearer    = "bearer"
)

// ClientRequest is the body of POST /api/local/client: one request that the
// platform sends to itself, because a page can set neither Cookie nor Host nor
// the headers of a WebSocket and sees no redirects (decisions.md 7). Path begins
// with a slash and is the platform's own. ID is the page's name for it, by which
// messages are sent and the whole is ended. BodyB64 is a body of bytes, of
// MaxClientFile at most, and stands in place of Body. Follow goes where answers
// lead, as far as they stay on this platform.
type ClientRequest struct {
	ID        string       `json:"id"`
	WebSocket bool         `json:"webSocket,omitempty"`
	Method    string       `json:"method,omitempty"`
	Path      string       `json:"path"`
	Headers   []HeaderPair `json:"headers,omitempty"`
	Body      string       `json:"body,omitempty"`
	BodyB64   string       `json:"bodyB64,omitempty"`
	Follow    bool         `json:"follow,omitempty"`
	Caller    ClientCaller `json:"caller"`
}

// HeaderPair is one header line.
type HeaderPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ClientCaller says as whom. ID is a visitor's, Token the text of a bearer, and
// Payment the text of a payment token, which anybody may pay with.
type ClientCaller struct {
	Kind    string `json:"kind"` // anonymous, owner, visitor, admin, bearer
	ID      string `json:"id,omitempty"`
	Token   string `json:"token,omitempty"`
	Payment string `json:"payment,omitempty"`
}

// Why an answer that leads elsewhere was not followed.
const (
	StayedOrigin   = "origin"   // it leads off this platform
	StayedConsole  = "console"  // it leads to the console's own routes
	StayedLocation = "location" // its Location is no address
	StayedMany     = "many"     // too many before it
)

// ClientFrame is one line of the answer, which is a stream of JSON lines: answers
// that were followed, a head or an opened WebSocket then, chunks or messages, and
// an end. AtMs counts from the start of the request.
type ClientFrame struct {
	AtMs    int64          `json:"atMs"`
	Hop     *ClientHop     `json:"hop,omitempty"`
	Head    *ClientHead    `json:"head,omitempty"`
	Chunk   *ClientChunk   `json:"chunk,omitempty"`
	Message *ClientMessage `json:"message,omitempty"`
	End     *ClientEnd     `json:"end,omitempty"`
}

// ClientHop is an answer that led elsewhere and was followed. Method and Path are
// those of the next request; when it is Bare, credentials stayed behind.
type ClientHop struct {
	Status  int          `json:"status"`
	Headers []HeaderPair `json:"headers"`
	Method  string       `json:"method"`
	Path    string       `json:"path"`
	Bare    bool         `json:"bare,omitempty"`
}

// ClientHead is status and headers of an answer; of a WebSocket that was opened
// the status is 101. Stayed says why it was not followed, where that was asked
// for and it leads elsewhere.
type ClientHead struct {
	Status  int          `json:"status"`
	Headers []HeaderPair `json:"headers"`
	Stayed  string       `json:"stayed,omitempty"`
}

// ClientChunk is a part of a body, as text or, where it is none, in base64.
type ClientChunk struct {
	Text string `json:"text,omitempty"`
	B64  string `json:"b64,omitempty"`
}

// ClientMessage is a frame of a WebSocket; Sent ones are the page's own. Those
// that are Binary are in base64.
type ClientMessage struct {
	Sent   bool   `json:"sent"`
	Text   string `json:"text,omitempty"`
	Binary bool   `json:"binary,omitempty"`
	B64    string `json:"b64,omitempty"`
}

// ClientEnd is the last line. Code and Reason are a WebSocket's; Error says that
// there was no answer, or that it broke off; Truncated that more was left out.
type ClientEnd struct {
	Bytes     int64  `json:"bytes"`
	Truncated bool   `json:"truncated,omitempty"`
	Code      int    `json:"code,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Error     string `json:"error,omitempty"`
}

// ClientSend is the body of POST /api/local/client/<id>/send: a text, or bytes in
// base64, MaxClientMessage at most. Binary says which, also of an empty one.
type ClientSend struct {
	Text   string `json:"text,omitempty"`
	Binary bool   `json:"binary,omitempty"`
	B64    string `json:"b64,omitempty"`
}

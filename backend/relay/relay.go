// Package relay sends requests of the console's Client place to this platform
// and tells the page what came back, byte for byte and while it comes. A page
// can set neither Cookie nor the headers of a WebSocket, sees no redirects and
// has six connections; this side has none of these limits (decisions.md 7).
//
// It reaches this platform and nothing else, and never the local API: what it
// sends is what a client of an agent could send.
package relay

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// Bounds.
const (
	maxRunning = 64
	maxBytes   = 16 * contract.MB // of one answer, or of the messages of a WebSocket
	maxHeaders = 100
	writeLimit = 10 * time.Second
)

// Config of a Relay. URL is the platform's own address; Owner gives the owner's
// bearer, Admin a bearer of the admin's, Visitor the session cookie of a visitor.
// The last two count until back is called.
type Config struct {
	URL     func() string
	Owner   func() string
	Admin   func() (key string, back func())
	Visitor func(id string) (s contract.VisitorSession, back func(), err error)
	Now     func() time.Time
}

// Relay sends requests.
type Relay struct {
	cfg  Config
	send http.RoundTripper // not a client, which refuses answers whose Location it cannot read

	mu      sync.Mutex
	running map[string]*exchange
}

// New makes a Relay.
func New(cfg Config) *Relay {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy, t.DisableCompression = nil, true
	return &Relay{cfg: cfg, running: map[string]*exchange{}, send: t}
}

// exchange is one request and what comes of it.
type exchange struct {
	w      http.ResponseWriter
	start  time.Time
	now    func() time.Time
	cancel context.CancelFunc
	send   chan contract.ClientMessage // to a WebSocket; nil for others
	over   atomic.Bool                 // the last frame is on its way

	mu    sync.Mutex // of w
	bytes int64
}

// Serve sends a request and writes its frames to w, until it ends or ctx does.
// An error is a *contract.Error: nothing was sent.
func (r *Relay) Serve(ctx context.Context, w http.ResponseWriter, req contract.ClientRequest) error {
	out, err := r.prepare(ctx, req)
	if err != nil {
		return err
	}
	back, err := r.identify(out, req.Caller)
	if err != nil {
		return err
	}
	defer back()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := &exchange{w: w, start: r.cfg.Now(), now: r.cfg.Now, cancel: cancel}
	if req.WebSocket {
		x.send = make(chan contract.ClientMessage, 64)
	}
	if err := r.enter(req.ID, x); err != nil {
		return err
	}
	defer r.leave(req.ID)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	if req.WebSocket {
		x.socket(ctx, out)
		return nil
	}
	x.http(ctx, r.journey(out, req.Follow), out)
	return nil
}

// prepare builds the request and refuses what is none of a client's.
func (r *Relay) prepare(ctx context.Context, req contract.ClientRequest) (*http.Request, error) {
	bad := func(format string, args ...any) error {
		return contract.Errorf(contract.InvalidRequest, format, args...)
	}
	if req.ID == "" || len(req.ID) > 64 {
		return nil, bad("id is the page's own name for the request, up to 64 characters")
	}
	if !strings.HasPrefix(req.Path, "/") || strings.HasPrefix(req.Path, "//") || strings.Contains(req.Path, "\\") {
		return nil, bad("path begins with one slash: requests go to this platform and nowhere else")
	}
	base, err := url.Parse(r.cfg.URL())
	if err != nil {
		return nil, err
	}
	to, err := base.Parse(req.Path)
	if err != nil || to.Host != base.Host || to.Scheme != base.Scheme || to.User != nil {
		return nil, bad("path is no path of this platform")
	}
	if ofConsole(to.Path) {
		return nil, bad("the console's own routes are not for clients")
	}
	to.Fragment, to.RawFragment, to.RawQuery = "", "", queryOf(to.RawQuery)
	method := strings.ToUpper(req.Method)
	if method == "" || req.WebSocket {
		method = http.MethodGet
	}
	var body io.Reader
	switch {
	case req.WebSocket:
	case req.BodyB64 != "":
		b, err := base64.StdEncoding.DecodeString(req.BodyB64)
		if err != nil {
			return nil, bad("bodyB64 is no base64")
		}
		if len(b) > contract.MaxClientFile {
			return nil, contract.Errorf(contract.BodyTooLarge, "the file has %d bytes; %d are allowed here", len(b), contract.MaxClientFile)
		}
		body = bytes.NewReader(b)
	case req.Body != "":
		body = strings.NewReader(req.Body)
	}
	out, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return nil, bad("%.40q is no method", req.Method)
	}
	if len(req.Headers) > maxHeaders {
		return nil, bad("at most %d headers", maxHeaders)
	}
	for _, h := range req.Headers {
		if !validHeader(h) {
			return nil, bad("%.60q is no header, or one that belongs to the connection", h.Name)
		}
		out.Header.Add(h.Name, h.Value)
	}
	return out, nil
}

// queryOf encodes what cannot stand in a request line, and nothing else: what was
// written encoded stays as it was written.
func queryOf(raw string) string {
	var b strings.Builder
	for _, c := range []byte(raw) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>`, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// identify adds the credentials of the chosen caller and no others, and the
// payment token that was chosen with it. back ends those that were lent.
func (r *Relay) identify(out *http.Request, c contract.ClientCaller) (back func(), err error) {
	back = func() {}
	if c.Payment != "" {
		if strings.ContainsAny(c.Payment, " \r\n\t") {
			return nil, contract.Errorf(contract.InvalidRequest, "caller.payment: a payment token has no spaces")
		}
		out.Header.Add("X-Payment", c.Payment)
	}
	switch c.Kind {
	case contract.ClientAnonymous, "":
	case contract.ClientOwner:
		out.Header.Set("Authorization", "Bearer "+r.cfg.Owner())
	case contract.ClientBearer:
		if c.Token == "" || strings.ContainsAny(c.Token, " \r\n\t") {
			return nil, contract.Errorf(contract.InvalidRequest, "caller.token: paste a token or an API key")
		}
		out.Header.Set("Authorization", "Bearer "+c.Token)
	case contract.ClientAdmin:
		var key string
		key, back = r.cfg.Admin()
		out.Header.Set("Authorization", "Bearer "+key)
	case contract.ClientVisitor:
		s, ends, err := r.cfg.Visitor(c.ID)
		if err != nil {
			return nil, err
		}
		back = ends
		out.Header.Add("Cookie", s.CookieName+"="+s.CookieValue)
	default:
		return nil, contract.Errorf(contract.InvalidRequest, "caller.kind is anonymous, owner, visitor, admin or bearer")
	}
	return back, nil
}

// hop are headers of a connection, which is ours.
var hop = map[string]bool{"host": true, "connection": true, "content-length": true, "transfer-encoding": true, "upgrade": true, "te": true,
	"trailer": true, "keep-alive": true, "expect": true, "proxy-connection": true}

func validHeader(h contract.HeaderPair) bool {
	name := strings.ToLower(h.Name)
	if name == "" || hop[name] || strings.HasPrefix(name, "sec-websocket-") && name != "sec-websocket-protocol" || strings.ContainsAny(h.Value, "\r\n\x00") {
		return false
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("()<>@,;:\\\"/[]?={}", c) >= 0 {
			return false
		}
	}
	return true
}

func (r *Relay) enter(id string, x *exchange) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.running[id]; taken {
		return contract.Errorf(contract.InvalidRequest, "a request of the id %.64q is under way", id)
	}
	if len(r.running) >= maxRunning {
		return contract.Errorf(contract.ConcurrencyExceeded, "%d requests of the console are under way; end some of them", maxRunning)
	}
	r.running[id] = x
	return nil
}

func (r *Relay) leave(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, id)
}

func (r *Relay) find(id string) *exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running[id]
}

// End stops a request; false when none of that id is under way.
func (r *Relay) End(id string) bool {
	x := r.find(id)
	if x == nil {
		return false
	}
	x.cancel()
	return true
}

// Send puts a message into a WebSocket.
func (r *Relay) Send(id string, m contract.ClientSend) error {
	x := r.find(id)
	if x == nil || x.send == nil || x.over.Load() {
		return contract.Errorf(contract.NotFound, "no WebSocket of the id %.64q is open", id)
	}
	out, err := messageOf(m)
	if err != nil {
		return err
	}
	select {
	case x.send <- out:
		return nil
	default:
		return contract.Errorf(contract.ConcurrencyExceeded, "the WebSocket does not take messages as fast as that")
	}
}

// write sends a frame to the page. A page that does not read ends its request.
func (x *exchange) write(f contract.ClientFrame) {
	f.AtMs = x.now().Sub(x.start).Milliseconds()
	line, err := json.Marshal(f)
	if err != nil {
		x.cancel()
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	rc := http.NewResponseController(x.w)
	_ = rc.SetWriteDeadline(time.Now().Add(writeLimit)) // a writer without deadlines, as in tests
	if _, err := x.w.Write(append(line, '\n')); err != nil || rc.Flush() != nil {
		x.cancel()
	}
}

// http follows an answer to its end.
func (x *exchange) http(ctx context.Context, j *journey, req *http.Request) {
	res, stayed, err := j.do(ctx, req, func(hop *contract.ClientHop) { x.write(contract.ClientFrame{Hop: hop}) })
	if err != nil {
		x.write(contract.ClientFrame{End: &contract.ClientEnd{Error: why(ctx, err)}})
		return
	}
	defer res.Body.Close()
	head := headOf(res)
	head.Stayed = stayed
	x.write(contract.ClientFrame{Head: head})
	end := &contract.ClientEnd{}
	var rest []byte // the beginning of a character
	buf := make([]byte, 32<<10)
	for {
		n, err := res.Body.Read(buf)
		if x.bytes += int64(n); x.bytes > maxBytes {
			end.Truncated = true
			break
		}
		if n > 0 {
			var whole []byte
			whole, rest = characters(append(rest, buf[:n]...))
			if len(whole) > 0 {
				x.write(contract.ClientFrame{Chunk: chunkOf(whole)})
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			end.Error = why(ctx, err)
			break
		}
	}
	if len(rest) > 0 {
		x.write(contract.ClientFrame{Chunk: chunkOf(rest)})
	}
	end.Bytes = x.bytes
	x.write(contract.ClientFrame{End: end})
}

// characters cuts a text before a character that is not whole yet.
func characters(b []byte) (whole, rest []byte) {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i], append([]byte(nil), b[len(b)-i:]...)
			}
			break
		}
	}
	return b, nil
}

func chunkOf(b []byte) *contract.ClientChunk {
	if utf8.Valid(b) {
		return &contract.ClientChunk{Text: string(b)}
	}
	return &contract.ClientChunk{B64: base64.StdEncoding.EncodeToString(b)}
}

func headOf(res *http.Response) *contract.ClientHead {
	h := &contract.ClientHead{Status: res.StatusCode, Headers: []contract.HeaderPair{}}
	for name, values := range res.Header {
		for _, v := range values {
			h.Headers = append(h.Headers, contract.HeaderPair{Name: name, Value: v})
		}
	}
	return h
}

func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "ended here"
	}
	return err.Error()
}

package relay_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
	"benchtop/backend/relay"
)

// world is a platform that says what it was sent, with a relay before it.
type world struct {
	t        *testing.T
	relay    *relay.Relay
	url      string // where the relay answers
	platform string
	seen     chan *http.Request
	gone     chan struct{} // a client of the platform left
	asked    int
	lent     atomic.Int64 // credentials that were not given back
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, seen: make(chan *http.Request, 16), gone: make(chan struct{}, 16)}
	mux := http.NewServeMux()
	echo := func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.seen <- r
		rw.Header().Set("X-Said", "hi")
		rw.WriteHeader(http.StatusTeapot)
		_, _ = rw.Write(body)
	}
	// lead sends its client to what its query or a header of it names.
	lead := func(rw http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		to := q.Get("to") + r.Header.Get("X-To")
		if to == "round" {
			to = r.URL.RequestURI()
		}
		if c := q.Get("cookie"); c != "" {
			rw.Header().Set("Set-Cookie", c+"; Path=/")
		}
		status, _ := strconv.Atoi(q.Get("status"))
		rw.Header().Set("Location", to)
		rw.WriteHeader(status)
	}
	for _, at := range []string{"/mia/", "/bob/", "/agents/mia/", "/api/agents/mia/"} {
		mux.HandleFunc(at+"echo", echo)
		mux.HandleFunc(at+"to", lead)
	}
	mux.HandleFunc("/mia/away", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "https://elsewhere.example/", http.StatusFound)
	})
	mux.HandleFunc("/mia/stream", func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(rw, "data: caf\xc3")
		_ = http.NewResponseController(rw).Flush()
		_, _ = io.WriteString(rw, "\xa9\n\n")
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
		w.gone <- struct{}{}
	})
	mux.HandleFunc("/mia/much", func(rw http.ResponseWriter, _ *http.Request) {
		block := bytes.Repeat([]byte("a"), 1<<20)
		for range 20 {
			if _, err := rw.Write(block); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/mia/live", func(rw http.ResponseWriter, r *http.Request) {
		up := websocket.Upgrader{Subprotocols: []string{"chat"}}
		c, err := up.Upgrade(rw, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = c.Close() }()
		for {
			kind, text, err := c.ReadMessage()
			if err != nil {
				w.gone <- struct{}{}
				return
			}
			if string(text) == "end" {
				_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4001, "enough"), time.Now().Add(time.Second))
				continue
			}
			_ = c.WriteMessage(kind, append([]byte("you said "), text...))
		}
	})
	platform := httptest.NewServer(mux)
	t.Cleanup(platform.Close)
	w.platform = platform.URL
	w.relay = relay.New(relay.Config{
		URL: func() string { return platform.URL }, Owner: func() string { return "owner-key" }, Now: time.Now,
		Admin: func() (string, func()) { w.lent.Add(1); return "admin-key", func() { w.lent.Add(-1) } },
		Visitor: func(id string) (contract.VisitorSession, func(), error) {
			if id != "v1" {
				return contract.VisitorSession{}, nil, contract.Errorf(contract.NotFound, "no visitor %s", id)
			}
			w.lent.Add(1)
			return contract.VisitorSession{CookieName: "visitor", CookieValue: "session-of-" + id}, func() { w.lent.Add(-1) }, nil
		},
	})
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var req contract.ClientRequest
		if json.NewDecoder(r.Body).Decode(&req) != nil {
			rw.WriteHeader(400)
			return
		}
		err := w.relay.Serve(r.Context(), rw, req)
		if n := w.lent.Load(); n != 0 {
			t.Errorf("%d credentials outlive %+v", n, req)
		}
		if err != nil {
			http.Error(rw, err.Error(), contract.AsError(err).Code.Status())
		}
	}))
	t.Cleanup(page.Close)
	w.url = page.URL
	return w
}

// frames are the lines of an answer as they come.
type frames struct {
	t      *testing.T
	lines  *bufio.Scanner
	cancel context.CancelFunc
}

func (w *world) ask(req contract.ClientRequest) (*frames, int, string) {
	w.t.Helper()
	if req.ID == "" { // an id is free a moment after the last line was read
		w.asked++
		req.ID = fmt.Sprint("request ", w.asked)
	}
	body, err := json.Marshal(req)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	w.t.Cleanup(cancel)
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(string(body)))
	// The page's own credentials are never passed on.
	r.Header.Set("Cookie", "benchtop_session_x=owner")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 {
		text, _ := io.ReadAll(res.Body)
		return nil, res.StatusCode, string(text)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 32<<20)
	return &frames{w.t, lines, cancel}, 200, ""
}

func (f *frames) next() (out contract.ClientFrame) {
	f.t.Helper()
	if !f.lines.Scan() {
		f.t.Fatalf("the stream ended: %v", f.lines.Err())
	}
	if err := json.Unmarshal(f.lines.Bytes(), &out); err != nil {
		f.t.Fatal(err)
	}
	return out
}

// rest reads to the end and gives the body as text and the last frame.
func (f *frames) rest() (string, *contract.ClientEnd) {
	f.t.Helper()
	var body strings.Builder
	for {
		n := f.next()
		switch {
		case n.Chunk != nil:
			body.WriteString(n.Chunk.Text + n.Chunk.B64)
		case n.End != nil:
			if f.lines.Scan() { // ends once the relay is done, and has given back what it was lent
				f.t.Errorf("after the end: %s", f.lines.Bytes())
			}
			return body.String(), n.End
		}
	}
}

func TestAnswer(t *testing.T) {
	w := open(t)
	f, _, _ := w.ask(contract.ClientRequest{Method: "put", Path: "/mia/echo?a=1", Body: "hello", Headers: []contract.HeaderPair{{Name: "X-One", Value: "1"}}})
	head := f.next().Head
	if head == nil || head.Status != 418 || !strings.Contains(fmt.Sprint(head.Headers), "{X-Said hi}") {
		t.Fatalf("%+v", head)
	}
	body, end := f.rest()
	seen := <-w.seen
	if body != "hello" || end.Bytes != 5 || end.Error != "" || seen.Method != "PUT" || seen.URL.RawQuery != "a=1" || seen.Header.Get("X-One") != "1" {
		t.Errorf("%q %+v %v", body, end, seen)
	}
	if seen.Header.Get("Cookie") != "" || seen.Header.Get("Authorization") != "" {
		t.Errorf("credentials came along: %v", seen.Header)
	}
	if f, _, _ := w.ask(contract.ClientRequest{Path: "/mia/away"}); f.next().Head.Status != 302 {
		t.Error("a redirect was followed")
	}
	f, _, _ = w.ask(contract.ClientRequest{Path: "/mia/much"})
	f.next()
	if body, end := f.rest(); !end.Truncated || len(body) > 22<<20 {
		t.Errorf("%d bytes, %+v", len(body), end)
	}
}

// TestOddPath: what a request line cannot hold goes out encoded, as browsers
// have it, and what is encoded already stays as it is.
func TestOddPath(t *testing.T) {
	w := open(t)
	for path, want := range map[string]string{
		"/mia/echo?q=größe 1 & \"x\"": "/mia/echo?q=gr%C3%B6%C3%9Fe%201%20&%20%22x%22",
		"/mia/echo?q=a%20b+c&d=%zz":   "/mia/echo?q=a%20b+c&d=%zz",
	} {
		f, status, text := w.ask(contract.ClientRequest{Path: path})
		if f == nil {
			t.Fatalf("%s: %d %s", path, status, text)
		}
		if head := f.next().Head; head == nil || head.Status != 418 {
			t.Fatalf("%s: %+v", path, head)
		}
		f.rest()
		if seen := <-w.seen; seen.RequestURI != want {
			t.Errorf("%s: %s", path, seen.RequestURI)
		}
	}
	if _, head, seen, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=302&to=echo", Headers: []contract.HeaderPair{{Name: "X-To", Value: "?q=ö 1"}}}); head.Status != 418 || seen.RequestURI != "/mia/echo?q=%C3%B6%201" {
		t.Errorf("%+v %v", head, seen)
	}
}

// TestFile: a body of bytes arrives as they are, with its length.
func TestFile(t *testing.T) {
	w := open(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	sent := base64.StdEncoding.EncodeToString(all)
	f, _, _ := w.ask(contract.ClientRequest{Method: "POST", Path: "/mia/echo", Body: "left out", BodyB64: sent})
	f.next()
	if body, end := f.rest(); body != sent || end.Bytes != 256 {
		t.Errorf("%q %+v", body, end)
	}
	if seen := <-w.seen; seen.ContentLength != 256 {
		t.Errorf("announced as %d bytes", seen.ContentLength)
	}
	large := base64.StdEncoding.EncodeToString(make([]byte, contract.MaxClientFile+1))
	for text, want := range map[string]int{"no base64": 400, large: 413} {
		if _, status, said := w.ask(contract.ClientRequest{Method: "POST", Path: "/mia/echo", BodyB64: text}); status != want {
			t.Errorf("%.10s: %d %s", text, status, said)
		}
	}
}

func TestCallers(t *testing.T) {
	w := open(t)
	for _, c := range []struct {
		caller                         contract.ClientCaller
		authorization, cookie, payment string
		status                         int
	}{
		{contract.ClientCaller{}, "", "", "", 200},
		{contract.ClientCaller{Kind: "anonymous"}, "", "", "", 200},
		{contract.ClientCaller{Kind: "owner"}, "Bearer owner-key", "", "", 200},
		{contract.ClientCaller{Kind: "admin"}, "Bearer admin-key", "", "", 200},
		{contract.ClientCaller{Kind: "bearer", Token: "abc"}, "Bearer abc", "", "", 200},
		{contract.ClientCaller{Kind: "visitor", ID: "v1"}, "", "visitor=session-of-v1", "", 200},
		{contract.ClientCaller{Kind: "anonymous", Payment: "a.b.c"}, "", "", "a.b.c", 200},
		{contract.ClientCaller{Kind: "visitor", ID: "v1", Payment: "a.b.c"}, "", "visitor=session-of-v1", "a.b.c", 200},
		{contract.ClientCaller{Kind: "visitor", ID: "v2"}, "", "", "", 404},
		{contract.ClientCaller{Kind: "bearer"}, "", "", "", 400},
		{contract.ClientCaller{Kind: "bearer", Token: "a\r\nb"}, "", "", "", 400},
		{contract.ClientCaller{Kind: "owner", Payment: "a\r\nb"}, "", "", "", 400},
		{contract.ClientCaller{Kind: "root"}, "", "", "", 400},
	} {
		f, status, _ := w.ask(contract.ClientRequest{Path: "/mia/echo", Caller: c.caller})
		if status != c.status {
			t.Errorf("%+v: %d", c.caller, status)
		}
		if f == nil {
			continue
		}
		f.rest()
		if seen := <-w.seen; seen.Header.Get("Authorization") != c.authorization || seen.Header.Get("Cookie") != c.cookie || seen.Header.Get("X-Payment") != c.payment {
			t.Errorf("%+v: %v", c.caller, seen.Header)
		}
	}
}

// TestRefused: only what a client of an agent may send is sent.
func TestRefused(t *testing.T) {
	w := open(t)
	for _, req := range []contract.ClientRequest{
		{Path: ""}, {Path: "mia"}, {Path: "//elsewhere.example/"}, {Path: "/\\elsewhere.example"}, {Path: "http://elsewhere.example/"},
		{Path: "/api/local/settings"}, {Path: "/api/local"}, {Path: "/api/auth/session"}, {Path: "/api/internal/fn-host"},
		{Path: "/mia", Method: "G T"}, {Path: "/mia", ID: strings.Repeat("x", 65)},
		{Path: "/mia", Headers: []contract.HeaderPair{{Name: "Host", Value: "elsewhere.example"}}},
		{Path: "/mia", Headers: []contract.HeaderPair{{Name: "Connection", Value: "x"}}},
		{Path: "/mia", Headers: []contract.HeaderPair{{Name: "A", Value: "b\r\nC: d"}}},
		{Path: "/mia", Headers: []contract.HeaderPair{{Name: "A b", Value: ""}}},
		{Path: "/mia", Headers: make([]contract.HeaderPair, 101)},
	} {
		if _, status, text := w.ask(req); status != 400 {
			t.Errorf("%+v: %d %s", req, status, text)
		}
	}
	for _, path := range []string{"/mia/../api/local/settings", "/mia/%2e%2e/api/local/settings", "/api/./local/settings"} {
		if _, status, text := w.ask(contract.ClientRequest{Path: path}); status != 400 {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

// TestStream: text arrives as it is sent, never in the middle of a character,
// and a page that goes ends its request.
func TestStream(t *testing.T) {
	w := open(t)
	f, _, _ := w.ask(contract.ClientRequest{Path: "/mia/stream", ID: "first"})
	f.next()
	var text string
	for !strings.HasSuffix(text, "\n\n") {
		c := f.next().Chunk
		if c == nil || c.B64 != "" {
			t.Fatalf("%+v", c)
		}
		text += c.Text
	}
	if text != "data: café\n\n" {
		t.Errorf("%q", text)
	}
	if _, status, _ := w.ask(contract.ClientRequest{Path: "/mia/echo", ID: "first"}); status != 400 {
		t.Errorf("the same id twice: %d", status)
	}
	if !w.relay.End("first") {
		t.Error("it is not there to be ended")
	}
	if _, end := f.rest(); end.Error != "ended here" {
		t.Errorf("%+v", end)
	}
	<-w.gone
	f, _, _ = w.ask(contract.ClientRequest{Path: "/mia/stream", ID: "second"})
	f.next()
	f.cancel()
	<-w.gone
}

func TestWebSocket(t *testing.T) {
	w := open(t)
	f, _, _ := w.ask(contract.ClientRequest{WebSocket: true, Path: "/mia/live", ID: "first", Headers: []contract.HeaderPair{{Name: "Sec-WebSocket-Protocol", Value: "other, chat"}}})
	if head := f.next().Head; head.Status != 101 || !strings.Contains(fmt.Sprint(head.Headers), "{Sec-Websocket-Protocol chat}") {
		t.Fatalf("%+v", head)
	}
	if err := w.relay.Send("first", contract.ClientSend{Text: "hi"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if m := f.next().Message; m == nil || m.Sent && m.Text != "hi" || !m.Sent && m.Text != "you said hi" {
			t.Errorf("%+v", m)
		}
	}
	// Bytes go as bytes, also none of them.
	for _, b := range []string{"AP/+", ""} {
		if err := w.relay.Send("first", contract.ClientSend{Binary: true, B64: b}); err != nil {
			t.Fatal(err)
		}
		want := base64.StdEncoding.EncodeToString([]byte("you said "))
		for range 2 {
			if m := f.next().Message; m == nil || !m.Binary || m.Text != "" || m.Sent && m.B64 != b || !m.Sent && m.B64 != want+b {
				t.Errorf("%q: %+v", b, m)
			}
		}
	}
	large := base64.StdEncoding.EncodeToString(make([]byte, contract.MaxClientMessage+1))
	for b64, code := range map[string]contract.Code{"no base64": contract.InvalidRequest, large: contract.BodyTooLarge} {
		if err := w.relay.Send("first", contract.ClientSend{Binary: true, B64: b64}); contract.AsError(err) == nil || contract.AsError(err).Code != code {
			t.Errorf("%.10s: %v", b64, err)
		}
	}
	if err := w.relay.Send("first", contract.ClientSend{Text: "end"}); err != nil {
		t.Fatal(err)
	}
	if _, end := f.rest(); end.Code != 4001 || end.Reason != "enough" || end.Error != "" {
		t.Errorf("%+v", end)
	}
	if err := w.relay.Send("first", contract.ClientSend{Text: "late"}); contract.AsError(err) == nil {
		t.Error("a message was taken after the end")
	}
	// A page that goes closes it.
	f, _, _ = w.ask(contract.ClientRequest{WebSocket: true, Path: "/mia/live", ID: "second"})
	f.next()
	f.cancel()
	<-w.gone
	// What is no WebSocket says so.
	f, _, _ = w.ask(contract.ClientRequest{WebSocket: true, Path: "/mia/echo", ID: "third"})
	if head := f.next().Head; head.Status != 418 {
		t.Errorf("%+v", head)
	}
	if _, end := f.rest(); end.Error == "" {
		t.Errorf("%+v", end)
	}
}

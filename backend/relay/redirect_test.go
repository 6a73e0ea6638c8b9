package relay_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// led sends a request that follows and gives its hops, its head and what the
// platform saw at /…/echo, if it came there.
func (w *world) led(req contract.ClientRequest) (hops []contract.ClientHop, head *contract.ClientHead, seen *http.Request, body string) {
	w.t.Helper()
	req.Follow = true
	f, status, text := w.ask(req)
	if f == nil {
		w.t.Fatalf("%d %s", status, text)
	}
	for head == nil {
		n := f.next()
		if n.Hop != nil {
			hops = append(hops, *n.Hop)
		}
		if n.End != nil {
			w.t.Fatalf("%+v", n.End)
		}
		head = n.Head
	}
	body, _ = f.rest()
	select {
	case seen = <-w.seen:
	default:
	}
	return hops, head, seen, body
}

// TestFollow: a request goes where answers lead, by the rules of browsers.
func TestFollow(t *testing.T) {
	w := open(t)
	for _, c := range []struct {
		method string
		status int
		want   string
		body   string
	}{
		{"GET", 301, "GET", ""}, {"POST", 301, "GET", ""}, {"POST", 302, "GET", ""}, {"PUT", 302, "PUT", "text"}, {"PUT", 303, "GET", ""},
		{"HEAD", 303, "HEAD", ""}, {"POST", 307, "POST", "text"}, {"POST", 308, "POST", "text"},
	} {
		req := contract.ClientRequest{Method: c.method, Path: fmt.Sprintf("/mia/to?status=%d&to=echo?a=1", c.status), Headers: []contract.HeaderPair{{Name: "Content-Type", Value: "text/x"}, {Name: "X-One", Value: "1"}}}
		if c.method != "GET" && c.method != "HEAD" {
			req.Body = "text"
		}
		hops, head, seen, body := w.led(req)
		if len(hops) != 1 || hops[0].Status != c.status || hops[0].Path != "/mia/echo?a=1" || hops[0].Method != c.want || hops[0].Bare || head.Status != 418 || head.Stayed != "" {
			t.Errorf("%s %d: %+v %+v", c.method, c.status, hops, head)
			continue
		}
		if !strings.Contains(fmt.Sprint(hops[0].Headers), "{Location echo?a=1}") {
			t.Errorf("%s %d: %v", c.method, c.status, hops[0].Headers)
		}
		if seen.Method != c.want || body != c.body || seen.Header.Get("X-One") != "1" || (seen.Header.Get("Content-Type") == "") != (c.body == "") {
			t.Errorf("%s %d: %s %q %v", c.method, c.status, seen.Method, body, seen.Header)
		}
	}
	// Bytes are sent again as they are.
	if _, _, seen, body := w.led(contract.ClientRequest{Method: "POST", Path: "/mia/to?status=307&to=echo", BodyB64: "AP8="}); seen.ContentLength != 2 || body != "AP8=" {
		t.Errorf("%d %q", seen.ContentLength, body)
	}
	if hops, head, _, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=302&to=round"}); len(hops) != 10 || head.Status != 302 || head.Stayed != contract.StayedMany {
		t.Errorf("%d hops, %+v", len(hops), head)
	}
	if hops, head, _, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=304&to=echo"}); len(hops) != 0 || head.Status != 304 || head.Stayed != "" {
		t.Errorf("%v %+v", hops, head)
	}
}

// TestStayed: no answer leads a request off the platform or into the console.
func TestStayed(t *testing.T) {
	w := open(t)
	for to, why := range map[string]string{
		"https://elsewhere.example/": contract.StayedOrigin, "//elsewhere.example/x": contract.StayedOrigin, "http://127.0.0.1:1/": contract.StayedOrigin,
		"https://" + strings.TrimPrefix(w.platform, "http://"): contract.StayedOrigin, "javascript:alert(1)": contract.StayedLocation, "file:///etc/passwd": contract.StayedOrigin,
		"http://me:hush@" + strings.TrimPrefix(w.platform, "http://") + "/mia/echo": contract.StayedLocation,
		"/\\elsewhere.example": contract.StayedLocation, "http://[": contract.StayedLocation, "%zz": contract.StayedLocation,
		"/api/local/settings": contract.StayedConsole, "/mia/../api/auth/session": contract.StayedConsole, "/mia/%2e%2e/api/internal/fn-host": contract.StayedConsole,
		"/api%2flocal/settings": contract.StayedConsole,
	} {
		hops, head, seen, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=302", Headers: []contract.HeaderPair{{Name: "X-To", Value: to}}, Caller: contract.ClientCaller{Kind: "owner"}})
		if len(hops) != 0 || head.Status != 302 || head.Stayed != why || seen != nil {
			t.Errorf("%s: %v %+v %v", to, hops, head, seen)
		}
	}
}

// TestLedCredentials: they go along to addresses of the same agent alone.
func TestLedCredentials(t *testing.T) {
	w := open(t)
	headers := []contract.HeaderPair{{Name: "Cookie", Value: "mine=1; login=old"}, {Name: "X-Api-Key", Value: "k"}, {Name: "Accept", Value: "text/x"}}
	for to, bare := range map[string]bool{
		"/mia/echo": false, "/agents/mia/echo": false, w.platform + "/mia/./echo": false,
		"/bob/echo": true, "/api/agents/mia/echo": true, "/mia/../bob/echo": true, "/mia/%2e%2e/bob/echo": true, "/mia/..%2fbob/echo": true, "/mia/../mia/../bob/echo": true,
	} {
		hops, _, seen, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=307&cookie=login=new&to=" + to, Headers: headers, Caller: contract.ClientCaller{Kind: "owner", Payment: "a.b.c"}})
		if len(hops) == 0 || hops[len(hops)-1].Bare != bare || seen == nil {
			t.Errorf("%s: %+v %v", to, hops, seen)
			continue
		}
		said := seen.Header.Get("Authorization") + "|" + seen.Header.Get("X-Payment") + "|" + seen.Header.Get("X-Api-Key") + "|" + seen.Header.Get("Cookie")
		want := "Bearer owner-key|a.b.c|k|mine=1; login=new"
		if bare {
			want = "|||"
		}
		if said != want || seen.Header.Get("Accept") != "text/x" {
			t.Errorf("%s: %s", to, said)
		}
	}
	// Once they stayed behind, they do not come back.
	hops, _, seen, _ := w.led(contract.ClientRequest{Path: "/mia/to?status=302&to=/bob/to?status=302%26to=/mia/echo", Caller: contract.ClientCaller{Kind: "owner"}})
	if len(hops) != 2 || !hops[1].Bare || seen.Header.Get("Authorization") != "" {
		t.Errorf("%+v %v", hops, seen.Header)
	}
	// The API's own addresses are nobody's home.
	if _, _, seen, _ := w.led(contract.ClientRequest{Path: "/api/agents/mia/to?status=302&to=echo", Caller: contract.ClientCaller{Kind: "owner"}}); seen.Header.Get("Authorization") != "" {
		t.Errorf("%v", seen.Header)
	}
}

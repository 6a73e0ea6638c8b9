package platform_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// impatient shortens the time that a body has to arrive.
type impatient struct{ http.ResponseWriter }

func (w impatient) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w impatient) SetReadDeadline(t time.Time) error {
	if !t.IsZero() {
		t = time.Now().Add(20 * time.Millisecond)
	}
	return http.NewResponseController(w.ResponseWriter).SetReadDeadline(t)
}

// A body that stops in the middle is refused when its time is over, wherever it
// is sent, and its connection is let go.
func TestBodiesThatStop(t *testing.T) {
	s := endpointStage(t)
	s.must("POST", "/api/agents", map[string]any{
		"name": "Ann", "username": "ann", "visibility": "public", "transports": []string{"completions", "a2a", "uamp"},
	}, nil)
	hasty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.p.Handler().ServeHTTP(impatient{w}, r)
	}))
	t.Cleanup(hasty.Close)
	owner := "Authorization: " + s.callers["owner"].Get("Authorization") + "\r\n"
	for _, row := range []struct{ method, path, as string }{
		{"POST", "/mia/echo", ""},
		{"POST", "/mia/form", ""},
		{"POST", "/ann/v1/chat/completions", ""},
		{"POST", "/ann/a2a", ""},
		{"POST", "/ann/a2a/message:send", ""},
		{"POST", "/ann/uamp", ""},
		{"POST", "/ann/uamp/stream", ""},
		{"POST", "/api/auth/session", ""},
		{"POST", "/api/agents", owner},
		{"POST", "/api/local/agents/ann/content?name=a.txt", owner},
		{"POST", "/mia/status", ""}, // which takes none
	} {
		t.Run(row.method+" "+row.path, func(t *testing.T) {
			conn, err := net.Dial("tcp", hasty.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second)) // a test that hangs says less
			_, _ = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\n%sContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\"",
				row.method, row.path, strings.TrimPrefix(s.url, "http://"), row.as)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("no answer: %v", err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil || !strings.Contains(string(body), `"error"`) || resp.StatusCode > 499 {
				t.Errorf("%s %s %v", resp.Status, body, err)
			}
		})
	}
}

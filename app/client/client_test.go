package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:4780/":     "http://127.0.0.1:4780",
		"http://[::1]:1":             "http://[::1]:1",
		"https://platform.example":   "https://platform.example",
		"http://platform.example":    "",
		"http://127.0.0.1.evil.org":  "",
		"http://localhost@evil.org":  "",
		"https://a.example/path":     "",
		"https://a.example?token=x":  "",
		"ftp://127.0.0.1":            "",
		"127.0.0.1:4780":             "",
		"":                           "",
		"http://localhost.evil.org/": "",
	} {
		got, err := client.Address(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// Both ways to a platform say the same.
func TestWays(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/agents/{agent}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id":%q,"name":"%s %s %s"}`, r.PathValue("agent"), r.Header.Get("Authorization"), r.Header.Get("Function-Authoring-Surface"), r.Host)
	})
	mux.HandleFunc("POST /api/refuse", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
		fmt.Fprint(w, `{"error":{"code":"VERSION_CONFLICT","message":"no","details":{"a":1}},"code":"VERSION_CONFLICT","message":"no","errors":[{"code":"X","message":"because","file":"a.js","line":3}]}`)
	})
	mux.HandleFunc("GET /api/elsewhere", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/api/agents/thief", http.StatusFound)
	})
	mux.HandleFunc("GET /api/panics", func(http.ResponseWriter, *http.Request) { panic("fault") })
	mux.HandleFunc("GET /api/local/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": hello\n\nid: 7\nevent: one\ndata: {\ndata: }\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for name, c := range map[string]*client.Client{
		"network": {URL: srv.URL, Bearer: "key"},
		"direct":  {URL: srv.URL, Bearer: "key", HTTP: client.Direct(mux)},
	} {
		t.Run(name, func(t *testing.T) {
			var a contract.Agent
			if err := c.Get(t.Context(), client.Agent("a/b ?"), &a); err != nil {
				t.Fatal(err)
			}
			if want := "Bearer key cli " + strings.TrimPrefix(srv.URL, "http://"); a.ID != "a/b ?" || a.Name != want {
				t.Errorf("%+v", a)
			}
			err := c.Post(t.Context(), "/api/refuse", map[string]int{"a": 1}, nil)
			var e *client.Error
			if !errors.As(err, &e) || e.Status != 409 || client.CodeOf(err) != contract.VersionConflict || string(e.Details) != `{"a":1}` ||
				!strings.Contains(err.Error(), "a.js:3:1: because") {
				t.Errorf("refused with %v", err)
			}
			if err := c.Get(t.Context(), "/api/elsewhere", nil); err == nil {
				t.Error("the redirect was followed")
			}
			if err := c.Get(t.Context(), "/api/panics", nil); err == nil {
				t.Error("a fault of the platform went unseen")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err = c.Events(ctx, nil, func(ev client.Event) error {
				if ev.ID != "7" || ev.Name != "one" || string(ev.Data) != "{\n}" {
					t.Errorf("%+v", ev)
				}
				cancel()
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	_, err := http.Get("http://127.0.0.1:1")
	var u *client.Unreachable
	if e := (&client.Client{URL: "http://127.0.0.1:1"}).Get(t.Context(), "/", nil); err == nil || !errors.As(e, &u) {
		t.Error(e)
	}
}

// An event that a function calls "result" is told from the result.
func TestInvokeStream(t *testing.T) {
	for frames, want := range map[string]string{
		"event: result\ndata: {\"ok\":true}\n\n":                                                "",
		"event: a\ndata: 1\n\nevent: result\ndata: 2\n\nevent: result\ndata: {\"ok\":true}\n\n": "a1 result2 ",
		"event: result\ndata: 2\n\nevent: b\ndata: 3\n\nevent: result\ndata: {\"ok\":true}\n\n": "result2 b3 ",
		"event: a\ndata: 1\n\n": "broken",
	} {
		c := &client.Client{URL: "http://127.0.0.1", HTTP: client.Direct(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept") != "text/event-stream" || r.Header.Get("Idempotency-Key") != "k" || r.Header.Get("Benchtop-Caller") != "portal" {
				t.Error(r.Header)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Idempotent-Replayed", "true")
			fmt.Fprint(w, frames)
		}))}
		got := ""
		out, replayed, err := c.Invoke(t.Context(), "mia", "f", json.RawMessage(`{}`), client.InvokeOptions{Key: "k", As: "portal", Emit: func(ev client.Event) error {
			got += ev.Name + string(ev.Data) + " "
			return nil
		}})
		if want == "broken" {
			if err == nil {
				t.Error("a stream without a result is one")
			}
			continue
		}
		if err != nil || !out.OK || !replayed || got != want {
			t.Errorf("%q: %q, %v %v", frames, got, out, err)
		}
	}
}

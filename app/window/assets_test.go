package window

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"benchtop/backend/contract"
)

// page answers requests as the window's private origin does.
func page(t *testing.T, start func(context.Context) (Served, error)) http.Handler {
	t.Helper()
	s := newSession(start)
	go s.run() //nolint:errcheck // the answers show it
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "file "+r.URL.Path) //nolint:errcheck // a recorder
	})
	return middleware(s, slog.New(slog.DiscardHandler))(files)
}

func get(h http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, "wails://wails"+path, nil))
	return w
}

func started(context.Context) (Served, error) {
	return Served{
		URL:   "http://127.0.0.1:4780",
		Token: "owner-of-this-run",
		Boot:  contract.Boot{Mode: "browser", Version: "v1", DataID: "d1"},
	}, nil
}

func TestBootMakesThePageAnOwner(t *testing.T) {
	w := get(page(t, started), "GET", "/boot.json")
	var got contract.Boot
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := contract.Boot{Mode: "window", API: "http://127.0.0.1:4780", Token: "owner-of-this-run", Version: "v1", DataID: "d1"}
	if got != want {
		t.Fatalf("boot = %+v, want %+v", got, want)
	}
	if c := w.Header().Get("Cache-Control"); c != "no-store" {
		t.Errorf("Cache-Control = %q: a token must not be stored", c)
	}
	if w := get(page(t, started), "POST", "/boot.json"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /boot.json = %d", w.Code)
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	h := page(t, started)
	for _, path := range []string{"/", "/index.html", "/boot.json", "/assets/x.js"} {
		csp := get(h, "GET", path).Header().Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'self'", "frame-src 'none'", "object-src 'none'", "base-uri 'none'",
			"connect-src 'self' http://127.0.0.1:4780 ws://127.0.0.1:4780",
		} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: policy %q lacks %q", path, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe-eval") || strings.Contains(csp, "script-src 'unsafe") {
			t.Errorf("%s: policy %q lets scripts through", path, csp)
		}
	}
}

func TestFilesWaitForThePlatform(t *testing.T) {
	asking := make(chan struct{})
	var up atomic.Bool
	s := newSession(func(ctx context.Context) (Served, error) {
		<-asking
		up.Store(true)
		return started(ctx)
	})
	h := middleware(s, slog.New(slog.DiscardHandler))(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if !up.Load() {
			t.Error("a file was answered before the platform was up")
		}
	}))
	answered := make(chan int)
	go func() {
		close(asking)
		answered <- get(h, "GET", "/index.html").Code
	}()
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	if code := <-answered; code != http.StatusOK {
		t.Fatalf("status = %d", code)
	}
}

func TestAFailedStartIsShown(t *testing.T) {
	h := page(t, func(context.Context) (Served, error) {
		return Served{}, errors.New(`data directory <"/x"> is not writable`)
	})
	for _, path := range []string{"/", "/boot.json"} {
		w := get(h, "GET", path)
		if !strings.Contains(w.Body.String(), "data directory &lt;&#34;/x&#34;&gt; is not writable") {
			t.Errorf("%s: body = %s", path, w.Body)
		}
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: the failure page has no policy", path)
		}
	}
}

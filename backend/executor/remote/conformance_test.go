//go:build unix

package remote_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/executor"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/executor/remote"
	"benchtop/backend/worker/conformance"
)

// TestConformance runs what a function may rely on through the network door: a
// server with its own workers on one side, host calls over HTTP on the other.
func TestConformance(t *testing.T) {
	scripts, err := conformance.Load("../../worker/testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := pair(t, "between us")
	for _, s := range scripts {
		t.Run(s.Name, func(t *testing.T) { exectest.Conform(t, e, s) })
	}
}

// pair is an Executor and the address of the one server that it uses.
func pair(t *testing.T, secret string) (*remote.Executor, string) {
	t.Helper()
	url := server(t, secret)
	e := near(t, remote.Config{URLs: []string{url}, Secret: secret})
	return e, url
}

// server starts a server with workers of its own.
func server(t *testing.T, secret string) string {
	t.Helper()
	l, err := executor.New(executor.Config{Worker: exectest.Worker(t)})
	if err != nil {
		t.Fatal(err)
	}
	s := remote.NewServer(remote.ServerConfig{Executor: l, Stats: l.Stats, Load: l.Load, Secret: secret})
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		s.Close()
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return h.URL
}

// near is an Executor with a host bridge's network door before it, whose tokens
// are the invocations' own ids.
func near(t *testing.T, cfg remote.Config) *remote.Executor {
	t.Helper()
	var e *remote.Executor
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req contract.HostRequest
		id := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		n, err := strconv.Atoi(strings.TrimPrefix(r.Header.Get("Idempotency-Key"), id+":"))
		if err != nil || json.NewDecoder(r.Body).Decode(&req) != nil || r.URL.Path != "/api/internal/fn-host" {
			t.Errorf("a host call that is none: %s %s", r.URL, r.Header)
		}
		reply, live := e.HostCall(r.Context(), id, n, req.Method, req.Args)
		if !live {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(reply)
	}))
	t.Cleanup(door.Close)
	cfg.Bridge = func() string { return door.URL }
	cfg.Mint = func(id string) (string, error) { return id, nil }
	e, err := remote.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

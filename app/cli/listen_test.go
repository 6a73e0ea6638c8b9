package cli

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"benchtop/app/client"
)

func TestLoopback(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:4780":   "127.0.0.1:4780",
		"localhost:0":      "127.0.0.1:0",
		"[::1]:4780":       "[::1]:4780",
		"":                 "",
		"4780":             "",
		":4780":            "",
		"0.0.0.0:4780":     "",
		"[::]:4780":        "",
		"127.0.0.2:4780":   "", // it would listen, but answer nobody
		"192.168.1.2:4780": "",
		"example.com:80":   "",
		"127.0.0.1:http":   "",
		"127.0.0.1:-1":     "",
		"127.0.0.1:65536":  "",
	} {
		got, err := loopback(addr)
		var usage usageError
		if got != want || (err != nil) != (want == "") || err != nil && !errors.As(err, &usage) {
			t.Errorf("%q: %q, %v; want %q", addr, got, err, want)
		}
	}
}

func listening(t *testing.T) (net.Listener, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln, ln.Addr().String()
}

func TestTakenPort(t *testing.T) {
	_, addr := listening(t)
	var said bytes.Buffer
	p := &Program{Stderr: &said}
	_, err := p.listen(t.Context(), options{addr: addr, addrGiven: true})
	if err == nil || !strings.Contains(err.Error(), portOf(addr)) {
		t.Fatalf("a port that was asked for and is taken: %v", err)
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("the error does not say who holds it: %v", err)
	}

	ln, err := p.listen(t.Context(), options{addr: addr})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if got := portOf(ln.Addr().String()); got == portOf(addr) || !strings.Contains(said.String(), "using "+got) {
		t.Errorf("listens on %s and says %q", got, &said)
	}
}

func TestHolderIsAnotherBenchtop(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/boot.json" {
			w.Write([]byte(`{"mode":"browser","api":"","version":"1.2.3","dataId":"ab"}`))
		}
	}))
	defer srv.Close()
	if got := byHolder(t.Context(), strings.TrimPrefix(srv.URL, "http://")); got != " by another benchtop (version 1.2.3)" {
		t.Errorf("holder%s", got)
	}
}

// TestAskStaysHere: an answer cannot send the owner's credential elsewhere.
func TestAskStaysHere(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer elsewhere.Close()
	srv := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer srv.Close()
	if err := (&client.Client{URL: srv.URL, Bearer: "key"}).Post(t.Context(), "/api/local/focus", nil, nil); err == nil {
		t.Error("a redirect counts as an answer")
	}
}

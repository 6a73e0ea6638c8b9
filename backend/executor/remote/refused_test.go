//go:build unix

package remote_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/executor/remote"
)

// mute is a connection whose writes go nowhere once it is told so.
type mute struct {
	net.Conn
	off atomic.Bool
}

func (m *mute) Write(b []byte) (int, error) {
	if m.off.Load() {
		return len(b), nil
	}
	return m.Conn.Write(b)
}

// refuses is a server that ends every handshake once the client thinks that it is
// over: with an alert, or by cutting the connection without a word, as it looks to
// a client whose request came in before the alert went out.
func refuses(t *testing.T, as *tls.Config, silently bool) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			m := &mute{Conn: c}
			cfg := as.Clone()
			cfg.NextProtos = []string{"h2", "http/1.1"}
			cfg.ClientAuth = tls.RequestClientCert
			cfg.VerifyConnection = func(tls.ConnectionState) error {
				m.off.Store(silently)
				return errors.New("not you")
			}
			if err := tls.Server(m, cfg).Handshake(); err == nil {
				t.Error("the handshake was not refused")
			}
			if silently {
				_ = c.(*net.TCPConn).SetLinger(0)
			}
			c.Close()
		}
	}()
	return "https://" + ln.Addr().String()
}

// TestRefusedHandshake: a server that does not take our certificate has read
// nothing, however it hangs up; one that took it and broke off may have run it.
func TestRefusedHandshake(t *testing.T) {
	one := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body(200, `{"ok":true,"result":"good","durationMs":1}`)(w, r)
	}))
	one.StartTLS()
	defer one.Close()
	roots := x509.NewCertPool()
	roots.AddCert(one.Certificate())
	breaks := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = r.Body.Read(make([]byte, 1))
		panic(http.ErrAbortHandler)
	}))
	breaks.EnableHTTP2 = true
	breaks.StartTLS()
	defer breaks.Close()
	roots.AddCert(breaks.Certificate())
	for _, c := range []struct {
		name, url string
		code      contract.Code
	}{
		{"with an alert", refuses(t, one.TLS, false), contract.ExecutorUnavailable},
		{"without a word", refuses(t, one.TLS, true), contract.ExecutorUnavailable},
		{"after it began to read", breaks.URL, contract.InvocationInterrupted},
		{"not at all", one.URL, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 20 { // what the client sees first is a matter of chance
				e := near(t, remote.Config{URLs: []string{c.url}, TLS: &tls.Config{RootCAs: roots}})
				if o := e.Run(t.Context(), job(""), &host{}); o.Code != c.code {
					t.Fatalf("%s %s, want %q", o.Code, o.Message, c.code)
				}
			}
		})
	}
}

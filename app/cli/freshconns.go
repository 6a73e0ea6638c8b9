package cli

import (
	"net"
	"net/http"
	"sync"
)

// freshConns are connections that nobody has asked anything on yet. Clients open
// some in advance, and a server that stops waits five seconds for each of them;
// there is nothing to wait for.
type freshConns struct {
	mu  sync.Mutex
	all map[net.Conn]bool
}

// follow has a server tell of its connections.
func (f *freshConns) follow(s *http.Server) {
	f.all = map[net.Conn]bool{}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if state == http.StateNew {
			f.all[c] = true
		} else {
			delete(f.all, c)
		}
	}
}

// close ends those that are there.
func (f *freshConns) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.all {
		_ = c.Close() // its client may be gone
	}
}

package executor

import (
	"strings"
	"sync"
)

// tail keeps the beginning and the end of what a worker writes to its standard
// error. The Go runtime says first why it gives up, and then prints stacks.
type tail struct {
	mu   sync.Mutex
	head []byte
	ring []byte
	at   int
}

const (
	tailHead = 2 << 10
	tailRing = 4 << 10
)

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := tailHead - len(t.head); room > 0 {
		take := min(room, len(b))
		t.head = append(t.head, b[:take]...)
		b = b[take:]
	}
	if len(b) > tailRing {
		b = b[len(b)-tailRing:]
	}
	for len(b) > 0 {
		if t.at == len(t.ring) && len(t.ring) < tailRing {
			take := min(tailRing-len(t.ring), len(b))
			t.ring = append(t.ring, b[:take]...)
			t.at, b = len(t.ring), b[take:]
			continue
		}
		if t.at == tailRing {
			t.at = 0
		}
		took := copy(t.ring[t.at:], b)
		t.at, b = t.at+took, b[took:]
	}
	return n, nil
}

// text is what was kept, oldest first.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ring) < tailRing {
		return string(t.head) + string(t.ring)
	}
	return string(t.head) + "\n...\n" + string(t.ring[t.at:]) + string(t.ring[:t.at])
}

// reasons picks the lines in which the Go runtime says why it gave up. Nothing
// else of the text is shown anywhere: it could repeat what a function held in
// memory.
func reasons(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, start := range []string{"fatal error: ", "runtime: ", "panic: runtime error: ", "SIGSEGV: ", "benchtop-worker: "} {
			if strings.HasPrefix(line, start) {
				found = append(found, line[:min(len(line), 200)])
				break
			}
		}
		if len(found) == 4 {
			break
		}
	}
	return found
}

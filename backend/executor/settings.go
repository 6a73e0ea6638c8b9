package executor

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// settings watches the files that tell how names are resolved. A worker reads
// them once, before it closes the wall behind itself; when they change (another
// network, a tunnel) it asks the wrong servers from then on, and is replaced.
type settings struct {
	files []string
	now   func() time.Time

	mu    sync.Mutex
	asked time.Time
	last  string
}

// settingsFor is how long an answer is good: looking at the files costs more
// than a look at the clock.
const settingsFor = time.Second

// resolving are the files; those that a system does not have count as empty.
var resolving = []string{"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"}

// state tells one reading of the files from another.
func (s *settings) state() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.now(); now.Sub(s.asked) >= settingsFor || s.asked.IsZero() {
		s.asked = now
		var b strings.Builder
		for _, path := range s.files {
			if st, err := os.Stat(path); err == nil {
				fmt.Fprintf(&b, "%d %d;", st.ModTime().UnixNano(), st.Size())
			} else {
				b.WriteByte(';')
			}
		}
		s.last = b.String()
	}
	return s.last
}

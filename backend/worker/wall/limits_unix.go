//go:build unix

package wall

import (
	"fmt"

	"golang.org/x/sys/unix"
)

type rlimit struct {
	resource int
	most     uint64
}

// limits: no core dump, which would hold what the function knew; no file ever
// written; and as many descriptors as sixteen requests at a time and their
// name lookups need. The number of processes is left alone, because the system
// counts all those of the user.
var limits = []rlimit{{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_NOFILE, 256}}

// limit lowers soft and hard limits; a hard one that is lower already stays.
func limit(all []rlimit) error {
	for _, l := range all {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("read resource limit %d: %w", l.resource, err)
		}
		now.Max = min(now.Max, l.most)
		now.Cur = now.Max
		if err := unix.Setrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("set resource limit %d to %d: %w", l.resource, now.Max, err)
		}
	}
	return nil
}

package cli

import (
	"errors"
	"os"
)

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

// lockFile is a lock that the operating system takes back when this process
// ends, however it ends. Its file stays: removing it would let two others lock
// two files of one name.
type lockFile struct{ f *os.File }

// takeLock takes the lock or fails at once with errLocked.
func takeLock(path string) (*lockFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockHandle(f); err != nil {
		f.Close()
		return nil, err
	}
	return &lockFile{f}, nil
}

func (l *lockFile) release() error { return l.f.Close() }

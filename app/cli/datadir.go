package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// dataDir is a data directory that belongs to this process alone.
type dataDir struct {
	path      string
	lock      *lockFile
	ephemeral bool
}

// defaultDataDir is benchtop/ in the directory where the operating system wants
// a user's program data.
func defaultDataDir(getenv func(string) string) (string, error) {
	var base string
	switch runtime.GOOS {
	case "windows":
		base = getenv("LocalAppData")
	case "darwin":
		if home := getenv("HOME"); home != "" {
			base = filepath.Join(home, "Library", "Application Support")
		}
	default:
		base = getenv("XDG_DATA_HOME")
		if home := getenv("HOME"); !filepath.IsAbs(base) && home != "" {
			base = filepath.Join(home, ".local", "share")
		}
	}
	if !filepath.IsAbs(base) {
		return "", errors.New("this user has no home directory; say with --data where the data goes")
	}
	return filepath.Join(base, "benchtop"), nil
}

// openDataDir makes the data directory and takes it for this process.
func (p *Program) openDataDir(ctx context.Context, o options) (*dataDir, error) {
	if o.ephemeral {
		path, err := os.MkdirTemp("", "benchtop-")
		if err != nil {
			return nil, err
		}
		return &dataDir{path: path, ephemeral: true}, nil
	}
	path := o.data
	if path == "" {
		var err error
		if path, err = defaultDataDir(p.Getenv); err != nil {
			return nil, err
		}
	}
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	lock, err := lockOrFind(ctx, path)
	if err != nil {
		return nil, err
	}
	return &dataDir{path: path, lock: lock}, nil
}

const lockName = "lock"

// ours are files of which a data directory has at least one.
var ours = []string{lockName, "data.id", "owner.key", "benchtop.db", "window.json"}

// makePrivate makes a directory that nobody else can look into. One that has
// other things in it is left alone: it is not ours to close.
func makePrivate(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("read the data directory: %w", err)
	}
	known := len(entries) == 0
	for _, name := range ours {
		_, err := os.Lstat(filepath.Join(path, name))
		known = known || err == nil
	}
	if !known {
		return fmt.Errorf("%s is no data directory of benchtop and is not empty; name another one with --data", path)
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(path, 0o700)
}

// lockOrFind takes the data directory or gives, as a *Running error, who has
// it. That one may still be starting, and gets a moment to leave word; or it was
// killed in the middle of a write, and the system holds its lock until the disk
// has answered.
func lockOrFind(ctx context.Context, path string) (*lockFile, error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		lock, err := takeLock(filepath.Join(path, lockName))
		if err == nil {
			return lock, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, fmt.Errorf("lock the data directory: %w", err)
		}
		if r, err := readRunning(path); err == nil && r.answers(ctx) {
			return nil, r
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("another process has the data directory %s open, but does not answer", path)
		}
	}
}

// lockPatience is how long a start waits for a data directory whose owner does
// not answer.
const lockPatience = 10 * time.Second

func (d *dataDir) runFile() string { return filepath.Join(d.path, runName) }

// close gives the directory back; an ephemeral one goes.
func (d *dataDir) close() error {
	if d.ephemeral {
		return os.RemoveAll(d.path)
	}
	return d.lock.release()
}

func removeFile(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

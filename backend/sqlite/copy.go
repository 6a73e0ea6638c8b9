package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"benchtop/backend/contract"
)

// Copy writes a sound copy of a database of this platform to a new file of mode
// 0600, which replaces one that is there. The database may be in use, by another
// process too: the copy is as it was at one moment.
func Copy(ctx context.Context, from, to string) error {
	c, err := known(ctx, from)
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err == nil {
		err = backup(c, to)
	}
	return errors.Join(err, c.close())
}

// Fold brings a database that nobody has open into its one file, so that the
// file can be moved: what a process that was killed left in the log beside it
// goes in.
func Fold(ctx context.Context, path string) error {
	c, err := known(ctx, path)
	if err != nil {
		return err
	}
	if err := errors.Join(c.script("PRAGMA wal_checkpoint(TRUNCATE)"), c.close()); err != nil {
		return err
	}
	if st, err := os.Stat(path + "-wal"); err == nil && st.Size() > 0 {
		return fmt.Errorf("%s is in use by another process", path)
	}
	for _, beside := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + beside); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// known opens a file that is a sound database of this platform.
func known(ctx context.Context, path string) (*conn, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	c, err := dial(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	owner, err := c.number("PRAGMA application_id")
	if err != nil || owner != applicationID {
		_ = c.close() // the first error is the one to tell
		return nil, contract.Errorf(contract.InvalidRequest, "%s is no database of this platform", path)
	}
	return c, nil
}

package sqlite

import (
	"embed"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a database file as one of this platform's ("BNCH").
const applicationID = 0x424e4348

// migration is one step of the schema; its number is what user_version becomes.
type migration struct {
	number int
	name   string
	sql    string
}

// migrations reads NNNN_name.sql. Numbers only rise: a number may be left out,
// and none is used twice, so that the last one says what was applied.
func migrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration
	last := 0
	for _, name := range names { // Glob sorts
		digits := strings.SplitN(path.Base(name), "_", 2)[0]
		number, err := strconv.Atoi(digits)
		if err != nil || len(digits) != 4 || number <= last {
			return nil, fmt.Errorf("migration %s: want a number above %04d in front of its name", name, last)
		}
		last = number
		sql, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{number, path.Base(name), string(sql)})
	}
	return all, nil
}

// migrate brings the schema up to date. Each step is one transaction, after a
// copy of the database as it was: benchtop.db.before-NNNN beside it. A new
// database has nothing to copy.
func migrate(c *conn, file string, steps []migration, log *slog.Logger) error {
	version, err := c.number("PRAGMA user_version")
	if err != nil {
		return err
	}
	owner, err := c.number("PRAGMA application_id")
	if err != nil {
		return err
	}
	tables, err := c.number("SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return err
	}
	if tables > 0 && owner != applicationID {
		return fmt.Errorf("%s is a database of another program: move it away or choose another data directory", file)
	}
	newest := 0
	if n := len(steps); n > 0 {
		newest = steps[n-1].number
	}
	if int(version) > newest {
		return fmt.Errorf("%s was written by a newer version of this program (schema %d, this one knows %d): "+
			"start the newer version, or restore a copy from before (%s.before-…)", file, version, newest, file)
	}
	for _, m := range steps {
		if m.number <= int(version) {
			continue
		}
		if tables > 0 {
			if err := backup(c, fmt.Sprintf("%s.before-%04d", file, m.number)); err != nil {
				return fmt.Errorf("copy the database before %s: %w", m.name, err)
			}
		}
		if err := apply(c, m); err != nil {
			return fmt.Errorf("migration %s (the database is unchanged): %w", m.name, err)
		}
		if tables > 0 {
			log.Info("database migrated", "step", m.name, "file", file)
		}
	}
	return nil
}

func apply(c *conn, m migration) (err error) {
	// Rebuilding a table under enforced foreign keys would delete what refers
	// to it; the check before the commit finds what a step left dangling.
	if err := c.script("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = c.script("ROLLBACK") // the first error is the one to tell
		}
		if e := c.script("PRAGMA foreign_keys=ON"); err == nil {
			err = e
		}
	}()
	if err := c.script(m.sql); err != nil {
		return err
	}
	dangling := 0
	if err := c.query(func(*row) error { dangling++; return nil }, "PRAGMA foreign_key_check"); err != nil {
		return err
	}
	if dangling > 0 {
		return fmt.Errorf("%d rows refer to rows that are not there", dangling)
	}
	return c.script(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT", applicationID, m.number))
}

// backup writes a sound copy of the database, readable by its owner only. A
// copy that was left by an earlier attempt is replaced once the new one is whole.
func backup(c *conn, to string) error {
	part := to + ".part"
	if err := os.Remove(part); err != nil && !os.IsNotExist(err) {
		return err
	}
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := c.exec("VACUUM INTO ?", part); err != nil { // takes an empty file
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(part, to)
}

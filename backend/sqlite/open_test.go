package sqlite

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"benchtop/backend/agents"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openSteps opens path with another set of migrations.
func openSteps(t *testing.T, path string, files fs.FS) (*DB, error) {
	t.Helper()
	steps, err := migrations(files)
	must(t, err)
	return open(ctx, Config{Path: path}, steps)
}

func sqlFiles(scripts ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i, sql := range scripts {
		files[fmt.Sprintf("migrations/%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(sql)}
	}
	return files
}

func (db *DB) testNumber(t *testing.T, sql string) (n int64) {
	t.Helper()
	must(t, db.read(ctx, func(c *conn) (err error) { n, err = c.number(sql); return err }))
	return n
}

const (
	stepOne = "CREATE TABLE t (x INTEGER) STRICT; INSERT INTO t VALUES (1);"
	stepTwo = "ALTER TABLE t ADD COLUMN y INTEGER; UPDATE t SET y = x + 1;"
)

func TestMigrationKeepsACopyFromBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := openSteps(t, path, sqlFiles(stepOne))
	must(t, err)
	must(t, db.Close())
	if _, err := os.Stat(path + ".before-0001"); !os.IsNotExist(err) {
		t.Errorf("a new database has a copy from before it was: %v", err)
	}

	db, err = openSteps(t, path, sqlFiles(stepOne, stepTwo, "DELETE FROM t;"))
	must(t, err)
	if n := db.testNumber(t, "SELECT count(*) FROM t"); n != 0 {
		t.Errorf("%d rows after the third step", n)
	}
	must(t, db.Close())

	old, err := openSteps(t, path+".before-0002", sqlFiles(stepOne))
	must(t, err)
	if n := old.testNumber(t, "SELECT count(*) FROM pragma_table_info('t')"); n != 1 {
		t.Errorf("the copy before step 2 has %d columns, want 1", n)
	}
	must(t, old.Close())
	old, err = openSteps(t, path+".before-0003", sqlFiles(stepOne, stepTwo))
	must(t, err)
	if n := old.testNumber(t, "SELECT y FROM t"); n != 2 {
		t.Errorf("the copy before step 3 has y = %d, want 2", n)
	}
	must(t, old.Close())
}

func TestNewDatabaseHasNoCopies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := openSteps(t, path, sqlFiles(stepOne, stepTwo))
	must(t, err)
	must(t, db.Close())
	if copies, err := filepath.Glob(path + ".before-*"); err != nil || len(copies) > 0 {
		t.Errorf("a new database has %v, %v", copies, err)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := openSteps(t, path, sqlFiles(stepOne))
	must(t, err)
	must(t, db.Close())
	for name, step := range map[string]string{
		"bad statement": "DELETE FROM t; CREATE TABLE t (again INTEGER)",
		"dangling":      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p); INSERT INTO c VALUES (7)",
	} {
		if _, err := openSteps(t, path, sqlFiles(stepOne, step)); err == nil || !strings.Contains(err.Error(), "0002_step.sql") {
			t.Errorf("%s: error %v, want one that names the step", name, err)
		}
		db, err := openSteps(t, path, sqlFiles(stepOne))
		must(t, err)
		if n := db.testNumber(t, "SELECT count(*) FROM t"); n != 1 {
			t.Errorf("%s: %d rows afterwards, want 1", name, n)
		}
		must(t, db.Close())
	}
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := openSteps(t, path, sqlFiles(stepOne, stepTwo))
	must(t, err)
	must(t, db.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	if _, err := openSteps(t, path, sqlFiles(stepOne)); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("error %v, want one about a newer version", err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if string(before) != string(after) {
		t.Error("the refused database was changed")
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.db")
	must(t, os.WriteFile(other, nil, 0o600))
	c, err := dial(ctx, other)
	must(t, err)
	must(t, c.script("CREATE TABLE theirs (x)"))
	must(t, c.close())
	garbage := filepath.Join(dir, "garbage.db")
	must(t, os.WriteFile(garbage, []byte(strings.Repeat("not a database ", 1000)), 0o600))
	for path, want := range map[string]string{
		other: "another program", garbage: "damaged", filepath.Join(dir, "no", "dir.db"): "open the database",
	} {
		if _, err := Open(ctx, Config{Path: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
}

func TestMigrationNumbers(t *testing.T) {
	steps, err := migrations(migrationFiles)
	must(t, err)
	if len(steps) == 0 {
		t.Fatal("no migrations are embedded")
	}
	for name, files := range map[string]fstest.MapFS{
		"one number twice": {"migrations/0002_a.sql": {}, "migrations/0002_b.sql": {}},
		"no number":        {"migrations/late.sql": {}},
		"short number":     {"migrations/0001_a.sql": {}, "migrations/2_b.sql": {}},
	} {
		if _, err := migrations(files); err == nil {
			t.Errorf("%s was not noticed", name)
		}
	}
}

func TestMigrationNumberLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	files := sqlFiles(stepOne)
	files["migrations/0004_step.sql"] = &fstest.MapFile{Data: []byte(stepTwo)}
	for range 2 { // the second time there is nothing to do
		db, err := openSteps(t, path, files)
		must(t, err)
		if n := db.testNumber(t, "SELECT y FROM t"); n != 2 {
			t.Errorf("y = %d, want 2", n)
		}
		if n := db.testNumber(t, "PRAGMA user_version"); n != 4 {
			t.Errorf("the schema is %d, want 4", n)
		}
		must(t, db.Close())
	}
	if _, err := openSteps(t, path, sqlFiles(stepOne, stepTwo)); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("error %v, want one about a newer version", err)
	}
}

func TestFilesAreTheOwnersOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // access there follows the directory
	}
	path := filepath.Join(t.TempDir(), "benchtop.db")
	must(t, os.WriteFile(path, nil, 0o644))
	db, err := openSteps(t, path, sqlFiles(stepOne))
	must(t, err)
	must(t, db.Close())
	db, err = openSteps(t, path, sqlFiles(stepOne, stepTwo))
	must(t, err)
	files, err := filepath.Glob(path + "*")
	must(t, err)
	if len(files) < 4 { // itself, -wal, -shm, .before-0002
		t.Errorf("files: %v", files)
	}
	for _, name := range files {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	must(t, db.Close())
}

func TestReadersCannotWrite(t *testing.T) {
	db, err := Open(ctx, Config{Path: filepath.Join(t.TempDir(), "benchtop.db")})
	must(t, err)
	err = db.read(ctx, func(c *conn) error {
		_, err := c.exec("DELETE FROM agents")
		return err
	})
	if err == nil {
		t.Error("a reading connection wrote")
	}
	must(t, db.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann"}))
	must(t, db.Close())
}

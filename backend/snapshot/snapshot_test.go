package snapshot_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/secrets"
	"benchtop/backend/snapshot"
	"benchtop/backend/sqlite"
)

// A snapshot is the whole of one moment, also of a database that is in use, and
// loading one that does not fit leaves everything as it was.
func TestLoadIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	s := snapshot.New(snapshot.Config{Dir: dir, Now: time.Now, Keys: func() (secrets.KeySource, error) {
		return secrets.KeyFile(filepath.Join(dir, "secrets.key")), nil
	}})
	if _, err := s.Save(t.Context(), "none"); err == nil {
		t.Error("saved what is not there")
	}
	open := func() *sqlite.DB {
		t.Helper()
		db, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(dir, "benchtop.db"), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	names := func() (out string) {
		t.Helper()
		db := open()
		all, err := db.ListAgents(t.Context())
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			out += a.Username + " "
		}
		return out
	}
	db := open()
	add := func(name string) {
		t.Helper()
		if err := db.InsertAgent(t.Context(), agents.Agent{ID: name, Username: name, Name: name, CreatedAt: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	add("mia")
	if _, err := s.Save(t.Context(), "in-use"); err != nil {
		t.Fatal(err)
	}
	add("noah")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "snapshots", "damaged.db")
	text, err := os.ReadFile(filepath.Join(dir, "snapshots", "in-use.db"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] ^= 0x5a
	}
	if err := os.WriteFile(damaged, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"damaged", "nothing", "../in-use"} {
		if _, err := s.Load(t.Context(), name, true); err == nil {
			t.Errorf("%s was loaded", name)
		}
	}
	if got := names(); got != "mia noah " {
		t.Fatalf("what was not loaded left %q", got)
	}
	done, err := s.Load(t.Context(), "in-use", false)
	if err != nil || done.Before == "" {
		t.Fatal(done, err)
	}
	if got := names(); got != "mia " {
		t.Errorf("loaded: %q", got)
	}
	if _, err := s.Load(t.Context(), done.Before, false); err != nil {
		t.Fatal(err)
	}
	if got := names(); got != "mia noah " {
		t.Errorf("undone: %q", got)
	}
	before, err := s.Reset(t.Context())
	if err != nil || before == "" {
		t.Fatal(before, err)
	}
	if again, err := s.Reset(t.Context()); err != nil || again != "" {
		t.Error(again, err)
	}
	if got := names(); got != "" {
		t.Errorf("reset: %q", got)
	}
	if _, err := s.Load(t.Context(), before, false); err != nil {
		t.Fatal(err)
	}
	if got := names(); got != "mia noah " {
		t.Errorf("reset undone: %q", got)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".load-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

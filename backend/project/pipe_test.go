//go:build unix

package project_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe: a pipe nobody writes to holds nothing up, wherever it stands.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "functions/f"), 0o755))
	for _, name := range []string{"AGENT.md", "functions/pipe.js", "functions/f/index.js", "functions/f/manifest.json"} {
		must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o600))
	}
	u := read(t, dir)
	if u.Agent.Valid {
		t.Error("AGENT.md is a pipe")
	}
	for _, f := range u.Functions {
		if l := f.Load(nil); len(l.Errors) == 0 || l.Source != "" {
			t.Errorf("%s: %+v", f.Name, l)
		}
	}
}

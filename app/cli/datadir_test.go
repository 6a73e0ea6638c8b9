package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestDefaultDataDir(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // the table below is of one system
	}
	for _, c := range []struct{ xdg, home, want string }{
		{"", "/home/ada", "/home/ada/.local/share/benchtop"},
		{"/data", "/home/ada", "/data/benchtop"},
		{"relative", "/home/ada", "/home/ada/.local/share/benchtop"}, // the XDG rules say to ignore it
		{"", "", ""},
	} {
		env := map[string]string{"XDG_DATA_HOME": c.xdg, "HOME": c.home}
		got, err := defaultDataDir(func(k string) string { return env[k] })
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Mode().Perm()
}

func TestDataDirIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no such permissions
	}
	base := t.TempDir()
	fresh := filepath.Join(base, "a", "b")
	if err := makePrivate(fresh); err != nil || mode(t, fresh) != 0o700 {
		t.Errorf("%v, mode %v", err, mode(t, fresh))
	}
	for _, name := range ours {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := makePrivate(dir); err != nil || mode(t, dir) != 0o700 {
			t.Errorf("with %s: %v, mode %v", name, err, mode(t, dir))
		}
	}
}

// TestForeignDirIsLeftAlone: --data /tmp must not close /tmp.
func TestForeignDirIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := mode(t, dir)
	if err := makePrivate(dir); err == nil {
		t.Error("a directory with other things in it was taken")
	}
	if mode(t, dir) != before {
		t.Errorf("its mode was changed to %v", mode(t, dir))
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockName)
	first, err := takeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := takeLock(path); !errors.Is(err, errLocked) {
		t.Errorf("the second one gets %v", err)
	}
	if err := first.release(); err != nil {
		t.Fatal(err)
	}
	again, err := takeLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.release(); err != nil {
		t.Error(err)
	}
}

func TestRunFile(t *testing.T) {
	dir := t.TempDir()
	here := &Running{URL: "http://127.0.0.1:1", PID: 7, Data: dir}
	path := filepath.Join(dir, runName)
	if err := here.write(path); err != nil {
		t.Fatal(err)
	}
	if got, err := readRunning(dir); err != nil || *got != *here {
		t.Errorf("%+v, %v", got, err)
	}
	if runtime.GOOS != "windows" && mode(t, path) != 0o600 {
		t.Errorf("mode %v", mode(t, path))
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

package executor

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir, empty := t.TempDir(), t.TempDir()
	name := workerName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(dir, name)
	if err := os.WriteFile(beside, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(empty, "text")
	if err := os.WriteFile(text, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(d string) string { return filepath.Join(d, "benchtop") }
	for _, c := range []struct {
		name   string
		search Search
		want   []string
		says   string
	}{
		{"named", Search{Override: beside, Executable: in(empty)}, []string{beside}, ""},
		{"named wins", Search{Override: beside, Executable: in(dir), SelfServes: true}, []string{beside}, ""},
		{"beside", Search{Executable: in(dir)}, []string{beside}, ""},
		{"beside comes before itself", Search{Executable: in(dir), SelfServes: true}, []string{beside}, ""},
		{"itself", Search{Executable: in(empty), SelfServes: true}, []string{in(empty), "worker"}, ""},
		{"never the window", Search{Executable: in(empty)}, nil, "put " + name},
		{"named and missing", Search{Override: in(empty), Executable: in(dir), SelfServes: true}, nil, WorkerEnv},
		{"named and a folder", Search{Override: dir}, nil, "not an executable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.search.Find()
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one with %q", err, c.says)
			}
		})
	}
	if runtime.GOOS != "windows" {
		if _, err := (Search{Override: text}).Find(); err == nil {
			t.Error("a text file passes for a program")
		}
	}
}

func TestNewWithoutAWorker(t *testing.T) {
	for _, argv := range [][]string{nil, {filepath.Join(t.TempDir(), "missing")}} {
		if _, err := New(Config{Worker: argv}); err == nil {
			t.Errorf("%v: no error", argv)
		}
	}
}

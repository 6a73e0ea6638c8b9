//go:build unix

package wall_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"benchtop/backend/worker/wall"
)

// TestMain makes the test program a hostile one as well, which enters the wall
// and then tries what it can.
func TestMain(m *testing.M) {
	if dir := os.Getenv("WALL_PROBE"); dir != "" {
		probe(dir)
		return
	}
	os.Exit(m.Run())
}

// report is what the hostile program found. Tried says for each attempt how it
// was refused, "" when it was not.
type report struct {
	Landlock int
	Tried    map[string]string
}

func probe(dir string) {
	held, err := os.Open(filepath.Join(dir, "held"))
	if err != nil {
		panic(err)
	}
	_, ready, err := wall.Enter(wall.Config{})
	if err != nil {
		panic(err)
	}
	r := report{Landlock: ready.Landlock, Tried: map[string]string{}}
	try := func(what string, f func() error) {
		r.Tried[what] = ""
		if err := f(); err != nil {
			r.Tried[what] = err.Error()
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	try("read", func() error { _, err := os.ReadFile(at("held")); return err })
	try("read /etc/passwd", func() error { _, err := os.ReadFile("/etc/passwd"); return err })
	try("read own environment", func() error { _, err := os.ReadFile("/proc/self/environ"); return err })
	try("list", func() error { _, err := os.ReadDir(dir); return err })
	try("list /", func() error { _, err := os.ReadDir("/"); return err })
	try("exec", func() error { return exec.Command("/bin/true").Run() })
	try("replace itself", func() error { return syscall.Exec("/bin/true", []string{"true"}, nil) })
	try("exec itself", func() error { return exec.Command("/proc/self/exe").Run() })
	try("write", func() error { return os.WriteFile(at("new"), []byte("x"), 0o600) })
	try("overwrite", func() error { return os.WriteFile(at("held"), []byte("x"), 0o600) })
	try("truncate", func() error { return os.Truncate(at("held"), 0) })
	try("remove", func() error { return os.Remove(at("held")) })
	try("rename", func() error { return os.Rename(at("held"), at("other")) })
	try("link", func() error { return os.Link(at("held"), at("other")) })
	try("symlink", func() error { return os.Symlink(at("held"), at("other")) })
	try("mkdir", func() error { return os.Mkdir(at("folder"), 0o700) })
	try("listen", func() error {
		var c net.ListenConfig
		c.SetMultipathTCP(false) // the kernel only knows plain TCP here
		_, err := c.Listen(context.Background(), "tcp", "127.0.0.1:0")
		return err
	})
	try("unix socket", func() error { _, err := net.Listen("unix", at("socket")); return err })
	try("signal the parent", func() error { return syscall.Kill(os.Getppid(), 0) })
	try("many descriptors", func() error {
		for range 300 {
			if _, err := syscall.Dup(0); err != nil {
				return err
			}
		}
		return nil
	})
	// What must go on working.
	try("open file", func() error { _, err := held.Read(make([]byte, 1)); return err })
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		panic(err)
	}
}

// kernel is the version of Landlock here; 0 without it.
func kernel() int {
	v, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return v
}

func TestWall(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "held"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WALL_PROBE="+dir)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Logf("%s", exit.Stderr)
		}
		t.Fatalf("the hostile program: %v", err)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	version := kernel()
	if r.Landlock != version {
		t.Errorf("Landlock %d is in force, the kernel has %d", r.Landlock, version)
	}
	// Since which version of Landlock each attempt is refused; 0: always.
	since := map[string]int{"read": 1, "read /etc/passwd": 1, "read own environment": 1, "list": 1, "list /": 1, "exec": 1,
		"replace itself": 1, "exec itself": 1, "write": 0, "overwrite": 0, "truncate": 3, "remove": 1, "rename": 1, "link": 1,
		"symlink": 1, "mkdir": 1, "listen": 4, "unix socket": 1, "signal the parent": 6, "many descriptors": 0}
	for what, refused := range r.Tried {
		if what == "open file" {
			if refused != "" {
				t.Errorf("%s: %s", what, refused)
			}
			continue
		}
		from, known := since[what]
		if !known {
			t.Errorf("nobody says what should come of %q", what)
		}
		if refused == "" && (from == 0 || version >= from && runtime.GOOS == "linux") {
			t.Errorf("%s was possible with Landlock %d", what, version)
		}
	}
	if len(r.Tried) != len(since)+1 {
		t.Errorf("%d attempts of %d were made", len(r.Tried), len(since)+1)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "held")); version > 0 && (err != nil || string(b) != "secret") {
		t.Errorf("the file is now %q, %v", b, err)
	}
	t.Logf("Landlock %d, %s tries", version, strconv.Itoa(len(r.Tried)))
}

//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// limit bounds everything one test does; a driver whose program cannot start
// waits for ever.
const limit = 2 * time.Minute

var (
	repository = filepath.Join("..", "..", "..")
	// automation is the preloaded library, built once.
	automation = sync.OnceValues(buildAutomation)
)

func buildAutomation() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	dir, err := os.MkdirTemp("", "benchtop-e2e-*")
	if err != nil {
		return "", err
	}
	flags, err := exec.CommandContext(ctx, "pkg-config", "--cflags", "--libs", "webkit2gtk-4.1").Output()
	if err != nil {
		return "", fmt.Errorf("pkg-config webkit2gtk-4.1: %w; `make setup` installs it", err)
	}
	lib := filepath.Join(dir, "automation.so")
	args := append([]string{"-shared", "-fPIC", "-o", lib, "testdata/automation.c"}, strings.Fields(string(flags))...)
	if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return lib, nil
}

// app is one run of the desktop program with a home of its own.
type app struct {
	*driver
	t    *testing.T
	ctx  context.Context
	home string
	env  []string
	log  string // where the program's output goes

	pidFile string // holds the program's process number
}

// program is the absolute path of the built desktop program.
func program(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BENCHTOP_DESKTOP")
	if path == "" {
		path = filepath.Join(repository, "build", "bin", "benchtop-desktop")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; `make build` builds it", err)
	}
	return path
}

// environment is what a program started from a desktop finds: a home and a
// display, no session bus. Every test has its own home.
func environment(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "DISPLAY=" + os.Getenv("DISPLAY"), "XAUTHORITY=" + os.Getenv("XAUTHORITY"),
		"HOME=" + home, "LANG=C.UTF-8", "NO_AT_BRIDGE=1", "DBUS_SESSION_BUS_ADDRESS=disabled:",
		"XDG_RUNTIME_DIR=" + filepath.Join(home, "run"),
	}
}

// start opens the window and attaches to it. home is kept by the caller, so
// that a test can start twice in the same one.
func start(t *testing.T, home string, extra ...string) *app {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Fatal("no DISPLAY; run these tests with `make e2e`")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	lib, err := automation()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(home, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	a := &app{
		t: t, ctx: ctx, home: home, env: append(environment(home), extra...),
		log: filepath.Join(dir, "app.log"), pidFile: filepath.Join(dir, "pid"),
	}
	wrapper := filepath.Join(dir, "app.sh")
	script := fmt.Sprintf("#!/bin/sh\necho $$ >'%s'\nexport LD_PRELOAD='%s'\nexec '%s' >>'%s' 2>&1\n", a.pidFile, lib, program(t), a.log)
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	a.driver = &driver{base: startDriver(t, ctx, a.env)}
	t.Cleanup(a.tell)
	if err := a.open(ctx, wrapper); err != nil {
		t.Fatalf("the window did not open: %v", err)
	}
	return a
}

// startDriver runs a WebKitWebDriver on a free port and gives its address. The
// programs it starts belong to its process group, which ends with the test.
func startDriver(t *testing.T, ctx context.Context, env []string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	cmd := exec.Command("WebKitWebDriver", "--port="+port)
	cmd.Env, cmd.SysProcAttr = env, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v; `make setup` installs webkit2gtk-driver", err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // nobody may be left
		cmd.Wait()                                      //nolint:errcheck // it was killed
	})
	d := &driver{base: "http://" + address}
	for {
		if err := d.do(ctx, "GET", "/status", nil, nil); err == nil {
			return d.base
		} else if ctx.Err() != nil {
			t.Fatalf("WebKitWebDriver does not answer: %v", err)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// pause waits between two looks at something that cannot tell us itself:
// another program's port, or the process table.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// tell leaves what helps to understand a failed test.
func (a *app) tell() {
	if !a.t.Failed() {
		return
	}
	screenshot(a.t, "failed-"+strings.ReplaceAll(a.t.Name(), "/", "-"))
	file, err := os.Open(a.log)
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		a.t.Log("program: " + lines.Text())
	}
}

// screenshot keeps a picture of the display under build/screenshots.
func screenshot(t *testing.T, name string) {
	t.Helper()
	dir := filepath.Join(repository, "build", "screenshots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Not the test's own context: a test that ran out of time leaves a picture, too.
	ctx, cancel := context.WithTimeout(context.Background(), findWithin)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "import", "-window", "root", filepath.Join(dir, name+".png")).CombinedOutput(); err != nil {
		t.Errorf("import: %v: %s", err, out)
	}
}

// must ends the test when a step fails.
func (a *app) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

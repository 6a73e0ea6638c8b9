// Package exectest gives tests the real worker program, built from the tree
// that is being tested.
package exectest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Worker returns the command line of the worker program: the one that
// BENCHTOP_WORKER names, else a fresh build. The build happens once in a test
// process, into a folder that outlives it, so that the next process finds the
// linked program unless the code has changed.
func Worker(t testing.TB) []string {
	t.Helper()
	if path := os.Getenv("BENCHTOP_WORKER"); path != "" {
		return []string{path}
	}
	path, err := build()
	if err != nil {
		t.Fatalf("build the worker program: %v", err)
	}
	return []string{path}
}

var build = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir, err := buildDir()
	if err != nil {
		return "", err
	}
	tree := fnv.New64a()
	_, _ = tree.Write([]byte(root))
	path := filepath.Join(dir, fmt.Sprintf("benchtop-worker-%x", tree.Sum64()))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./backend/worker/cmd/benchtop-worker")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// moduleRoot is the folder of the go.mod that the test was started in.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if filepath.Base(mod) != "go.mod" {
		return "", errors.New("not inside the module")
	}
	return filepath.Dir(mod), nil
}

// buildDir is a folder that only this user can write, so that nobody else on
// the machine decides what the tests run.
func buildDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "benchtop-test")
	return dir, os.MkdirAll(dir, 0o700)
}

//go:build linux

package executor

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"benchtop/backend/executor/exectest"
)

// When the platform dies without a chance to clean up, no worker outlives it,
// also not one that is in an endless loop and reads no pipe.
func TestNoOrphansAfterKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{platformArg}, exectest.Worker(t)...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "ready"; {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if len(pids) < 2 {
		t.Fatalf("%d workers", len(pids))
	}
	for _, pid := range pids {
		waitFor(t, func() bool { return gone(pid) })
	}
}

// gone reports whether a process has ended; it may wait for its new parent to
// take note.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return strings.HasPrefix(string(rest), "Z")
}

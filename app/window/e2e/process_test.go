//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a running process that can be waited for though it is nobody's
// child of ours.
type process struct {
	pid  int
	name string
	fd   int // a pidfd: it means this process even when its number is used again
}

// processes gives the program and everything it has started.
func (a *app) processes() []process {
	a.t.Helper()
	raw, err := os.ReadFile(a.pidFile)
	a.must(err)
	root, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	a.must(err)
	var all []process
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		pid := queue[0]
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue // it has ended meanwhile
		}
		a.t.Cleanup(func() { unix.Close(fd) }) //nolint:errcheck // a number
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		all = append(all, process{pid, strings.TrimSpace(string(name)), fd})
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, task := range tasks {
			children, _ := os.ReadFile(task)
			for _, child := range strings.Fields(string(children)) {
				if n, err := strconv.Atoi(child); err == nil {
					queue = append(queue, n)
				}
			}
		}
	}
	if len(all) == 0 {
		a.t.Fatal("the program does not run")
	}
	return all
}

// ended waits until all of them are gone and names those that stay.
func (a *app) ended(all []process, within time.Duration) {
	a.t.Helper()
	deadline := time.Now().Add(within)
	for _, p := range all {
		left := max(0, time.Until(deadline))
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if err == nil && n == 0 {
			a.t.Errorf("%s (%d) still runs %s after the program was told to end", p.name, p.pid, within)
		}
	}
}

// terminate asks the program to end as a system does when it shuts down.
func (a *app) terminate() {
	a.t.Helper()
	all := a.processes()
	a.must(unix.PidfdSendSignal(all[0].fd, syscall.SIGTERM, nil, 0))
	a.ended(all, 15*time.Second)
}

// windows are the ids of the visible windows with the program's title.
func (a *app) windows() []string {
	ctx, cancel := context.WithTimeout(a.ctx, findWithin)
	defer cancel()
	out, _ := exec.CommandContext(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Benchtop$").Output() // none: exit 1
	return strings.Fields(string(out))
}

// window is the id of the one window.
func (a *app) window() string {
	a.t.Helper()
	all := a.windows()
	if len(all) != 1 {
		a.t.Fatalf("%d windows are open, want one", len(all))
	}
	return all[0]
}

// xdotool acts on the display as a person would.
func (a *app) xdotool(args ...string) string {
	a.t.Helper()
	// With --sync it waits for ever for a window that never comes.
	ctx, cancel := context.WithTimeout(a.ctx, findWithin)
	defer cancel()
	out, err := exec.CommandContext(ctx, "xdotool", args...).CombinedOutput()
	if err != nil {
		a.t.Fatalf("xdotool %v: %v: %s", args, err, out)
	}
	return string(out)
}

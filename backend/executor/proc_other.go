//go:build !linux && !windows

package executor

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func holdThread() func() { return func() {} }

// gauge asks ps, which every Unix has and which needs no cgo. One answer costs
// some milliseconds, so it is asked at most a few times a second; until then
// the worker's own limits hold.
type gauge struct {
	mu    sync.Mutex
	pid   int // 0 once the process is gone
	asked time.Time
	rss   int64
}

const gaugeEvery = 200 * time.Millisecond

func (g *gauge) open(p *os.Process) error {
	g.pid = p.Pid
	return nil
}

func (g *gauge) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pid = 0
}

// resident is the memory the process occupies, in bytes; 0 when it is gone.
func (g *gauge) resident() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pid == 0 {
		return 0
	}
	if time.Since(g.asked) < gaugeEvery {
		return g.rss
	}
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(g.pid)).Output()
	g.asked = time.Now()
	if err != nil {
		return g.rss
	}
	if kb, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64); err == nil {
		g.rss = kb << 10
	}
	return g.rss
}

// cpu: no cheap reading; the time that Wait reports when the process has ended
// is used instead.
func (g *gauge) cpu() time.Duration { return 0 }

// killedBy gives the signal that ended a process.
func killedBy(s *os.ProcessState) (os.Signal, bool) {
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return nil, false
	}
	return ws.Signal(), true
}

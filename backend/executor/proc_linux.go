package executor

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the goroutine on its thread until the returned function is
// called.
func holdThread() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// gauge reads how much memory and CPU time a process has taken.
type gauge struct {
	mu    sync.Mutex
	statm *os.File // kept open: one read per look; nil once the process is gone
	clock int32
	page  int64
	buf   [128]byte
}

func (g *gauge) open(p *os.Process) error {
	f, err := os.Open(fmt.Sprintf("/proc/%d/statm", p.Pid))
	if err != nil {
		return fmt.Errorf("watch the worker's memory: %w", err)
	}
	// The id of a process's CPU clock is made from its pid, see
	// clock_getcpuclockid(3).
	g.statm, g.clock, g.page = f, ^int32(p.Pid)<<3|2, int64(os.Getpagesize())
	return nil
}

func (g *gauge) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.statm.Close()
	g.statm = nil
}

// resident is the memory the process occupies, in bytes; 0 when it is gone.
func (g *gauge) resident() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.statm == nil {
		return 0
	}
	n, _ := g.statm.ReadAt(g.buf[:], 0) // it reports io.EOF with the text
	// "size resident shared ...", in pages.
	var pages int64
	field := 0
	for _, c := range g.buf[:n] {
		switch {
		case c == ' ':
			field++
		case field == 1 && c >= '0' && c <= '9':
			pages = pages*10 + int64(c-'0')
		}
	}
	return pages * g.page
}

// cpu is the processor time of all threads of the process; 0 when it is gone.
func (g *gauge) cpu() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	var ts unix.Timespec
	if g.statm == nil || unix.ClockGettime(g.clock, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// killedBy gives the signal that ended a process.
func killedBy(s *os.ProcessState) (os.Signal, bool) {
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return nil, false
	}
	return ws.Signal(), true
}

package executor

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// Probed is what one start of the worker program has shown.
type Probed struct {
	Ready    time.Duration // from the start to the announcement
	Landlock int           // version in force around it; 0: none
}

// Probe starts a worker, waits until it is ready and lets it go.
func Probe(argv []string) (Probed, error) {
	dir, err := os.MkdirTemp("", "benchtop-worker-")
	if err != nil {
		return Probed{}, fmt.Errorf("executor: make the worker's empty folder: %w", err)
	}
	defer os.RemoveAll(dir)
	begin := time.Now()
	w, err := startWorker(argv, dir)
	if err != nil {
		return Probed{}, err
	}
	p := Probed{Ready: time.Since(begin), Landlock: w.ready.Landlock}
	w.release()
	late := time.AfterFunc(leaveWithin, w.kill)
	<-w.done
	late.Stop()
	return p, nil
}

// missing says which walls this system does not put around a worker that said
// r of itself; empty when all are there.
func missing(r wire.Ready) string {
	switch {
	case runtime.GOOS == "linux" && r.Landlock == 0:
		return "This kernel has no Landlock, or it is switched off: only the engine keeps functions away from files and programs. Resource limits and no-new-privileges hold."
	case runtime.GOOS == "windows":
		return "On Windows a job object limits workers and keeps them from starting programs; only the engine keeps functions away from files."
	case runtime.GOOS != "linux":
		return "On this system only resource limits hold around workers; the engine alone keeps functions away from files and programs."
	}
	return ""
}

// Missing says which walls this system does not put around a worker; empty when
// all are there.
func (p Probed) Missing() string { return missing(wire.Ready{Landlock: p.Landlock}) }

// Notices are what the owner should know of the workers: a wall that this
// system does not have.
func (l *Local) Notices() []contract.Notice {
	l.pool.mu.Lock()
	ready := l.pool.ready
	l.pool.mu.Unlock()
	if ready == nil {
		return nil // none has started yet
	}
	if says := missing(*ready); says != "" {
		return []contract.Notice{{Kind: "warning", Code: "worker_walls", Message: says}}
	}
	return nil
}

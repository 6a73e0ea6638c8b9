package executor

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// worker is a process that speaks the wire, and the task it is busy with.
type worker struct {
	*process
	ready  wire.Ready
	frames *wire.Reader // read by the goroutine of the current task alone
	runs   int
	loaded map[string]bool // hashes of scripts it has asked for
	bornAt time.Time

	settings string    // of the network, when it was born
	idleAt   time.Time // since when it waits for work; of the pool

	mu   sync.Mutex // guards the current task and its state, see task
	task *task

	wmu sync.Mutex // one frame at a time

	// Of a lane in a process that others use, too.
	shared *streamProcess
	lane   *lane
}

// readyWithin is how long a new worker may take to announce itself.
const readyWithin = 10 * time.Second

// startWorker starts a process and waits until it is up.
func startWorker(argv []string, dir string) (*worker, error) {
	p, err := startProcess(argv, dir)
	if err != nil {
		return nil, err
	}
	w := &worker{process: p, frames: wire.NewBoundedReader(p.out, frameLimit), loaded: map[string]bool{}}
	late := time.AfterFunc(readyWithin, p.kill)
	kind, body, err := w.frames.Next()
	if late.Stop() && err == nil && kind == wire.KindReady {
		if len(body) > 0 {
			err = json.Unmarshal(body, &w.ready)
		}
		if err == nil {
			return w, nil
		}
	}
	p.kill()
	<-p.done
	p.release()
	if err == nil {
		err = fmt.Errorf("it began with frame %d", kind)
	}
	return nil, fmt.Errorf("%s did not get ready: %w (%v, %q)", argv[0], err, p.state, reasons(p.stderr.text()))
}

// write sends frames in one write, unless t has ended: then the worker may be
// busy with somebody else's.
func (w *worker) write(t *task, frame []byte) error {
	w.wmu.Lock()
	defer w.wmu.Unlock()
	if t.ended.Load() {
		return nil
	}
	if w.lane != nil {
		return w.lane.write(frame)
	}
	_, err := w.in.Write(frame)
	return err
}

// frameLimit bounds what a worker may send, by kind. Kinds that only the
// platform sends are refused.
func frameLimit(kind wire.Kind) int {
	switch kind {
	case wire.KindReady, wire.KindIdle, wire.KindWake:
		return 64
	case wire.KindLane:
		return wire.MaxLaneFrame
	case wire.KindNeed:
		return 1 << 10
	case wire.KindLog, wire.KindFetch:
		return 1 << 20
	case wire.KindEmit:
		return contract.MaxResultBytes
	case wire.KindHost:
		return contract.MaxKVPutBytes + 1<<20
	case wire.KindCompiled:
		return 8 << 20
	case wire.KindResult, wire.KindChecked:
		return contract.MaxResultBytes + 1<<20
	default:
		return 0
	}
}

package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"benchtop/backend/worker/wire"
)

// lanes are the runs that share this process: handlers of one agent's endpoints,
// which mostly wait for their peers. Each is a worker of its own over a lane of
// the pipe, with a runtime that nothing else uses; they share what is compiled,
// and the process's memory with its limit.
type lanes struct {
	mu   sync.Mutex
	open map[uint32]*wire.Inbox
}

// carry takes a frame of a lane, and opens the lane with its first one.
func (w *worker) carry(body []byte) error {
	id, data, ok := wire.SplitLane(body)
	if !ok {
		return errors.New("a lane's frame without a lane")
	}
	if w.lanes == nil {
		w.lanes = &lanes{open: map[uint32]*wire.Inbox{}}
	}
	w.lanes.mu.Lock()
	defer w.lanes.mu.Unlock()
	in, there := w.lanes.open[id]
	switch {
	case len(data) == 0 && there:
		in.Close()
		delete(w.lanes.open, id)
	case there:
		in.Add(data)
	case len(data) > 0:
		in = wire.NewInbox()
		in.Add(data)
		w.lanes.open[id] = in
		go w.serveLane(id, in)
	}
	return nil
}

// serveLane does the one run of a lane and waits for the lane's end.
func (w *worker) serveLane(id uint32, in *wire.Inbox) {
	l := &worker{in: make(chan frame, 8), factory: w.factory, outside: w.outside, programs: w.programs,
		guard: newGuard(w.guard.exit, w.guard.grace), broken: make(chan error, 2), lane: true}
	l.out = newOutput(laneWriter{w.out, id}, l.breaks)
	go l.read(wire.LaneReader(in, nil))
	if err := l.laneLoop(); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "benchtop-worker:", err)
		w.guard.exit(exitBroken)
	}
}

func (w *worker) laneLoop() error {
	if err := w.prepare(); err != nil {
		return err
	}
	ran := false
	for f := range w.in {
		switch {
		case f.kind == wire.KindRun && !ran:
			ran = true
			if err := w.do(f); err != nil {
				return err
			}
		case f.kind == wire.KindReply, f.kind == wire.KindGo: // of the run that has ended
		default:
			return fmt.Errorf("a frame of kind %d is not for a lane", f.kind)
		}
	}
	return <-w.broken
}

// laneWriter puts what a lane writes into the process's pipe.
type laneWriter struct {
	out *output
	id  uint32
}

func (l laneWriter) Write(p []byte) (int, error) {
	l.out.raw(wire.AppendLane(nil, l.id, p))
	return len(p), nil
}

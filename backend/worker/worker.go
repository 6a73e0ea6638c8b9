// Package worker is the other side of the wall: a process that reads frames
// from the platform, does one Compile, Check or Run at a time, and writes
// frames back. It links the engine and the network, and nothing of the
// platform. Main reads as the list of what a worker does.
package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"benchtop/backend/worker/compile"
	"benchtop/backend/worker/hostapi"
	"benchtop/backend/worker/language"
	"benchtop/backend/worker/notes"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/webapi"
	"benchtop/backend/worker/wire"
)

// Exit codes beside the wire's own.
const (
	exitClosed = 0 // the platform closed the pipe
	exitBroken = 2 // a frame that makes no sense, or a pipe that broke
)

// trimAfter is how long a worker is idle before it gives memory back.
const trimAfter = time.Second

// Main runs a worker over two pipes until in closes, and returns the exit code.
// It changes settings of the whole process.
func Main(in io.Reader, out io.Writer) int {
	settings()
	return enter(wall.Config{}, in, out)
}

// enter closes the wall behind the process and serves.
func enter(c wall.Config, in io.Reader, out io.Writer) int {
	outside, ready, err := wall.Enter(c)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtop-worker:", err)
		return exitBroken
	}
	factory, err := newFactory()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtop-worker:", err)
		return exitBroken
	}
	return serve(in, out, ground{factory, outside, ready}, os.Exit, interruptWait)
}

// ground is what a worker stands on.
type ground struct {
	factory *sandbox.Factory
	outside wall.Outside
	ready   wire.Ready
}

// worker is the state of one process.
type worker struct {
	in       chan frame
	out      *output
	guard    *guard
	factory  *sandbox.Factory
	outside  wall.Outside
	next     *sandbox.Sandbox // prepared while idle
	programs *programs
	current  atomic.Pointer[run] // what a cancel is for
	broken   chan error
	lanes    *lanes      // of a process that many runs share
	lane     bool        // this is one of those runs
	early    atomic.Bool // a lane's run was cancelled before it began
}

type frame struct {
	kind wire.Kind
	body []byte
}

// serve is Main without the process's settings; exit ends the process from the
// watchdog, grace after an interrupt that did not take.
func serve(in io.Reader, out io.Writer, p ground, exit func(int), grace time.Duration) int {
	w := &worker{in: make(chan frame, 64), factory: p.factory, outside: p.outside, programs: newPrograms(), guard: newGuard(exit, grace),
		broken: make(chan error, 2)}
	w.out = newOutput(out, w.breaks)
	go w.read(wire.NewReader(in))
	w.out.now(wire.KindReady, p.ready)
	if err := w.loop(); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "benchtop-worker:", err)
		return exitBroken
	}
	return exitClosed
}

func newFactory() (*sandbox.Factory, error) {
	scripts, err := webapi.Scripts()
	if err != nil {
		return nil, err
	}
	more, err := hostapi.Scripts()
	if err != nil {
		return nil, err
	}
	ops, err := hostapi.Ops()
	if err != nil {
		return nil, err
	}
	lang, err := language.New()
	if err != nil {
		return nil, err
	}
	own, err := lang.Scripts()
	if err != nil {
		return nil, err
	}
	globals := webapi.Globals()
	maps.Copy(globals, lang.Globals())
	return sandbox.NewFactory(sandbox.Config{Scripts: slices.Concat(scripts, more, own),
		Ops: slices.Concat(ops, webapi.Ops(), lang.Ops()), Globals: globals})
}

// breaks ends the worker's loop, also while a run is waiting.
func (w *worker) breaks(err error) {
	select {
	case w.broken <- err:
	default:
	}
}

// read moves frames from the pipe to the loop. A cancel goes around it, because
// the loop is busy running what it is meant to stop.
func (w *worker) read(r *wire.Reader) {
	for {
		kind, body, err := r.Next()
		if err != nil {
			w.breaks(err)
			close(w.in)
			if c := w.current.Load(); c != nil {
				c.cancel()
			}
			return
		}
		if kind == wire.KindCancel {
			w.early.Store(w.lane)
			if c := w.current.Load(); c != nil {
				c.cancel()
			}
			continue
		}
		w.in <- frame{kind, body}
	}
}

// loop does one frame after the other.
func (w *worker) loop() error {
	trim := time.NewTimer(trimAfter)
	defer trim.Stop()
	for {
		if err := w.prepare(); err != nil {
			return err
		}
		select {
		case f, ok := <-w.in:
			if !ok {
				return <-w.broken
			}
			if err := w.do(f); err != nil {
				return err
			}
			trim.Reset(trimAfter)
		case <-trim.C:
			debug.FreeOSMemory()
		}
	}
}

// prepare makes the next runtime while nothing else is to do.
func (w *worker) prepare() (err error) {
	if w.next == nil {
		w.next, err = w.factory.New()
	}
	return err
}

func (w *worker) do(f frame) error {
	switch f.kind {
	case wire.KindCompile:
		var c wire.Compile
		if err := read(f, &c); err != nil {
			return err
		}
		w.compile(c)
	case wire.KindRun, wire.KindCheck:
		var r wire.Run
		if err := read(f, &r); err != nil {
			return err
		}
		return w.run(r, f.kind == wire.KindCheck)
	case wire.KindCode:
		return w.code(f.body)
	case wire.KindReply, wire.KindGo: // of a run that has ended
	case wire.KindLane:
		return w.carry(f.body)
	default:
		return fmt.Errorf("a frame of kind %d is not for a worker", f.kind)
	}
	return nil
}

func read(f frame, into any) error {
	if err := json.Unmarshal(f.body, into); err != nil {
		return fmt.Errorf("a frame of kind %d does not parse: %w", f.kind, err)
	}
	return nil
}

// compile has no way to be interrupted: past its wall the process ends.
func (w *worker) compile(c wire.Compile) {
	w.guard.watch(compileMemory, compileWall, func() {})
	var res wire.Compiled
	res.Code, res.Errors, res.Warnings = compile.Source(c.Name, c.Source)
	_, heavy := w.guard.rest()
	w.out.now(wire.KindCompiled, res)
	if heavy {
		debug.FreeOSMemory()
	}
}

// code takes the script of a hash.
func (w *worker) code(body []byte) error {
	if len(body) < wire.HashLen {
		return fmt.Errorf("a code frame of %d bytes has no hash", len(body))
	}
	hash, script := string(body[:wire.HashLen]), string(body[wire.HashLen:])
	compiled, err := compile.Program(script)
	if err != nil {
		return fmt.Errorf("the script of %.12s does not compile: %w", hash, err)
	}
	w.programs.put(hash, program{compiled, notes.ReadsBodyMembers(script)})
	return nil
}

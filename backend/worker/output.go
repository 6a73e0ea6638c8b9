package worker

import (
	"io"
	"sync"
	"time"

	"benchtop/backend/worker/wire"
)

// flushAfter is how long a frame may wait for company. A hello's result and
// what it logged leave in one write; a function that logs and then loops for
// ever is seen all the same.
const flushAfter = 2 * time.Millisecond

// output collects frames and writes them. Send may be called from any
// goroutine.
type output struct {
	w     io.Writer
	mu    sync.Mutex
	buf   []byte
	timer *time.Timer
	armed bool
	err   error
	broke func(error)
}

func newOutput(w io.Writer, broke func(error)) *output {
	o := &output{w: w, broke: broke}
	o.timer = time.AfterFunc(time.Hour, func() { o.flush() })
	o.timer.Stop()
	return o
}

// maxBuffered is when frames leave without waiting.
const maxBuffered = 64 << 10

// send queues a frame.
func (o *output) send(kind wire.Kind, body any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.append(kind, body)
	if len(o.buf) > maxBuffered {
		o.write()
	} else if !o.armed {
		o.armed = true
		o.timer.Reset(flushAfter)
	}
}

// now queues a frame and writes everything that is queued.
func (o *output) now(kind wire.Kind, body any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.append(kind, body)
	o.write()
}

// raw writes frames that are made already.
func (o *output) raw(frames []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = append(o.buf, frames...)
	o.write()
}

func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.write()
}

func (o *output) append(kind wire.Kind, body any) {
	buf, err := wire.Append(o.buf, kind, body)
	if err != nil {
		o.fail(err)
		return
	}
	o.buf = buf
}

func (o *output) write() {
	if o.armed {
		o.armed = false
		o.timer.Stop()
	}
	if len(o.buf) == 0 || o.err != nil {
		return
	}
	if _, err := o.w.Write(o.buf); err != nil {
		o.fail(err)
	}
	o.buf = o.buf[:0]
	if cap(o.buf) > 1<<20 {
		o.buf = nil
	}
}

func (o *output) fail(err error) {
	if o.err == nil {
		o.err = err
		o.broke(err)
	}
}

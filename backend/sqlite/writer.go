package sqlite

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"benchtop/backend/contract"
)

// durability says what a write promises when it returns.
type durability bool

const (
	// relaxed: committed, so that it outlives the process; a power failure may
	// still take the last moments (synchronous=NORMAL).
	relaxed durability = false
	// durable: on the disk (synchronous=FULL).
	durable durability = true
)

// maxBatch bounds what one transaction holds, so that the first writer in it
// does not wait for hundreds.
const maxBatch = 128

// op is one write. do may run more than once, each time on a database that has
// nothing of the run before: it sets its results, it never adds to them.
type op struct {
	do   func(*conn) error
	done chan verdict // capacity 1
}

// verdict answers an op: how it went, or that its caller commits the next group.
type verdict struct {
	lead bool
	err  error
}

// writer owns the one connection that writes. There is always at most one
// caller that commits, the leader; what others queue meanwhile goes into the
// next transaction together: one commit, and for durable writes one fsync,
// serves them all. The leader is one of the callers, because handing a lone
// write to another goroutine and back costs as much as the write.
type writer struct {
	log *slog.Logger

	mu     sync.Mutex
	closed bool
	busy   bool // somebody leads
	idle   *sync.Cond
	once   sync.Once // of closing
	end    error
	// Two queues, two transactions: a history row never waits for an fsync that
	// it did not ask for, except one that is under way.
	relaxed []*op
	durable []*op
	starts  starts

	ops     sync.Pool
	tidy    *checkpointer
	logLong atomic.Bool

	// The leader's own.
	c          *conn
	syncFull   bool // what PRAGMA synchronous is
	group      []*op
	durableOps []*op
	written    int // ops since a checkpoint was asked for
}

func newWriter(c *conn, path string, log *slog.Logger) *writer {
	w := &writer{c: c, log: log, syncFull: true}
	w.tidy = newCheckpointer(path, log, func() { w.logLong.Store(true) })
	w.idle = sync.NewCond(&w.mu)
	w.ops.New = func() any { return &op{done: make(chan verdict, 1)} }
	w.starts.init(w.flushStarts)
	return w
}

// write stores what fn does and returns when it is committed. Once queued it is
// waited for, whatever becomes of ctx: the caller has to know whether it is
// stored.
func (db *DB) write(ctx context.Context, d durability, fn func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return outcome(db.writer.submit(d, "", fn))
}

// submit is write without a context. ended names a history row that fn
// completes: its running state need not be written any more.
func (w *writer) submit(d durability, ended string, fn func(*conn) error) error {
	o := w.ops.Get().(*op)
	o.do = fn
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return errClosed()
	}
	if ended != "" {
		w.starts.drop(ended)
	}
	if d == durable {
		w.durable = append(w.durable, o)
	} else {
		w.relaxed = append(w.relaxed, o)
	}
	lead := !w.busy
	w.busy = true
	w.mu.Unlock()

	for {
		if lead {
			w.lead(false)
		}
		v := <-o.done
		if !v.lead {
			o.do = nil
			w.ops.Put(o)
			return v.err
		}
		lead = true
	}
}

// lead commits one group and passes the lead on. The leader's own write, when
// it has one, is in that group: it was queued before the lead was taken, and
// the lead is passed to the head of a queue.
func (w *writer) lead(everything bool) {
	w.mu.Lock()
	w.group = take(w.group, &w.relaxed)
	w.durableOps = take(w.durableOps, &w.durable)
	due := w.starts.due(time.Now(), everything)
	w.mu.Unlock()

	if len(due) > 0 {
		w.commitStarts(due)
	}
	w.commit(w.group, relaxed)
	w.commit(w.durableOps, durable)

	w.checkpoint()

	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.relaxed) > 0:
		w.relaxed[0].done <- verdict{lead: true}
	case len(w.durable) > 0:
		w.durable[0].done <- verdict{lead: true}
	case w.starts.overdue(time.Now()):
		go w.lead(false)
	default:
		w.busy = false
		w.idle.Broadcast()
	}
}

func (w *writer) checkpoint() {
	if w.written += len(w.group) + len(w.durableOps); w.written >= checkpointEvery {
		w.written = 0
		w.tidy.nudge()
	}
	if w.logLong.CompareAndSwap(true, false) {
		if _, err := checkpoint(w.c); err != nil {
			w.log.Warn("the database log cannot be tidied up", "error", err)
		}
	}
}

// take moves up to maxBatch ops from the head of a queue into group.
func take(group []*op, queue *[]*op) []*op {
	n := min(len(*queue), maxBatch)
	group = append(group[:0], (*queue)[:n]...)
	rest := copy(*queue, (*queue)[n:])
	clear((*queue)[rest:])
	*queue = (*queue)[:rest]
	return group
}

// commit stores the ops in one transaction and answers each. If one of them
// fails they are all undone and stored one by one, so that only that one fails.
func (w *writer) commit(ops []*op, d durability) {
	if len(ops) == 0 {
		return
	}
	err := w.transact(ops, d)
	var begin *beginError
	if err != nil && len(ops) > 1 && !errors.As(err, &begin) {
		for i := range ops {
			ops[i].done <- verdict{err: w.transact(ops[i:i+1], d)}
		}
		return
	}
	for _, o := range ops {
		o.done <- verdict{err: err}
	}
}

// beginError marks a transaction that could not even begin: trying the ops one
// by one would only wait longer.
type beginError struct{ error }

func (e *beginError) Unwrap() error { return e.error }

func (w *writer) transact(ops []*op, d durability) error {
	if err := w.synchronous(d); err != nil {
		return &beginError{err}
	}
	if _, err := w.c.exec("BEGIN IMMEDIATE"); err != nil {
		return &beginError{err}
	}
	var err error
	for _, o := range ops {
		if err = o.do(w.c); err != nil {
			break
		}
	}
	if err == nil {
		if _, err = w.c.exec("COMMIT"); err == nil {
			return nil
		}
	}
	// Some failures (disk full) have rolled back already; then this one fails,
	// and nothing is lost by it.
	_, _ = w.c.exec("ROLLBACK")
	return err
}

// synchronous sets how the next transaction is flushed; it can only be changed
// between transactions.
func (w *writer) synchronous(d durability) error {
	full := d == durable
	if full == w.syncFull {
		return nil
	}
	sql := "PRAGMA synchronous=NORMAL"
	if full {
		sql = "PRAGMA synchronous=FULL"
	}
	if err := w.c.script(sql); err != nil {
		return err
	}
	w.syncFull = full
	return nil
}

// flushStarts writes the running rows that are due, unless a leader is at work,
// who looks after them before the lead is given up.
func (w *writer) flushStarts() {
	w.mu.Lock()
	if w.busy || w.closed {
		w.mu.Unlock()
		return
	}
	w.busy = true
	w.mu.Unlock()
	w.lead(false)
}

// commitStarts writes running rows. Nobody waits for them, so a failure can
// only be logged; the row comes with its end then.
func (w *writer) commitStarts(rows []contract.InvocationRow) {
	err := w.transact([]*op{{do: func(c *conn) error {
		for i := range rows {
			if err := startRow(c, &rows[i]); err != nil {
				return err
			}
		}
		return nil
	}}}, relaxed)
	if err != nil {
		w.log.Error("running invocations could not be stored", "count", len(rows), "error", err)
	}
}

// close lets what is queued finish, writes what lingers, and closes the
// connection. Another call waits for the first and gives its result.
func (w *writer) close() error {
	w.mu.Lock()
	w.closed = true
	for w.busy {
		w.idle.Wait()
	}
	w.mu.Unlock()
	w.once.Do(func() {
		w.lead(true)
		w.tidy.close()
		w.end = w.c.close()
	})
	return w.end
}

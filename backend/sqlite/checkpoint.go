package sqlite

import (
	"context"
	"log/slog"
)

// The write-ahead log is copied into the database beside the writer, on a
// connection of its own: no caller pays for it. Under a load that never pauses
// the copy never quite catches up, and then the log could not start over (a log
// that is written over is also flushed faster than one that grows); so when it
// is long the writer copies the last bit itself.
const (
	checkpointEvery = 400  // writes
	longLog         = 2000 // pages: 8 MB
)

type checkpointer struct {
	path string
	log  *slog.Logger
	due  chan struct{} // capacity 1
	stop chan struct{}
	over chan struct{}
	long func() // tells the writer that the log is long
}

func newCheckpointer(path string, log *slog.Logger, long func()) *checkpointer {
	k := &checkpointer{
		path: path, log: log, long: long,
		due: make(chan struct{}, 1), stop: make(chan struct{}), over: make(chan struct{}),
	}
	go k.run()
	return k
}

// nudge asks for a checkpoint; it never waits.
func (k *checkpointer) nudge() {
	select {
	case k.due <- struct{}{}:
	default:
	}
}

func (k *checkpointer) run() {
	defer close(k.over)
	var c *conn
	defer func() {
		if c != nil {
			_ = c.close() // it holds nothing
		}
	}()
	for {
		select {
		case <-k.stop:
			return
		case <-k.due:
		}
		if c == nil {
			var err error
			if c, err = dial(context.Background(), k.path); err != nil {
				k.log.Warn("the database log cannot be tidied up", "error", err)
				continue
			}
		}
		pages, err := checkpoint(c)
		if err != nil {
			k.log.Warn("the database log cannot be tidied up", "error", err)
		} else if pages >= longLog {
			k.long()
		}
	}
}

// checkpoint copies what it can without making anybody wait and gives the
// length of the log in pages.
func checkpoint(c *conn) (pages int64, err error) {
	err = c.query(func(r *row) error {
		r.value() // whether a lock was missing
		pages = r.int()
		return nil
	}, "PRAGMA wal_checkpoint(PASSIVE)")
	return pages, err
}

func (k *checkpointer) close() {
	close(k.stop)
	<-k.over
}

package sqlite

import (
	"context"
	"runtime"
	"sync"
)

// readers is a small pool of connections that cannot write. In WAL mode they
// neither wait for the writer nor make it wait.
type readers struct {
	path  string
	idle  chan *conn
	slots chan struct{} // one token per connection that may exist

	mu     sync.Mutex
	closed bool
	busy   sync.WaitGroup
}

func newReaders(path string) *readers {
	n := max(4, runtime.GOMAXPROCS(0))
	r := &readers{path: path, idle: make(chan *conn, n), slots: make(chan struct{}, n)}
	for range n {
		r.slots <- struct{}{}
	}
	return r
}

// read lends a connection to fn. Each statement of fn sees one moment of the
// database, two statements may see two.
func (db *DB) read(ctx context.Context, fn func(*conn) error) error {
	r := db.readers
	if !r.enter() {
		return errClosed()
	}
	defer r.busy.Done()
	c, err := r.take(ctx)
	if err != nil {
		return outcome(err)
	}
	err = fn(c)
	r.idle <- c
	return outcome(err)
}

func (r *readers) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.busy.Add(1)
	return true
}

// take prefers a connection that is there, most of all over waiting.
func (r *readers) take(ctx context.Context) (*conn, error) {
	select {
	case c := <-r.idle:
		return c, nil
	default:
	}
	select {
	case c := <-r.idle:
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.slots:
	}
	c, err := dial(context.WithoutCancel(ctx), r.path)
	if err == nil {
		if err = c.script("PRAGMA query_only=ON; PRAGMA cache_size=-2048"); err != nil {
			_ = c.close() // the first error is the one to tell
		}
	}
	if err != nil {
		r.slots <- struct{}{}
		return nil, err
	}
	return c, nil
}

func (r *readers) close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.busy.Wait()
	for {
		select {
		case c := <-r.idle:
			if err := c.close(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

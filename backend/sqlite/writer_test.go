package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/history"
	"benchtop/backend/kv"
)

func openTemp(t *testing.T) *DB {
	t.Helper()
	db, err := Open(ctx, Config{Path: filepath.Join(t.TempDir(), "benchtop.db")})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// hold makes a leader wait inside a transaction until the result is called, so
// that what is written meanwhile becomes one group.
func hold(t *testing.T, db *DB, d durability) (release func()) {
	t.Helper()
	inside, free, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- db.write(ctx, d, func(*conn) error {
			close(inside)
			<-free
			return nil
		})
	}()
	<-inside
	return func() {
		close(free)
		must(t, <-done)
	}
}

// queued waits until n writes are in the queues.
func (db *DB) queued(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		db.writer.mu.Lock()
		have := len(db.writer.relaxed) + len(db.writer.durable)
		db.writer.mu.Unlock()
		if have == n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d writes are queued, want %d", have, n)
		}
	}
}

func insertAgent(c *conn, id string) error {
	_, err := c.exec(`INSERT INTO agents (id, username, name, description, instructions, model, folder, created_at)
		VALUES (?,?,'','','','','',0)`, id, id)
	return err
}

func TestAFailureInAGroupIsItsOwn(t *testing.T) {
	for _, d := range []durability{relaxed, durable} {
		db := openTemp(t)
		wrong := errors.New("wrong")
		release := hold(t, db, relaxed)
		const writes = 9
		got := make([]error, writes)
		var group sync.WaitGroup
		for i := range writes {
			group.Go(func() {
				got[i] = db.write(ctx, d, func(c *conn) error {
					if err := insertAgent(c, fmt.Sprint("agent", i)); err != nil {
						return err
					}
					switch i {
					case 3:
						return wrong
					case 5:
						return insertAgent(c, "agent5") // taken, by itself
					}
					return nil
				})
			})
		}
		db.queued(t, writes)
		release()
		group.Wait()
		for i, err := range got {
			switch {
			case i == 3 && !errors.Is(err, wrong), i == 5 && !isUnique(err), i != 3 && i != 5 && err != nil:
				t.Errorf("write %d: %v", i, err)
			}
		}
		stored, err := db.ListAgents(ctx)
		must(t, err)
		if len(stored) != writes-2 {
			t.Errorf("%d of %d writes are stored; the failed ones must leave nothing, the others everything", len(stored), writes)
		}
	}
}

func TestAGroupIsOneTransaction(t *testing.T) {
	db := openTemp(t)
	release := hold(t, db, relaxed)
	const writes = 20
	var group sync.WaitGroup
	var seen int64
	for i := range writes {
		group.Go(func() {
			must(t, db.write(ctx, durable, func(c *conn) error {
				if err := insertAgent(c, fmt.Sprint("agent", i)); err != nil {
					return err
				}
				// A reader sees what is committed: nothing of this group.
				return db.read(ctx, func(c *conn) error {
					n, err := c.number("SELECT count(*) FROM agents")
					seen += n
					return err
				})
			}))
		})
	}
	db.queued(t, writes)
	release()
	group.Wait()
	if seen != 0 {
		t.Error("the writes of a group were committed one after the other")
	}
	if n := db.testNumber(t, "SELECT count(*) FROM agents"); n != writes {
		t.Errorf("%d of %d writes are stored", n, writes)
	}
}

func TestDurabilityOfEachTransaction(t *testing.T) {
	db := openTemp(t)
	level := func(d durability) (n int64) {
		t.Helper()
		must(t, db.write(ctx, d, func(c *conn) (err error) { n, err = c.number("PRAGMA synchronous"); return err }))
		return n
	}
	for range 3 {
		if n := level(durable); n != 2 {
			t.Errorf("a durable write ran under synchronous=%d, want 2 (FULL)", n)
		}
		if n := level(relaxed); n != 1 {
			t.Errorf("a history write ran under synchronous=%d, want 1 (NORMAL)", n)
		}
	}
	if n := level(durable); n != 2 {
		t.Errorf("synchronous=%d", n)
	}
	var keys, journal int64
	must(t, db.write(ctx, relaxed, func(c *conn) (err error) {
		if keys, err = c.number("PRAGMA foreign_keys"); err != nil {
			return err
		}
		return c.query(func(r *row) error {
			if r.str() == "wal" {
				journal = 1
			}
			return nil
		}, "PRAGMA journal_mode")
	}))
	if keys != 1 || journal != 1 {
		t.Errorf("foreign keys %d, WAL %d; want both on", keys, journal)
	}
}

func TestStartAndFinishAreOneWrite(t *testing.T) {
	db := openTemp(t)
	row := contract.InvocationRow{
		ID: "i", AgentID: "a", FunctionName: "f", Status: contract.StatusRunning, StartedAt: "2026-11-20T10:00:00.000001Z",
	}
	changes := func() (n int64) {
		must(t, db.write(ctx, relaxed, func(c *conn) (err error) { n, err = c.number("SELECT total_changes()"); return err }))
		return n
	}
	before := changes()
	release := hold(t, db, relaxed) // no group is written between the two
	db.StartRow(row)
	row.Status = contract.StatusOK
	finished := make(chan error)
	go func() { finished <- db.FinishRow(ctx, row, nil) }()
	db.queued(t, 1)
	db.writer.mu.Lock()
	lingering := len(db.writer.starts.rows)
	db.writer.mu.Unlock()
	release()
	must(t, <-finished)
	if lingering != 0 {
		t.Error("the start lingers on beside its end")
	}
	if n := changes() - before; n != 1 {
		t.Errorf("%d rows written for a start and its end, want 1", n)
	}

	late := row
	late.ID, late.Status, late.StartedAt = "late", contract.StatusRunning, "2026-11-20T10:00:00.000002Z"
	before = changes()
	db.StartRow(late)
	for deadline := time.Now().Add(10 * time.Second); changes() == before; {
		if time.Now().After(deadline) {
			t.Fatal("the running row was never written")
		}
	}
	late.Status = contract.StatusError
	must(t, db.FinishRow(ctx, late, &history.Detail{}))
	got, _, err := db.Row(ctx, "late")
	must(t, err)
	if got.Status != contract.StatusError || changes()-before != 2 {
		t.Errorf("status %s after %d writes", got.Status, changes()-before)
	}
	impostor := row
	impostor.StartedAt = "2026-11-20T11:00:00.000000Z"
	if err := db.FinishRow(ctx, impostor, nil); err == nil {
		t.Error("a second invocation with the id of the first was stored or lost without a word")
	}
}

func TestStorageFailures(t *testing.T) {
	t.Run("disk full", func(t *testing.T) {
		db := openTemp(t)
		must(t, db.write(ctx, relaxed, func(c *conn) error {
			pages, err := c.number("PRAGMA page_count")
			if err == nil {
				_, err = c.number(fmt.Sprintf("PRAGMA max_page_count=%d", pages+4))
			}
			return err
		}))
		big := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
		space := kv.Namespace{AgentID: "a", Function: "f", Scope: "fn"}
		release := hold(t, db, relaxed)
		small, large := make(chan error), make(chan error)
		go func() { small <- db.PutKV(ctx, space, kv.Item{Key: "small", Value: []byte("1")}) }()
		go func() { large <- db.PutKV(ctx, space, kv.Item{Key: "large", Value: big}) }()
		db.queued(t, 2)
		release()
		wantUnavailable(t, <-large, "disk is full")
		must(t, <-small) // there is room for it
		it, err := db.GetKV(ctx, space, "small", time.Now())
		must(t, err)
		if it == nil {
			t.Error("the small value is not stored")
		}
	})
	t.Run("locked", func(t *testing.T) {
		db := openTemp(t)
		must(t, db.writer.c.script("PRAGMA busy_timeout=1"))
		other, err := dial(ctx, db.path)
		must(t, err)
		must(t, other.script("BEGIN IMMEDIATE"))
		wantUnavailable(t, db.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann"}), "another program")
		must(t, other.script("COMMIT"))
		must(t, other.close())
		must(t, db.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann"}))
	})
	t.Run("closed", func(t *testing.T) {
		db := openTemp(t)
		must(t, db.Close())
		wantUnavailable(t, db.InsertAgent(ctx, agents.Agent{}), "closed")
		_, err := db.ListAgents(ctx)
		wantUnavailable(t, err, "closed")
		wantUnavailable(t, db.FinishRow(ctx, contract.InvocationRow{}, nil), "closed")
		db.StartRow(contract.InvocationRow{ID: "x"}) // nobody to tell
		must(t, db.Close())
	})
	t.Run("cancelled before it began", func(t *testing.T) {
		db := openTemp(t)
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := db.InsertAgent(gone, agents.Agent{ID: "a", Username: "ann"}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func wantUnavailable(t *testing.T, err error, text string) {
	t.Helper()
	e := contract.AsError(err)
	if e == nil || e.Code != contract.StorageUnavailable || !strings.Contains(e.Message, text) {
		t.Errorf("error %v, want STORAGE_UNAVAILABLE with %q", err, text)
	}
}

// Close lets what was queued finish, whoever closes and however often.
func TestCloseWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchtop.db")
	db, err := Open(ctx, Config{Path: path})
	must(t, err)
	stored := make(chan int)
	for w := range 8 {
		go func() {
			n := 0
			for i := 0; ; i++ {
				err := db.InsertAgent(ctx, agents.Agent{ID: fmt.Sprint(w, "-", i), Username: fmt.Sprint(w, "-", i)})
				if err != nil {
					wantUnavailable(t, err, "closed")
					stored <- n
					return
				}
				n++
			}
		}()
	}
	for db.testNumber(t, "SELECT count(*) FROM agents") < 100 {
	}
	closed := make(chan error)
	for range 2 {
		go func() { closed <- db.Close() }()
	}
	must(t, <-closed)
	must(t, <-closed)
	total := 0
	for range 8 {
		total += <-stored
	}
	db, err = Open(ctx, Config{Path: path})
	must(t, err)
	if n := db.testNumber(t, "SELECT count(*) FROM agents"); n != int64(total) {
		t.Errorf("%d rows are stored, %d were acknowledged", n, total)
	}
	must(t, db.Close())
}

// A log that grows under a load without a pause starts over all the same.
func TestLongLogIsCopiedByTheWriter(t *testing.T) {
	db := openTemp(t)
	must(t, insertMany(db, 0, 50))
	length := func() (pages int64) {
		must(t, db.write(ctx, relaxed, func(*conn) error { return nil }))
		c, err := dial(ctx, db.path)
		must(t, err)
		pages, err = checkpoint(c)
		must(t, err)
		must(t, c.close())
		return pages
	}
	before := length()
	db.writer.logLong.Store(true)
	must(t, db.write(ctx, relaxed, func(*conn) error { return nil })) // copies
	must(t, insertMany(db, 50, 1))                                    // starts over
	if after := length(); after >= before {
		t.Errorf("the log has %d pages, %d before it was copied", after, before)
	}
}

func insertMany(db *DB, from, n int) error {
	for i := range n {
		id := fmt.Sprint("agent", from+i)
		if err := db.InsertAgent(ctx, agents.Agent{ID: id, Username: id}); err != nil {
			return err
		}
	}
	return nil
}

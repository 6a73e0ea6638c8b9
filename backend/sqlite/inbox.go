package sqlite

import (
	"context"
	"math"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/inbox"
)

var _ inbox.Store = (*DB)(nil)

// AddMessage implements inbox.Store.
func (db *DB) AddMessage(ctx context.Context, m contract.InboxMessage, keep int) error {
	return db.write(ctx, durable, func(c *conn) error {
		if _, err := c.exec(`INSERT INTO inbox
			(id, agent_id, function_name, invocation_id, title, body, severity, deep_link, created_at) VALUES (?,?,?,?,?,?,?,?,?)`,
			m.ID, m.AgentID, m.Function, m.InvocationID, m.Title, m.Body, m.Severity, m.DeepLink, m.CreatedAt); err != nil {
			return err
		}
		_, err := c.exec("DELETE FROM inbox WHERE seq <= (SELECT seq FROM inbox ORDER BY seq DESC LIMIT 1 OFFSET ?)", keep)
		return err
	})
}

// Messages implements inbox.Store.
func (db *DB) Messages(ctx context.Context, q inbox.Query) (rows []inbox.Row, err error) {
	before := q.Before
	if before == 0 {
		before = math.MaxInt64
	}
	sql := `SELECT seq, id, agent_id, function_name, invocation_id, title, body, severity, deep_link, created_at, read_at
		FROM inbox WHERE seq < ? ORDER BY seq DESC LIMIT ?`
	if q.Unread {
		sql = `SELECT seq, id, agent_id, function_name, invocation_id, title, body, severity, deep_link, created_at, read_at
		FROM inbox WHERE seq < ? AND read_at IS NULL ORDER BY seq DESC LIMIT ?`
	}
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			m := inbox.Row{Seq: r.int(), InboxMessage: contract.InboxMessage{
				ID: r.str(), AgentID: r.str(), Function: r.str(), InvocationID: r.str(),
				Title: r.str(), Body: r.str(), Severity: r.str(), DeepLink: r.str(), CreatedAt: r.time(),
			}}
			if at := r.time(); !at.IsZero() {
				m.ReadAt = &at
			}
			rows = append(rows, m)
			return nil
		}, sql, before, q.Limit)
	})
	return rows, err
}

// Unread implements inbox.Store.
func (db *DB) Unread(ctx context.Context) (n int, err error) {
	err = db.read(ctx, func(c *conn) error {
		count, err := c.number("SELECT count(*) FROM inbox WHERE read_at IS NULL")
		n = int(count)
		return err
	})
	return n, err
}

// MarkRead implements inbox.Store. What was read before keeps its time.
func (db *DB) MarkRead(ctx context.Context, id string, at time.Time) (found bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		if id == "" {
			n, err := c.exec("UPDATE inbox SET read_at = ? WHERE read_at IS NULL", at)
			found = n > 0
			return err
		}
		n, err := c.exec("UPDATE inbox SET read_at = coalesce(read_at, ?) WHERE id = ?", at, id)
		found = n > 0
		return err
	})
	return found, err
}

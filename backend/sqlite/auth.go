package sqlite

import (
	"context"
	"time"

	"benchtop/backend/auth"
)

var _ auth.Store = (*DB)(nil)

// PutSession implements auth.Store.
func (db *DB) PutSession(ctx context.Context, s auth.SessionRow) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("INSERT OR REPLACE INTO sessions (hash, key_id, created_at, expires_at) VALUES (?,?,?,?)",
			s.Hash, s.KeyID, s.CreatedAt, s.ExpiresAt)
		return err
	})
}

// Session implements auth.Store.
func (db *DB) Session(ctx context.Context, hash string) (found *auth.SessionRow, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &auth.SessionRow{Hash: hash, KeyID: r.str(), CreatedAt: r.time(), ExpiresAt: r.time()}
			return nil
		}, "SELECT key_id, created_at, expires_at FROM sessions WHERE hash = ?", hash)
	})
	return found, err
}

// DeleteSession implements auth.Store.
func (db *DB) DeleteSession(ctx context.Context, hash string) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("DELETE FROM sessions WHERE hash = ?", hash)
		return err
	})
}

// DropSessions implements auth.Store.
func (db *DB) DropSessions(ctx context.Context, before time.Time) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("DELETE FROM sessions WHERE expires_at < ?", before)
		return err
	})
}

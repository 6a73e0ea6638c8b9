package sqlite

import (
	"context"
	"encoding/json"

	"benchtop/backend/settings"
)

var _ settings.Store = (*DB)(nil)

// LoadSettings implements settings.Store.
func (db *DB) LoadSettings(ctx context.Context) (value json.RawMessage, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error { value = json.RawMessage(r.str()); return nil }, "SELECT value FROM settings WHERE id = 1")
	})
	return value, err
}

// SaveSettings implements settings.Store.
func (db *DB) SaveSettings(ctx context.Context, value json.RawMessage) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("INSERT OR REPLACE INTO settings (id, value) VALUES (1, ?)", string(value))
		return err
	})
}

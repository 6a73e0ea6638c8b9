package sqlite

import (
	"context"

	"benchtop/backend/project"
)

var _ project.Store = (*DB)(nil)

// ListOpened implements project.Store, the last opened first.
func (db *DB) ListOpened(ctx context.Context) (all []project.Opened, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, project.Opened{
				Path: r.str(), Name: r.str(), AgentID: r.str(), Open: r.bool(), OpenedAt: r.time(),
			})
			return nil
		}, "SELECT path, name, agent_id, open, opened_at FROM opened_projects ORDER BY opened_at DESC, path")
	})
	return all, err
}

// PutOpened implements project.Store.
func (db *DB) PutOpened(ctx context.Context, o project.Opened) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("INSERT OR REPLACE INTO opened_projects (path, name, agent_id, open, opened_at) VALUES (?,?,?,?,?)",
			o.Path, o.Name, o.AgentID, o.Open, o.OpenedAt)
		return err
	})
}

// ForgetOpened implements project.Store.
func (db *DB) ForgetOpened(ctx context.Context, path string) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("DELETE FROM opened_projects WHERE path = ?", path)
		return err
	})
}

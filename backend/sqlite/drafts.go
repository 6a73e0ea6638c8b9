package sqlite

import (
	"context"

	"benchtop/backend/contract"
	"benchtop/backend/drafts"
)

var _ drafts.Store = (*DB)(nil)

// PutDraft implements drafts.Store.
func (db *DB) PutDraft(ctx context.Context, agentID string, d contract.Draft, most drafts.Limits) error {
	return db.write(ctx, durable, func(c *conn) error {
		const others = " FROM drafts WHERE agent_id = ? AND (name, file) <> (?, ?)"
		count, err := c.number("SELECT count(*)"+others, agentID, d.Name, d.File)
		if err != nil {
			return err
		}
		// octet_length does not read the texts.
		held, err := c.number("SELECT coalesce(sum(octet_length(text) + octet_length(base_text)), 0)"+others, agentID, d.Name, d.File)
		if err != nil {
			return err
		}
		if int(count) >= most.Count || int(held)+len(d.Text)+len(d.Base.Text) > most.Bytes {
			return drafts.ErrFull
		}
		_, err = c.exec(`INSERT OR REPLACE INTO drafts
			(agent_id, name, file, text, base_text, base_sha256, updated_at) VALUES (?,?,?,?,?,?,?)`,
			agentID, d.Name, d.File, d.Text, d.Base.Text, d.Base.SHA256, d.UpdatedAt)
		return err
	})
}

// Drafts implements drafts.Store.
func (db *DB) Drafts(ctx context.Context, agentID string) (list []contract.Draft, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			list = append(list, contract.Draft{
				Name: r.str(), File: r.str(), Text: r.str(),
				Base: contract.DraftBase{Text: r.str(), SHA256: r.str()}, UpdatedAt: r.time(),
			})
			return nil
		}, "SELECT name, file, text, base_text, base_sha256, updated_at FROM drafts WHERE agent_id = ? ORDER BY name, file", agentID)
	})
	return list, err
}

// DropDraft implements drafts.Store.
func (db *DB) DropDraft(ctx context.Context, agentID, name, file string) (found bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec("DELETE FROM drafts WHERE agent_id = ? AND name = ? AND file = ?", agentID, name, file)
		found = n > 0
		return err
	})
	return found, err
}

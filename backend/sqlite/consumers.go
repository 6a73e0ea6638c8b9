package sqlite

import (
	"context"
	"encoding/json"

	"benchtop/backend/consumers"
)

var _ consumers.Store = (*DB)(nil)

// ListConsumers implements consumers.Store.
func (db *DB) ListConsumers(ctx context.Context) (all []consumers.Stored, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, consumers.Stored{
				AgentID: r.str(), Position: int(r.int()), Skill: r.str(), EntryID: r.str(), JSON: json.RawMessage(r.str()),
			})
			return nil
		}, "SELECT agent_id, position, skill, entry_id, entry FROM consumers ORDER BY agent_id, position")
	})
	return all, err
}

// ReplaceConsumers implements consumers.Store.
func (db *DB) ReplaceConsumers(ctx context.Context, agentID string, all []consumers.Stored) error {
	return db.write(ctx, durable, func(c *conn) error {
		if _, err := c.exec("DELETE FROM consumers WHERE agent_id = ?", agentID); err != nil {
			return err
		}
		for _, s := range all {
			if _, err := c.exec("INSERT INTO consumers (agent_id, position, skill, entry_id, entry) VALUES (?,?,?,?,?)",
				agentID, s.Position, s.Skill, s.EntryID, string(s.JSON)); err != nil {
				return err
			}
		}
		return nil
	})
}

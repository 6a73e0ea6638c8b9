package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

var _ agents.Store = (*DB)(nil)

// ListAgents implements agents.Store.
func (db *DB) ListAgents(ctx context.Context) (all []agents.Agent, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			a := agents.Agent{
				ID: r.str(), Username: r.str(), Name: r.str(), Description: r.str(),
				Instructions: r.str(), Model: r.str(), Folder: r.str(), CreatedAt: r.time(),
			}
			if err := json.Unmarshal([]byte(r.str()), &a.Settings); err != nil {
				return fmt.Errorf("stored settings of agent %s: %w", a.ID, err)
			}
			all = append(all, a)
			return nil
		}, `SELECT id, username, name, description, instructions, model, folder, created_at, settings
			FROM agents ORDER BY created_at, id`)
	})
	return all, err
}

// InsertAgent implements agents.Store.
func (db *DB) InsertAgent(ctx context.Context, a agents.Agent) error {
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return fmt.Errorf("settings of agent %s: %w", a.ID, err)
	}
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO agents (id, username, name, description, instructions, model, folder, created_at, settings)
			VALUES (?,?,?,?,?,?,?,?,?)`,
			a.ID, a.Username, a.Name, a.Description, a.Instructions, a.Model, a.Folder, a.CreatedAt, string(settings))
		return usernameTaken(err, a)
	})
}

// UpdateAgent implements agents.Store.
func (db *DB) UpdateAgent(ctx context.Context, a agents.Agent) error {
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return fmt.Errorf("settings of agent %s: %w", a.ID, err)
	}
	return db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec(`UPDATE agents SET username = ?, name = ?, description = ?, instructions = ?, model = ?,
			folder = ?, settings = ? WHERE id = ?`, a.Username, a.Name, a.Description, a.Instructions, a.Model, a.Folder, string(settings), a.ID)
		if err == nil && n == 0 {
			return contract.Errorf(contract.AgentNotFound, "no agent has the id %s", a.ID)
		}
		return usernameTaken(err, a)
	})
}

func usernameTaken(err error, a agents.Agent) error {
	if isUnique(err) {
		return contract.Errorf(contract.UsernameTaken, "another agent has the username %q", a.Username)
	}
	return err
}

// DeleteAgent implements agents.Store. Everything the agent owned goes with it,
// except the record of what happened.
func (db *DB) DeleteAgent(ctx context.Context, id string) error {
	return db.write(ctx, durable, func(c *conn) error {
		for _, sql := range []string{
			"DELETE FROM functions WHERE agent_id = ?",
			"DELETE FROM function_versions WHERE agent_id = ?",
			"DELETE FROM secrets WHERE agent_id = ?",
			"DELETE FROM kv WHERE agent_id = ?",
			"DELETE FROM content_items WHERE agent_id = ?",
			"DELETE FROM folder_files WHERE agent_id = ?",
			"DELETE FROM idempotency_keys WHERE agent_id = ?",
			"DELETE FROM consumers WHERE agent_id = ?",
			"DELETE FROM tasks WHERE agent_id = ?",
			"DELETE FROM drafts WHERE agent_id = ?",
			"DELETE FROM auth_keys WHERE subject_id = ?",
			"DELETE FROM portal_tokens WHERE agent_id = ?",
			"DELETE FROM agents WHERE id = ?",
		} {
			if _, err := c.exec(sql, id); err != nil {
				return err
			}
		}
		return nil
	})
}

package sqlite

import (
	"context"

	"benchtop/backend/secrets"
)

var _ secrets.Store = (*DB)(nil)

// PutSecret implements secrets.Store.
func (db *DB) PutSecret(ctx context.Context, s secrets.Sealed) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO secrets (agent_id, function_name, binding, key_id, nonce, ciphertext, set_at)
			VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET key_id = excluded.key_id, nonce = excluded.nonce,
			ciphertext = excluded.ciphertext, set_at = excluded.set_at`,
			s.AgentID, s.Function, s.Binding, s.KeyID, s.Nonce, s.Ciphertext, s.SetAt)
		return err
	})
}

// DeleteSecret implements secrets.Store.
func (db *DB) DeleteSecret(ctx context.Context, agentID, function, binding string) (deleted bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec("DELETE FROM secrets WHERE agent_id = ? AND function_name = ? AND binding = ?",
			agentID, function, binding)
		deleted = n > 0
		return err
	})
	return deleted, err
}

// Secret implements secrets.Store.
func (db *DB) Secret(ctx context.Context, agentID, function, binding string) (found *secrets.Sealed, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &secrets.Sealed{
				AgentID: agentID, Function: function, Binding: binding,
				KeyID: r.str(), Nonce: r.bytes(), Ciphertext: r.bytes(), SetAt: r.time(),
			}
			return nil
		}, `SELECT key_id, nonce, ciphertext, set_at FROM secrets
			WHERE agent_id = ? AND function_name = ? AND binding = ?`, agentID, function, binding)
	})
	return found, err
}

// ListSecrets implements secrets.Store.
func (db *DB) ListSecrets(ctx context.Context, agentID, function string) (all []secrets.Sealed, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, secrets.Sealed{
				AgentID: agentID, Function: r.str(), Binding: r.str(), KeyID: r.str(), SetAt: r.time(),
			})
			return nil
		}, `SELECT function_name, binding, key_id, set_at FROM secrets
			WHERE agent_id = ?1 AND (?2 = '' OR function_name = ?2) ORDER BY function_name, binding`, agentID, function)
	})
	return all, err
}

// CountSecrets implements secrets.Store.
func (db *DB) CountSecrets(ctx context.Context) (count int, err error) {
	err = db.read(ctx, func(c *conn) error {
		n, err := c.number("SELECT count(*) FROM secrets")
		count = int(n)
		return err
	})
	return count, err
}

// SecretKey implements secrets.Store.
func (db *DB) SecretKey(ctx context.Context) (found *secrets.KeyRecord, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &secrets.KeyRecord{ID: r.str(), Where: r.str(), CreatedAt: r.time()}
			return nil
		}, "SELECT id, location, created_at FROM secret_keys ORDER BY created_at DESC, id LIMIT 1")
	})
	return found, err
}

// PutSecretKey implements secrets.Store.
func (db *DB) PutSecretKey(ctx context.Context, k secrets.KeyRecord) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO secret_keys (id, location, created_at) VALUES (?,?,?)
			ON CONFLICT DO UPDATE SET location = excluded.location, created_at = excluded.created_at`,
			k.ID, k.Where, k.CreatedAt)
		return err
	})
}

package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"benchtop/backend/auth"
)

// PutKey implements auth.Store.
func (db *DB) PutKey(ctx context.Context, k auth.KeyRow) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("INSERT INTO auth_keys (id, kind, hash, prefix, subject_id, created_at, expires_at) VALUES (?,?,?,?,?,?,?)",
			k.ID, k.Kind, k.Hash, k.Prefix, k.SubjectID, k.CreatedAt, timeOrNull(k.ExpiresAt))
		return err
	})
}

// timeOrNull stores no time as NULL.
func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// ListKeys implements auth.Store.
func (db *DB) ListKeys(ctx context.Context) (all []auth.KeyRow, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, auth.KeyRow{
				ID: r.str(), Kind: r.str(), Hash: r.str(), Prefix: r.str(), SubjectID: r.str(),
				CreatedAt: r.time(), ExpiresAt: r.time(),
			})
			return nil
		}, "SELECT id, kind, hash, prefix, subject_id, created_at, expires_at FROM auth_keys ORDER BY created_at, id")
	})
	return all, err
}

// DeleteKeys implements auth.Store.
func (db *DB) DeleteKeys(ctx context.Context, ids []string, revokedAt time.Time) error {
	return db.write(ctx, durable, func(c *conn) error {
		for _, id := range ids {
			if _, err := c.exec("DELETE FROM auth_keys WHERE id = ?", id); err != nil {
				return err
			}
			// The second condition is the one of the index.
			if _, err := c.exec("UPDATE portal_tokens SET revoked_at = ? WHERE key_id = ? AND key_id <> '' AND revoked_at IS NULL",
				revokedAt, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// PutToken implements auth.Store.
func (db *DB) PutToken(ctx context.Context, t auth.TokenRow) error {
	audience, err := json.Marshal(t.Audience)
	if err != nil {
		return err
	}
	scopes, err := json.Marshal(t.Scopes)
	if err != nil {
		return err
	}
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT OR REPLACE INTO portal_tokens
			(id, subject, agent_id, key_id, audience, scopes, issued_at, expires_at, revoked_at) VALUES (?,?,?,?,?,?,?,?,?)`,
			t.ID, t.Subject, t.AgentID, t.KeyID, string(audience), string(scopes), t.IssuedAt, t.ExpiresAt, timeOrNull(t.RevokedAt))
		return err
	})
}

// ListTokens implements auth.Store.
func (db *DB) ListTokens(ctx context.Context) (all []auth.TokenRow, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			t := auth.TokenRow{ID: r.str(), Subject: r.str(), AgentID: r.str(), KeyID: r.str()}
			for _, list := range []*[]string{&t.Audience, &t.Scopes} {
				if err := json.Unmarshal([]byte(r.str()), list); err != nil {
					return fmt.Errorf("stored portal token %s: %w", t.ID, err)
				}
			}
			t.IssuedAt, t.ExpiresAt, t.RevokedAt = r.time(), r.time(), r.time()
			all = append(all, t)
			return nil
		}, `SELECT id, subject, agent_id, key_id, audience, scopes, issued_at, expires_at, revoked_at
			FROM portal_tokens ORDER BY issued_at, id`)
	})
	return all, err
}

// DropTokens implements auth.Store.
func (db *DB) DropTokens(ctx context.Context, before time.Time) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("DELETE FROM portal_tokens WHERE expires_at < ?", before)
		return err
	})
}

// PutVisitor implements auth.Store.
func (db *DB) PutVisitor(ctx context.Context, v auth.VisitorRow) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("INSERT OR REPLACE INTO visitors (id, name, email, avatar_url, created_at) VALUES (?,?,?,?,?)",
			v.ID, v.Name, v.Email, v.AvatarURL, v.CreatedAt)
		return err
	})
}

// ListVisitors implements auth.Store.
func (db *DB) ListVisitors(ctx context.Context) (all []auth.VisitorRow, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, auth.VisitorRow{ID: r.str(), Name: r.str(), Email: r.str(), AvatarURL: r.str(), CreatedAt: r.time()})
			return nil
		}, "SELECT id, name, email, avatar_url, created_at FROM visitors ORDER BY created_at, id")
	})
	return all, err
}

// DeleteVisitor implements auth.Store.
func (db *DB) DeleteVisitor(ctx context.Context, id string) error {
	return db.write(ctx, durable, func(c *conn) error {
		if _, err := c.exec("DELETE FROM auth_keys WHERE subject_id = ? AND kind IN (?, ?)",
			id, auth.KeyVisitor, auth.KeyVisitorCookie); err != nil {
			return err
		}
		_, err := c.exec("DELETE FROM visitors WHERE id = ?", id)
		return err
	})
}

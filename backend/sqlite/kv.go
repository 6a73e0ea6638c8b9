package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"benchtop/backend/kv"
)

var _ kv.Store = (*DB)(nil)

func expiry(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return micros(t)
}

// GetKV implements kv.Store.
func (db *DB) GetKV(ctx context.Context, ns kv.Namespace, key string, now time.Time) (found *kv.Item, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			found = &kv.Item{Key: key, Value: json.RawMessage(r.str()), ExpiresAt: r.time()}
			return nil
		}, `SELECT value, expires_at FROM kv WHERE agent_id = ? AND function_name = ? AND scope = ? AND key = ?
			AND (expires_at IS NULL OR expires_at > ?)`, ns.AgentID, ns.Function, ns.Scope, key, now)
	})
	return found, err
}

// PutKV implements kv.Store.
func (db *DB) PutKV(ctx context.Context, ns kv.Namespace, it kv.Item) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`INSERT INTO kv (agent_id, function_name, scope, key, value, expires_at) VALUES (?,?,?,?,?,?)
			ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
			ns.AgentID, ns.Function, ns.Scope, it.Key, string(it.Value), expiry(it.ExpiresAt))
		return err
	})
}

// ClaimKV implements kv.Store.
func (db *DB) ClaimKV(ctx context.Context, ns kv.Namespace, it kv.Item, now time.Time) (won bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec(`INSERT INTO kv (agent_id, function_name, scope, key, value, expires_at) VALUES (?,?,?,?,?,?)
			ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
			WHERE kv.expires_at <= ?`,
			ns.AgentID, ns.Function, ns.Scope, it.Key, string(it.Value), expiry(it.ExpiresAt), now)
		won = n > 0
		return err
	})
	return won, err
}

// SwapKV implements kv.Store.
func (db *DB) SwapKV(ctx context.Context, ns kv.Namespace, it kv.Item, was json.RawMessage, now time.Time) (won bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		n, err := c.exec(`UPDATE kv SET value = ?, expires_at = ? WHERE agent_id = ? AND function_name = ? AND scope = ? AND key = ?
			AND value = ? AND (expires_at IS NULL OR expires_at > ?)`,
			string(it.Value), expiry(it.ExpiresAt), ns.AgentID, ns.Function, ns.Scope, it.Key, string(was), now)
		won = n > 0
		return err
	})
	return won, err
}

// DeleteKV implements kv.Store.
func (db *DB) DeleteKV(ctx context.Context, ns kv.Namespace, key string) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("DELETE FROM kv WHERE agent_id = ? AND function_name = ? AND scope = ? AND key = ?",
			ns.AgentID, ns.Function, ns.Scope, key)
		return err
	})
}

// ListKV implements kv.Store.
func (db *DB) ListKV(ctx context.Context, ns kv.Namespace, prefix, after string, limit int, values bool, now time.Time) (items []kv.Item, err error) {
	value := "''"
	if values {
		value = "value"
	}
	sql := "SELECT key, expires_at, " + value + ` FROM kv WHERE agent_id = ? AND function_name = ? AND scope = ?
		AND key >= ? AND key > ? AND (expires_at IS NULL OR expires_at > ?)`
	args := []any{ns.AgentID, ns.Function, ns.Scope, prefix, after, now}
	if end, ok := prefixEnd(prefix); ok {
		sql += " AND key < ?"
		args = append(args, end)
	}
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			it := kv.Item{Key: r.str(), ExpiresAt: r.time()}
			if v := r.str(); values {
				it.Value = json.RawMessage(v)
			}
			items = append(items, it)
			return nil
		}, sql+" ORDER BY key LIMIT ?", append(args, limit)...)
	})
	return items, err
}

// prefixEnd is the first text after all that begin with prefix; there is none
// for an empty prefix.
func prefixEnd(prefix string) (string, bool) {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xff {
			b[i]++
			return string(b[:i+1]), true
		}
	}
	return "", false
}

// KVNamespaces implements kv.Store. It takes a step in the table per namespace,
// and counts no further than it is asked to.
func (db *DB) KVNamespaces(ctx context.Context, agentID string, most int, now time.Time) (found []kv.Filled, err error) {
	err = db.read(ctx, func(c *conn) error {
		at := kv.Namespace{AgentID: agentID}
		for more := true; more; {
			more = false
			if err := c.query(func(r *row) error {
				at.Function, at.Scope, more = r.str(), r.str(), true
				return nil
			}, `SELECT function_name, scope FROM kv WHERE agent_id = ? AND (function_name, scope) > (?, ?)
				ORDER BY function_name, scope LIMIT 1`, agentID, at.Function, at.Scope); err != nil || !more {
				return err
			}
			n, err := c.number(`SELECT count(*) FROM (SELECT 1 FROM kv WHERE agent_id = ? AND function_name = ? AND scope = ?
				AND (expires_at IS NULL OR expires_at > ?) LIMIT ?)`, at.AgentID, at.Function, at.Scope, now, most)
			if err != nil {
				return err
			}
			if n > 0 {
				found = append(found, kv.Filled{Namespace: at, Items: int(n)})
			}
		}
		return nil
	})
	return found, err
}

// SweepKV implements kv.Store.
func (db *DB) SweepKV(ctx context.Context, now time.Time, limit int) (swept int, err error) {
	err = db.write(ctx, relaxed, func(c *conn) error {
		n, err := c.exec(`DELETE FROM kv WHERE (agent_id, function_name, scope, key) IN
			(SELECT agent_id, function_name, scope, key FROM kv WHERE expires_at <= ? LIMIT ?)`, now, limit)
		swept = int(n)
		return err
	})
	return swept, err
}

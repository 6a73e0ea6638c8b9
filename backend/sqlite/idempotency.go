package sqlite

import (
	"context"
	"time"

	"benchtop/backend/invocation"
)

var _ invocation.ClaimStore = (*DB)(nil)

// ClaimKey implements invocation.ClaimStore.
func (db *DB) ClaimKey(ctx context.Context, claim invocation.Claim, since time.Time) (existing *invocation.Claim, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		existing = nil
		n, err := c.exec(`INSERT INTO idempotency_keys (agent_id, function_name, key, body_sha256, invocation_id,
			claimed_at, done, status, answer) VALUES (?,?,?,?,?,?,?,?,?)
			ON CONFLICT DO UPDATE SET body_sha256 = excluded.body_sha256, invocation_id = excluded.invocation_id,
			claimed_at = excluded.claimed_at, done = excluded.done, status = excluded.status, answer = excluded.answer
			WHERE idempotency_keys.claimed_at < ?`,
			claim.AgentID, claim.Function, claim.Key, claim.BodySHA256, claim.InvocationID,
			claim.ClaimedAt, claim.Done, claim.Status, claim.Answer, since)
		if err != nil || n > 0 {
			return err
		}
		return c.query(func(r *row) error {
			existing = &invocation.Claim{
				AgentID: claim.AgentID, Function: claim.Function, Key: claim.Key,
				BodySHA256: r.str(), InvocationID: r.str(), ClaimedAt: r.time(),
				Done: r.bool(), Status: int(r.int()), Answer: r.bytes(),
			}
			return nil
		}, `SELECT body_sha256, invocation_id, claimed_at, done, status, answer FROM idempotency_keys
			WHERE agent_id = ? AND function_name = ? AND key = ?`, claim.AgentID, claim.Function, claim.Key)
	})
	return existing, err
}

// CompleteKey implements invocation.ClaimStore.
func (db *DB) CompleteKey(ctx context.Context, claim invocation.Claim) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`UPDATE idempotency_keys SET done = 1, status = ?, answer = ?
			WHERE agent_id = ? AND function_name = ? AND key = ? AND invocation_id = ?`,
			claim.Status, claim.Answer, claim.AgentID, claim.Function, claim.Key, claim.InvocationID)
		return err
	})
}

// ReleaseKey implements invocation.ClaimStore.
func (db *DB) ReleaseKey(ctx context.Context, claim invocation.Claim) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec(`DELETE FROM idempotency_keys
			WHERE agent_id = ? AND function_name = ? AND key = ? AND invocation_id = ? AND done = 0`,
			claim.AgentID, claim.Function, claim.Key, claim.InvocationID)
		return err
	})
}

// DropKeys implements invocation.ClaimStore.
func (db *DB) DropKeys(ctx context.Context, before time.Time) error {
	return db.write(ctx, relaxed, func(c *conn) error {
		_, err := c.exec("DELETE FROM idempotency_keys WHERE claimed_at < ?", before)
		return err
	})
}

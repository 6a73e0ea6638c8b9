package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"benchtop/backend/tasks"
)

var _ tasks.Store = (*DB)(nil)

// PutTask implements tasks.Store.
func (db *DB) PutTask(ctx context.Context, t tasks.Task, keep int) error {
	body, err := json.Marshal(t.Body)
	if err != nil {
		return err
	}
	return db.write(ctx, durable, func(c *conn) error {
		if _, err := c.exec(`INSERT OR REPLACE INTO tasks
			(id, agent_id, context_id, caller, state, created_at, updated_at, body) VALUES (?,?,?,?,?,?,?,?)`,
			t.ID, t.AgentID, t.ContextID, t.Caller, string(t.State), t.CreatedAt, t.UpdatedAt, string(body)); err != nil {
			return err
		}
		_, err := c.exec(`DELETE FROM tasks WHERE agent_id = ? AND state NOT IN ('submitted', 'working') AND (updated_at, id) <=
			(SELECT updated_at, id FROM tasks WHERE agent_id = ? ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ?)`, t.AgentID, t.AgentID, keep)
		return err
	})
}

const taskColumns = "id, agent_id, context_id, caller, state, created_at, updated_at, body"

func taskOf(r *row) (t tasks.Task, err error) {
	t = tasks.Task{
		ID: r.str(), AgentID: r.str(), ContextID: r.str(), Caller: r.str(), State: tasks.State(r.str()),
		CreatedAt: r.time(), UpdatedAt: r.time(),
	}
	if err := json.Unmarshal([]byte(r.str()), &t.Body); err != nil {
		return t, fmt.Errorf("task %s: %w", t.ID, err)
	}
	return t, nil
}

// Task implements tasks.Store.
func (db *DB) Task(ctx context.Context, agentID, id string) (found *tasks.Task, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			t, err := taskOf(r)
			found = &t
			return err
		}, "SELECT "+taskColumns+" FROM tasks WHERE agent_id = ? AND id = ?", agentID, id)
	})
	return found, err
}

// ListTasks implements tasks.Store.
func (db *DB) ListTasks(ctx context.Context, q tasks.Query) (page []tasks.Task, total int, err error) {
	const filter = ` FROM tasks WHERE agent_id = ?1 AND caller = ?2 AND updated_at >= ?3
		AND (?4 = '' OR context_id = ?4) AND (?5 = '' OR state = ?5)`
	from, before := int64(math.MinInt64), int64(math.MaxInt64)
	if !q.From.IsZero() {
		from = micros(q.From)
	}
	if !q.Before.IsZero() {
		before = micros(q.Before)
	}
	err = db.read(ctx, func(c *conn) error {
		n, err := c.number("SELECT count(*)"+filter, q.AgentID, q.Caller, from, q.ContextID, string(q.State))
		if err != nil {
			return err
		}
		total = int(n)
		return c.query(func(r *row) error {
			t, err := taskOf(r)
			page = append(page, t)
			return err
		}, "SELECT "+taskColumns+filter+" AND (updated_at, id) < (?6, ?7) ORDER BY updated_at DESC, id DESC LIMIT ?8",
			q.AgentID, q.Caller, from, q.ContextID, string(q.State), before, q.BeforeID, q.Limit)
	})
	return page, total, err
}

// FailTasks implements tasks.Store.
func (db *DB) FailTasks(ctx context.Context, at time.Time) error {
	return db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("UPDATE tasks SET state = ?, updated_at = ? WHERE state IN ('submitted', 'working')", string(tasks.Failed), at)
		return err
	})
}

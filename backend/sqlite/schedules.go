package sqlite

import (
	"context"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/scheduler"
)

var _ scheduler.Store = (*DB)(nil)

// keptRuns is how many runs of one entry are kept: more than a day has minutes,
// so that a clock that is set back by less finds each of them.
const keptRuns = 1500

// LoadSchedules implements scheduler.Store.
func (db *DB) LoadSchedules(ctx context.Context) (past []scheduler.Past, seen time.Time, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		_, err := c.exec("UPDATE schedule_runs SET outcome = ? WHERE outcome = 'running'", contract.ScheduleInterrupted)
		return err
	})
	if err != nil {
		return nil, seen, err
	}
	byKey := map[scheduler.Key]int{}
	of := func(k scheduler.Key) *scheduler.Past {
		i, ok := byKey[k]
		if !ok {
			i = len(past)
			byKey[k] = i
			past = append(past, scheduler.Past{Key: k})
		}
		return &past[i]
	}
	err = db.read(ctx, func(c *conn) error {
		if err := c.query(func(r *row) error {
			p := of(scheduler.Key{AgentID: r.str(), EntryID: r.str()})
			p.Last = &contract.ScheduleRun{
				PlannedAt: r.time(), FiredAt: r.time(), Manual: r.bool(), Outcome: r.str(), InvocationID: r.str(),
				ErrorCode: contract.Code(r.str()), ErrorMessage: r.str(),
			}
			return nil
		}, `SELECT agent_id, entry_id, planned_at, fired_at, manual, outcome, invocation_id, error_code, error_message
			FROM schedule_runs WHERE id IN (SELECT max(id) FROM schedule_runs WHERE outcome <> ? GROUP BY agent_id, entry_id)
			ORDER BY id`, contract.ScheduleSkipped); err != nil {
			return err
		}
		if err := c.query(func(r *row) error {
			p := of(scheduler.Key{AgentID: r.str(), EntryID: r.str()})
			p.Missed = &contract.ScheduleMisses{Count: int(r.int()), More: r.bool(), From: r.time(), To: r.time(), NotedAt: r.time()}
			return nil
		}, "SELECT agent_id, entry_id, count, more, first_at, last_at, noted_at FROM schedule_misses ORDER BY agent_id, entry_id"); err != nil {
			return err
		}
		return c.query(func(r *row) error { seen = r.time(); return nil }, "SELECT seen_at FROM schedule_clock WHERE id = 1")
	})
	return past, seen, err
}

// ClaimRun implements scheduler.Store.
func (db *DB) ClaimRun(ctx context.Context, k scheduler.Key, run contract.ScheduleRun) (id int64, won bool, err error) {
	err = db.write(ctx, durable, func(c *conn) error {
		manual := 0
		if run.Manual {
			manual = 1
		}
		id, err = c.insert(`INSERT INTO schedule_runs
			(agent_id, entry_id, planned_at, fired_at, manual, outcome, invocation_id, error_code, error_message)
			VALUES (?,?,?,?,?,?,'','','') ON CONFLICT DO NOTHING`,
			k.AgentID, k.EntryID, run.PlannedAt, run.FiredAt, manual, run.Outcome)
		if won = id != 0; err != nil || !won {
			return err
		}
		_, err = c.exec(`DELETE FROM schedule_runs WHERE agent_id = ? AND entry_id = ? AND id <=
			(SELECT id FROM schedule_runs WHERE agent_id = ? AND entry_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
			k.AgentID, k.EntryID, k.AgentID, k.EntryID, keptRuns)
		return err
	})
	return id, won, err
}

// FinishRun implements scheduler.Store.
func (db *DB) FinishRun(ctx context.Context, id int64, run contract.ScheduleRun) error {
	return db.write(ctx, relaxed, func(c *conn) error {
		_, err := c.exec("UPDATE schedule_runs SET outcome = ?, invocation_id = ?, error_code = ?, error_message = ? WHERE id = ?",
			run.Outcome, run.InvocationID, string(run.ErrorCode), run.ErrorMessage, id)
		return err
	})
}

// NoteMissed implements scheduler.Store.
func (db *DB) NoteMissed(ctx context.Context, k scheduler.Key, m contract.ScheduleMisses) error {
	return db.write(ctx, durable, func(c *conn) error {
		more := 0
		if m.More {
			more = 1
		}
		_, err := c.exec("INSERT OR REPLACE INTO schedule_misses (agent_id, entry_id, count, more, first_at, last_at, noted_at) VALUES (?,?,?,?,?,?,?)",
			k.AgentID, k.EntryID, m.Count, more, m.From, m.To, m.NotedAt)
		return err
	})
}

// SeenMinute implements scheduler.Store.
func (db *DB) SeenMinute(ctx context.Context, at time.Time) error {
	return db.write(ctx, relaxed, func(c *conn) error {
		if at.IsZero() {
			_, err := c.exec("DELETE FROM schedule_clock")
			return err
		}
		_, err := c.exec("INSERT OR REPLACE INTO schedule_clock (id, seen_at) VALUES (1, ?)", at)
		return err
	})
}

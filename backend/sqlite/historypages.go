package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// rowRef is where a row lies.
type rowRef struct {
	started         int64
	id              string
	agent, function string
}

// span is a piece of time: after and before are exclusive, and of the rows at
// before those with a smaller id belong to it.
type span struct {
	after, before int64
	beforeID      string
}

var always = span{after: math.MinInt64, before: math.MaxInt64}

// ends gives the limit rows at one end of what the stretches hold: the newest,
// or the oldest when oldest is set.
func ends(c *conn, stretches []stretch, s span, limit int, oldest bool) (refs []rowRef, err error) {
	order := "DESC"
	if oldest {
		order = "ASC"
	}
	found := 0
	for _, piece := range stretches {
		args := append(piece.args, s.after, s.before, s.beforeID, limit)
		if err := c.query(func(r *row) error {
			refs = append(refs, rowRef{r.int(), r.str(), r.str(), r.str()})
			return nil
		}, "SELECT started_at, id, agent_id, function_name FROM "+piece.from+" WHERE "+piece.where+
			" AND started_at > ? AND (started_at, id) < (?, ?) ORDER BY started_at "+order+", id "+order+" LIMIT ?", args...); err != nil {
			return nil, err
		}
		if len(refs) == found {
			continue // nothing came
		}
		found = len(refs)
		slices.SortFunc(refs, func(a, b rowRef) int {
			if oldest {
				a, b = b, a
			}
			return cmp.Or(cmp.Compare(b.started, a.started), cmp.Compare(b.id, a.id))
		})
		if len(refs) >= limit {
			// No other need look beyond the last of these.
			refs, found = refs[:limit], limit
			if last := refs[limit-1].started; oldest {
				s.before, s.beforeID = min(s.before, last+1), ""
			} else {
				s.after = max(s.after, last-1)
			}
		}
	}
	return refs, nil
}

// Rows implements history.Store.
func (db *DB) Rows(ctx context.Context, q history.Query) ([]contract.InvocationRow, error) {
	s := always
	s.beforeID = q.BeforeID
	for _, bound := range []struct {
		stamp string
		to    *int64
	}{{q.Before, &s.before}, {q.After, &s.after}} {
		if bound.stamp == "" {
			continue
		}
		var err error
		if *bound.to, err = parseStamp(bound.stamp); err != nil {
			return nil, fmt.Errorf("page of the history: %w", err)
		}
	}
	rows := make([]contract.InvocationRow, 0, min(q.Limit, contract.MaxPage+1))
	add := func(r *row) error { rows = append(rows, readRow(r)); return nil }
	err := db.read(ctx, func(c *conn) error {
		if q.AgentID != "" && q.Function != "" && q.Skill+q.Status+string(q.Code) == "" && q.Terms.Empty() {
			// One stretch of the table itself: nothing to merge.
			return c.query(add, "SELECT "+rowColumns+` FROM invocations WHERE agent_id = ? AND function_name = ?
				AND started_at > ? AND (started_at, id) < (?, ?) ORDER BY started_at DESC, id DESC LIMIT ?`,
				q.AgentID, q.Function, s.after, s.before, s.beforeID, q.Limit)
		}
		if q.AgentID+q.Function+q.Skill+q.Status+string(q.Code) == "" && q.Terms.Empty() {
			return c.query(add, "SELECT "+rowColumns+` FROM invocations INDEXED BY invocations_time
				WHERE started_at > ? AND (started_at, id) < (?, ?) ORDER BY started_at DESC, id DESC LIMIT ?`,
				s.after, s.before, s.beforeID, q.Limit)
		}
		// One moment of the database for all statements: a row that changes its
		// kind meanwhile is neither lost nor given twice.
		return c.atOnce(func() error {
			stretches, err := db.stretches(c, q)
			if err != nil {
				return err
			}
			refs, err := ends(c, stretches, s, q.Limit, false)
			for _, ref := range refs {
				if err == nil {
					err = c.query(add, "SELECT "+rowColumns+` FROM invocations
						WHERE agent_id = ? AND function_name = ? AND started_at = ? AND id = ?`,
						ref.agent, ref.function, ref.started, ref.id)
				}
			}
			return err
		})
	})
	return rows, err
}

// stretches finds where the rows of a query lie: by function when it asks for
// all of a function's rows, by kind otherwise.
func (db *DB) stretches(c *conn, q history.Query) (out []stretch, err error) {
	if short := shortcuts(q); short != nil {
		return short, nil
	}
	fitting, err := db.kinds.all(c, func(k kind) bool { return k.fits(q) })
	if err != nil {
		return nil, err
	}
	// Terms of functions alone leave all rows of those that fit.
	terms := q.Terms
	terms.Functions = history.Choice{}
	filtered := q.Skill != "" || q.Status != "" || q.Code != "" || !terms.Empty()
	seen := map[kind]bool{}
	for _, k := range fitting {
		if filtered {
			out = append(out, k.stretch().timed(q.Terms))
			continue
		}
		if whole := (kind{agent: k.agent, function: k.function}); !seen[whole] {
			seen[whole] = true
			out = append(out, wholeFunction(k.agent, k.function))
		}
	}
	return out, nil
}

// Durations implements history.Store.
func (db *DB) Durations(ctx context.Context, agentID, after string, limit int, fn func(history.Took)) (partial bool, err error) {
	from, err := parseStamp(after)
	if err != nil {
		return false, fmt.Errorf("figures of the history: %w", err)
	}
	err = db.read(ctx, func(c *conn) error {
		return c.atOnce(func() error {
			kinds, err := db.kinds.all(c, func(k kind) bool {
				return k.skill != contract.SkillAuthoring && (agentID == "" || k.agent == agentID)
			})
			if err != nil {
				return err
			}
			// All paces of a kind share, or its fast rows would be older than its slow ones.
			together := map[kind][]stretch{}
			for _, k := range kinds {
				whole := k
				whole.pace = 0
				together[whole] = append(together[whole], k.stretch())
			}
			left := len(together)
			for k, pieces := range together {
				// What one kind leaves of its share is there for those behind it.
				share := limit / left
				left--
				runs, err := newest(c, pieces, from, share+1)
				if err != nil {
					return err
				}
				if len(runs) > share {
					partial, runs = true, runs[:share]
				}
				limit -= len(runs)
				for _, r := range runs {
					fn(history.Took{AgentID: k.agent, Function: k.function, Status: k.status, StartedAt: time.UnixMicro(r.started).UTC(), DurationMs: r.ms})
				}
			}
			return nil
		})
	})
	return partial, err
}

// run is when a run began and how long it took.
type run struct {
	started int64
	ms      float64
}

// newest gives the runs of the stretches that began after a time, of more than
// limit the newest. They are in order only when some were left out.
func newest(c *conn, stretches []stretch, after int64, limit int) (runs []run, err error) {
	for _, piece := range stretches {
		if err := c.query(func(r *row) error {
			runs = append(runs, run{r.int(), r.float()})
			return nil
		}, "SELECT started_at, duration_ms FROM "+piece.from+" WHERE "+piece.where+
			" AND started_at > ? ORDER BY started_at DESC LIMIT ?", append(piece.args, after, limit)...); err != nil {
			return nil, err
		}
		if len(runs) >= limit {
			slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(b.started, a.started) })
			runs = runs[:limit]
			after = max(after, runs[limit-1].started-1)
		}
	}
	return runs, nil
}

// atOnce runs fn in a transaction that only reads. The moment it reads is fixed
// before fn begins, so that the kinds which fn asks for are all that it can meet.
func (c *conn) atOnce(fn func() error) error {
	if _, err := c.exec("BEGIN"); err != nil {
		return err
	}
	_, err := c.number("SELECT count(*) FROM (SELECT 1 FROM invocations LIMIT 1)")
	if err == nil {
		err = fn()
	}
	if _, e := c.exec("COMMIT"); err == nil {
		err = e
	}
	return err
}

// CountRows implements history.Store.
func (db *DB) CountRows(ctx context.Context) (n int, err error) {
	err = db.read(ctx, func(c *conn) error {
		found, err := c.number("SELECT count(*) FROM invocations INDEXED BY invocations_kinds WHERE source_skill <> ?", contract.SkillAuthoring)
		n = int(found)
		return err
	})
	return n, err
}

// DropRows implements history.Store. The rows are looked for by a reader; the
// writer does no more than remove them.
func (db *DB) DropRows(ctx context.Context, before string, limit int) (dropped int, err error) {
	s := always
	if before != "" {
		if s.before, err = parseStamp(before); err != nil {
			return 0, err
		}
	}
	var refs []rowRef
	if err = db.read(ctx, func(c *conn) error {
		return c.atOnce(func() error {
			old, err := db.kinds.all(c, func(k kind) bool {
				return k.skill != contract.SkillAuthoring && k.status != contract.StatusRunning
			})
			if err != nil {
				return err
			}
			pieces := make([]stretch, len(old))
			for i, k := range old {
				pieces[i] = k.stretch()
			}
			refs, err = ends(c, pieces, s, limit, true)
			return err
		})
	}); err != nil || len(refs) == 0 {
		return 0, err
	}
	err = db.write(ctx, relaxed, func(c *conn) error {
		dropped = 0
		for _, ref := range refs {
			var details []int64
			if err := c.query(func(r *row) error {
				dropped++
				if seq := r.int(); seq != 0 {
					details = append(details, seq)
				}
				return nil
			}, `DELETE FROM invocations WHERE agent_id = ? AND function_name = ? AND started_at = ? AND id = ?
				RETURNING detail_seq`, ref.agent, ref.function, ref.started, ref.id); err != nil {
				return err
			}
			for _, seq := range details {
				if _, err := c.exec("DELETE FROM invocation_details WHERE seq = ?", seq); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return dropped, err
}

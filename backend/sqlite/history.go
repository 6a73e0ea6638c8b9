package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

var _ history.Store = (*DB)(nil)

// The columns of a row in the order of rowArgs and readRow: first what names it,
// then what its end may change.
var (
	keyColumns  = []string{"agent_id", "function_name", "started_at", "id"}
	restColumns = []string{"status", "source_skill", "function_version",
		"finished_at", "duration_ms", "cpu_ms", "ingress_bytes", "egress_bytes", "chain_depth", "host_calls",
		"kv_put_bytes", "content_writes", "cost_nanocents", "error_code", "error_message", "invocation_id",
		"root_invocation_id", "parent_invocation_id", "consumer_id", "billed_to", "caller_user_id",
		"caller_agent_id", "idempotency_key", "authoring_action", "authoring_surface", "open_locks"}
	rowColumns = strings.Join(append(slices.Clone(keyColumns), restColumns...), ", ")

	insertRowSQL = "INSERT INTO invocations (" + rowColumns + ", detail_seq, detail) VALUES (?" +
		strings.Repeat(",?", len(keyColumns)+len(restColumns)+1) + ") ON CONFLICT DO NOTHING"
	updateRowSQL = "UPDATE invocations SET (" + strings.Join(restColumns, ", ") + ", detail_seq, detail) = (?" +
		strings.Repeat(",?", len(restColumns)+1) + ") WHERE " + strings.Join(keyColumns, " = ? AND ") + " = ?"
)

// smallDetail is how many bytes of detail still lie in the page of their row.
const smallDetail = 512

// StartRow implements history.Store.
func (db *DB) StartRow(row contract.InvocationRow) {
	db.kinds.note(kindOf(&row))
	w := db.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.starts.add(row, time.Now())
	}
}

// FinishRow implements history.Store.
func (db *DB) FinishRow(ctx context.Context, row contract.InvocationRow, d *history.Detail) error {
	var detail []byte
	if d != nil {
		var err error
		if detail, err = json.Marshal(d); err != nil {
			return fmt.Errorf("encode what is kept of invocation %s: %w", row.ID, err)
		}
	}
	db.kinds.note(kindOf(&row))
	return outcome(db.writer.submit(relaxed, row.ID, func(c *conn) error { return finishRow(c, &row, detail) }))
}

func startRow(c *conn, row *contract.InvocationRow) error {
	args, err := rowArgs(row)
	if err != nil {
		return err
	}
	_, err = c.exec(insertRowSQL, append(args, nil, nil)...)
	return err
}

func finishRow(c *conn, row *contract.InvocationRow, detail []byte) error {
	args, err := rowArgs(row)
	if err != nil {
		return err
	}
	var seq, small any
	switch {
	case len(detail) > smallDetail:
		if seq, err = c.insert("INSERT INTO invocation_details (detail) VALUES (?)", string(detail)); err != nil {
			return err
		}
	case detail != nil:
		small = string(detail)
	}
	args = append(args, seq, small)
	// One statement for both would keep a journal for the case that it fails.
	if n, err := c.exec(insertRowSQL, args...); n > 0 || err != nil {
		return err
	}
	keys := len(keyColumns) // it was written when it started
	n, err := c.exec(updateRowSQL, append(args[keys:], args[:keys]...)...)
	if err == nil && n == 0 {
		err = fmt.Errorf("another invocation of the history has the id %s", row.ID)
	}
	return err
}

func rowArgs(row *contract.InvocationRow) ([]any, error) {
	started, err := parseStamp(row.StartedAt)
	if err != nil {
		return nil, fmt.Errorf("started_at of invocation %s: %w", row.ID, err)
	}
	var finished any
	if row.FinishedAt != "" {
		if finished, err = parseStamp(row.FinishedAt); err != nil {
			return nil, fmt.Errorf("finished_at of invocation %s: %w", row.ID, err)
		}
	}
	args := make([]any, 0, len(keyColumns)*2+len(restColumns)+2)
	return append(args,
		row.AgentID, row.FunctionName, started, row.ID, row.Status, row.SourceSkill, row.FunctionVersion,
		finished, row.DurationMs, row.CPUMs, row.IngressBytes, row.EgressBytes, row.ChainDepth, row.HostCalls,
		row.KVPutBytes, row.ContentWrites, orNull(row.CostNanocents), orNull(string(row.ErrorCode)),
		orNull(row.ErrorMessage), orNull(row.InvocationID), orNull(row.RootInvocationID),
		orNull(row.ParentInvocationID), orNull(row.ConsumerID), orNull(row.BilledTo), orNull(row.CallerUserID),
		orNull(row.CallerAgentID), orNull(row.IdempotencyKey), orNull(row.AuthoringAction), orNull(row.AuthoringSurface),
		countOrNull(row.OpenLocks),
	), nil
}

func readRow(r *row) contract.InvocationRow {
	return contract.InvocationRow{
		AgentID: r.str(), FunctionName: r.str(), StartedAt: r.stamp(), ID: r.str(), Status: r.str(),
		SourceSkill: r.str(), FunctionVersion: int(r.int()), FinishedAt: r.stamp(), DurationMs: r.float(),
		CPUMs: r.float(), IngressBytes: r.int(), EgressBytes: r.int(), ChainDepth: int(r.int()),
		HostCalls: int(r.int()), KVPutBytes: r.int(), ContentWrites: int(r.int()), CostNanocents: r.str(),
		ErrorCode: contract.Code(r.str()), ErrorMessage: r.str(), InvocationID: r.str(),
		RootInvocationID: r.str(), ParentInvocationID: r.str(), ConsumerID: r.str(), BilledTo: r.str(),
		CallerUserID: r.str(), CallerAgentID: r.str(), IdempotencyKey: r.str(), AuthoringAction: r.str(),
		AuthoringSurface: r.str(), OpenLocks: int(r.int()),
	}
}

func countOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// stamp reads a time in the layout of the history, "" for NULL.
func (r *row) stamp() string {
	if t := r.time(); !t.IsZero() {
		return contract.FormatTime(t)
	}
	return ""
}

func parseStamp(s string) (int64, error) {
	t, err := time.Parse(contract.Timestamp, s)
	if err != nil {
		return 0, err
	}
	return micros(t), nil
}

// Row implements history.Store.
func (db *DB) Row(ctx context.Context, id string) (found *contract.InvocationRow, d *history.Detail, err error) {
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			row := readRow(r)
			found = &row
			if detail := r.str(); detail != "" {
				d = &history.Detail{}
				if err := json.Unmarshal([]byte(detail), d); err != nil {
					return fmt.Errorf("decode what is kept of invocation %s: %w", id, err)
				}
			}
			return nil
		}, "SELECT "+rowColumns+`, coalesce(i.detail, d.detail) FROM invocations i
			LEFT JOIN invocation_details d ON d.seq = i.detail_seq WHERE i.id = ?`, id)
	})
	return found, d, err
}

// InterruptRunning implements history.Store.
func (db *DB) InterruptRunning(ctx context.Context, code contract.Code, message, finishedAt string) (n int, err error) {
	finished, err := parseStamp(finishedAt)
	if err != nil {
		return 0, err
	}
	err = db.write(ctx, durable, func(c *conn) error {
		changed, err := c.exec(`UPDATE invocations SET status = ?, error_code = ?, error_message = ?, finished_at = ?
			WHERE status = 'running'`, contract.StatusError, string(code), message, finished)
		n = int(changed)
		return err
	})
	db.kinds.forget()
	return n, err
}

// LastStarted implements history.Store.
func (db *DB) LastStarted(ctx context.Context) (map[string]string, error) {
	last := map[string]string{}
	err := db.read(ctx, func(c *conn) error {
		// A few steps in the table per function, not one per row.
		agents, err := agentsWithHistory(c)
		if err != nil {
			return err
		}
		for _, agent := range agents {
			names, err := functionsWithHistory(c, agent)
			if err != nil {
				return err
			}
			for _, name := range names {
				if err := c.query(func(r *row) error {
					last[agent] = max(last[agent], r.stamp())
					return nil
				}, `SELECT started_at FROM invocations WHERE agent_id = ? AND function_name = ?
					ORDER BY started_at DESC LIMIT 1`, agent, name); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return last, err
}

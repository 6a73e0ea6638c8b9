package sqlite

import (
	"context"
	"encoding/json"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

// PaymentToken implements payments.Store.
func (db *DB) PaymentToken(ctx context.Context, id string) (t *payments.Token, err error) {
	err = db.read(ctx, func(c *conn) error {
		t, err = oneToken(c, "SELECT "+tokenColumns+" FROM payment_tokens t WHERE t.id = ?", id)
		return err
	})
	return t, err
}

// conditions collects the parts of a WHERE.
type conditions struct {
	sql  []string
	args []any
}

func (w *conditions) add(sql string, args ...any) {
	w.sql = append(w.sql, sql)
	w.args = append(w.args, args...)
}

// equal keeps rows whose column has a value; an empty one keeps all.
func (w *conditions) equal(column, value string) {
	if value != "" {
		w.add(column+" = ?", value)
	}
}

func (w *conditions) where() string {
	if len(w.sql) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.sql, " AND ")
}

// PaymentTokens implements payments.Store.
func (db *DB) PaymentTokens(ctx context.Context, q payments.TokenQuery) (all []payments.Token, err error) {
	var w conditions
	if q.Before > 0 {
		w.add("t.seq < ?", q.Before)
	}
	w.equal("t.id", q.Root)
	if len(q.Audience) > 0 {
		names, err := json.Marshal(q.Audience)
		if err != nil {
			return nil, err
		}
		w.add("EXISTS (SELECT 1 FROM json_each(t.audience) a WHERE a.value IN (SELECT value FROM json_each(?)))", string(names))
	}
	if q.Root == "" && len(q.Audience) == 0 {
		w.add("t.parent_id IS NULL")
	}
	err = db.read(ctx, func(c *conn) error {
		all, err = readTokens(c, "SELECT "+tokenColumns+inLocks+" FROM payment_tokens t"+w.where()+" ORDER BY t.seq DESC LIMIT ?", append(w.args, q.Limit)...)
		return err
	})
	return all, err
}

// Descendants implements payments.Store.
func (db *DB) Descendants(ctx context.Context, roots []string) (all []payments.Token, err error) {
	ids, err := list(roots)
	if err != nil || len(roots) == 0 {
		return nil, err
	}
	err = db.read(ctx, func(c *conn) error {
		all, err = readTokens(c, `WITH RECURSIVE below (id, depth) AS (
			SELECT value, 0 FROM json_each(?) UNION
			SELECT t.id, depth + 1 FROM below JOIN payment_tokens t ON t.parent_id = below.id)
			SELECT `+tokenColumns+inLocks+` FROM below JOIN payment_tokens t ON t.id = below.id WHERE depth > 0
			GROUP BY t.seq ORDER BY min(depth), t.seq`, ids)
		return err
	})
	return all, err
}

// PaymentLock implements payments.Store.
func (db *DB) PaymentLock(ctx context.Context, id string) (l *payments.Lock, err error) {
	err = db.read(ctx, func(c *conn) error {
		l, err = oneLock(c, id)
		return err
	})
	return l, err
}

// PaymentLocks implements payments.Store.
func (db *DB) PaymentLocks(ctx context.Context, q payments.LockQuery) (all []payments.Lock, err error) {
	var w conditions
	if q.Before > 0 {
		w.add("seq < ?", q.Before)
	}
	switch q.State {
	case "open":
		w.add("closed_at IS NULL")
	case "closed":
		w.add("closed_at IS NOT NULL")
	default:
		w.equal("status", q.State)
	}
	w.equal("token_id", q.Token)
	w.equal("agent_id", q.Agent)
	w.equal("invocation_id", q.Invocation)
	w.equal("id", q.ID)
	err = db.read(ctx, func(c *conn) error {
		all, err = readLocks(c, "SELECT "+lockColumns+" FROM payment_locks"+w.where()+" ORDER BY seq DESC LIMIT ?", append(w.args, q.Limit)...)
		return err
	})
	return all, err
}

// PaymentEntries implements payments.Store. The movements of an account are
// those of two indexes, each read from its end.
func (db *DB) PaymentEntries(ctx context.Context, q payments.EntryQuery) (all []contract.PaymentEntry, err error) {
	var w conditions
	if q.Before > 0 {
		w.add("seq < ?", q.Before)
	}
	w.equal("token_id", q.Token)
	w.equal("invocation_id", q.Invocation)
	w.equal("agent_id", q.Agent)
	w.equal("kind", q.Kind)
	if !q.Since.IsZero() {
		w.add("at >= ?", q.Since)
	}
	if !q.Until.IsZero() {
		w.add("at < ?", q.Until)
	}
	var accounts []string
	switch lock := payments.LockAccount(q.Lock); {
	case q.Lock == "":
		if q.Account != "" {
			accounts = []string{q.Account}
		}
	case q.Account == "" || q.Account == lock:
		accounts = []string{lock} // every movement of a lock has its account
	default:
		w.add("(debit = ? OR credit = ?)", q.Account, q.Account)
		accounts = []string{lock}
	}
	const from = `SELECT seq, at, kind, debit, credit, amount, debit_balance, credit_balance, token_id, lock_id, agent_id,
		invocation_id, charge_type, description FROM payment_movements`
	sql, args := from+w.where()+" ORDER BY seq DESC LIMIT ?", append(w.args, q.Limit)
	if len(accounts) > 0 {
		debit, credit := w, w
		debit.sql, credit.sql = append([]string{"debit = ?"}, w.sql...), append([]string{"credit = ?"}, w.sql...)
		part := append(append([]any{accounts[0]}, w.args...), q.Limit)
		sql = "SELECT * FROM (" + from + debit.where() + " ORDER BY seq DESC LIMIT ?) UNION ALL SELECT * FROM (" +
			from + credit.where() + " ORDER BY seq DESC LIMIT ?) ORDER BY seq DESC LIMIT ?"
		args = append(append(append([]any{}, part...), part...), q.Limit)
	}
	err = db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			all = append(all, contract.PaymentEntry{
				Seq: r.int(), At: r.time(), Kind: r.str(), Debit: r.str(), Credit: r.str(),
				Amount: payments.Amount(r.int()), DebitBalance: payments.Amount(r.int()), CreditBalance: payments.Amount(r.int()),
				TokenID: r.str(), LockID: r.str(), AgentID: r.str(), InvocationID: r.str(), ChargeType: r.str(), Description: r.str(),
			})
			return nil
		}, sql, args...)
	})
	return all, err
}

// PaymentTotals implements payments.Store.
func (db *DB) PaymentTotals(ctx context.Context) (payments.Totals, error) {
	t := payments.Totals{ByKind: map[string]payments.Amount{}, Agents: map[string]payments.Amount{}}
	err := db.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			kind, agent, sum := r.str(), r.str(), payments.Amount(r.int())
			t.ByKind[kind] += sum
			if agent != "" {
				t.Agents[agent] = sum
			}
			return nil
		}, `SELECT kind, '', sum(balance) FROM payment_accounts WHERE balance <> 0 AND kind <> 'agent' GROUP BY kind UNION ALL
			SELECT kind, substr(id, 7), balance FROM payment_accounts WHERE balance <> 0 AND kind = 'agent'`)
	})
	return t, err
}

// ledgerRules find what does not agree in the ledger; each gives lines.
var ledgerRules = []string{
	`WITH flows (id, amount) AS (SELECT debit, -amount FROM payment_movements UNION ALL SELECT credit, amount FROM payment_movements),
		sums (id, sum) AS (SELECT id, sum(amount) FROM flows GROUP BY id)
		SELECT 'account ' || a.id || ' holds ' || a.balance || ' nanocredits, its movements make ' || coalesce(s.sum, 0)
		FROM payment_accounts a LEFT JOIN sums s ON s.id = a.id WHERE a.balance <> coalesce(s.sum, 0)`,
	`SELECT 'all accounts together hold ' || total || ' nanocredits and not 0' FROM (SELECT sum(balance) AS total FROM payment_accounts) WHERE total <> 0`,
	`WITH steps (seq, id, change, balance) AS (
		SELECT seq, debit, -amount, debit_balance FROM payment_movements UNION ALL SELECT seq, credit, amount, credit_balance FROM payment_movements),
		chained AS (SELECT seq, id, change, balance, lag(balance, 1, 0) OVER (PARTITION BY id ORDER BY seq) AS before FROM steps)
		SELECT 'entry ' || seq || ' leaves ' || balance || ' in ' || id || ', ' || (before + change) || ' would be right'
		FROM chained WHERE balance <> before + change`,
	`SELECT 'the entries are numbered up to ' || last || ', and there are ' || n FROM
		(SELECT max(seq) AS last, count(*) AS n FROM payment_movements) WHERE last <> n`,
	`SELECT 'lock ' || l.id || ' (' || l.status || ') says that it holds ' || (l.amount - l.settled - l.released) || ' nanocredits, its account has ' || coalesce(a.balance, 0)
		FROM payment_locks l LEFT JOIN payment_accounts a ON a.id = 'lock:' || l.id WHERE l.amount - l.settled - l.released <> coalesce(a.balance, 0)
		OR (l.closed_at IS NULL) <> (l.status IN ('locked', 'partially_settled'))`,
	`WITH held (id, amount) AS (SELECT token_id, sum(amount - settled - released) FROM payment_locks WHERE closed_at IS NULL GROUP BY token_id)
		SELECT 'token ' || t.id || ' should have ' || (t.budget - t.spent - t.delegated - t.returned - coalesce(h.amount, 0)) || ' nanocredits, its account has ' || coalesce(a.balance, 0)
		FROM payment_tokens t LEFT JOIN payment_accounts a ON a.id = 'token:' || t.id LEFT JOIN held h ON h.id = t.id
		WHERE t.budget - t.spent - t.delegated - t.returned - coalesce(h.amount, 0) <> coalesce(a.balance, 0)`,
}

// maxProblems is how many lines one rule gives.
const maxProblems = 20

// CheckPayments implements payments.Store, over one moment of the database.
func (db *DB) CheckPayments(ctx context.Context) (problems []string, accounts, entries int64, err error) {
	err = db.read(ctx, func(c *conn) (err error) {
		if err := c.script("BEGIN"); err != nil {
			return err
		}
		defer func() {
			if e := c.script("COMMIT"); err == nil {
				err = e
			}
		}()
		if accounts, err = c.number("SELECT count(*) FROM payment_accounts"); err != nil {
			return err
		}
		if entries, err = c.number("SELECT count(*) FROM payment_movements"); err != nil {
			return err
		}
		for _, rule := range ledgerRules {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.query(func(r *row) error { problems = append(problems, r.str()); return nil }, rule+" LIMIT ?", maxProblems); err != nil {
				return err
			}
		}
		return nil
	})
	return problems, accounts, entries, err
}

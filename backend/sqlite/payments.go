package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/payments"
)

var (
	_ payments.Store = (*DB)(nil)
	_ payments.Tx    = paymentTx{}
)

// paymentTx is the transaction of an operation of payments.
type paymentTx struct{ c *conn }

// Pay implements payments.Store.
func (db *DB) Pay(ctx context.Context, fn func(payments.Tx) error) error {
	return db.write(ctx, durable, func(c *conn) error { return fn(paymentTx{c}) })
}

// Empty implements payments.Tx.
func (tx paymentTx) Empty() (bool, error) {
	n, err := tx.c.number("SELECT count(*) FROM (SELECT 1 FROM payment_movements LIMIT 1)")
	return n == 0, err
}

// Balance implements payments.Tx.
func (tx paymentTx) Balance(account string) (payments.Amount, error) {
	n, err := tx.c.number("SELECT balance FROM payment_accounts WHERE id = ?", account)
	return payments.Amount(n), err
}

// Move implements payments.Tx.
func (tx paymentTx) Move(e contract.PaymentEntry) (contract.PaymentEntry, error) {
	var err error
	if e.DebitBalance, err = tx.add(e.Debit, -e.Amount); err != nil {
		return e, fmt.Errorf("take %s from %s: %w", e.Amount, e.Debit, err)
	}
	if e.CreditBalance, err = tx.add(e.Credit, e.Amount); err != nil {
		return e, fmt.Errorf("give %s to %s: %w", e.Amount, e.Credit, err)
	}
	e.Seq, err = tx.c.insert(`INSERT INTO payment_movements (at, kind, debit, credit, amount, debit_balance, credit_balance,
		token_id, lock_id, agent_id, invocation_id, charge_type, description) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		e.At, e.Kind, e.Debit, e.Credit, int64(e.Amount), int64(e.DebitBalance), int64(e.CreditBalance),
		orNull(e.TokenID), orNull(e.LockID), orNull(e.AgentID), orNull(e.InvocationID), orNull(e.ChargeType), orNull(e.Description))
	return e, err
}

// add changes what an account holds and gives what it holds then. The update is
// first and no ON CONFLICT: a row to insert is held to the CHECK before anybody
// looks whether it is there.
func (tx paymentTx) add(account string, amount payments.Amount) (after payments.Amount, err error) {
	found := false
	err = tx.c.query(func(r *row) error { after, found = payments.Amount(r.int()), true; return nil },
		"UPDATE payment_accounts SET balance = balance + ? WHERE id = ? RETURNING balance", int64(amount), account)
	if found || err != nil {
		return after, err
	}
	_, err = tx.c.exec("INSERT INTO payment_accounts (id, kind, balance) VALUES (?,?,?)", account, payments.KindOf(account), int64(amount))
	return amount, err
}

const tokenColumns = `t.seq, t.id, t.parent_id, t.chain, t.payer, t.subject, t.audience, t.delegated_by, t.description, t.max_depth,
	t.issued_at, t.expires_at, t.revoked_at, t.closed, t.budget, t.spent, t.delegated, t.returned,
	(SELECT balance FROM payment_accounts WHERE id = 'token:' || t.id)`

// inLocks is what a token's open locks hold.
const inLocks = `, (SELECT sum(amount - settled - released) FROM payment_locks INDEXED BY payment_locks_open
	WHERE token_id = t.id AND closed_at IS NULL)`

// readToken reads tokenColumns, and inLocks where it was asked for.
func readToken(r *row) (t payments.Token, err error) {
	t = payments.Token{Seq: r.int(), ID: r.str(), ParentID: r.str()}
	chain := r.str()
	t.Payer, t.Subject = r.str(), r.str()
	audience := r.str()
	t.DelegatedBy, t.Description, t.MaxDepth = r.str(), r.str(), int(r.int())
	t.IssuedAt, t.ExpiresAt, t.RevokedAt, t.Closed = r.time(), r.time(), r.time(), r.bool()
	for _, a := range []*payments.Amount{&t.Budget, &t.Spent, &t.Delegated, &t.Returned, &t.Balance} {
		*a = payments.Amount(r.int())
	}
	if r.next < len(r.cols) {
		t.InLocks = payments.Amount(r.int())
	}
	if chain != "[]" {
		err = json.Unmarshal([]byte(chain), &t.Chain)
	}
	if err == nil && audience != "[]" {
		err = json.Unmarshal([]byte(audience), &t.Audience)
	}
	return t, err
}

func readTokens(c *conn, sql string, args ...any) (all []payments.Token, err error) {
	err = c.query(func(r *row) error {
		t, err := readToken(r)
		all = append(all, t)
		return err
	}, sql, args...)
	return all, err
}

func oneToken(c *conn, sql string, args ...any) (*payments.Token, error) {
	all, err := readTokens(c, sql, args...)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return &all[0], nil
}

// Token implements payments.Tx.
func (tx paymentTx) Token(id string) (*payments.Token, error) {
	return oneToken(tx.c, "SELECT "+tokenColumns+" FROM payment_tokens t WHERE t.id = ?", id)
}

// Children implements payments.Tx.
func (tx paymentTx) Children(tokenID string) ([]payments.Token, error) {
	return readTokens(tx.c, "SELECT "+tokenColumns+" FROM payment_tokens t WHERE t.parent_id = ? ORDER BY t.seq", tokenID)
}

// PutToken implements payments.Tx. What a token is does not change.
func (tx paymentTx) PutToken(t payments.Token) error {
	if t.Seq > 0 {
		_, err := tx.c.exec(`UPDATE payment_tokens SET revoked_at = ?, closed = ?, budget = ?, spent = ?, delegated = ?, returned = ? WHERE seq = ?`,
			expiry(t.RevokedAt), number(t.Closed), int64(t.Budget), int64(t.Spent), int64(t.Delegated), int64(t.Returned), t.Seq)
		return err
	}
	chain, err := list(t.Chain)
	if err != nil {
		return err
	}
	audience, err := list(t.Audience)
	if err != nil {
		return err
	}
	_, err = tx.c.exec(`INSERT INTO payment_tokens (id, parent_id, chain, payer, subject, audience, delegated_by, description, max_depth,
		issued_at, expires_at, revoked_at, closed, budget, spent, delegated, returned) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		t.ID, orNull(t.ParentID), chain, t.Payer, t.Subject, audience, orNull(t.DelegatedBy), orNull(t.Description), t.MaxDepth,
		t.IssuedAt, t.ExpiresAt, expiry(t.RevokedAt), number(t.Closed), int64(t.Budget), int64(t.Spent), int64(t.Delegated), int64(t.Returned))
	return err
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func list(texts []string) (string, error) {
	if len(texts) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(texts)
	return string(b), err
}

const lockColumns = `seq, id, token_id, agent_id, invocation_id, made_by, reason, status, created_at, expires_at, closed_at, amount, settled, released`

func readLocks(c *conn, sql string, args ...any) (all []payments.Lock, err error) {
	err = c.query(func(r *row) error {
		all = append(all, payments.Lock{
			Seq: r.int(), ID: r.str(), TokenID: r.str(), AgentID: r.str(), InvocationID: r.str(), By: r.str(), Reason: r.str(),
			Status: r.str(), CreatedAt: r.time(), ExpiresAt: r.time(), ClosedAt: r.time(),
			Amount: payments.Amount(r.int()), Settled: payments.Amount(r.int()), Released: payments.Amount(r.int()),
		})
		return nil
	}, sql, args...)
	return all, err
}

func oneLock(c *conn, id string) (*payments.Lock, error) {
	all, err := readLocks(c, "SELECT "+lockColumns+" FROM payment_locks WHERE id = ?", id)
	if len(all) == 0 || err != nil {
		return nil, err
	}
	return &all[0], nil
}

// Lock implements payments.Tx.
func (tx paymentTx) Lock(id string) (*payments.Lock, error) { return oneLock(tx.c, id) }

// PutLock implements payments.Tx.
func (tx paymentTx) PutLock(l payments.Lock) error {
	if l.Seq > 0 {
		_, err := tx.c.exec(`UPDATE payment_locks SET status = ?, expires_at = ?, closed_at = ?, amount = ?, settled = ?, released = ? WHERE seq = ?`,
			l.Status, l.ExpiresAt, expiry(l.ClosedAt), int64(l.Amount), int64(l.Settled), int64(l.Released), l.Seq)
		return err
	}
	_, err := tx.c.exec(`INSERT INTO payment_locks (id, token_id, agent_id, invocation_id, made_by, reason, status, created_at, expires_at,
		closed_at, amount, settled, released) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		l.ID, l.TokenID, orNull(l.AgentID), orNull(l.InvocationID), orNull(l.By), orNull(l.Reason), l.Status, l.CreatedAt, l.ExpiresAt,
		expiry(l.ClosedAt), int64(l.Amount), int64(l.Settled), int64(l.Released))
	return err
}

// DueLocks implements payments.Tx.
func (tx paymentTx) DueLocks(now time.Time, limit int) ([]payments.Lock, error) {
	return readLocks(tx.c, "SELECT "+lockColumns+" FROM payment_locks WHERE closed_at IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?", now, limit)
}

// DueTokens implements payments.Tx.
func (tx paymentTx) DueTokens(now time.Time, limit int) ([]payments.Token, error) {
	return readTokens(tx.c, "SELECT "+tokenColumns+" FROM payment_tokens t WHERE t.closed = 0 AND t.expires_at <= ? ORDER BY t.expires_at LIMIT ?", now, limit)
}

// Next implements payments.Tx.
func (tx paymentTx) Next() (at time.Time, err error) {
	err = tx.c.query(func(r *row) error { at = r.time(); return nil }, `SELECT min(at) FROM (
		SELECT min(expires_at) AS at FROM payment_locks WHERE closed_at IS NULL UNION ALL
		SELECT min(expires_at) FROM payment_tokens WHERE closed = 0)`)
	return at, err
}

// Answer implements payments.Tx.
func (tx paymentTx) Answer(by, operation, key string, since time.Time) (a *payments.Answer, err error) {
	err = tx.c.query(func(r *row) error {
		a = &payments.Answer{By: by, Operation: operation, Key: key, BodySHA256: r.str(), Body: []byte(r.str()), At: r.time()}
		return nil
	}, "SELECT body_sha256, body, at FROM payment_answers WHERE made_by = ? AND operation = ? AND key = ? AND at > ?", by, operation, key, since)
	return a, err
}

// PutAnswer implements payments.Tx.
func (tx paymentTx) PutAnswer(a payments.Answer) error {
	_, err := tx.c.exec(`INSERT OR REPLACE INTO payment_answers (made_by, operation, key, body_sha256, body, at) VALUES (?,?,?,?,?,?)`,
		a.By, a.Operation, a.Key, a.BodySHA256, string(a.Body), a.At)
	return err
}

// DropAnswers implements payments.Tx.
func (tx paymentTx) DropAnswers(before time.Time, limit int) error {
	_, err := tx.c.exec(`DELETE FROM payment_answers WHERE (made_by, operation, key) IN
		(SELECT made_by, operation, key FROM payment_answers WHERE at <= ? LIMIT ?)`, before, limit)
	return err
}

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	engine "modernc.org/sqlite"
)

// conn is one connection with its prepared statements. It talks to the driver
// without database/sql, whose pool and scanning cost as much as a small
// statement itself. A conn belongs to one goroutine at a time.
type conn struct {
	dc    driver.Conn
	stmts map[string]*stmt
	row   row
}

type stmt struct {
	exec driver.StmtExecContext
	read driver.StmtQueryContext
	ds   driver.Stmt
	args []driver.NamedValue // reused from call to call
}

// dial opens a connection to the file; the file must be there.
func dial(ctx context.Context, path string) (*conn, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // C:/data/benchtop.db
		slashed = "/" + slashed
	}
	dsn := url.URL{Scheme: "file", Path: slashed, RawQuery: "mode=rw&_error_rc=1&_dqs=0&_busy_timeout=5000"}
	connector, err := engine.NewConnector(dsn.String())
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", path, err)
	}
	dc, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{dc: dc, stmts: map[string]*stmt{}}, nil
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		if err := s.ds.Close(); err != nil {
			return err
		}
	}
	return c.dc.Close()
}

// script runs statements without arguments, without keeping them: pragmas and
// migrations.
func (c *conn) script(sql string) error {
	ex, ok := c.dc.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("the SQLite driver cannot execute %q directly", sql)
	}
	_, err := ex.ExecContext(context.Background(), sql, nil)
	return err
}

func (c *conn) prepared(sql string, args []any) (*stmt, error) {
	s := c.stmts[sql]
	if s == nil {
		// SQLite looks at the value of a bare "LIMIT ?" and compiles the statement
		// anew whenever one is bound; an expression it takes as it comes.
		ds, err := c.dc.Prepare(strings.ReplaceAll(sql, "LIMIT ?", "LIMIT +?"))
		if err != nil {
			return nil, fmt.Errorf("prepare %q: %w", sql, err)
		}
		s = &stmt{ds: ds}
		var canExec, canRead bool
		s.exec, canExec = ds.(driver.StmtExecContext)
		s.read, canRead = ds.(driver.StmtQueryContext)
		if !canExec || !canRead {
			return nil, fmt.Errorf("the SQLite driver cannot run %q", sql)
		}
		c.stmts[sql] = s
	}
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: value(a)})
	}
	return s, nil
}

// value turns what our code passes into what the driver takes.
func value(a any) driver.Value {
	switch x := a.(type) {
	case int:
		return int64(x)
	case time.Time:
		return micros(x)
	default:
		return a
	}
}

// exec runs a statement and gives the number of rows it changed. The context
// of a caller never reaches the driver: a statement is short, and interrupting
// one would take a goroutine per statement.
func (c *conn) exec(sql string, args ...any) (int64, error) {
	res, err := c.run(sql, args)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// insert runs an INSERT and gives the row's number, 0 when nothing was inserted.
func (c *conn) insert(sql string, args ...any) (int64, error) {
	res, err := c.run(sql, args)
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); n == 0 || err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func (c *conn) run(sql string, args []any) (driver.Result, error) {
	s, err := c.prepared(sql, args)
	if err != nil {
		return nil, err
	}
	res, err := s.exec.ExecContext(context.Background(), s.args)
	clear(s.args)
	return res, err
}

// query runs a statement and calls each once per row. The row is reused.
func (c *conn) query(each func(r *row) error, sql string, args ...any) (err error) {
	s, err := c.prepared(sql, args)
	if err != nil {
		return err
	}
	rows, err := s.read.QueryContext(context.Background(), s.args)
	clear(s.args)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	n := len(rows.Columns())
	if cap(c.row.cols) < n {
		c.row.cols = make([]driver.Value, n)
	}
	c.row.cols = c.row.cols[:n]
	for {
		err := rows.Next(c.row.cols)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		c.row.next = 0
		if err := each(&c.row); err != nil {
			return err
		}
	}
}

// number reads a single whole number, 0 when there is no row or it is NULL.
func (c *conn) number(sql string, args ...any) (n int64, err error) {
	err = c.query(func(r *row) error { n = r.int(); return nil }, sql, args...)
	return n, err
}

// row hands out the columns of a result in order. NULL reads as the zero value.
type row struct {
	cols []driver.Value
	next int
}

func (r *row) value() driver.Value {
	v := r.cols[r.next]
	r.next++
	return v
}

func (r *row) str() string {
	s, _ := r.value().(string)
	return s
}

func (r *row) int() int64 {
	n, _ := r.value().(int64)
	return n
}

func (r *row) float() float64 {
	switch x := r.value().(type) {
	case float64:
		return x
	case int64:
		return float64(x)
	}
	return 0
}

func (r *row) bytes() []byte {
	b, _ := r.value().([]byte)
	return b
}

func (r *row) bool() bool { return r.int() != 0 }

func (r *row) time() time.Time {
	if n, ok := r.value().(int64); ok {
		return time.UnixMicro(n).UTC()
	}
	return time.Time{}
}

// micros is how times are stored.
func micros(t time.Time) int64 { return t.UnixMicro() }

// orNull stores an empty text as NULL.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

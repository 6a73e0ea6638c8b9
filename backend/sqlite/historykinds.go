package sqlite

import (
	"strings"
	"sync"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// kind is what rows have in common that a filter can ask for. There are few
// kinds, however many rows there are, and the rows of each are one stretch of an
// index: a page of any filter is a merge of the ends of the stretches that fit.
type kind struct {
	agent, function, skill, status, code string
	pace                                 int
}

// paces are the borders between fast and slow in ms, those of the column pace:
// rows of pace i took less than the ith, and no less than the one before it.
var paces = []float64{1, 10, 100, 1_000, 10_000}

// paceSQL is the expression of the column pace as the index of kinds has it.
const paceSQL = "(CASE WHEN duration_ms < 1 THEN 0 WHEN duration_ms < 10 THEN 1 WHEN duration_ms < 100 THEN 2 " +
	"WHEN duration_ms < 1000 THEN 3 WHEN duration_ms < 10000 THEN 4 ELSE 5 END)"

// slowMs is from where on an index has the rows of all agents by pace.
const slowMs = 100

func paceOf(ms float64) int {
	i := 0
	for i < len(paces) && ms >= paces[i] {
		i++
	}
	return i
}

// paceFits reports whether rows of a pace can have a duration that is asked for.
func paceFits(pace int, t history.Terms) bool {
	return (t.LongerMs == nil || pace == len(paces) || paces[pace] > *t.LongerMs) &&
		(t.ShorterMs == nil || pace == 0 || paces[pace-1] < *t.ShorterMs)
}

func kindOf(row *contract.InvocationRow) kind {
	return kind{row.AgentID, row.FunctionName, row.SourceSkill, row.Status, string(row.ErrorCode), paceOf(row.DurationMs)}
}

// fits reports whether the rows of a kind are among those that a query asks for.
func (k kind) fits(q history.Query) bool {
	is := func(wanted, value string) bool { return wanted == "" || wanted == value }
	return is(q.AgentID, k.agent) && is(q.Function, k.function) && is(q.Skill, k.skill) &&
		is(q.Status, k.status) && is(string(q.Code), k.code) && q.Terms.FitKind(k.function, k.skill, k.status, k.code) &&
		paceFits(k.pace, q.Terms)
}

// stretch is a piece of the table or of its index, in the order of time.
type stretch struct {
	from  string
	where string
	args  []any
}

// timed leaves of a stretch of kinds the rows with a duration that was asked for.
func (s stretch) timed(t history.Terms) stretch {
	for _, bound := range []struct {
		op string
		ms *float64
	}{{">", t.LongerMs}, {"<", t.ShorterMs}} {
		if bound.ms != nil {
			s.where += " AND duration_ms " + bound.op + " ?"
			s.args = append(s.args, *bound.ms)
		}
	}
	return s
}

// stretch is where the rows of a kind lie.
func (k kind) stretch() stretch {
	s := stretch{
		from:  "invocations INDEXED BY invocations_kinds",
		where: "agent_id = ? AND function_name = ? AND source_skill = ? AND status = ? AND error_code ",
		args:  []any{k.agent, k.function, k.skill, k.status},
	}
	if k.code == "" {
		s.where += "IS NULL"
	} else {
		s.where += "= ?"
		s.args = append(s.args, k.code)
	}
	s.where += " AND " + paceSQL + " = ?"
	s.args = append(s.args, k.pace)
	return s
}

// wholeFunction is where all rows of a function lie, each with all it has.
func wholeFunction(agent, function string) stretch {
	return stretch{from: "invocations", where: "agent_id = ? AND function_name = ?", args: []any{agent, function}}
}

// shortcuts are where the rows of a query lie when an index holds just those of
// all agents, so that a kind each need not be looked at; nil when there is none.
func shortcuts(q history.Query) (out []stretch) {
	terms := q.Terms
	terms.LongerMs, terms.ShorterMs = nil, nil
	if q.AgentID+q.Function+q.Skill+string(q.Code) != "" || !terms.Empty() {
		return nil
	}
	switch {
	case q.Status == contract.StatusError && !q.Terms.Timed():
		return []stretch{{from: "invocations INDEXED BY invocations_failed", where: "status = 'error'"}}
	case q.Status == "" && q.Terms.LongerMs != nil && *q.Terms.LongerMs >= slowMs:
		for pace := paceOf(slowMs); pace <= len(paces); pace++ {
			if paceFits(pace, q.Terms) {
				out = append(out, stretch{
					from: "invocations INDEXED BY invocations_slow",
					// The first repeats the condition of the index; the rest is that of
					// Terms.FitKind.
					where: "duration_ms >= 100 AND pace = ? AND source_skill <> ? AND status <> ?",
					args:  []any{pace, contract.SkillAuthoring, contract.StatusRunning},
				}.timed(q.Terms))
			}
		}
	}
	return out
}

// kinds remembers which kinds there are, so that no page looks for them. A kind
// is noted before its first row is stored; one whose rows are gone costs a look.
type kinds struct {
	mu     sync.Mutex
	loaded bool
	known  map[kind]bool
}

func (ks *kinds) note(k kind) {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if ks.known == nil {
		ks.known = map[kind]bool{}
	}
	ks.known[k] = true
}

// forget has them looked for again.
func (ks *kinds) forget() {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	ks.loaded = false
}

// all gives the kinds for which pick is true.
func (ks *kinds) all(c *conn, pick func(kind) bool) ([]kind, error) {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if !ks.loaded {
		if err := ks.load(c); err != nil {
			return nil, err
		}
	}
	var out []kind
	for k := range ks.known {
		if pick(k) {
			out = append(out, k)
		}
	}
	return out, nil
}

// load finds the kinds in the index with a step per kind, not per row.
func (ks *kinds) load(c *conn) error {
	if ks.known == nil {
		ks.known = map[kind]bool{}
	}
	agents, err := agentsWithHistory(c)
	if err != nil {
		return err
	}
	for _, agent := range agents {
		functions, err := functionsWithHistory(c, agent)
		if err != nil {
			return err
		}
		for _, function := range functions {
			if err := ks.loadFunction(c, agent, function); err != nil {
				return err
			}
		}
	}
	ks.loaded = true
	return nil
}

func (ks *kinds) loadFunction(c *conn, agent, function string) error {
	skills, err := steps(c, "source_skill", []string{"agent_id", "function_name"}, agent, function)
	for _, skill := range skills {
		statuses, e := steps(c, "status", []string{"agent_id", "function_name", "source_skill"}, agent, function, skill)
		if err = e; err != nil {
			break
		}
		for _, status := range statuses {
			codes, e := steps(c, "error_code", []string{"agent_id", "function_name", "source_skill", "status"}, agent, function, skill, status)
			if err = e; err != nil {
				break
			}
			for _, code := range append(codes, "") {
				if err := ks.loadPaces(c, kind{agent, function, skill, status, code, 0}); err != nil {
					return err
				}
			}
		}
	}
	return err
}

// loadPaces notes those paces of a kind that have rows.
func (ks *kinds) loadPaces(c *conn, k kind) error {
	for k.pace = range len(paces) + 1 {
		piece := k.stretch()
		n, err := c.number("SELECT count(*) FROM (SELECT 1 FROM "+piece.from+" WHERE "+piece.where+" LIMIT 1)", piece.args...)
		if err != nil {
			return err
		}
		if n > 0 {
			ks.known[k] = true
		}
	}
	return nil
}

// steps gives the values of a column where others are equal; NULL is none.
func steps(c *conn, column string, equal []string, args ...any) (values []string, err error) {
	stmt := "SELECT " + column + " FROM invocations INDEXED BY invocations_kinds WHERE " +
		strings.Join(equal, " = ? AND ") + " = ? AND " + column + " > ? ORDER BY " + column + " LIMIT 1"
	for value, more := "", true; more && err == nil; {
		more = false
		err = c.query(func(r *row) error {
			value, more = r.str(), true
			values = append(values, value)
			return nil
		}, stmt, append(args[:len(args):len(args)], value)...)
	}
	return values, err
}

// agentsWithHistory takes one step in the table per agent, not per row.
func agentsWithHistory(c *conn) (ids []string, err error) {
	for id, more := "", true; more && err == nil; {
		more = false
		err = c.query(func(r *row) error {
			id, more = r.str(), true
			ids = append(ids, id)
			return nil
		}, "SELECT agent_id FROM invocations WHERE agent_id > ? ORDER BY agent_id LIMIT 1", id)
	}
	return ids, err
}

// functionsWithHistory takes one step in the table per function, not per row.
func functionsWithHistory(c *conn, agentID string) (names []string, err error) {
	for name, more := "", true; more && err == nil; {
		more = false
		err = c.query(func(r *row) error {
			name, more = r.str(), true
			names = append(names, name)
			return nil
		}, `SELECT function_name FROM invocations WHERE agent_id = ? AND function_name > ?
			ORDER BY function_name LIMIT 1`, agentID, name)
	}
	return names, err
}

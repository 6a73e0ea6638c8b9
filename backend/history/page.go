package history

import (
	"context"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// Filter says which rows a page has, contract.md 1 row 9. What is empty does not
// filter; After and Before are ISO times, exclusive. Cursor is that of the page
// before, or the started_at of any row. Limit 0 is the default, anything else is
// held between 1 and 200. Logs and Trace add what was kept of each run, Of how
// many runs there are when none is found. Terms narrow it further.
type Filter struct {
	AgentID  string
	Function string
	Skill    string
	Status   string
	Code     contract.Code
	After    string
	Before   string
	Cursor   string
	Limit    int
	Logs     bool
	Trace    bool
	Of       bool
	Terms    Terms
}

// Page gives a function's rows, newest first. An empty function means all
// functions of the agent.
func (h *History) Page(ctx context.Context, agentID, function string, limit int, cursor string) (contract.InvocationPage, error) {
	return h.Search(ctx, Filter{AgentID: agentID, Function: function, Limit: limit, Cursor: cursor})
}

// Search gives a page of rows, newest first.
func (h *History) Search(ctx context.Context, f Filter) (contract.InvocationPage, error) {
	q, err := f.query()
	if err != nil {
		return contract.InvocationPage{}, err
	}
	// One row more than asked for tells whether there is another page.
	q.Limit++
	rows, err := h.cfg.Store.Rows(ctx, q)
	if err != nil {
		return contract.InvocationPage{}, err
	}
	var next *string
	if limit := q.Limit - 1; len(rows) > limit {
		rows = rows[:limit]
		next = f.cursorAt(rows[limit-1])
	}
	items := make([]contract.InvocationItem, len(rows))
	for i, row := range rows {
		items[i].InvocationRow = row
		if err := h.include(ctx, f, &items[i]); err != nil {
			return contract.InvocationPage{}, err
		}
	}
	page := contract.InvocationPage{Invocations: items, Items: items, NextCursor: next, Cursor: next}
	if f.Of && len(rows) == 0 && f.Cursor == "" {
		page.Of, err = h.cfg.Store.CountRows(ctx)
	}
	return page, err
}

// include adds what was kept of a run. A row that was swept since is left as it
// is.
func (h *History) include(ctx context.Context, f Filter, item *contract.InvocationItem) error {
	if !f.Logs && !f.Trace {
		return nil
	}
	d, err := h.Get(ctx, item.ID)
	if err != nil {
		return err
	}
	if f.Logs {
		item.Logs = []contract.LogLine{}
		if d != nil {
			item.Logs = d.Logs
		}
	}
	if f.Trace {
		item.Trace = []contract.TraceEntry{}
		if d != nil {
			item.Trace = d.Trace
		}
	}
	return nil
}

// cursorSplit parts time and id in the cursor of a page over all agents.
const cursorSplit = "~"

// cursorAt is the cursor behind a row. Within an agent no two rows have one
// time, so the time says it all.
func (f Filter) cursorAt(row contract.InvocationRow) *string {
	cursor := row.StartedAt
	if f.AgentID == "" {
		cursor += cursorSplit + row.ID
	}
	return &cursor
}

func (f Filter) query() (q Query, err error) {
	q = Query{AgentID: f.AgentID, Function: f.Function, Skill: f.Skill, Status: f.Status, Code: f.Code, Limit: f.Limit, Terms: f.Terms}
	if q.Limit == 0 {
		q.Limit = contract.DefaultPage
	}
	q.Limit = min(max(q.Limit, 1), contract.MaxPage)
	stamp, id, _ := strings.Cut(f.Cursor, cursorSplit)
	if q.Before, err = parseTime("cursor", stamp, up); err != nil {
		return q, err
	}
	q.BeforeID = id
	before, err := parseTime("before", f.Before, up)
	if err != nil {
		return q, err
	}
	if before != "" && (q.Before == "" || before < q.Before) {
		q.Before, q.BeforeID = before, ""
	}
	q.After, err = parseTime("after", f.After, down)
	return q, err
}

// Which way a time goes that has more digits than started_at.
const (
	up   = true
	down = false
)

// parseTime brings an ISO time into the layout of started_at. Fewer digits are
// the same time; more than six are rounded so that a row of that microsecond
// stays on its side: up for an end, down for a beginning.
func parseTime(name, text string, upwards bool) (string, error) {
	if text == "" {
		return "", nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err == nil {
		t = t.UTC()
		whole := t.Truncate(time.Microsecond)
		if upwards && whole.Before(t) {
			whole = whole.Add(time.Microsecond)
		}
		t = whole
	}
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		return "", contract.Errorf(contract.InvalidRequest,
			"%s: want a time such as the started_at of a row, 2026-11-20T10:00:00.000000Z", name)
	}
	return contract.FormatTime(t), nil
}

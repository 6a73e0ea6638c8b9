package httpapi

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// listInvocations is spec 4.1 row 6. A function that was removed still has a
// history; a name that never was one has none.
func (a *api) listInvocations(c *call) error {
	f, err := filterOf(c.r.URL.Query())
	if err != nil {
		return err
	}
	f.AgentID, f.Function, f.Terms.Functions = c.agent.ID, c.name(), history.Choice{}
	page, err := a.deps.History.Search(c.r.Context(), f)
	if err != nil {
		return err
	}
	if len(page.Invocations) == 0 {
		if _, ok := a.deps.Functions.Get(c.agent.ID, c.name()); !ok {
			return a.noHistory(c, page)
		}
	}
	return c.ok(page)
}

// noHistory tells a name that never was a function from one without rows that
// fit. One that is written and has not loaded yet is a function to its author.
func (a *api) noHistory(c *call, page contract.InvocationPage) error {
	any, err := a.deps.History.Search(c.r.Context(), history.Filter{AgentID: c.agent.ID, Function: c.name(), Limit: 1})
	if err != nil {
		return err
	}
	if len(any.Invocations) == 0 {
		if _, err := a.deps.Authoring.WorkFunction(c.r.Context(), c.agent, c.name()); err != nil {
			return err
		}
	}
	return c.ok(page)
}

// The values that filters know. A word that no row can have is a mistake of the
// client and not an empty page.
var (
	statuses = []string{contract.StatusRunning, contract.StatusOK, contract.StatusError, contract.StatusCancelled}
	skills   = []string{
		contract.SkillManual, contract.SkillTools, contract.SkillHTTP, contract.SkillEndpoint, contract.SkillCron,
		contract.SkillFunction, contract.SkillAuthoring,
	}
)

// filterOf reads limit, cursor, after, before and include, and what termsOf reads.
func filterOf(q url.Values) (f history.Filter, err error) {
	f = history.Filter{After: q.Get("after"), Before: q.Get("before"), Cursor: q.Get("cursor"), Limit: contract.DefaultPage}
	if s := q.Get("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			return f, contract.Errorf(contract.InvalidRequest, "limit must be a whole number from 1 to %d", contract.MaxPage)
		}
		f.Limit = min(max(n, 1), contract.MaxPage)
	}
	if err := termsOf(q, &f); err != nil {
		return f, err
	}
	for _, list := range q["include"] {
		for part := range strings.SplitSeq(list, ",") {
			switch part {
			case "":
			case "logs":
				f.Logs = true
			case "trace":
				f.Trace = true
			default:
				return f, contract.Errorf(contract.InvalidRequest, "include must be logs, trace or both with a comma, not %.32q", part)
			}
		}
	}
	return f, nil
}

// maxCode is the length of an error code; a function's own may be any.
const maxCode = 128

// getInvocation answers everything that was kept of a run.
func (a *api) getInvocation(c *call) error {
	d, err := a.invocation(c)
	if err != nil {
		return err
	}
	if len(d.Manifest) == 0 && d.FunctionVersion > 0 {
		// A version never changes, so what ran is read from there.
		f, err := a.deps.Functions.Version(c.r.Context(), d.AgentID, d.FunctionName, d.FunctionVersion)
		if err != nil {
			return err
		}
		if f != nil {
			if d.Manifest, err = json.Marshal(f.Manifest); err != nil {
				return err
			}
		}
	}
	return c.ok(d)
}

// cancelInvocation stops a run; one that has ended already is no error.
func (a *api) cancelInvocation(c *call) error {
	cancelled, known := a.deps.Invoker.Cancel(c.r.PathValue("id"))
	if !known {
		if _, err := a.invocation(c); err != nil {
			return err
		}
	}
	return c.ok(contract.CancelResponse{OK: true, Cancelled: cancelled})
}

func (a *api) invocation(c *call) (*contract.InvocationDetail, error) {
	id := c.r.PathValue("id")
	d, err := a.deps.History.Get(c.r.Context(), id)
	if err == nil && d == nil {
		err = contract.Errorf(contract.InvocationNotFound, "no invocation has the id %.64q", id)
	}
	return d, err
}

package httpapi

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/history"
)

// maxTerms is how many values of one column a search may name.
const maxTerms = 50

// termsOf reads what narrows a search beyond one value for each column:
// function, skill, status and code may each come several times; a "!" in front
// leaves a value out and a "*" in it stands for any text. longerThanMs and
// shorterThanMs are exclusive. One plain value goes into the filter itself.
func termsOf(q url.Values, f *history.Filter) error {
	for _, column := range []struct {
		name  string
		one   *string
		to    *history.Choice
		known []string
	}{
		{"function", &f.Function, &f.Terms.Functions, nil},
		{"skill", &f.Skill, &f.Terms.Skills, skills},
		{"status", &f.Status, &f.Terms.Statuses, statuses},
		{"code", (*string)(&f.Code), &f.Terms.Codes, nil},
	} {
		values := slices.DeleteFunc(slices.Clone(q[column.name]), func(s string) bool { return s == "" })
		if len(values) > maxTerms {
			return contract.Errorf(contract.InvalidRequest, "%s comes %d times, %d are allowed", column.name, len(values), maxTerms)
		}
		for _, v := range values {
			plain, not := strings.CutPrefix(v, "!")
			switch {
			case len(plain) > maxCode:
				return contract.Errorf(contract.InvalidRequest, "%s has %d characters, the longest has %d", column.name, len(plain), maxCode)
			case column.known != nil && !strings.Contains(plain, "*") && !slices.Contains(column.known, plain):
				return contract.Errorf(contract.InvalidRequest, "%s must be one of %s", column.name, strings.Join(column.known, ", "))
			case not:
				column.to.None = append(column.to.None, plain)
			case len(values) == 1 && !strings.Contains(plain, "*"):
				*column.one = plain
			default:
				column.to.Any = append(column.to.Any, plain)
			}
		}
	}
	for _, bound := range []struct {
		name string
		to   **float64
	}{{"longerThanMs", &f.Terms.LongerMs}, {"shorterThanMs", &f.Terms.ShorterMs}} {
		text := q.Get(bound.name)
		if text == "" {
			continue
		}
		ms, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(ms) || math.IsInf(ms, 0) || ms < 0 {
			return contract.Errorf(contract.InvalidRequest, "%s must be a number of milliseconds, 0 or more", bound.name)
		}
		*bound.to = &ms
	}
	return nil
}

// searchOf reads the filter of a look at all agents, or at the one in ?agent=.
func (a *api) searchOf(q url.Values) (history.Filter, error) {
	f, err := filterOf(q)
	if err != nil {
		return f, err
	}
	f.AgentID, err = a.agentIn(q)
	return f, err
}

// agentIn resolves ?agent=; "" is all agents.
func (a *api) agentIn(q url.Values) (string, error) {
	ref := q.Get("agent")
	if ref == "" {
		return "", nil
	}
	ag, ok := a.deps.Agents.Resolve(ref)
	if !ok {
		return "", contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", ref)
	}
	return ag.ID, nil
}

// searchInvocations is the history of all agents, or of one.
func (a *api) searchInvocations(c *call) error {
	f, err := a.searchOf(c.r.URL.Query())
	if err != nil {
		return err
	}
	f.Of = true
	page, err := a.deps.History.Search(c.r.Context(), f)
	if err != nil {
		return err
	}
	return c.ok(contract.InvocationSearch{Invocations: page.Invocations, NextCursor: page.NextCursor, Of: page.Of})
}

// Rows of an export.
const (
	defaultExport = 100_000
	maxExport     = 1_000_000
)

// exportInvocations answers what a search finds as lines of JSON, the newest
// first; limit is how many at most. The answer is written page by page.
func (a *api) exportInvocations(c *call) error {
	q := c.r.URL.Query()
	left := defaultExport
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxExport {
			return contract.Errorf(contract.InvalidRequest, "limit must be a whole number from 1 to %d", maxExport)
		}
		left = n
	}
	q.Del("limit")
	f, err := a.searchOf(q)
	if err != nil {
		return err
	}
	rc := http.NewResponseController(c.w)
	for left > 0 {
		f.Limit = min(left, contract.MaxPage)
		page, err := a.deps.History.Search(c.r.Context(), f)
		if err != nil {
			return err
		}
		if !c.wrote {
			h := c.w.Header()
			h.Set("Content-Type", "application/x-ndjson; charset=utf-8")
			h.Set("Content-Disposition", `attachment; filename="activity.jsonl"`)
			h["Cache-Control"] = noStore
			c.wrote = true
			c.w.WriteHeader(http.StatusOK)
		}
		// A reader that takes nothing any more must not hold the request for ever;
		// an error means a writer without deadlines, as in tests.
		_ = rc.SetWriteDeadline(time.Now().Add(frameTimeout))
		out := json.NewEncoder(c.w)
		out.SetEscapeHTML(false)
		gone := false
		for i := 0; i < len(page.Invocations) && !gone; i++ {
			gone = out.Encode(page.Invocations[i]) != nil
		}
		if gone {
			break // the reader has left
		}
		left -= len(page.Invocations)
		if page.NextCursor == nil {
			break
		}
		f.Cursor = *page.NextCursor
	}
	return nil
}

// Bounds of ?window= of the figures, in seconds.
const (
	defaultStatsWindow = 24 * time.Hour
	maxStatsWindow     = 90 * 24 * time.Hour
	defaultBuckets     = 48
)

// stats answers how the functions did: window is in seconds up to now, buckets
// the pieces it is cut into.
func (a *api) stats(c *call) error {
	q := c.r.URL.Query()
	agentID, err := a.agentIn(q)
	if err != nil {
		return err
	}
	window, buckets := int(defaultStatsWindow/time.Second), defaultBuckets
	for _, p := range []struct {
		name string
		to   *int
		max  int
	}{{"window", &window, int(maxStatsWindow / time.Second)}, {"buckets", &buckets, history.MaxStatsBuckets}} {
		if text := q.Get(p.name); text != "" {
			if *p.to, err = strconv.Atoi(text); err != nil || *p.to < 1 || *p.to > p.max {
				return contract.Errorf(contract.InvalidRequest, "%s must be a whole number from 1 to %d", p.name, p.max)
			}
		}
	}
	figures, err := a.deps.History.Stats(c.r.Context(), history.StatsQuery{
		AgentID: agentID, To: a.deps.Now(), Window: time.Duration(window) * time.Second, Buckets: buckets,
	})
	if err != nil {
		return err
	}
	return c.ok(figures)
}

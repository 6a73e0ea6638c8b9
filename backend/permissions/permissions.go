// Package permissions finds what a function was granted and never used, from
// the traces of its recorded runs, so that its manifest can be made smaller.
package permissions

import (
	"context"
	"encoding/json"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/manifest"
)

// mostRuns is how many runs are looked at, the newest first: beyond that an
// answer would take too long, and says that it is not complete.
const mostRuns = 10_000

// keptCalls is how many entries of a trace are kept of one run.
const keptCalls = 2_000

// History gives the recorded runs.
type History interface {
	Search(ctx context.Context, f history.Filter) (contract.InvocationPage, error)
}

// Report compares what f is granted with what its runs used.
func Report(ctx context.Context, h History, f *functions.Function) (contract.PermissionReport, error) {
	out := contract.PermissionReport{Version: f.Version, Complete: true}
	t := newTally(f.Manifest.Permissions)
	filter := history.Filter{AgentID: f.AgentID, Function: f.Name, Limit: contract.MaxPage, Trace: true}
	for {
		page, err := h.Search(ctx, filter)
		if err != nil {
			return out, err
		}
		for _, run := range page.Invocations {
			if run.SourceSkill == contract.SkillAuthoring || run.Status == contract.StatusRunning {
				continue
			}
			out.Runs++
			out.Since = run.StartedAt
			if run.FunctionVersion == f.Version {
				out.Present++
			}
			if len(run.Trace) >= keptCalls {
				out.Complete = false
			}
			for i := range run.Trace {
				t.add(&run.Trace[i], run.StartedAt)
			}
		}
		if page.NextCursor == nil {
			break
		}
		if out.Runs >= mostRuns {
			out.Complete = false
			break
		}
		filter.Cursor = *page.NextCursor
	}
	out.Grants = t.uses(out.Runs > 0)
	if smaller, changed := t.smaller(); changed && out.Runs > 0 {
		text, err := json.Marshal(smaller)
		if err != nil {
			return out, err
		}
		out.Suggested = text
	}
	return out, nil
}

// denied reports whether an entry of a trace was refused for want of a
// permission, which is no use of one.
func denied(e *contract.TraceEntry) bool {
	return e.Error != nil && (e.Error.Code == contract.PermissionDenied || e.Error.Code == contract.FetchForbidden)
}

// fetched gives the addresses of a fetch in a trace: where it went, and where
// redirects led it.
func fetched(e *contract.TraceEntry) []string {
	var sent struct {
		URL string `json:"url"`
	}
	var got struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(e.Args, &sent)  // what was cut short is no object,
	_ = json.Unmarshal(e.Result, &got) // and then has no address
	var out []string
	for _, u := range []string{sent.URL, got.URL} {
		if u != "" {
			out = append(out, u)
		}
	}
	return out
}

// textArg is manifest.TextArg for an entry of a trace, whose portal calls lie in
// an envelope.
func textArg(e *contract.TraceEntry, key string) string {
	var env struct {
		Args json.RawMessage `json:"args"`
	}
	if v := manifest.TextArg(e.Args, key); v != "" {
		return v
	}
	if json.Unmarshal(e.Args, &env) != nil {
		return ""
	}
	return manifest.TextArg(env.Args, key)
}

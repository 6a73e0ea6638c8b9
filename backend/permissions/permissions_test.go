package permissions

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/manifest"
)

// pages is a history of runs, served a page at a time.
type pages []contract.InvocationItem

func (p pages) Search(_ context.Context, f history.Filter) (contract.InvocationPage, error) {
	from, err := strconv.Atoi("0" + f.Cursor)
	if err != nil {
		return contract.InvocationPage{}, err
	}
	to := min(from+f.Limit, len(p))
	page := contract.InvocationPage{Invocations: p[from:to]}
	if to < len(p) {
		next := strconv.Itoa(to)
		page.NextCursor = &next
	}
	return page, nil
}

func run(trace ...contract.TraceEntry) contract.InvocationItem {
	return contract.InvocationItem{Trace: trace, InvocationRow: contract.InvocationRow{
		SourceSkill: contract.SkillManual, Status: contract.StatusOK, StartedAt: "2026-11-20T10:00:00.000000Z", FunctionVersion: 2}}
}

func host(name, args string) contract.TraceEntry {
	return contract.TraceEntry{Kind: contract.TraceHost, Name: name, Args: contract.RawJSON(args)}
}

func fetch(u string) contract.TraceEntry {
	return contract.TraceEntry{Kind: contract.TraceFetch, Name: "GET " + u, Args: contract.RawJSON(fmt.Sprintf(`{"url":%q}`, u))}
}

func refused(e contract.TraceEntry) contract.TraceEntry {
	e.Error = &contract.HostFailed{Code: contract.PermissionDenied, Message: "no"}
	return e
}

func TestReport(t *testing.T) {
	for name, tc := range map[string]struct {
		granted   string
		runs      pages
		suggested string // empty: nothing is
	}{
		"no runs tell nothing":         {`{"kv":"rw"}`, nil, ""},
		"all is used":                  {`{"kv":"rw","secrets":["A"]}`, pages{run(host("kv.put", `{"key":"a"}`), host("secrets.get", `{"name":"A"}`))}, ""},
		"kv that only reads":           {`{"kv":"rw"}`, pages{run(host("kv.get", `{"key":"a"}`))}, `{"kv":"ro"}`},
		"kv that is not used":          {`{"kv":"rw","rawBody":true}`, pages{run()}, `{"rawBody":true}`},
		"a visitor's part is left":     {`{"kv":{"self":"rw","visitor":"rw"}}`, pages{run(host("kv.put", `{"key":"a","user_id":"u"}`))}, `{"kv":{"visitor":"rw"}}`},
		"what was denied was not used": {`{"kv":"ro"}`, pages{run(refused(host("kv.get", `{}`)))}, `{}`},
		"a secret of several":          {`{"secrets":["A","B"]}`, pages{run(host("secrets.get", `{"name":"B"}`))}, `{"secrets":["B"]}`},
		"writing secrets":              {`{"secrets":["A","write"]}`, pages{run(host("secrets.put", `{"name":"A"}`))}, ""},
		"listing secrets uses all":     {`{"secrets":["A","B"]}`, pages{run(host("secrets.list", `{}`))}, ""},
		"a secret of verifyHmac":       {`{"secrets":["A"],"portal":["verifyHmac","getOwner"]}`, pages{run(host("portal.verifyHmac", `{"method":"verifyHmac","args":{"secretBinding":"A"}}`))}, `{"secrets":["A"],"portal":["verifyHmac"]}`},
		"addresses":                    {`{"fetch":["https://a.example","*.b.example"]}`, pages{run(fetch("https://x.b.example/1"))}, `{"fetch":["*.b.example"]}`},
		"an address after a redirect": {`{"fetch":["https://a.example","https://b.example"]}`, pages{run(contract.TraceEntry{Kind: contract.TraceFetch,
			Args: contract.RawJSON(`{"url":"https://a.example/"}`), Result: contract.RawJSON(`{"status":200,"url":"https://b.example/"}`)})}, ""},
		"folders that only read": {`{"folders":[{"alias":"in","contentId":"c","permissions":"rw"},{"alias":"out","contentId":"d","permissions":"rw"}]}`,
			pages{run(host("folders.read", `{"binding":"in","name":"a"}`))}, `{"folders":[{"alias":"in","contentId":"c","permissions":"ro"}]}`},
		"content": {`{"content":{"read":true,"write":true}}`, pages{run(host("content.write", `{}`))}, `{"content":{"write":true}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var p manifest.Permissions
			if err := json.Unmarshal([]byte(tc.granted), &p); err != nil {
				t.Fatal(err)
			}
			f := &functions.Function{AgentID: "a", Name: "f", Version: 2, Manifest: manifest.Manifest{Permissions: p}}
			got, err := Report(t.Context(), tc.runs, f)
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Suggested) != tc.suggested {
				t.Errorf("suggested %s, want %s; %+v", got.Suggested, tc.suggested, got.Grants)
			}
			if got.Runs != len(tc.runs) || got.Present != len(tc.runs) || !got.Complete {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestReportReadsEveryPage(t *testing.T) {
	var runs pages
	for range 450 {
		runs = append(runs, run())
	}
	audit := run(host("kv.put", `{}`))
	audit.SourceSkill = contract.SkillAuthoring
	runs[7] = audit
	runs[449] = run(host("kv.put", `{"key":"a"}`))
	f := &functions.Function{Name: "f", Version: 2, Manifest: manifest.Manifest{Permissions: manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRW}}}}
	got, err := Report(t.Context(), runs, f)
	if err != nil || got.Runs != 449 || got.Suggested != nil || got.Grants[0].Uses != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestReportSaysWhenItIsNotComplete(t *testing.T) {
	var runs pages
	for range mostRuns + 1 {
		runs = append(runs, run())
	}
	f := &functions.Function{Name: "f"}
	if got, err := Report(t.Context(), runs, f); err != nil || got.Complete || got.Runs != mostRuns {
		t.Fatalf("%+v, %v", got, err)
	}
}

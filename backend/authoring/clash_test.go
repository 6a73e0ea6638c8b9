package authoring_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/authoring"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
)

// routes are what the agent answers: a transport of its own beside what it
// declares.
func (w *world) routes(all *endpoints.Endpoints) func(string) []contract.AgentRoute {
	return func(agentID string) []contract.AgentRoute {
		out := []contract.AgentRoute{{Method: "POST", Path: "/a2a", Kind: "a2a"}}
		for _, e := range w.consumers.Of(agentID).Endpoints() {
			out = append(out, contract.AgentRoute{Method: e.Endpoint.Method, Path: e.Endpoint.Path, Kind: contract.SkillHTTP, ID: e.ID})
		}
		for _, e := range all.Of(agentID).Entries {
			out = append(out, contract.AgentRoute{Method: e.Method, Path: e.Path, Kind: contract.SkillEndpoint, ID: e.ID})
		}
		return out
	}
}

func (w *world) script(agents.Agent) []contract.Problem {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scripts
}

// TestClashOnDisk: entries that come from the disk cannot be refused. Each clash
// is a problem with both names, in one order, and who answers is the same
// however it came about: by one edit, by several, or after a restart.
func TestClashOnDisk(t *testing.T) {
	const (
		endpoint = "endpoints:\n  - { path: /x, handler: endpoints/x.js }\n  - { path: /a2a, method: post, handler: endpoints/x.js }\n"
		entries  = "skills:\n  custom_http:\n    endpoints:\n" +
			"      - { id: hook, method: GET, path: /x, auth: public, use: f }\n" +
			"      - { id: again, method: GET, path: /x, auth: public, use: f }\n" +
			"      - { id: chat, method: POST, path: /a2a, auth: public, use: f }\n" +
			"      - { id: talk, method: POST, path: /a2a, auth: public, use: f }\n"
	)
	var want string
	for _, steps := range [][]string{{entries + endpoint}, {endpoint + entries}, {endpoint, endpoint + entries}, {entries, entries + endpoint}} {
		w, all := withEndpoints(t)
		w.write("functions/f.js", source)
		w.write("endpoints/x.js", source)
		var problems []contract.Problem
		for _, front := range steps {
			w.write("AGENT.md", "---\nname: mia\n"+front+"---\n")
			problems = w.reload().Problems
		}
		got := w.outcome(problems, all)
		if want == "" {
			want = got
			for _, names := range [][]string{
				{"GET /x ", "the entry hook of custom_http", "endpoints[0].path"},
				{"POST /a2a of the entry chat", "the transport a2a", "endpoints[2].path"},
				{"GET /x", "again", "hook"},
				{"POST /a2a ", "the transport a2a", "endpoints[1].path"},
			} {
				if !slices.ContainsFunc(problems, func(p contract.Problem) bool {
					return p.Code == contract.RouteConflict && p.Line > 0 && !slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(p.Path+" "+p.Message, n) })
				}) {
					t.Errorf("no problem with %q in\n%s", names, got)
				}
			}
			if !strings.Contains(got, "serves hook GET /x") || strings.Contains(got, "endpoint GET /x") {
				t.Error(got)
			}
		}
		if got != want {
			t.Errorf("after %d edits:\n%s\nnot\n%s", len(steps), got, want)
		}
		for range 5 {
			if r := w.reload(); r.Changed || w.outcome(r.Problems, all) != want {
				t.Fatalf("read again: %+v", r)
			}
		}
		// The next start: entries come from the store, endpoints from the disk.
		var err error
		w.consumers, err = consumers.New(t.Context(), consumers.Config{Store: w.db})
		must(t, err)
		fresh := endpoints.New()
		w.authoring = authoring.New(authoring.Config{Functions: w.functions, Agents: w.agents, Checker: w.check, History: w.history, Secrets: w,
			Consumers: w.consumers, Publish: w.publish, Endpoints: fresh, Routes: w.routes(fresh)})
		if got := w.outcome(w.reload().Problems, fresh); got != want {
			t.Errorf("after a restart:\n%s\nnot\n%s", got, want)
		}
	}
}

// outcome says who is there and what is wrong, without places, which depend on
// the file.
func (w *world) outcome(problems []contract.Problem, all *endpoints.Endpoints) string {
	var b strings.Builder
	for _, e := range w.consumers.Of(w.agent.ID).Endpoints() {
		fmt.Fprintf(&b, "serves %s %s %s\n", e.ID, e.Endpoint.Method, e.Endpoint.Path)
	}
	for _, e := range all.Of(w.agent.ID).Entries {
		fmt.Fprintf(&b, "endpoint %s\n", e.ID)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "%s %s %s\n", p.Code, p.Path, p.Message)
	}
	return b.String()
}

// TestScriptProblems: what is wrong with the model's rules is a problem of the
// project, and a change of them changes the project.
func TestScriptProblems(t *testing.T) {
	w, _ := withEndpoints(t)
	w.write("AGENT.md", "---\nname: mia\n---\n")
	w.reload()
	w.mu.Lock()
	w.scripts = []contract.Problem{contract.Problem{Code: contract.ProjectInvalid, Message: "no"}.At(".benchtop/model.yaml", 2, 3)}
	w.mu.Unlock()
	if r := w.reload(); !r.Changed || len(r.Problems) != 1 || r.Problems[0].File != ".benchtop/model.yaml" {
		t.Errorf("%+v", r)
	}
	if r := w.reload(); r.Changed {
		t.Errorf("%+v", r)
	}
}

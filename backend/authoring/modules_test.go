package authoring_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"benchtop/backend/authoring"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/manifest"
)

// withEndpoints gives the world custom endpoints.
func withEndpoints(t *testing.T) (*world, *endpoints.Endpoints) {
	t.Helper()
	w := newWorld(t, true)
	all := endpoints.New()
	w.authoring = authoring.New(authoring.Config{Functions: w.functions, Agents: w.agents, Checker: w.check, History: w.history, Secrets: w,
		Consumers: w.consumers, Publish: w.publish, Endpoints: all, Routes: w.routes(all), Script: w.script})
	return w, all
}

const twoRoutes = `---
name: mia
endpoints:
  - { path: /status, handler: endpoints/status.js }
  - { path: "/users/:id", scopes: [owner], handler: "endpoints/users.js#one", permissions: { kv: ro } }
  - { path: /users, handler: "endpoints/users.js#all" }
---
You are Mia.
`

func (w *world) module(name string) contract.WorkFunction {
	w.t.Helper()
	m, err := w.authoring.Module(w.t.Context(), w.agent, name)
	must(w.t, err)
	return m
}

func TestModules(t *testing.T) {
	w, served := withEndpoints(t)
	w.write("AGENT.md", twoRoutes)
	w.write("endpoints/users.js", source)
	w.write("endpoints/users.json", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`)
	w.reload()
	list, err := w.authoring.Work(t.Context(), w.agent)
	must(t, err)
	if len(list.Modules) != 2 || list.Modules[0].Name != "endpoints/status.js" || !list.Modules[0].Broken || list.Modules[0].Version != 0 ||
		list.Modules[1].Broken || list.Modules[1].Version != 1 || list.Modules[1].Layout != "module" || list.Modules[1].Source != nil {
		t.Fatalf("%+v", list.Modules)
	}
	m := w.module("endpoints/users.js")
	if m.Source.Text != source || m.Manifest.Path != "endpoints/users.json" || len(m.Handlers) != 2 {
		t.Fatalf("%+v", m)
	}
	one, rest := m.Handlers[0], m.Handlers[1]
	if one.ID != "GET /users/:id" || one.Export != "one" || !one.Own || rest.Own || rest.Kind != "http" || string(one.Manifest) == string(rest.Manifest) {
		t.Errorf("%+v", m.Handlers)
	}

	// A file that AGENT.md names and nobody wrote yet is made by the first save.
	missing := w.module("endpoints/status.js")
	if missing.Source.Text != "" || missing.Source.SHA256 != "" || !missing.Broken {
		t.Errorf("%+v", missing)
	}
	made, err := w.authoring.SaveModule(t.Context(), w.agent, "endpoints/status.js", contract.SaveRequest{Source: ptr(source)})
	must(t, err)
	if made.Broken || made.Version != 1 || w.read("endpoints/status.js") != source {
		t.Errorf("%+v", made)
	}

	// What does not load is written; the last good one serves.
	bad, err := w.authoring.SaveModule(t.Context(), w.agent, "endpoints/users.js",
		contract.SaveRequest{Source: ptr("\n  BROKEN"), SourceBase: m.Source.SHA256})
	must(t, err)
	if !bad.Broken || bad.Version != 1 || len(bad.Errors) != 1 || bad.Errors[0].File != "endpoints/users.js" || bad.Errors[0].Line != 2 || bad.Errors[0].Column != 3 {
		t.Errorf("%+v", bad)
	}
	if e, ok := served.Of(w.agent.ID).Entry("GET /users"); !ok || e.Source != source {
		t.Error("the last good module does not serve")
	}
	_, err = w.authoring.SaveModule(t.Context(), w.agent, "endpoints/users.js", contract.SaveRequest{Source: ptr("x"), SourceBase: m.Source.SHA256})
	if c, ok := wantCode(t, err, contract.VersionConflict).Details.(contract.SaveConflict); !ok || c.Source.Text != "\n  BROKEN" {
		t.Errorf("%+v", c)
	}
	// The file beside it is a text of the same module, and its mistakes have a place.
	bad, err = w.authoring.SaveModule(t.Context(), w.agent, "endpoints/users.js", contract.SaveRequest{Source: ptr(source), SourceBase: bad.Source.SHA256,
		Manifest: ptr("{\n  \"permissions\": { \"kv\": \"all\" }\n}"), ManifestBase: m.Manifest.SHA256})
	must(t, err)
	if !bad.Broken || len(bad.Errors) != 1 || bad.Errors[0].File != "endpoints/users.json" || bad.Errors[0].Line != 2 {
		t.Errorf("%+v", bad.Errors)
	}
}

func TestModulesThatAreNone(t *testing.T) {
	w, _ := withEndpoints(t)
	w.write("AGENT.md", twoRoutes)
	w.write("functions/greet.js", source)
	w.write("endpoints/other.js", source)
	outside := filepath.Join(t.TempDir(), "outside.js")
	must(t, os.WriteFile(outside, []byte("hidden words"), 0o600))
	must(t, os.Symlink(outside, filepath.Join(w.dir, "functions", "link.js")))
	must(t, os.MkdirAll(filepath.Join(w.dir, "endpoints"), 0o755))
	must(t, os.Symlink(outside, filepath.Join(w.dir, "endpoints", "status.js")))
	w.reload()
	for _, name := range []string{"", "greet", "functions/greet.js", "endpoints/other.js", "endpoints/../AGENT.md", "../x.js", outside, "AGENT.md"} {
		_, err := w.authoring.Module(t.Context(), w.agent, name)
		wantCode(t, err, contract.NotFound)
		_, err = w.authoring.SaveModule(t.Context(), w.agent, name, contract.SaveRequest{Source: ptr("x")})
		wantCode(t, err, contract.NotFound)
	}
	if m := w.module("endpoints/status.js"); m.Source.Text != "" || !m.Broken {
		t.Errorf("a link out of the project: %+v", m)
	}
	_, err := w.authoring.SaveModule(t.Context(), w.agent, "endpoints/status.js", contract.SaveRequest{Source: ptr("x")})
	wantCode(t, err, contract.ProjectInvalid)
	if b, err := os.ReadFile(outside); err != nil || string(b) != "hidden words" {
		t.Errorf("%q %v", b, err)
	}
}

// TestAgentFileMistake: while AGENT.md cannot be read, everything that it said
// goes on: grants of functions, files it named, endpoints, the agent itself.
func TestAgentFileMistake(t *testing.T) {
	w, served := withEndpoints(t)
	good := `---
name: mia
functions:
  quote: { permissions: { kv: rw } }
  price: { file: lib.js, permissions: { kv: ro } }
skills:
  custom_tools: { tools: [{ id: quote, name: quote, description: Prices, use: quote }] }
endpoints:
  - { path: /status, handler: endpoints/status.js }
---
You are Mia.
`
	w.write("AGENT.md", good)
	w.write("functions/quote.js", source)
	w.write("functions/lib.js", source)
	w.write("functions/own.js", "/* @robutler-function\n@permissions kv=rw */\n"+source)
	w.write("endpoints/status.js", source)
	if r := w.reload(); len(r.Declared) != 3 {
		t.Fatalf("%+v", r)
	}
	w.write("AGENT.md", good[:14]+"\n  - oops: [\n"+good[20:])
	w.write("functions/own.js", "/* @robutler-function\n@permissions kv=ro */\n"+source)
	r := w.reload()
	if i := slices.IndexFunc(r.Problems, func(p contract.Problem) bool { return p.Code == contract.AgentFileInvalid }); i < 0 || r.Problems[i].File != "AGENT.md" || r.Problems[i].Line == 0 {
		t.Errorf("%+v", r.Problems)
	}
	if !slices.Equal(r.Declared, []string{"own"}) || len(r.Removed) > 0 || len(r.Failed) > 0 {
		t.Errorf("declared %v, removed %v, failed %v", r.Declared, r.Removed, r.Failed)
	}
	for name, mode := range map[string]manifest.Mode{"quote": "rw", "price": "ro"} {
		f, ok := w.functions.Get(w.agent.ID, name)
		if !ok || f.Version != 1 || f.Manifest.Permissions.KV.Self != mode {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if _, ok := served.Of(w.agent.ID).Entry("GET /status"); !ok || len(w.consumers.Of(w.agent.ID).Entries) != 1 {
		t.Error("endpoints or entries are gone")
	}
	if m := w.module("endpoints/status.js"); m.Source.Text != source || m.Version != 1 {
		t.Errorf("%+v", m)
	}
	w.write("AGENT.md", good)
	if r := w.reload(); len(r.Declared)+len(r.Removed)+len(r.Problems) > 0 {
		t.Errorf("%+v", r)
	}
}

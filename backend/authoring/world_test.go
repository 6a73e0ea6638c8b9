package authoring_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/authoring"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/sqlite"
)

// world is an Authoring over a real database, with a compiler that dislikes
// sources with the word BROKEN.
type world struct {
	t         *testing.T
	authoring *authoring.Authoring
	agents    *agents.Agents
	functions *functions.Functions
	history   *history.History
	consumers *consumers.Consumers
	db        *sqlite.DB
	agent     agents.Agent
	dir       string

	mu     sync.Mutex
	events []contract.Event
	checks int
	set    map[string]bool // secrets with a value

	scripts []contract.Problem // of the model's rules
}

const source = "export default async () => 1\n"

// newWorld makes an agent with a folder when dir is true.
func newWorld(t *testing.T, folder bool) *world {
	t.Helper()
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(t.TempDir(), "b.db"), Now: time.Now})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	w := &world{t: t, db: db, set: map[string]bool{}}
	w.consumers, err = consumers.New(ctx, consumers.Config{Store: db})
	must(t, err)
	w.agents, err = agents.New(ctx, agents.Config{Store: db})
	must(t, err)
	w.functions, err = functions.New(ctx, functions.Config{Store: db})
	must(t, err)
	w.history, err = history.New(ctx, history.Config{Store: db})
	must(t, err)
	w.authoring = authoring.New(authoring.Config{Functions: w.functions, Agents: w.agents, Checker: w.check, History: w.history, Secrets: w, Consumers: w.consumers, Publish: w.publish})
	a := agents.Agent{Name: "mia"}
	if folder {
		w.dir, err = filepath.EvalSymlinks(t.TempDir())
		must(t, err)
		a.Folder = w.dir
		w.write("AGENT.md", "---\nname: mia\n---\nYou are Mia.\n")
	}
	w.agent, err = w.agents.Create(ctx, a)
	must(t, err)
	return w
}

func (w *world) check(_ context.Context, file, source, _ string) (errs, warns []contract.Problem) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checks++
	for i, line := range strings.Split(source, "\n") {
		if at := strings.Index(line, "BROKEN"); at >= 0 {
			errs = append(errs, contract.Problem{Code: contract.JSCompileError, Message: "broken"}.At(file, i+1, at+1))
		}
		if strings.Contains(line, "NOWORKER") {
			errs = append(errs, contract.Problem{Code: contract.ExecutorUnavailable, Message: "no worker"})
		}
	}
	if strings.Contains(source, "EMAIL") {
		warns = []contract.Problem{contract.Problem{Code: contract.Portability, Path: "permissions.visitor_profile"}.At(file, 1, 1)}
	}
	return errs, warns
}

func (w *world) Missing(_ context.Context, _, _ string, bindings []string) ([]string, error) {
	return slices.DeleteFunc(slices.Clone(bindings), func(b string) bool { return w.set[b] }), nil
}

func (w *world) publish(name contract.EventName, data any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, contract.Event{Name: name, Data: data})
}

// published gives the names of the events since the last call.
func (w *world) published() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for _, e := range w.events {
		names = append(names, strings.TrimPrefix(string(e.Name), "function."))
	}
	w.events = nil
	return strings.Join(names, " ")
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(w.t, os.WriteFile(path, []byte(text), 0o644))
}

func (w *world) read(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	must(w.t, err)
	return string(b)
}

func (w *world) declare(name, manifest string, src *string) (contract.DeclareResponse, error) {
	return w.authoring.Declare(w.t.Context(), w.agent, contract.DeclareRequest{Name: name, Manifest: json.RawMessage(manifest), Source: src}, "cli")
}

func (w *world) version(name string) int {
	if f, ok := w.functions.Get(w.agent.ID, name); ok {
		return f.Version
	}
	return 0
}

// audits gives "action surface version" of the audit rows, the oldest first.
func (w *world) audits() []string {
	w.t.Helper()
	page, err := w.history.Page(w.t.Context(), w.agent.ID, "", 100, "")
	must(w.t, err)
	var out []string
	for _, r := range slices.Backward(page.Invocations) {
		if r.SourceSkill == contract.SkillAuthoring {
			out = append(out, r.AuthoringAction+" "+r.FunctionName+" "+r.AuthoringSurface)
		}
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code contract.Code) contract.Error {
	t.Helper()
	e := contract.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return *e
}

func ptr(s string) *string { return &s }

func (w *world) remove(name string) {
	w.t.Helper()
	must(w.t, os.Remove(filepath.Join(w.dir, filepath.FromSlash(name))))
}

package livereload_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"benchtop/backend/agents"
	"benchtop/backend/authoring"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/livereload"
	"benchtop/backend/sqlite"
)

const source = "export default async () => 1\n"

// world is everything below live reload, real but for the compiler.
type world struct {
	t         testing.TB
	db        *sqlite.DB
	agents    *agents.Agents
	functions *functions.Functions
	authoring *authoring.Authoring
	projects  *livereload.Projects
	home      string
	readings  chan livereload.Reading

	script func(agents.Agent) []contract.Problem // set before the first project

	mu     sync.Mutex
	events []contract.Event
	watch  func(w *fsnotify.Watcher, dir string) error
	log    strings.Builder
}

func newWorld(t testing.TB) *world {
	t.Helper()
	ctx := context.Background()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(t.TempDir(), "b.db"), Now: time.Now})
	must(t, err)
	w := &world{t: t, db: db, home: home, readings: make(chan livereload.Reading, 4096)}
	w.agents, err = agents.New(ctx, agents.Config{Store: db})
	must(t, err)
	w.functions, err = functions.New(ctx, functions.Config{Store: db})
	must(t, err)
	hist, err := history.New(ctx, history.Config{Store: db})
	must(t, err)
	w.authoring = authoring.New(authoring.Config{Functions: w.functions, Agents: w.agents, Checker: check, History: hist, Secrets: noSecrets{},
		Publish: w.publish, Log: slog.New(slog.NewTextHandler(w, nil)), Script: func(a agents.Agent) []contract.Problem {
			if w.script == nil {
				return nil
			}
			return w.script(a)
		}})
	w.start()
	t.Cleanup(func() {
		w.projects.Stop()
		must(t, db.Close())
	})
	return w
}

// start makes the Projects anew, as a start of the platform does.
func (w *world) start() {
	var err error
	w.projects, err = livereload.New(livereload.Config{Agents: w.agents, Loader: w.authoring, Store: w.db, Home: filepath.Join(w.home, "Benchtop"),
		Publish: w.publish, Log: slog.New(slog.NewTextHandler(w, nil)), Poll: 20 * time.Millisecond, Reloaded: func(r livereload.Reading) { w.readings <- r },
		Watch: func(fw *fsnotify.Watcher, dir string) error {
			w.mu.Lock()
			hook := w.watch
			w.mu.Unlock()
			if hook != nil {
				return hook(fw, dir)
			}
			return fw.Add(dir)
		}})
	must(w.t, err)
}

func check(_ context.Context, file, source, _ string) (errs, warns []contract.Problem) {
	if i := strings.Index(source, "BROKEN"); i >= 0 {
		errs = append(errs, contract.Problem{Code: contract.JSCompileError, Message: "broken"}.At(file, 1+strings.Count(source[:i], "\n"), 1))
	}
	return errs, nil
}

type noSecrets struct{}

func (noSecrets) Missing(context.Context, string, string, []string) ([]string, error) {
	return nil, nil
}

func (w *world) publish(name contract.EventName, data any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, contract.Event{Name: name, Data: data})
}

// Write collects the log.
func (w *world) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(b)
}

func (w *world) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

func (w *world) count(name contract.EventName) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, e := range w.events {
		if e.Name == name {
			n++
		}
	}
	return n
}

// project makes a folder with one function and opens it.
func (w *world) project(name string) contract.Project {
	w.t.Helper()
	dir := filepath.Join(w.home, name)
	write(w.t, dir, "AGENT.md", "---\nname: "+name+"\n---\nHi.\n")
	write(w.t, dir, "functions/f/index.js", source)
	write(w.t, dir, "functions/f/manifest.json", `{"runtime":"js-v1"}`)
	p, err := w.projects.Open(context.Background(), dir)
	must(w.t, err)
	return p
}

// until waits for readings until ok holds after one of them.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-w.readings:
		case <-deadline:
			w.t.Fatalf("never: %s", what)
		}
	}
}

func (w *world) serves(p contract.Project, name string) string {
	if f, ok := w.functions.Get(p.AgentID, name); ok {
		return f.Source
	}
	return ""
}

func (w *world) listed(p contract.Project) contract.Project {
	w.t.Helper()
	list, err := w.projects.List(context.Background())
	must(w.t, err)
	for _, x := range list.Projects {
		if x.AgentID == p.AgentID {
			return x
		}
	}
	w.t.Fatal("the project is not listed")
	return p
}

func (w *world) hasProblem(p contract.Project, code contract.Code) bool {
	for _, pr := range w.listed(p).Problems {
		if pr.Code == code {
			return true
		}
	}
	return false
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, err error, code contract.Code) contract.Error {
	t.Helper()
	e := contract.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	return *e
}

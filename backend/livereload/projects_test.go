package livereload_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

func TestOpen(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	p := w.project("mia")
	if p.Username != "mia" || p.Name != "mia" || p.Problems == nil || w.count(contract.EvProjectOpened) != 1 || w.count(contract.EvAgentCreated) != 1 {
		t.Fatalf("%+v", p)
	}
	if w.serves(p, "f") != source {
		t.Error("an open project serves when Open returns")
	}
	again, err := w.projects.Open(ctx, p.Path+"/../mia")
	must(t, err)
	if again.AgentID != p.AgentID {
		t.Error("the same folder is the same agent")
	}
	if err := os.Symlink(p.Path, filepath.Join(w.home, "link")); err == nil {
		again, err = w.projects.Open(ctx, filepath.Join(w.home, "link"))
		must(t, err)
		if again.AgentID != p.AgentID {
			t.Error("a link to the folder is the same agent")
		}
	}

	other := filepath.Join(w.home, "other")
	write(t, other, "AGENT.md", "---\nname: Mia\n---\n")
	_, err = w.projects.Open(ctx, other)
	if e := wantCode(t, err, contract.UsernameTaken); !strings.Contains(e.Message, p.Path) || !strings.Contains(e.Message, other) {
		t.Errorf("both folders are named: %s", e.Message)
	}
	_, err = w.agents.Create(ctx, agents.Agent{Name: "api2"})
	must(t, err)
	write(t, other, "AGENT.md", "---\nname: api2\n---\n")
	_, err = w.projects.Open(ctx, other)
	wantCode(t, err, contract.UsernameTaken)
	write(t, other, "AGENT.md", "---\nname: '123'\n---\n")
	_, err = w.projects.Open(ctx, other)
	wantCode(t, err, contract.InvalidUsername)

	write(t, w.home, "photos/a.jpg", "")
	for _, path := range []string{filepath.Join(w.home, "none"), filepath.Join(w.home, "photos"), filepath.Join(w.home, "photos/a.jpg")} {
		_, err = w.projects.Open(ctx, path)
		wantCode(t, err, contract.ProjectInvalid)
	}
	bare := filepath.Join(w.home, "bare")
	must(t, os.Mkdir(bare, 0o755))
	p, err = w.projects.Open(ctx, bare)
	must(t, err)
	if p.Username != "bare" || len(p.Problems) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestCloseAndRestart(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	p, q := w.project("mia"), w.project("joe")
	must(t, w.projects.Close(ctx, q.AgentID))
	wantCode(t, w.projects.Close(ctx, q.AgentID), contract.NotFound)
	list, err := w.projects.List(ctx)
	must(t, err)
	if len(list.Projects) != 1 || list.Projects[0].AgentID != p.AgentID || len(list.Recent) != 1 || list.Recent[0].Path != q.Path || list.Recent[0].Missing || len(list.Samples) == 0 {
		t.Fatalf("%+v", list)
	}
	if w.serves(q, "f") != source {
		t.Error("closing removes nothing")
	}
	w.projects.Stop()
	write(t, p.Path, "functions/f/index.js", source+"//while away")
	must(t, os.RemoveAll(q.Path))
	w.start()
	must(t, w.projects.Start(ctx))
	if w.serves(p, "f") != source+"//while away" {
		t.Error("a change made while the platform was stopped is live")
	}
	list, err = w.projects.List(ctx)
	must(t, err)
	if len(list.Projects) != 1 || len(list.Recent) != 1 || !list.Recent[0].Missing {
		t.Errorf("%+v", list)
	}
	write(t, p.Path, "functions/f/index.js", source+"//watched")
	w.until("it is watched again", func() bool { return w.serves(p, "f") == source+"//watched" })

	// A folder that is missing at the start is waited for.
	w.projects.Stop()
	must(t, os.Rename(p.Path, p.Path+"-away"))
	w.start()
	must(t, w.projects.Start(ctx))
	if !w.hasProblem(p, contract.ProjectUnreachable) || w.serves(p, "f") == "" {
		t.Errorf("%+v", w.listed(p))
	}
	must(t, os.Rename(p.Path+"-away", p.Path))
	w.until("it is back", func() bool { return !w.hasProblem(p, contract.ProjectUnreachable) })
}

func TestCreate(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	p, err := w.projects.Create(ctx, "hello", "")
	must(t, err)
	if p.Path != filepath.Join(w.home, "Benchtop", "hello") || p.Username != "hello" || w.serves(p, "greet") == "" || w.serves(p, "visits") == "" || len(p.Problems) > 0 {
		t.Fatalf("%+v", p)
	}
	again, err := w.projects.Create(ctx, "hello", "")
	must(t, err)
	if again.AgentID != p.AgentID {
		t.Error("a second click opens the first project")
	}
	second, err := w.projects.Create(ctx, "hello", filepath.Join(w.home, "mine"))
	must(t, err)
	if second.Username != "mine" || second.Path != filepath.Join(w.home, "mine") {
		t.Errorf("%+v", second)
	}
	write(t, w.home, "full/x", "")
	_, err = w.projects.Create(ctx, "hello", filepath.Join(w.home, "full"))
	wantCode(t, err, contract.ProjectExists)
	_, err = w.projects.Create(ctx, "none", "")
	wantCode(t, err, contract.NotFound)
}

func TestCreateBesideSomethingElse(t *testing.T) {
	w := newWorld(t)
	write(t, w.home, "Benchtop/hello/holiday.txt", "")
	p, err := w.projects.Create(context.Background(), "hello", "")
	must(t, err)
	if p.Path != filepath.Join(w.home, "Benchtop", "hello-2") || p.Username != "hello-2" {
		t.Errorf("%+v", p)
	}
	again, err := w.projects.Create(context.Background(), "hello", "")
	must(t, err)
	if again.AgentID != p.AgentID {
		t.Errorf("%+v", again)
	}
}

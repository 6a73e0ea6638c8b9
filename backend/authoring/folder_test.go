package authoring_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

func (w *world) reload() project.Report {
	w.t.Helper()
	r, err := w.authoring.Reload(w.t.Context(), w.agent.ID)
	must(w.t, err)
	return r
}

func TestReload(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/a/index.js", source)
	w.write("functions/a/manifest.json", plain)
	w.write("functions/b.js", "/* @robutler-function\n@permissions kv=rw */\n"+source)
	if r := w.reload(); !slices.Equal(r.Declared, []string{"a", "b"}) || !r.Changed {
		t.Fatalf("%+v", r)
	}
	if r := w.reload(); r.Changed {
		t.Errorf("%+v", r)
	}
	checks := w.checks
	w.published()

	// Broken: the last good version serves, the failure is told once.
	w.write("functions/a/index.js", "\n  BROKEN")
	for range 2 {
		if r := w.reload(); !slices.Equal(r.Failed, []string{"a"}) {
			t.Fatalf("%+v", r)
		}
	}
	if w.version("a") != 1 || w.checks != checks+1 || w.published() != "failed" {
		t.Errorf("version %d, %d checks", w.version("a"), w.checks-checks)
	}
	list, err := w.authoring.Work(t.Context(), w.agent)
	must(t, err)
	fa := list.Functions[0]
	if fa.Name != "a" || !fa.Broken || fa.Version != 1 || fa.Errors[0].Code != contract.JSCompileError || fa.Errors[0].File != "functions/a/index.js" ||
		fa.Errors[0].Line != 2 || fa.Errors[0].Column != 3 || fa.Layout != "folder" || list.Functions[1].Layout != "file" {
		t.Errorf("%+v", fa)
	}

	// Back to what serves: no version, but the failure is over.
	w.write("functions/a/index.js", source)
	w.reload()
	if w.version("a") != 1 || w.published() != "declared" {
		t.Error("the failure is not over")
	}
	// A manifest that does not parse has a place, too.
	w.write("functions/a/manifest.json", "{\n  \"runtime\": \"js-v1\",\n}")
	w.reload()
	list, err = w.authoring.Work(t.Context(), w.agent)
	must(t, err)
	if p := list.Functions[0].Errors[0]; p.Code != contract.ManifestSyntax || p.File != "functions/a/manifest.json" || p.Line != 3 {
		t.Errorf("%+v", p)
	}
	w.write("functions/a/manifest.json", `{"runtime":"js-v1","description":"two"}`)
	w.reload()
	must(t, os.Remove(filepath.Join(w.dir, "functions/b.js")))
	if r := w.reload(); !slices.Equal(r.Removed, []string{"b"}) || w.version("a") != 2 {
		t.Errorf("%+v", r)
	}
	if got := w.audits(); !slices.Equal(got, []string{"declare a disk", "declare b disk", "update a disk", "remove b disk"}) {
		t.Error(got)
	}
}

// TestEmptiedFirst: a file that is emptied and then filled is no failure; one
// that stays empty is.
func TestEmptiedFirst(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/a/index.js", source)
	w.reload()
	w.published()
	w.write("functions/a/index.js", "")
	for range 3 {
		if _, err := w.authoring.Reload(t.Context(), w.agent.ID); !errors.Is(err, project.ErrUnsettled) {
			t.Fatal(err)
		}
	}
	w.write("functions/a/index.js", source+"//2")
	w.reload()
	if w.published() != "declared" || w.version("a") != 2 {
		t.Error("the emptied file was taken for the author's")
	}
	w.write("functions/a/index.js", "")
	var r project.Report
	err := project.ErrUnsettled
	for n := 0; errors.Is(err, project.ErrUnsettled) && n < 50; n++ {
		r, err = w.authoring.Reload(t.Context(), w.agent.ID)
	}
	must(t, err)
	if !slices.Equal(r.Failed, []string{"a"}) || w.published() != "failed" || w.version("a") != 2 {
		t.Errorf("%+v", r)
	}
}

func TestReloadKeepsServingWithoutFolder(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/a/index.js", source)
	w.reload()
	must(t, os.Rename(w.dir, w.dir+".away"))
	_, err := w.authoring.Reload(t.Context(), w.agent.ID)
	wantCode(t, err, contract.ProjectUnreachable)
	if w.version("a") != 1 {
		t.Error("a folder that is away removes nothing")
	}
	f, err := w.authoring.WorkFunction(t.Context(), w.agent, "a")
	must(t, err)
	if f.Source == nil || f.Source.Text != source || len(f.Errors) != 1 || f.Errors[0].Code != contract.ProjectUnreachable {
		t.Errorf("%+v", f)
	}
	must(t, os.Rename(w.dir+".away", w.dir))
	if r := w.reload(); r.Changed && len(r.Declared) > 0 {
		t.Errorf("%+v", r)
	}
}

func TestReloadUpdatesAgent(t *testing.T) {
	w := newWorld(t, true)
	_, err := w.agents.Create(t.Context(), agents.Agent{Name: "taken"})
	must(t, err)
	w.write("AGENT.md", "---\nname: Mia Two\nmodel: echo\n---\nBe brief.")
	w.reload()
	a, _ := w.agents.Resolve(w.agent.ID)
	if a.Name != "Mia Two" || a.Username != "mia-two" || a.Instructions != "Be brief." || a.Model != "echo" {
		t.Errorf("%+v", a)
	}
	w.write("AGENT.md", "---\nname: taken\n---\nBe.")
	r := w.reload()
	a, _ = w.agents.Resolve(w.agent.ID)
	if a.Username != "mia-two" || a.Instructions != "Be." || len(r.Problems) != 1 || r.Problems[0].Code != contract.UsernameTaken {
		t.Errorf("%+v %+v", a, r)
	}
	w.write("AGENT.md", "---\nname: [\n---\nBe.")
	if r := w.reload(); len(r.Problems) != 1 || r.Problems[0].Code != contract.AgentFileInvalid || r.Problems[0].Line == 0 {
		t.Errorf("%+v", r)
	}
}

// A setting that cannot be read stays what it was, and the problem has its place.
func TestReloadSettings(t *testing.T) {
	w := newWorld(t, true)
	w.write("AGENT.md", "---\nname: mia\nvisibility: public\ntransports: [a2a]\ncommission_percent: 12.50\ntoolPricing: { tools: { \"fn:quote\": { perCall: 100 } } }\n---\n")
	if r := w.reload(); len(r.Problems) > 0 || !r.Changed {
		t.Errorf("%+v", r)
	}
	want := agents.Settings{Model: agents.ModelSpec{Kind: agents.ModelScripted}, Visibility: agents.VisibilityPublic, Transports: []string{"a2a"},
		CommissionPercent: "12.5", ToolPricing: map[string]agents.ToolPrice{"fn:quote": {PerCall: 100}}}
	if a, _ := w.agents.Resolve(w.agent.ID); !reflect.DeepEqual(a.Settings, want) {
		t.Errorf("%+v", a.Settings)
	}
	w.write("AGENT.md", "---\nname: mia\nvisibility: all\ntransports:\n  - uamp\n  - smtp\ntoolPricing:\n  tools:\n    \"fn:quote\": { perCall: 1.5 }\n---\n")
	r := w.reload()
	var places []string
	for _, p := range r.Problems {
		places = append(places, fmt.Sprintf("%s %s %d:%d", p.Code, p.Path, p.Line, p.Column))
	}
	wanted := []string{"AGENT_FILE_INVALID visibility 3:1", "AGENT_FILE_INVALID transports[1] 6:5", "AGENT_FILE_INVALID toolPricing.tools.fn:quote.perCall 9:19"}
	if !slices.Equal(places, wanted) {
		t.Errorf("%q", places)
	}
	want.CommissionPercent = ""
	if a, _ := w.agents.Resolve(w.agent.ID); !reflect.DeepEqual(a.Settings, want) {
		t.Errorf("%+v", a.Settings)
	}
}

func TestSave(t *testing.T) {
	w := newWorld(t, true)
	save := func(req contract.SaveRequest) (contract.WorkFunction, error) {
		return w.authoring.Save(t.Context(), w.agent, "f", req, "ui")
	}
	// New, then edited, then broken: always on the disk, and said at once.
	f, err := save(contract.SaveRequest{Source: ptr(source), Manifest: ptr(plain)})
	must(t, err)
	if f.Version != 1 || f.Broken || f.Source.Path != "functions/f/index.js" || f.Manifest.Path != "functions/f/manifest.json" {
		t.Fatalf("%+v", f)
	}
	base := f.Source.SHA256
	f, err = save(contract.SaveRequest{Source: ptr("BROKEN"), SourceBase: base})
	must(t, err)
	if f.Version != 1 || !f.Broken || len(f.Errors) != 1 || w.read("functions/f/index.js") != "BROKEN" || f.Manifest.Text != plain {
		t.Fatalf("%+v", f)
	}
	// Another editor was faster: nothing is written, both texts are there.
	w.write("functions/f/index.js", "other")
	_, err = save(contract.SaveRequest{Source: ptr("mine"), SourceBase: f.Source.SHA256})
	e := wantCode(t, err, contract.VersionConflict)
	if c, ok := e.Details.(contract.SaveConflict); !ok || c.Source.Text != "other" || c.Manifest.Text != plain || w.read("functions/f/index.js") != "other" {
		t.Errorf("%+v", e.Details)
	}
	_, err = save(contract.SaveRequest{Source: ptr("mine")})
	wantCode(t, err, contract.VersionConflict)
	f, err = save(contract.SaveRequest{Source: ptr("other"), SourceBase: "stale"})
	must(t, err) // what is stored is what is wanted
	f, err = save(contract.SaveRequest{Source: ptr(source + "//2"), SourceBase: f.Source.SHA256, Manifest: ptr(`{"runtime":"js-v1"} `), ManifestBase: f.Manifest.SHA256})
	must(t, err)
	if f.Broken || w.version("f") != 3 {
		t.Errorf("%+v", f)
	}
	must(t, os.Remove(filepath.Join(w.dir, "functions/f/index.js")))
	_, err = save(contract.SaveRequest{Source: ptr("x"), SourceBase: f.Source.SHA256})
	wantCode(t, err, contract.VersionConflict) // it was deleted meanwhile
	_, err = save(contract.SaveRequest{Source: ptr(strings.Repeat("x", contract.MaxStoredSource+1))})
	wantCode(t, err, contract.CodeTooLarge)
	_, err = w.authoring.Save(t.Context(), w.agent, "../../x", contract.SaveRequest{Source: ptr("x")}, "ui")
	wantCode(t, err, contract.InvalidName)
	_, err = w.authoring.WorkFunction(t.Context(), w.agent, "none")
	wantCode(t, err, contract.FnNotFound)
}

func TestSaveSingleFile(t *testing.T) {
	w := newWorld(t, true)
	header := "/* @robutler-function\n@permissions kv=ro */\n"
	f, err := w.authoring.Save(t.Context(), w.agent, "one", contract.SaveRequest{Source: ptr(header + source)}, "ui")
	must(t, err)
	if f.Layout != "file" || f.Manifest != nil || f.Source.Path != "functions/one.js" {
		t.Fatalf("%+v", f)
	}
	f, err = w.authoring.Save(t.Context(), w.agent, "one", contract.SaveRequest{Manifest: ptr(plain)}, "ui")
	must(t, err)
	if f.Layout != "folder" || f.Source.Path != "functions/one/index.js" || f.Source.Text != header+source || f.Version != 2 {
		t.Fatalf("%+v", f)
	}
}

func TestSaveStored(t *testing.T) {
	w := newWorld(t, false)
	save := func(req contract.SaveRequest) (contract.WorkFunction, error) {
		return w.authoring.Save(t.Context(), w.agent, "f", req, "ui")
	}
	_, err := save(contract.SaveRequest{Source: ptr(source)})
	wantCode(t, err, contract.InvalidRequest)
	f, err := save(contract.SaveRequest{Source: ptr(source), Manifest: ptr(plain)})
	must(t, err)
	if f.Version != 1 || f.Layout != "stored" || f.Source.Path != "" {
		t.Fatalf("%+v", f)
	}
	_, err = save(contract.SaveRequest{Source: ptr("BROKEN"), SourceBase: f.Source.SHA256})
	if e := wantCode(t, err, contract.JSCompileError); len(e.Problems) != 1 || w.version("f") != 1 {
		t.Errorf("%+v", e)
	}
	_, err = save(contract.SaveRequest{Manifest: ptr(`{`), ManifestBase: f.Manifest.SHA256})
	wantCode(t, err, contract.ManifestSyntax)
	_, err = save(contract.SaveRequest{Source: ptr("x"), SourceBase: "old"})
	wantCode(t, err, contract.VersionConflict)
	f, err = save(contract.SaveRequest{Source: ptr(source + "//"), SourceBase: f.Source.SHA256})
	must(t, err)
	if f.Version != 2 {
		t.Errorf("%+v", f)
	}
}

// TestConcurrentSaves: of edits with one base exactly one wins, the others are
// told, and what serves is what is on the disk.
func TestConcurrentSaves(t *testing.T) {
	w := newWorld(t, true)
	f, err := w.authoring.Save(t.Context(), w.agent, "f", contract.SaveRequest{Source: ptr(source)}, "ui")
	must(t, err)
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 8 {
		wg.Go(func() {
			_, err := w.authoring.Save(t.Context(), w.agent, "f", contract.SaveRequest{Source: ptr(source + strings.Repeat("/", i+2)), SourceBase: f.Source.SHA256}, "ui")
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if e := contract.AsError(err); e == nil || e.Code != contract.VersionConflict {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if _, err := w.authoring.Reload(t.Context(), w.agent.ID); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	fn, _ := w.functions.Get(w.agent.ID, "f")
	if won != 1 || fn.Version != 2 || fn.Source != w.read("functions/f/index.js") {
		t.Errorf("%d won, version %d", won, fn.Version)
	}
}

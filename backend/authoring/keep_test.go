package authoring_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func TestSaveKeepsLinks(t *testing.T) {
	w := newWorld(t, true)
	w.write("lib/real.js", source)
	w.write("functions/f/manifest.json", plain)
	link := filepath.Join(w.dir, "functions/f/index.js")
	must(t, os.Symlink("../../lib/real.js", link))
	f, err := w.authoring.WorkFunction(t.Context(), w.agent, "f")
	must(t, err)
	_, err = w.authoring.Save(t.Context(), w.agent, "f", contract.SaveRequest{Source: ptr("//\n" + source), SourceBase: f.Source.SHA256}, "ui")
	must(t, err)
	if to, err := os.Readlink(link); err != nil || to != "../../lib/real.js" || w.read("lib/real.js") != "//\n"+source {
		t.Errorf("%q %v, behind it %q", to, err, w.read("lib/real.js"))
	}
}

func TestSaveLosesNoBytes(t *testing.T) {
	w := newWorld(t, true)
	latin := "// caf\xe9\n" + source
	w.write("functions/f/index.js", latin)
	w.write("functions/f/manifest.json", plain)
	f, err := w.authoring.WorkFunction(t.Context(), w.agent, "f")
	must(t, err)
	// What the page got, and an edit of it.
	_, err = w.authoring.Save(t.Context(), w.agent, "f", contract.SaveRequest{Source: ptr(strings.ToValidUTF8(latin, "\ufffd") + "//"), SourceBase: f.Source.SHA256}, "ui")
	if e := wantCode(t, err, contract.ProjectInvalid); !strings.Contains(e.Message, "UTF-8") || w.read("functions/f/index.js") != latin {
		t.Errorf("%v", e)
	}
	_, err = w.authoring.Save(t.Context(), w.agent, "f", contract.SaveRequest{Source: ptr("// café\n" + source), SourceBase: f.Source.SHA256}, "ui")
	must(t, err)
	if w.read("functions/f/index.js") != "// café\n"+source {
		t.Error("what the author put in its place was not written")
	}
}

func TestRestore(t *testing.T) {
	w := newWorld(t, true)
	agent := "---\nname: mia\nfunctions:\n  f: {}\nskills:\n  custom_tools:\n    tools:\n      - { id: t1, name: tell, use: f }\n---\nHi\n"
	restore := func() (contract.RestoreResponse, error) {
		return w.authoring.Restore(t.Context(), w.agent, "f", "ui")
	}
	begin := func() {
		t.Helper()
		w.write("AGENT.md", agent)
		w.write("functions/f/index.js", source)
		w.write("functions/f/notes.txt", "kept")
		w.write("functions/f/manifest.json", plain)
		w.reload()
		_, err := w.authoring.Remove(t.Context(), w.agent, "f", "ui")
		must(t, err)
		if text := w.read("AGENT.md"); strings.Contains(text, "tell") {
			t.Fatal(text)
		}
	}
	_, err := restore()
	wantCode(t, err, contract.NotFound)

	begin()
	r, err := restore()
	must(t, err)
	if r.EntriesLeft || r.Function.Version == 0 || r.Function.Source.Text != source || w.read("functions/f/notes.txt") != "kept" || w.read("AGENT.md") != agent {
		t.Errorf("%+v\n%s", r, w.read("AGENT.md"))
	}
	w.reload()
	if w.entries() != "custom_tools/t1 f" {
		t.Error("the tool is not back")
	}
	_, err = restore()
	wantCode(t, err, contract.VersionConflict)

	// AGENT.md is its author's: what was written since stays.
	begin()
	w.write("AGENT.md", "---\nname: mia\n---\nNew words\n")
	r, err = restore()
	must(t, err)
	if !r.EntriesLeft || r.Function.Version == 0 || !strings.Contains(w.read("AGENT.md"), "New words") {
		t.Errorf("%+v", r)
	}
}

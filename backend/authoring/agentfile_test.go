package authoring_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/project"
)

const plainAgent = "---\nname: mia\n---\nYou are Mia.\n"

func (w *world) agentFile() contract.WorkFunction {
	w.t.Helper()
	f, err := w.authoring.AgentFile(w.t.Context(), w.agent)
	must(w.t, err)
	return f
}

func (w *world) saveAgent(text, base string) (contract.WorkFunction, error) {
	return w.authoring.SaveAgentFile(w.t.Context(), w.agent, contract.SaveRequest{Source: &text, SourceBase: base})
}

func TestAgentFileIsSavedAndCounts(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/greet.js", source)
	w.reload()
	f := w.agentFile()
	if f.Name != "AGENT.md" || f.Layout != "agent" || f.Source.Text != plainAgent || f.Source.Path != "AGENT.md" || f.Broken || len(f.Errors)+len(f.Warnings) != 0 {
		t.Fatalf("%+v", f)
	}
	list, err := w.authoring.Work(t.Context(), w.agent)
	must(t, err)
	if list.AgentFile == nil || list.AgentFile.Name != "AGENT.md" || list.AgentFile.Source != nil {
		t.Errorf("%+v", list.AgentFile)
	}

	// Byte order mark, line ends, comments and unknown keys are the author's.
	text := "\ufeff---\r\nname: mia # of the sea\r\nflavour: salt\r\nskills:\r\n  cron:\r\n    schedules:\r\n      - { id: night, cron: \"0 3 * * *\", use: greet }\r\n---\r\nYou are Mia, really.\r\n"
	f, err = w.saveAgent(text, f.Source.SHA256)
	must(t, err)
	if w.read("AGENT.md") != text || f.Source.Text != text {
		t.Errorf("%q", w.read("AGENT.md"))
	}
	if len(f.Warnings) != 1 || f.Warnings[0].Code != contract.UnknownKey || f.Warnings[0].Line != 3 || f.Broken {
		t.Errorf("%+v", f)
	}
	if entries := w.consumers.Of(w.agent.ID).Entries; len(entries) != 1 || entries[0].ID != "night" {
		t.Errorf("the save did not take effect: %+v", entries)
	}
	if ag, _ := w.agents.Resolve(w.agent.ID); ag.Instructions != "You are Mia, really." {
		t.Errorf("%q", ag.Instructions)
	}
	// What the save found is told by whoever watches, once.
	if r := w.reload(); !r.Changed {
		t.Error("pages are not told of what was saved")
	}
	if r := w.reload(); r.Changed {
		t.Error("told twice")
	}
}

func TestAgentFileWithMistakes(t *testing.T) {
	w := newWorld(t, true)
	w.write("functions/greet.js", source)
	w.reload()
	base := w.agentFile().Source.SHA256
	f, err := w.saveAgent("---\nname: mia\nskills:\n  cron:\n    schedules:\n      - { id: night, cron: never, use: greet }\n---\n", base)
	must(t, err)
	if !f.Broken || len(f.Errors) != 1 || f.Errors[0].Line != 6 {
		t.Errorf("%+v", f.Errors)
	}
	f, err = w.saveAgent("---\nname: mia\n  bad: [\n---\n", f.Source.SHA256)
	must(t, err)
	if !f.Broken || len(f.Errors) != 1 || f.Errors[0].Code != contract.AgentFileInvalid || f.Errors[0].Line < 2 || !strings.Contains(w.read("AGENT.md"), "bad: [") {
		t.Errorf("%+v", f)
	}
	f, err = w.saveAgent(plainAgent, f.Source.SHA256)
	must(t, err)
	if f.Broken {
		t.Errorf("%+v", f)
	}
}

func TestAgentFileThatChangedMeanwhile(t *testing.T) {
	w := newWorld(t, true)
	w.reload()
	base := w.agentFile().Source.SHA256
	w.write("AGENT.md", "---\nname: mia\n---\nTheirs.\n")
	_, err := w.saveAgent("---\nname: mia\n---\nMine.\n", base)
	c, ok := wantCode(t, err, contract.VersionConflict).Details.(contract.SaveConflict)
	if !ok || !strings.Contains(c.Source.Text, "Theirs") || !strings.Contains(w.read("AGENT.md"), "Theirs") {
		t.Errorf("%+v", c)
	}
	_, err = w.saveAgent("---\nname: mia\n---\nBoth.\n", c.Source.SHA256)
	must(t, err)
	// Nothing that serves changed, and still pages show the text.
	w.reload()
	w.write("AGENT.md", w.read("AGENT.md")[:len("---\nname: mia\n")]+"# a comment\n---\nBoth.\n")
	if r := w.reload(); !r.Changed {
		t.Error("a comment is not told of")
	}
}

func TestAgentFileThatIsNotThere(t *testing.T) {
	w := newWorld(t, true)
	w.remove("AGENT.md")
	w.reload()
	f := w.agentFile()
	if f.Source.SHA256 != "" || f.Source.Text != "" || f.Broken || len(f.Warnings) != 1 {
		t.Errorf("%+v", f)
	}
	_, err := w.saveAgent(plainAgent, "")
	must(t, err)
	if w.read("AGENT.md") != plainAgent {
		t.Error("it is not made")
	}
	none := newWorld(t, false)
	_, err = none.authoring.AgentFile(t.Context(), none.agent)
	wantCode(t, err, contract.NotFound)
	_, err = none.saveAgent(plainAgent, "")
	wantCode(t, err, contract.NotFound)
}

func TestAgentFileThatIsNoText(t *testing.T) {
	w := newWorld(t, true)
	_, err := w.saveAgent(strings.Repeat("x", project.MaxAgentFile+1), w.agentFile().Source.SHA256)
	wantCode(t, err, contract.CodeTooLarge)
	_, err = w.authoring.SaveAgentFile(t.Context(), w.agent, contract.SaveRequest{Manifest: ptr("{}")})
	wantCode(t, err, contract.InvalidRequest)

	// What cannot be shown as it is must not be lost by a save.
	w.write("AGENT.md", "---\nname: mia\n---\ncaf\xe9\n")
	f := w.agentFile()
	_, err = w.saveAgent("---\nname: mia\n---\ncaf\ufffd!\n", f.Source.SHA256)
	wantCode(t, err, contract.ProjectInvalid)
	if !strings.Contains(w.read("AGENT.md"), "caf\xe9\n") {
		t.Error("it was written over")
	}

	// A link out of the folder is neither read nor followed.
	outside := filepath.Join(t.TempDir(), "secret.md")
	must(t, os.WriteFile(outside, []byte("---\nname: theirs\n---\n"), 0o600))
	w.remove("AGENT.md")
	must(t, os.Symlink(outside, filepath.Join(w.dir, "AGENT.md")))
	_, err = w.authoring.AgentFile(t.Context(), w.agent)
	wantCode(t, err, contract.ProjectInvalid)
	_, err = w.saveAgent(plainAgent, "")
	wantCode(t, err, contract.ProjectInvalid)
	if b, _ := os.ReadFile(outside); string(b) != "---\nname: theirs\n---\n" {
		t.Error("a file outside was written")
	}

	w.remove("AGENT.md")
	must(t, os.Mkdir(filepath.Join(w.dir, "AGENT.md"), 0o755))
	_, err = w.saveAgent(plainAgent, "")
	wantCode(t, err, contract.ProjectInvalid)
}

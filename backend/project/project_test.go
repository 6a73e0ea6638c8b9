package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/project"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) *project.Unit {
	t.Helper()
	u, err := project.ReadSettled(dir)
	must(t, err)
	return u
}

// codes gives the problems as "CODE file:line".
func codes(ps []contract.Problem) string {
	var out []string
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%s %s:%d", p.Code, p.File, p.Line))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "AGENT.md", "---\nname: Mia # the agent\ndescription: Quotes\nmodel: {base_url: http://x, model: m}\nfoo: 1\nfunctions:\n  quote:\n    description: Other\n    permissions: { kv: ro }\n  gone: {}\n  named: { file: deep/src.mjs, permissions: { kv: rw } }\n  b-ad: {}\n---\n\nYou are Mia.\n")
	write(t, dir, "functions/quote/manifest.json", `{"runtime":"js-v1","description":"Prices","permissions":{"kv":"ro"}}`)
	write(t, dir, "functions/quote/index.js", "export default async () => 1")
	write(t, dir, "functions/quote/notes.txt", "mine")
	write(t, dir, "functions/deep/src.mjs", "export default async () => 2")
	write(t, dir, "functions/single.ts", "/* @robutler-function\n@permissions kv=rw */\nexport default async () => 3")
	write(t, dir, "functions/nothing.js", "export default async () => 4")
	write(t, dir, "functions/both/index.js", "1")
	write(t, dir, "functions/both/index.ts", "1")
	write(t, dir, "functions/sourceless/manifest.json", `{"runtime":"js-v1"}`)
	write(t, dir, "functions/blank.js", " \n")
	write(t, dir, "functions/bad-name.js", "1")
	write(t, dir, "functions/quote.js", "1")
	write(t, dir, "functions/quote.test.js", "1")
	write(t, dir, "functions/types.d.ts", "1")
	write(t, dir, "functions/big.js", strings.Repeat("/", contract.MaxStoredSource+1))
	write(t, dir, "functions/limit.js", strings.Repeat("/", contract.MaxStoredSource))
	must(t, os.MkdirAll(filepath.Join(dir, "functions/empty"), 0o755))

	u := read(t, dir)
	if u.Agent.Name != "Mia" || u.Agent.Description != "Quotes" || u.Agent.Model != `{"base_url":"http://x","model":"m"}` || u.Agent.Instructions != "You are Mia." || !u.Agent.Valid {
		t.Errorf("%+v", u.Agent)
	}
	if got, want := codes(u.Problems), strings.Join([]string{"AGENT_FILE_INVALID AGENT.md:10", "INVALID_NAME AGENT.md:12", "INVALID_NAME functions/bad-name:0",
		"PROJECT_INVALID functions/quote.js:0", "UNKNOWN_KEY AGENT.md:5"}, "\n"); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	want := map[string]struct{ layout, errors, warnings string }{
		"big":        {"file", "CODE_TOO_LARGE functions/big.js:0", ""},
		"blank":      {"file", "SOURCE_EMPTY functions/blank.js:1", "PORTABILITY functions/blank.js:1"},
		"both":       {"folder", "PROJECT_INVALID functions/both/index.ts:0", "PORTABILITY functions/both/index.js:1"},
		"limit":      {"file", "", "PORTABILITY functions/limit.js:1"},
		"named":      {"file", "", ""},
		"nothing":    {"file", "", "PORTABILITY functions/nothing.js:1"},
		"quote":      {"folder", "", "MANIFEST_DIFFERS AGENT.md:8"},
		"single":     {"file", "", ""},
		"sourceless": {"folder", "SOURCE_EMPTY functions/sourceless/index.js:0", ""},
	}
	for _, f := range u.Functions {
		w, ok := want[f.Name]
		if !ok {
			t.Errorf("%s is no function", f.Name)
			continue
		}
		delete(want, f.Name)
		l := f.Load(nil)
		if f.Layout != w.layout || codes(l.Errors) != w.errors || codes(l.Warnings) != w.warnings {
			t.Errorf("%s: %s\n%v\n%v", f.Name, f.Layout, l.Errors, l.Warnings)
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
	named := u.Function("named").Load(nil)
	if named.File != "functions/deep/src.mjs" || !named.Manifest.Permissions.KV.Self.CanWrite() {
		t.Errorf("%+v", named)
	}
	if again := read(t, dir); again.Hash != u.Hash {
		t.Error("the hash is not stable")
	}
	write(t, dir, "functions/quote/index.js", "export default async () => 5")
	if again := read(t, dir); again.Hash == u.Hash {
		t.Error("the hash does not see a change")
	}
}

func TestAgentFile(t *testing.T) {
	tests := []struct{ name, text, problems, agent, body string }{
		{"plain text", "You are Bo.", "AGENT_FILE_INVALID AGENT.md:1", "folder", "You are Bo."},
		{"empty frontmatter", "---\n---\nHi", "", "folder", "Hi"},
		{"not closed", "---\nname: a\n", "AGENT_FILE_INVALID AGENT.md:1", "folder", ""},
		{"crlf", "---\r\nname: a\r\n---\r\nHi\r\n", "", "a", "Hi"},
		{"byte order mark", "\ufeff---\nname: a\n---\n", "", "a", ""},
		{"bad yaml", "---\nname: a\nb: [\n---\n", "AGENT_FILE_INVALID AGENT.md:3", "folder", ""},
		{"a list", "---\n- a\n---\n", "AGENT_FILE_INVALID AGENT.md:2", "folder", ""},
		{"name no text", "---\nname: [a]\n---\n", "AGENT_FILE_INVALID AGENT.md:2", "folder", ""},
		{"functions no map", "---\nname: a\nfunctions: [x]\n---\n", "AGENT_FILE_INVALID AGENT.md:3", "a", ""},
		{"rule in the body", "---\nname: a\n---\nx\n---\ny", "", "a", "x\n---\ny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			write(t, dir, "AGENT.md", tt.text)
			u := read(t, dir)
			if got := codes(u.Problems); got != tt.problems || u.Agent.Name != tt.agent || tt.body != "" && u.Agent.Instructions != tt.body {
				t.Errorf("%q %+v\n%s", u.Agent.Name, u.Problems, u.Agent.Instructions)
			}
		})
	}
}

// TestLinks: nothing outside the folder is read or written.
func TestLinks(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	write(t, out, "secret.js", "export default () => 'outside'")
	write(t, out, "fn/index.js", "outside")
	write(t, dir, "shared/inside.js", "export default async () => 1")
	must(t, os.Mkdir(filepath.Join(dir, "functions"), 0o755))
	link := func(to, name string) { must(t, os.Symlink(to, filepath.Join(dir, name))) }
	link(filepath.Join(out, "secret.js"), "functions/abs.js")
	link("../../"+filepath.Base(out)+"/secret.js", "functions/rel.js")
	link(filepath.Join(out, "fn"), "functions/folder")
	link("../shared/inside.js", "functions/ok.js")
	link(filepath.Join(out, "secret.js"), "AGENT.md")
	u := read(t, dir)
	for _, f := range u.Functions {
		l := f.Load(nil)
		if f.Name == "ok" {
			if len(l.Errors) > 0 || l.Source == "" {
				t.Errorf("a link that stays inside is read: %v", l.Errors)
			}
			continue
		}
		if strings.Contains(l.Source, "outside") || len(l.Errors) == 0 {
			t.Errorf("%s: %q %v", f.Name, l.Source, l.Errors)
		}
	}
	if len(u.Functions) != 4 || u.Agent.Valid {
		t.Errorf("%d functions, %+v", len(u.Functions), u.Agent)
	}
	folder, err := project.OpenFolder(dir)
	must(t, err)
	defer folder.Close()
	link(out, "functions/escape")
	for _, name := range []string{"functions/escape/index.js", "../x.js", "functions/../../x.js"} {
		if err := folder.Write(name, "x"); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 2 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestWriteAndTrash(t *testing.T) {
	dir := t.TempDir()
	folder, err := project.OpenFolder(dir)
	must(t, err)
	defer folder.Close()
	must(t, folder.Write("functions/a/index.js", "one"))
	for _, mode := range []os.FileMode{0o666, 0o600} {
		must(t, os.Chmod(filepath.Join(dir, "functions/a/index.js"), mode))
		must(t, folder.Write("functions/a/index.js", "two"))
		if st, err := os.Stat(filepath.Join(dir, "functions/a/index.js")); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != mode {
			t.Errorf("%v %v", st.Mode(), err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "functions/a"))
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("a temporary file is left: %v", entries)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	id, err := folder.Trash(now, "a", project.PathsOf("a", "")...)
	must(t, err)
	if !strings.HasPrefix(id, "20260102T030405") || folder.Exists("functions/a") {
		t.Errorf("%q", id)
	}
	if none, err := folder.Trash(now, "a", project.PathsOf("a", "")...); none != "" || err != nil {
		t.Errorf("%q %v", none, err)
	}
	must(t, folder.Write("functions/a/index.js", "three"))
	if err := folder.Restore(id); contract.AsError(err) == nil {
		t.Errorf("what is there again is not overwritten: %v", err)
	}
	_, err = folder.Trash(now, "a", "functions/a/index.js")
	must(t, err)
	if folder.Exists("functions/a") {
		t.Error("an emptied folder goes, too")
	}
	must(t, folder.Restore(id))
	if b, err := os.ReadFile(filepath.Join(dir, "functions/a/index.js")); err != nil || string(b) != "two" {
		t.Errorf("%q %v", b, err)
	}
	for _, id := range []string{"", "..", "../..", "a/b", "nothing"} {
		if folder.Restore(id) == nil {
			t.Errorf("%q was restored", id)
		}
	}
}

func TestUnreachable(t *testing.T) {
	_, err := project.Read(filepath.Join(t.TempDir(), "none"))
	if e := contract.AsError(err); e == nil || e.Code != contract.ProjectUnreachable {
		t.Error(err)
	}
	_, err = project.OpenFolder(filepath.Join(t.TempDir(), "none"))
	if e := contract.AsError(err); e == nil || e.Code != contract.ProjectUnreachable {
		t.Error(err)
	}
}

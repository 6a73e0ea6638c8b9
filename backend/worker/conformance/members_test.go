package conformance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

const (
	scriptsDir  = "../testdata/conformance"
	membersFile = "../testdata/members.txt"
	top         = "../../.."
	fewest      = 250 // scripts
)

func load(t *testing.T) ([]Script, []Row) {
	t.Helper()
	scripts, err := Load(scriptsDir)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Members(membersFile)
	if err != nil {
		t.Fatal(err)
	}
	return scripts, rows
}

// TestMembers: each row is proved by scripts and tests that exist, and a row
// about a code by a script in which that code comes out.
func TestMembers(t *testing.T) {
	scripts, rows := load(t)
	if len(scripts) < fewest {
		t.Errorf("%d scripts, want at least %d", len(scripts), fewest)
	}
	byName := map[string]Script{}
	for _, s := range scripts {
		byName[s.Name] = s
	}
	declared := map[string]bool{}
	for _, e := range contract.Errors {
		declared[string(e.Code)] = true
	}
	codes := map[string]bool{}
	for _, r := range rows {
		p, err := r.Resolve(scripts)
		if err != nil {
			t.Error(err)
		}
		for _, test := range p.Tests {
			if !exists(t, test) {
				t.Errorf("%s, %s: there is no %s in %s", r.Section, r.Name, test.Name, test.Folder)
			}
		}
		if !strings.HasPrefix(r.Section, "7.1") {
			continue
		}
		codes[r.Name] = true
		if !declared[r.Name] {
			t.Errorf("%s is no code of the contract", r.Name)
		}
		for _, name := range p.Scripts {
			if s := byName[name]; !strings.Contains(string(s.Expect.Code)+string(s.Expect.Value)+s.Source, r.Name) {
				t.Errorf("%s: %s does not come out of %s", r.Section, r.Name, name)
			}
		}
	}
	for _, s := range scripts {
		if s.Expect.Code != "" && !codes[string(s.Expect.Code)] {
			t.Errorf("%s ends with %s, which has no row", s.Name, s.Expect.Code)
		}
	}
}

func exists(t *testing.T, test Test) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, test.Folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(test.Name) + `\(t \*testing\.T\)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if head.Match(text) {
			return true
		}
	}
	return false
}

// TestBadMembers: a row without a proof, or with one that is not there, is told.
func TestBadMembers(t *testing.T) {
	scripts := []Script{{Name: "kv-get"}}
	for _, tt := range []struct{ name, text, want string }{
		{"no bar", "== s\nctx.kv", "has no proof"},
		{"nothing after the bar", "== s\nctx.kv |", "has no proof"},
		{"no section", "ctx.kv | kv-get", "before the first section"},
		{"twice", "== s\na | kv-get\na | kv-get", ":3: \"a\" is there twice"},
		{"unknown", "== s\na | kv-put", "no script is called kv-put"},
		{"unknown start", "== s\na | kv-p*", "no script is called kv-p*"},
		{"start without a star", "== s\na | kv", "no script is called kv"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "members.txt")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			rows, err := Members(file)
			for _, r := range rows {
				if err == nil {
					_, err = r.Resolve(scripts)
				}
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

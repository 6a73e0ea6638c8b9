package project_test

import (
	"strings"
	"testing"

	"benchtop/backend/project"
)

const agentFile = `---
# the agent
name: mia # short
functions:
  # prices a job
  quote: { description: Price a job }

  # counts
  count:
    description: |
      Counts things

      and more
    permissions:
      fetch:
      - https://a.com
  last:   # comment
    limits: { wallMs: 1 }
# after
skills:
  cron: {}
---
Body with functions:
  quote: not this one
`

func TestRemoveEntry(t *testing.T) {
	tests := []struct{ name, gone string }{
		{"quote", "  # prices a job\n  quote: { description: Price a job }\n"},
		{"count", "  # counts\n  count:\n    description: |\n      Counts things\n\n      and more\n    permissions:\n      fetch:\n      - https://a.com\n"},
		{"last", "  last:   # comment\n    limits: { wallMs: 1 }\n"},
	}
	for _, tt := range tests {
		got, changed := project.RemoveEntry(agentFile, tt.name)
		if want := strings.Replace(agentFile, tt.gone, "", 1); !changed || got != want || want == agentFile {
			t.Errorf("%s:\n%s", tt.name, got)
		}
	}
	for _, text := range []string{agentFile, "no frontmatter", "---\nname: [\n---\n", "---\nfunctions: []\n---\n", "---\nfunctions:\n---\n", "---\nopen"} {
		if got, changed := project.RemoveEntry(text, "nobody"); changed || got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	got, changed := project.RemoveEntry("---\n# one\nname: a # two\nfunctions: { x: {}, y: {file: y.js} }\n---\nbody\n", "x")
	if !changed || got != "---\n# one\nname: a # two\nfunctions: {y: {file: y.js}}\n---\nbody\n" {
		t.Errorf("%q", got)
	}
}

func TestAddEntry(t *testing.T) {
	got, changed := project.AddEntry(agentFile, "more", `Says "hi": #1`)
	want := strings.Replace(agentFile, "    limits: { wallMs: 1 }\n", "    limits: { wallMs: 1 }\n  more: { description: \"Says \\\"hi\\\": #1\" }\n", 1)
	if !changed || got != want {
		t.Errorf("\n%s", got)
	}
	if _, changed := project.AddEntry(agentFile, "quote", ""); changed {
		t.Error("it is there already")
	}
	if _, changed := project.AddEntry("---\nname: a\n---\n", "quote", ""); changed {
		t.Error("there is no map to add to")
	}
	back, _ := project.RemoveEntry(got, "more")
	if back != agentFile {
		t.Errorf("\n%s", back)
	}
}

func TestRename(t *testing.T) {
	got, changed := project.Rename("---\n# x\nname: hello\nmodel: echo\n---\nname: body\n", "hello-2")
	if !changed || got != "---\n# x\nname: \"hello-2\"\nmodel: echo\n---\nname: body\n" {
		t.Errorf("%q", got)
	}
	if _, changed := project.Rename("text", "x"); changed {
		t.Error("nothing to rename")
	}
}

// FuzzEntries: whatever AGENT.md holds, removing an entry that was just added
// gives the file back.
func FuzzEntries(f *testing.F) {
	f.Add(agentFile, "Price a job")
	f.Add("---\nfunctions:\n  a: {}\n---\n", "x: y")
	f.Add("---\nfunctions:\n    a:\n        b: c\n\n\n---", "")
	f.Fuzz(func(t *testing.T, text, description string) {
		added, changed := project.AddEntry(text, "zzz9", description)
		if !changed {
			return
		}
		if back, ok := project.RemoveEntry(added, "zzz9"); !ok || back != text {
			t.Fatalf("%q\n became %q\n and then %q (%v)", text, added, back, ok)
		}
	})
}

package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"benchtop/backend/contract"
)

func values(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
		rapid.SampledFrom([]any{"true", "null", "~", "0x10", "1e3", "- a", "a: b", "#", "", " ", "2026-01-01", "yes", "|", "'", "é\u2028\u0085"}),
		rapid.Map(rapid.IntRange(-1_000_000, 1_000_000), func(n int) any { return n }),
		rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return f }),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	return rapid.OneOf(append(leaf,
		rapid.SliceOfN(values(depth-1), 0, 3).AsAny(),
		rapid.MapOfN(rapid.String(), values(depth-1), 0, 3).AsAny())...)
}

// JSON that went through AGENT.md says the same as before.
func TestYAMLKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(values(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		n, err := yamlOf(text)
		if err != nil {
			t.Fatal(err)
		}
		written, err := yaml.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var back any
		if err := yaml.Unmarshal(written, &back); err != nil {
			t.Fatalf("%s\n%v", written, err)
		}
		again, err := json.Marshal(back)
		if err != nil {
			t.Fatal(err)
		}
		if !equal(text, again) {
			var a, b any
			if json.Unmarshal(text, &a) != nil || json.Unmarshal(again, &b) != nil {
				t.Fatal("no JSON")
			}
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			if string(x) != string(y) { // 1e5 and 100000 are one number
				t.Fatalf("%s became %s over\n%s", text, again, written)
			}
		}
	})
}

func TestPlan(t *testing.T) {
	fn := func(name, manifest, source string) Function {
		return Function{Name: name, Canonical: manifest, Source: source}
	}
	entry := func(id, text string) Entry { return Entry{Skill: "cron", ID: id, JSON: json.RawMessage(text)} }
	here := &Unit{
		Functions: []Function{fn("a", "{}", "1"), fn("b", `{"x":1}`, "2"), fn("new", "{}", "3")},
		Entries:   []Entry{entry("same", `{"id":"same","n":1}`), entry("changed", `{"id":"changed","n":2,"m":[1]}`), entry("fresh", `{}`)},
	}
	there := &Unit{
		Functions: []Function{fn("a", "{}", "1"), fn("b", "{}", "2x"), fn("old", "{}", "4")},
		Entries:   []Entry{entry("same", `{"n": 1,"id":"same"}`), entry("changed", `{"id":"changed","n":2,"o":true}`), entry("old", `{}`)},
	}
	for prune, want := range map[bool]string{
		false: "= function a|~ function b [manifest source]|+ function new|= entry cron/same|~ entry cron/changed [m o]|+ entry cron/fresh|" +
			"? entry cron/old (only there; --prune removes it)|? function old (only there; --prune removes it)",
		true: "= function a|~ function b [manifest source]|+ function new|= entry cron/same|~ entry cron/changed [m o]|+ entry cron/fresh|" +
			"- entry cron/old|- function old",
	} {
		var lines []string
		steps := Plan(here, there, prune)
		for _, s := range steps {
			lines = append(lines, s.String())
			if s.Name == "cron/changed" && (string(s.patch["o"]) != "null" || string(s.patch["m"]) != "[1]" || len(s.patch) != 2) {
				t.Errorf("patch %s", s.patch)
			}
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("prune %v:\n%s\nwant\n%s", prune, got, want)
		}
		if got := Changes(steps); got != 4 && !prune || prune && got != 6 {
			t.Errorf("prune %v: %d changes", prune, got)
		}
	}
}

// An entry has what was given beside it when it was attached.
func TestWithUse(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                     `{"id":"x","use":"f"}`,
		` {"a":1} `:              `{"a":1,"id":"x","use":"f"}`,
		`{"use":"g","id":"y"}`:   `{"use":"g","id":"y"}`,
		`{"id":"x", "a": [1,2]}`: `{"id":"x", "a": [1,2],"use":"f"}`,
		`[]`:                     `[]`,
	} {
		if got := string(withUse(contract.Consumer{EntryID: "x", Use: "f", Entry: json.RawMessage(text)})); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A folder appears whole or not at all.
func TestWriteWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mia")
	u := &Unit{Functions: []Function{{Name: "f", Source: "x", Manifest: []byte("{}\n")}}}
	a := contract.Agent{Name: "Mia", Username: "mia", Description: "a: b", Model: `{"base_url":"http://x/v1","model":"m"}`, Instructions: "Hi"}
	if err := Write(dir, a, u); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "AGENT.md"))
	if want := "---\nname: Mia\ndescription: 'a: b'\nmodel:\n  base_url: http://x/v1\n  model: m\n---\nHi\n"; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	if err := Write(dir, a, u); err == nil {
		t.Error("written over what was there")
	}
	left, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

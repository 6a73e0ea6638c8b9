package recorded

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
)

func TestCompare(t *testing.T) {
	want := Outcome{OK: true, Result: json.RawMessage(`{"id":"a","list":[1,{"at":1}],"n":1.50}`), Logs: []Log{{"info", "hi", json.RawMessage(`{"ms":1}`)}}}
	for _, c := range []struct {
		got   string
		masks string
		want  string
	}{
		{`{"ok":true,"result":{"n":1.50,"list":[1,{"at":1}],"id":"a"},"logs":[{"level":"info","message":"hi","data":{"ms":1}}]}`, "", ""},
		{`{"ok":true,"result":{"n":1.50,"list":[1,{"at":2}],"id":"b"},"logs":[{"level":"info","message":"hi","data":{"ms":2}}]}`, "result.id result.list.*.at logs.0.data", ""},
		{`{"ok":true,"result":{"n":1.50,"list":[1,{"at":2}],"id":"b"},"logs":[{"level":"info","message":"hi","data":{"ms":2}}]}`, "result.id", `logs.0.data.ms 1 2|result.list.1.at 1 2`},
		{`{"ok":true,"result":{"n":1.50,"list":[1],"id":"a","more":0}}`, "", `logs [{"data":{"ms":1},"level":"info","message":"hi"}] |result.list.1 {"at":1} |result.more  0`},
		{`{"ok":false,"errorCode":"X"}`, "result logs", `errorCode  "X"|ok true false`},
	} {
		var got Outcome
		if err := json.Unmarshal([]byte(c.got), &got); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, d := range (&Test{Expect: want, Masks: strings.Fields(c.masks)}).Compare(got) {
			lines = append(lines, d.Path+" "+d.Want+" "+d.Got)
		}
		if all := strings.Join(lines, "|"); all != c.want {
			t.Errorf("%s: %s, want %s", c.got, all, c.want)
		}
	}
}

// A run is as it was recorded when it is the recorded one, and what a difference
// points at can be masked away.
func TestMasksCover(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.StringMatching(`[a-z]{0,3}`).AsAny(), rapid.Bool().AsAny(), rapid.IntRange(0, 9).AsAny())
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf, rapid.SliceOfN(value(depth-1), 0, 3).AsAny(), rapid.MapOfN(rapid.StringMatching(`[a-c]`), value(depth-1), 0, 3).AsAny())
	}
	rapid.Check(t, func(t *rapid.T) {
		outcome := func(label string) Outcome {
			b, err := json.Marshal(value(3).Draw(t, label))
			if err != nil {
				t.Fatal(err)
			}
			return Outcome{OK: true, Result: b}
		}
		a, b := outcome("a"), outcome("b")
		test := &Test{Expect: a}
		if d := test.Compare(a); len(d) > 0 {
			t.Fatal(d)
		}
		for _, d := range test.Compare(b) {
			test.Mask(d.Path)
		}
		if d := test.Compare(b); len(d) > 0 {
			t.Fatalf("masked %v: %v", test.Masks, d)
		}
	})
}

func TestOf(t *testing.T) {
	d := &contract.InvocationDetail{Trace: []contract.TraceEntry{
		{Kind: "host", Name: "secrets.get", Args: json.RawMessage(`{"name":"KEY"}`), Result: json.RawMessage(`"[secret]"`)},
		{Kind: "host", Name: "secrets.get", Args: json.RawMessage(`{"name":"NONE"}`)},
		{Kind: "log", Name: "info"},
		{Kind: "fetch", Name: "GET https://a.example/", Args: json.RawMessage(`{"method":"GET","url":"https://a.example/"}`), Result: json.RawMessage(`{"status":200,"bytes":5}`)},
		{Kind: "fetch", Name: "GET https://b.example/", Args: json.RawMessage(`{"method":"GET","url":"https://b.example/"}`), Error: &contract.HostFailed{Code: contract.FetchFailed, Message: "no"}},
	}}
	d.ID, d.Status, d.FunctionName, d.SourceSkill = "1", contract.StatusOK, "f", contract.SkillManual
	test, todo, err := Of(d)
	if err != nil || len(todo) != 1 || !strings.Contains(todo[0], "GET https://a.example/ answered (5 bytes)") {
		t.Fatal(todo, err)
	}
	if c := test.World.Calls; len(c) != 2 || string(c[0].Result) != `"[secret KEY]"` || c[1].Result != nil {
		t.Errorf("%s", c)
	}
	if f := test.World.Fetches; len(f) != 2 || f[0].Status != 200 || f[1].Error.Code != contract.FetchFailed || string(test.Input) != "{}" {
		t.Errorf("%+v", f)
	}
	for name, spoil := range map[string]func(*contract.InvocationDetail){
		"authoring": func(d *contract.InvocationDetail) { d.SourceSkill = contract.SkillAuthoring },
		"running":   func(d *contract.InvocationDetail) { d.Status = contract.StatusRunning },
		"cut":       func(d *contract.InvocationDetail) { d.Trace[0].Truncated = true },
	} {
		bad := *d
		bad.Trace = append([]contract.TraceEntry(nil), d.Trace...)
		spoil(&bad)
		if _, _, err := Of(&bad); err == nil {
			t.Errorf("%s: a test of what cannot be played", name)
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	root := t.TempDir()
	if all, err := Load(root, ""); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	for _, name := range []string{"b", "a"} {
		if err := (&Test{Name: name, Function: "f", Input: json.RawMessage(`{"args":{"x":"<"}}`)}).Save(root); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", "../x", "a/b", ".hidden"} {
		if err := (&Test{Name: name, Function: "f"}).Save(root); err == nil {
			t.Errorf("%q names a test", name)
		}
	}
	all, err := Load(root, "f")
	if err != nil || len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" {
		t.Fatal(all, err)
	}
	if text, err := os.ReadFile(all[0].File); err != nil || !strings.Contains(string(text), `"x": "<"`) {
		t.Errorf("%s %v", text, err)
	}
	if none, err := Load(root, "g"); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
	if err := os.Rename(filepath.Join(Dir(root), "f"), filepath.Join(Dir(root), "g")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(root, ""); err == nil {
		t.Error("a test in the folder of another function")
	}
}

func TestJUnit(t *testing.T) {
	text, err := JUnit([]Result{
		{Function: "f", Name: "good", OK: true, Took: time.Second},
		{Function: "f", Name: "bad", Differences: []Difference{{"result", `"<"`, ""}}},
		{Function: "g", Name: "stuck", Error: "why"},
	})
	for _, part := range []string{
		`<testsuites tests="3" failures="1">`, `<testsuite name="f" tests="2" failures="1" errors="0" time="1.000">`,
		`<failure message="1 differences">result: want &#34;&lt;&#34;, got nothing</failure>`, `<error message="it could not be run">why</error>`,
	} {
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
}

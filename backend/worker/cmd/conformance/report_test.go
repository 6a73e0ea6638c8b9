package main

import (
	"strings"
	"testing"

	"benchtop/backend/worker/conformance"
)

const said = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestConformance/kv-get"}
{"Action":"pass","Package":"p","Test":"TestConformance/kv-get"}
{"Action":"output","Package":"p","Test":"TestConformance/kv-put","Output":"it broke\n"}
{"Action":"fail","Package":"p","Test":"TestConformance/kv-put"}
{"Action":"skip","Package":"p","Test":"TestLog"}
{"Action":"fail","Package":"p"}
`

func TestReport(t *testing.T) {
	all, told := results{}, &strings.Builder{}
	ran, err := read(strings.NewReader(said), "backend/executor", all, told)
	if err != nil || ran != 3 || told.String() != "it broke\n" {
		t.Fatalf("%d tests, %v, told %q", ran, err, told)
	}
	log := conformance.Test{Folder: "backend/executor", Name: "TestLog"}
	get, put, gone := conformance.Script{Name: "kv-get"}, conformance.Script{Name: "kv-put"}, conformance.Script{Name: "url"}
	row := func(p conformance.Proof) member { return member{conformance.Row{Section: "2.5", Name: "row"}, p} }
	for _, tt := range []struct {
		name    string
		scripts []conformance.Script
		proof   conformance.Proof
		failed  bool
		lines   []string
	}{
		{"all is well", []conformance.Script{get}, conformance.Proof{Scripts: []string{"kv-get"}}, false, []string{"row pass", "kv 1 1 0", "total 1 1 0", "1 passed, 0 failed"}},
		{"a script fails", []conformance.Script{get, put}, conformance.Proof{Scripts: []string{"kv-get", "kv-put"}}, true, []string{"row (2) FAIL: kv-put", "kv 2 1 1", "1 passed, 1 failed"}},
		{"a script did not run", []conformance.Script{get, gone}, conformance.Proof{Scripts: []string{"kv-get"}}, true, []string{"row pass", "url 1 0 1", "1 passed, 1 failed"}},
		{"a test was skipped", []conformance.Script{get}, conformance.Proof{Tests: []conformance.Test{log}}, true, []string{"row FAIL: TestLog", "0 rows proved, 1 not", "1 passed, 0 failed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := &strings.Builder{}
			failed := report(out, tt.scripts, []member{row(tt.proof)}, all)
			if failed != tt.failed {
				t.Errorf("failed: %v", failed)
			}
			var lines []string
			for _, line := range strings.Split(out.String(), "\n") {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
			text := strings.Join(lines, "\n") + "\n"
			for _, want := range tt.lines {
				if !strings.Contains(text, want+"\n") {
					t.Errorf("no line %q in\n%s", want, out)
				}
			}
		})
	}
}

func TestUnreadableOutput(t *testing.T) {
	told := &strings.Builder{}
	if _, err := read(strings.NewReader("no json"), "p", results{}, told); err == nil {
		t.Error("it was read")
	}
	broken := `{"Action":"build-output","Output":"does not compile\n"}`
	if ran, err := read(strings.NewReader(broken), "p", results{}, told); ran != 0 || err != nil || told.String() != "does not compile\n" {
		t.Errorf("%d, %v, told %q", ran, err, told)
	}
}

package project

import (
	"os"
	"path/filepath"
	"testing"

	"benchtop/backend/contract"
)

func TestCalls(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := f.Calls(); err != nil || len(got.Calls) != 0 {
		t.Fatalf("a folder without calls: %v, %v", got, err)
	}
	for _, name := range []string{"b", "a first one"} {
		if _, err := f.SaveCall("greet", name, contract.SaveCallRequest{Body: contract.RawJSON(`{"args":{"n":12345678901234567890}}`), Caller: "anonymous"}); err != nil {
			t.Fatal(err)
		}
	}
	bad := filepath.Join(dir, ".benchtop/calls/greet/bad.json")
	if err := os.WriteFile(bad, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := f.Calls()
	if err != nil || len(got.Calls) != 2 || len(got.Problems) != 1 || got.Problems[0].File != ".benchtop/calls/greet/bad.json" {
		t.Fatalf("%+v, %v", got, err)
	}
	first := got.Calls[0]
	if first.Name != "a first one" || first.Function != "greet" || first.Caller != "anonymous" || first.Path != ".benchtop/calls/greet/a first one.json" {
		t.Fatalf("%+v", first)
	}
	if want := "{\n    \"args\": {\n      \"n\": 12345678901234567890\n    }\n  }"; string(first.Body) != want {
		t.Fatalf("the body is %s", first.Body)
	}
	if there, err := f.RemoveCall("greet", "b"); !there || err != nil {
		t.Fatalf("remove: %v, %v", there, err)
	}
	if there, err := f.RemoveCall("greet", "b"); there || err != nil {
		t.Fatalf("remove again: %v, %v", there, err)
	}
}

func TestCallNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "paid 2.5": true, "": false, ".": false, "..": false, "../x": false, "a/b": false, `a\b`: false, "a.": false, "a ": false, "-a": false, "a\x00": false,
	} {
		if err := CheckCallName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestCallsStayInside(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".benchtop"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(dir, ".benchtop/calls")); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.SaveCall("greet", "a", contract.SaveCallRequest{Body: contract.RawJSON(`{}`)}); err == nil {
		t.Fatal("a call was written outside of the folder")
	}
}

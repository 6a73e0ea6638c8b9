package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"benchtop/backend/functions"
	"benchtop/backend/manifest"
)

func aFunction(agentID, name string, version int) functions.Function {
	return functions.Function{
		AgentID: agentID, Name: name, Version: version,
		Manifest: manifest.Manifest{
			Runtime: manifest.RuntimeJS, Description: "Preis für „alles“",
			Permissions: manifest.Permissions{
				KV: manifest.KV{Self: manifest.ModeRW}, Secrets: []string{"API_KEY", "write"}, Fetch: []string{"https://example.com"},
			},
			Limits:     manifest.Limits{WallMs: 500},
			Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
		},
		ManifestText: "{\n  // as written\n}", Source: fmt.Sprintf("export default () => %d // \x00 ü", version),
		SourceSHA256: fmt.Sprintf("%064d", version), ContentID: fmt.Sprint("content-", version),
		File: "functions/" + name + "/index.js", Surface: "ui", CreatedAt: epoch.Add(time.Duration(version) * time.Second),
	}
}

func testFunctions(t *testing.T, s Stores) {
	if last, err := s.Functions.LastVersion(ctx, "a", "quote"); last != 0 || err != nil {
		t.Fatalf("last version of nothing: %d, %v", last, err)
	}
	for v := 1; v <= 3; v++ {
		must(t, s.Functions.PutFunction(ctx, aFunction("a", "quote", v)))
	}
	must(t, s.Functions.PutFunction(ctx, aFunction("a", "digest", 1)))
	must(t, s.Functions.PutFunction(ctx, aFunction("b", "quote", 1)))
	if err := s.Functions.PutFunction(ctx, aFunction("a", "quote", 3)); err == nil {
		t.Error("a version was stored twice")
	}

	s = s.Reopen(t)
	current, err := s.Functions.CurrentFunctions(ctx)
	must(t, err)
	want := []functions.Function{aFunction("a", "digest", 1), aFunction("a", "quote", 3), aFunction("b", "quote", 1)}
	if !reflect.DeepEqual(current, want) {
		t.Fatalf("current functions\n got %+v\nwant %+v", current, want)
	}

	removed, err := s.Functions.RemoveFunction(ctx, "a", "quote")
	if !removed || err != nil {
		t.Fatalf("remove: %v, %v", removed, err)
	}
	if removed, err = s.Functions.RemoveFunction(ctx, "a", "quote"); removed || err != nil {
		t.Fatalf("remove again: %v, %v", removed, err)
	}
	if current, err = s.Functions.CurrentFunctions(ctx); len(current) != 2 || err != nil {
		t.Fatalf("after removing: %v, %v", current, err)
	}
	old, err := s.Functions.FunctionVersion(ctx, "a", "quote", 2)
	must(t, err)
	if want := aFunction("a", "quote", 2); old == nil || !reflect.DeepEqual(*old, want) {
		t.Fatalf("version 2\n got %+v\nwant %+v", old, want)
	}
	if none, err := s.Functions.FunctionVersion(ctx, "a", "quote", 4); none != nil || err != nil {
		t.Fatalf("version 4: %v, %v", none, err)
	}
	for _, v := range []int{1, 3} { // past and removed
		f, err := s.Functions.FunctionByContent(ctx, "a", fmt.Sprint("content-", v))
		must(t, err)
		if f == nil || f.Version != v || f.Source != aFunction("a", "quote", v).Source {
			t.Errorf("the source content-%d is %+v", v, f)
		}
	}
	for _, of := range [][2]string{{"b", "content-3"}, {"a", "content-4"}, {"a", ""}} {
		if f, err := s.Functions.FunctionByContent(ctx, of[0], of[1]); f != nil || err != nil {
			t.Errorf("the source %v is %+v, %v; want none", of, f, err)
		}
	}
	if last, err := s.Functions.LastVersion(ctx, "a", "quote"); last != 3 || err != nil {
		t.Fatalf("last version of a removed function: %d, %v; its numbers must not be used again", last, err)
	}
}

func testFunctionsNoun(t *testing.T, s Stores) {
	ids := 0
	load := func(s Stores) *functions.Functions {
		fs, err := functions.New(ctx, functions.Config{
			Store: s.Functions, Now: func() time.Time { return epoch },
			NewID: func() string { ids++; return fmt.Sprint("content-", ids) },
		})
		must(t, err)
		return fs
	}
	fs := load(s)
	declare := func(name, source string) *functions.Function {
		t.Helper()
		f, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: name, Source: source, Surface: "cli"})
		must(t, err)
		return f
	}
	first := declare("quote", "one")
	again := declare("quote", "one")
	third := declare("quote", "two")
	declare("digest", "x")
	if first.Version != 1 || again.Version != 2 || third.Version != 3 {
		t.Errorf("versions %d, %d, %d; want 1, 2, 3", first.Version, again.Version, third.Version)
	}
	if first.ContentID != again.ContentID || again.ContentID == third.ContentID {
		t.Errorf("content ids %s, %s, %s; want a new one for a new source only", first.ContentID, again.ContentID, third.ContentID)
	}
	if names := fs.Names("a"); !reflect.DeepEqual(names, []string{"digest", "quote"}) {
		t.Errorf("names %v", names)
	}
	gone, err := fs.Remove(ctx, "a", "quote")
	must(t, err)
	if gone != third {
		t.Errorf("removed %+v, want what served", gone)
	}
	if gone, err = fs.Remove(ctx, "a", "quote"); gone != nil || err != nil {
		t.Errorf("removed twice: %v, %v", gone, err)
	}
	if f := declare("quote", "three"); f.Version != 4 {
		t.Errorf("version %d after a removal, want 4", f.Version)
	}

	before, _ := fs.Get("a", "quote")
	after, ok := load(s.Reopen(t)).Get("a", "quote")
	if !ok || !reflect.DeepEqual(before, after) {
		t.Errorf("after a restart\n got %+v\nwant %+v", after, before)
	}
}

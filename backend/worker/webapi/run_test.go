package webapi_test

import (
	"encoding/json"
	"testing"
	"time"

	"benchtop/backend/worker/compile"
	"benchtop/backend/worker/language"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/webapi"
)

// factory has this package's scripts and the language's, and in the place of
// those that need a host two that say nothing.
func factory(t testing.TB) *sandbox.Factory {
	t.Helper()
	scripts, err := webapi.Scripts()
	if err != nil {
		t.Fatal(err)
	}
	lang, err := language.New()
	if err != nil {
		t.Fatal(err)
	}
	more, err := lang.Scripts()
	if err != nil {
		t.Fatal(err)
	}
	scripts = append(append(scripts, more...),
		sandbox.Script{Name: "log", Source: "(function () { const f = () => {}; return { log: { debug: f, info: f, warn: f, error: f } }; })"},
		sandbox.Script{Name: "fetch", Source: "(function () { return { fetch() {} }; })"})
	f, err := sandbox.NewFactory(sandbox.Config{Scripts: scripts, Ops: append(webapi.Ops(), lang.Ops()...), Globals: webapi.Globals()})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// run runs source in a sandbox of its own, with data as ctx.data, and reads
// what it gives.
func run[T any](t testing.TB, f *sandbox.Factory, source string, data any) (result T) {
	t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	code, problems, _ := compile.Source("functions/f/index.js", source)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	script, err := compile.Program(code)
	if err != nil {
		t.Fatal(err)
	}
	sb, err := f.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := sb.Start(sandbox.Run{Script: script, Members: []sandbox.Member{{Name: "data", JSON: text}},
		Now: time.Now, Random: func() float64 { return 0.5 }}); err != nil {
		t.Fatal(err)
	}
	o := sb.Outcome()
	if o == nil || o.Error != nil {
		t.Fatalf("the script ended with %+v", o)
	}
	if err := json.Unmarshal(o.Value, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

// rate prints how many of a public set passed and fails below the least.
func rate(t *testing.T, set string, passed, all int, least float64) {
	t.Helper()
	share := 100 * float64(passed) / float64(all)
	t.Logf("%-40s %6d of %6d  %.2f %%", set, passed, all, share)
	if all == 0 || share < least {
		t.Errorf("%s: %.2f %% pass, at least %.2f %% must", set, share, least)
	}
}

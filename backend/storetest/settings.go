package storetest

import (
	"encoding/json"
	"reflect"
	"testing"

	"benchtop/backend/functions"
)

func testSettings(t *testing.T, s Stores) {
	if got, err := s.Settings.LoadSettings(ctx); got != nil || err != nil {
		t.Fatalf("settings of a new database: %s, %v", got, err)
	}
	for _, text := range []string{`{"a":1}`, `{"b":"ü"}`} {
		must(t, s.Settings.SaveSettings(ctx, json.RawMessage(text)))
		s = s.Reopen(t)
		if got, err := s.Settings.LoadSettings(ctx); string(got) != text || err != nil {
			t.Fatalf("settings %s, %v; want %s", got, err, text)
		}
	}
}

// Versions are listed newest first, without their texts, and outlive the
// function.
func testVersions(t *testing.T, s Stores) {
	fs, err := functions.New(ctx, functions.Config{Store: s.Functions})
	must(t, err)
	var want []functions.VersionInfo
	for _, source := range []string{"one", "two", "drei ü"} {
		f, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f", Source: source, Surface: "cli"})
		must(t, err)
		want = append([]functions.VersionInfo{{
			Version: f.Version, ContentID: f.ContentID, SourceSHA256: f.SourceSHA256, SourceBytes: len(source),
			Surface: "cli", CreatedAt: f.CreatedAt,
		}}, want...)
	}
	_, err = fs.Put(ctx, functions.Function{AgentID: "b", Name: "f", Source: "x"})
	must(t, err)
	_, err = fs.Remove(ctx, "a", "f")
	must(t, err)
	if got, err := fs.Versions(ctx, "a", "f"); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("versions\n got %+v, %v\nwant %+v", got, err, want)
	}
	if got, err := fs.Versions(ctx, "a", "nobody"); err != nil || len(got) != 0 {
		t.Fatalf("versions of nothing: %+v, %v", got, err)
	}
}

package language

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"benchtop/backend/worker/sandbox"
)

func open(t testing.TB) *Language {
	l, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestArchive reads every file of the archive once.
func TestArchive(t *testing.T) {
	in := open(t).intl
	for _, f := range in.archive.File {
		text, err := in.read(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, ".json") && !json.Valid(text) {
			t.Errorf("%s is not JSON", f.Name)
		}
	}
	if text, err := in.read("LICENSE"); err != nil || !strings.Contains(string(text), "MIT") {
		t.Errorf("the licence is missing: %v", err)
	}
}

// TestZones loads every time zone that Intl names.
func TestZones(t *testing.T) {
	in := open(t).intl
	zones, err := in.zones()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range zones {
		if _, err := in.zone(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "Local", "europe/berlin", "../../etc/passwd", "Nowhere/Land"} {
		if l, err := in.zone(name); err == nil {
			t.Errorf("%q is %v", name, l)
		}
	}
	berlin, err := in.zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	if _, s := time.UnixMilli(1720000000000).In(berlin).Zone(); s != 7200 {
		t.Errorf("Berlin in summer is %d s from UTC", s)
	}
}

func TestBestFormat(t *testing.T) {
	in := open(t).intl
	text, err := in.read("formats/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []dateFormat
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for wishes, skeleton := range map[string]string{
		",,numeric,long,,,,,,,,":                "yMMMM",
		",,numeric,numeric,numeric,,,,,,,":      "yMd",
		"short,,,short,numeric,,,,,,,":          "MMMEd",
		",,,,,,numeric,2-digit,,,,1":            "h:mm a",
		",,,,,,numeric,2-digit,,,,":             "Hm",
		",,numeric,,,,,,,,,":                    "y",
		",,,,,,2-digit,2-digit,2-digit,,,":      "Hms",
		"long,,numeric,long,numeric,,,,,,,":     "EEEE, MMMM d, y",
		",short,numeric,numeric,numeric,,,,,,,": "GyMd",
		"no,such,wish":                          "",
	} {
		var answer []json.RawMessage
		if err := json.Unmarshal(bestFormat(all, strings.Split(wishes, ",")), &answer); err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(answer) > 0 {
			got = strings.Trim(string(answer[0]), `"`)
		}
		if got != skeleton {
			t.Errorf("%s: %q, want %q", wishes, got, skeleton)
		}
	}
}

func TestIndices(t *testing.T) {
	for _, tt := range []struct {
		source, flags, text string
		at                  int
		want                string
	}{
		{"b", "", "ab", 1, "[1,2]"},
		{"(x)?b", "", "ab", 1, "[1,2,-1,-1]"},
		{"(.)b", "", "😀b", 1, "[1,3,1,2]"},
		{"(.)b", "u", "😀b", 0, "[0,3,0,2]"},
		{"$", "", "ab", 2, "[2,2]"},
		{"z", "", "ab", 0, "[]"},
	} {
		got, err := indices(tt.source, tt.flags, tt.text, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(got.(sandbox.JSON)); s != tt.want {
			t.Errorf("/%s/%s on %q: %s, want %s", tt.source, tt.flags, tt.text, s, tt.want)
		}
	}
}

func FuzzCollate(f *testing.F) {
	f.Add("de", "base", "a", "B", true, false)
	f.Add("xx-invalid-", "variant", "\xff", "", false, true)
	l := open(f)
	f.Fuzz(func(t *testing.T, locale, sensitivity, a, b string, numeric, upper bool) {
		o := order{locale: locale, sensitivity: sensitivity, numeric: numeric}
		if x, y := l.intl.compare(o, upper, a, b), l.intl.compare(o, upper, b, a); x != -y {
			t.Fatalf("%q and %q: %d and %d", a, b, x, y)
		}
	})
}

package hostapi

import (
	"strings"
	"testing"
)

func TestABodyInATraceReadsAsWhatItIs(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"", ""},
		{"hello", `"hello"`},
		{`{"n": 1.50}`, `{"n": 1.50}`},
		{`{"access_token": "s3\"cret", "ok": true}`, `{"access_token": "…", "ok": true}`},
		{"grant_type=x&client_secret=abc&scope=y", `"grant_type=x\u0026client_secret=…\u0026scope=y"`},
		{"\x89PNG\x00\xff", `{"hex":"89504e4700ff"}`},
		{"a\x00b", `{"hex":"610062"}`},
	} {
		if got := string(traced([]byte(c.body))); got != c.want {
			t.Errorf("%q is shown as %s, want %s", c.body, got, c.want)
		}
	}
}

func TestALongBodyIsCutBetweenCharacters(t *testing.T) {
	got := string(traced([]byte(strings.Repeat("é", mostTraced))))
	if want := `"` + strings.Repeat("é", mostTraced/2) + `"`; got != want {
		t.Errorf("%d bytes are kept, want %d", len(got), len(want))
	}
	got = string(traced([]byte("x" + strings.Repeat("é", mostTraced))))
	if want := `"x` + strings.Repeat("é", mostTraced/2-1) + `"`; got != want {
		t.Errorf("%d bytes are kept, want %d", len(got), len(want))
	}
}

package executor

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A tail keeps the first and the last bytes, whatever the writes were.
func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all strings.Builder
		tail := &tail{}
		for range rapid.IntRange(0, 12).Draw(t, "writes") {
			text := strings.Repeat(rapid.StringMatching(`[a-z]{1,7}`).Draw(t, "text"), rapid.IntRange(0, 900).Draw(t, "times"))
			all.WriteString(text)
			if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		want := all.String()
		if len(want) >= tailHead+tailRing {
			want = want[:tailHead] + "\n...\n" + want[len(want)-tailRing:]
		}
		if got := tail.text(); got != want {
			t.Fatalf("kept %d bytes, want %d", len(got), len(want))
		}
	})
}

// Only what the Go runtime itself says is shown: a panic's text may come from
// a function, and hold a secret.
func TestReasons(t *testing.T) {
	text := "runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow\n" +
		"panic: sk_live_secret\ngoroutine 1 [running]:\nmain.f(0x1)\npanic: runtime error: index out of range [5] with length 3\n"
	want := []string{"runtime: goroutine stack exceeds 67108864-byte limit", "fatal error: stack overflow",
		"panic: runtime error: index out of range [5] with length 3"}
	if got := reasons(text); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

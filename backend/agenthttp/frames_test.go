package agenthttp

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// dataOf reads an event stream as its clients do: the data of its events.
func dataOf(stream string) (events []string) {
	var data []string
	for line := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(stream), "\n") {
		if line == "" {
			if data != nil {
				events = append(events, strings.Join(data, "\n"))
			}
			data = nil
			continue
		}
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(rest, " "))
		}
	}
	return events
}

// FuzzFrames: whatever text a handler yields is one event with that text, unless
// it is framed already.
func FuzzFrames(f *testing.F) {
	for _, s := range []string{"", "a", "a\nb", "a\r\nb\r", "data: x", "data: x\n\n", ":\n\n", "\n\n", "event: x\ndata: y\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		p := &httpPeer{events: true}
		b, err := p.frame(chunk{Text: &text})
		if err != nil {
			t.Fatal(err)
		}
		if framed(text) {
			if string(b) != text {
				t.Errorf("%q became %q", text, b)
			}
			return
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
		if got := dataOf(string(b)); len(got) != 1 || got[0] != want {
			t.Errorf("%q became %q, which reads as %q", text, b, got)
		}
	})
}

func TestCloseCodes(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   int
		reason string
	}{
		{nil, 1000, ""},
		{errors.New("disk /secret"), 1011, "a fault of the platform"},
		{contract.Errorf(contract.JSRuntimeError, "oops"), 4000, "JS_RUNTIME_ERROR: oops"},
		{contract.Errorf(contract.PermissionDenied, "PERMISSION_DENIED: no"), 4000, "PERMISSION_DENIED: no"},
		{contract.Errorf(contract.WallTimeout, "late"), 1011, "WALL_TIMEOUT: late"},
		{contract.Errorf(contract.MemoryLimitExceeded, "much"), 1011, "MEMORY_LIMIT_EXCEEDED"},
		{contract.Errorf(contract.ExecutorInternal, "gone"), 1011, "EXECUTOR_INTERNAL"},
		{contract.Errorf(contract.InvocationCancelled, "stop"), 1001, "stop"},
	} {
		if code, reason := closeCode(c.err); code != c.code || !strings.HasPrefix(strings.TrimPrefix(reason, "INVOCATION_CANCELLED: "), c.reason) || strings.Contains(reason, "secret") {
			t.Errorf("%v: %d %q, want %d %q", c.err, code, reason, c.code, c.reason)
		}
	}
	if b := closeMessage(4000, strings.Repeat("ü", 200)); len(b) > 125 || !utf8.Valid(b[2:]) {
		t.Errorf("a close frame of %d bytes", len(b))
	}
}

// Who belongs to which scope, contract.md 6.3.
func TestScopes(t *testing.T) {
	callers := map[string]auth.Caller{
		"nobody": {Kind: auth.KindAnonymous}, "refused": {Kind: auth.KindAnonymous, Refused: true}, "none": {},
		"owner": {Kind: auth.KindOwner, UserID: auth.OwnerUserID}, "admin": {Kind: auth.KindAdmin, UserID: auth.AdminUserID},
		"visitor": {Kind: auth.KindVisitor, UserID: "v"}, "agent": {Kind: auth.KindAgent, AgentID: "a1"},
		"owner's token": {Kind: auth.KindPortal, UserID: auth.OwnerUserID}, "an agent's token": {Kind: auth.KindPortal, UserID: auth.OwnerUserID, AgentID: "a1"},
	}
	inside := map[string][]string{"owner": {"owner", "admin", "owner's token"}, "admin": {"admin"}, "": {}, "user": {}}
	for scope, names := range inside {
		for name, c := range callers {
			want := false
			for _, n := range names {
				want = want || n == name
			}
			if within(c, scope) != want {
				t.Errorf("%s in %q: %v", name, scope, !want)
			}
		}
	}
	for name, c := range callers {
		if !within(c, "all") {
			t.Errorf("%s is not in all", name)
		}
	}
}

func TestMessageRate(t *testing.T) {
	now := time.Unix(0, 0)
	b := bucket{tokens: messageBurst, at: now}
	for i := range messageBurst {
		if !b.take(now) {
			t.Fatalf("message %d of the burst was refused", i)
		}
	}
	if b.take(now) {
		t.Error("one more was taken")
	}
	now = now.Add(time.Second)
	for i := range messageRate {
		if !b.take(now) {
			t.Fatalf("message %d of the next second was refused", i)
		}
	}
	if b.take(now) {
		t.Error("one more in that second was taken")
	}
}

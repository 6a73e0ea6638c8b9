package worker

import (
	"fmt"
	"path"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/worker/conformance"
	"benchtop/backend/worker/wire"
)

// TestConformance runs every script through a worker over pipes, but those that
// end the process: here it is the test's own, and only a real end stops them.
// The executor runs those too.
func TestConformance(t *testing.T) {
	scripts, err := conformance.Load("testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	c := start(t)
	for _, s := range scripts {
		if s.Expect.Code == contract.MemoryLimitExceeded {
			continue
		}
		ok := t.Run(s.Name, func(t *testing.T) {
			c.t = t
			conform(t, c, s)
		})
		if !ok && len(c.exit) > 0 {
			t.Fatal("the worker is gone")
		}
	}
	c.t = t
}

func conform(t *testing.T, c *client, s conformance.Script) {
	want := s.Expect
	if want.Compile {
		res := c.compile(s.File, s.Source)
		if len(res.Errors) == 0 {
			t.Fatal("it compiles")
		}
		e := res.Errors[0]
		failed(t, want, e.Code, e.Message, fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column))
		return
	}
	spec := c.prepared(s.File, s.Source)
	spec.Context, spec.Permissions, spec.Entrypoint = s.Context, s.Manifest.Permissions, s.Manifest.Entrypoint
	spec.WallMs, spec.MemoryMb = s.Limits.WallMs, s.Limits.MemoryMb
	spec.IngressBytes, spec.EgressBytes = s.Limits.IngressBytes, s.Limits.EgressBytes
	spec.Siblings = []string{"f", "other"}
	asked := map[string]int{}
	got := c.run(spec, func(h wire.Host) *contract.HostReply {
		replies := s.Host[h.Method]
		if len(replies) == 0 {
			return &contract.HostReply{Error: &contract.HostFailed{Code: contract.HostBridgeError, Message: "no host bridge is connected"}}
		}
		i := min(asked[h.Method], len(replies)-1)
		asked[h.Method]++
		return &replies[i]
	})
	if e := got.result.Error; e != nil {
		if want.OK {
			t.Fatalf("failed: %s %s at %s\n%s", e.Code, e.Message, place(e.At), e.Stack)
		}
		failed(t, want, e.Code, e.Message, place(e.At))
	} else {
		if !want.OK {
			t.Fatalf("gave %.200s, want %s", got.result.Value, want.Code)
		}
		if a, b := compact(t, got.result.Value), compact(t, want.Value); a != b {
			t.Errorf("value\n got %.2000s\nwant %.2000s", a, b)
		}
	}
	if want.Calls != nil {
		if len(want.Calls) != len(got.calls) {
			t.Fatalf("host calls %+v, want %+v", got.calls, want.Calls)
		}
		for i, w := range want.Calls {
			if g := got.calls[i]; g.Method != w.Method || compact(t, g.Args) != compact(t, w.Args) || g.N != i+1 {
				t.Errorf("host call %d is %s %s, want %s %s", g.N, g.Method, g.Args, w.Method, w.Args)
			}
		}
	}
	if want.Logs != nil {
		var lines []string
		for _, l := range got.logs {
			lines = append(lines, l.Level+" "+l.Message)
		}
		if fmt.Sprint(lines) != fmt.Sprint(want.Logs) {
			t.Errorf("logs\n got %q\nwant %q", lines, want.Logs)
		}
	}
	if want.Events != nil {
		if len(want.Events) != len(got.events) {
			t.Fatalf("events %+v, want %+v", got.events, want.Events)
		}
		for i, w := range want.Events {
			if g := got.events[i]; g.Event != w.Event || compact(t, g.Payload) != compact(t, w.Payload) {
				t.Errorf("event %s %s, want %s %s", g.Event, g.Payload, w.Event, w.Payload)
			}
		}
	}
}

func failed(t *testing.T, want conformance.Expect, code contract.Code, message, at string) {
	t.Helper()
	if want.OK || code != want.Code {
		t.Fatalf("ended with %s: %s (at %s), want %+v", code, message, at, want)
	}
	if want.Message != "" && !contains(message, want.Message) {
		t.Errorf("message %q, want a part of it to be %q", message, want.Message)
	}
	if want.At != "" && path.Base(at) != want.At {
		t.Errorf("at %s, want %s", at, want.At)
	}
}

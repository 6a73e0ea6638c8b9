package exectest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/worker/conformance"
)

// host answers host calls with a function and keeps the rest.
type host struct {
	call  func(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply
	mu    sync.Mutex
	logs  []contract.LogLine
	emits []contract.EmittedEvent
}

func (h *host) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	return h.call(ctx, n, method, args)
}

func (h *host) Log(_ int64, l contract.LogLine) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logs = append(h.logs, l)
}

func (h *host) Emit(_ int64, e contract.EmittedEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.emits = append(h.emits, e)
}

func (h *host) Fetch(contract.TraceEntry) {}

// Conform runs a conformance script on an executor and reports what is not as
// the script says.
func Conform(t *testing.T, on invocation.Executor, s conformance.Script) {
	t.Helper()
	sum := sha256.Sum256([]byte(s.Source))
	j := invocation.Job{
		InvocationID: "i-" + s.Name, AgentID: "a", Function: "f",
		Source: invocation.Source{Text: s.Source, SHA256: hex.EncodeToString(sum[:])},
	}
	j.Source.Name, j.Entrypoint, j.Context = s.File, s.Manifest.Entrypoint, s.Context
	j.Permissions, j.Limits, j.Siblings = s.Manifest.Permissions, s.Manifest.Limits, []string{"f", "other"}
	j.ClockStartMs = 1_700_000_000_000
	var mu sync.Mutex
	arrived := sync.NewCond(&mu)
	calls := []conformance.Call{}
	h := &host{call: func(_ context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
		mu.Lock()
		defer mu.Unlock()
		for len(calls) < n-1 { // answers are given in the order of the calls
			arrived.Wait()
		}
		asked := 0
		for _, c := range calls {
			if c.Method == method {
				asked++
			}
		}
		calls = append(calls, conformance.Call{Method: method, Args: args})
		arrived.Broadcast()
		replies := s.Host[method]
		if len(replies) == 0 {
			return contract.HostReply{Error: &contract.HostFailed{Code: contract.HostBridgeError, Message: "no host bridge is connected"}}
		}
		return replies[min(asked, len(replies)-1)]
	}}
	if s.Expect.Compile {
		found := on.Check(t.Context(), j.Source, j.Entrypoint).Errors
		if len(found) == 0 {
			t.Fatal("it compiles")
		}
		p := found[0]
		judge(t, s.Expect, invocation.Outcome{Code: p.Code, Message: p.Message, At: &contract.SourcePos{File: p.File, Line: p.Line, Column: p.Column}})
		return
	}
	judge(t, s.Expect, on.Run(t.Context(), j, h))
	if want := s.Expect.Calls; want != nil && encode(t, calls) != encode(t, want) {
		t.Errorf("host calls\n got %s\nwant %s", encode(t, calls), encode(t, want))
	}
	if want := s.Expect.Logs; want != nil {
		var lines []string
		for _, line := range h.logs {
			lines = append(lines, line.Level+" "+line.Message)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("logs\n got %q\nwant %q", lines, want)
		}
	}
	if want := s.Expect.Events; want != nil {
		var events []conformance.Event
		for _, e := range h.emits {
			events = append(events, conformance.Event{Event: e.Event, Payload: e.Payload})
		}
		if encode(t, events) != encode(t, want) {
			t.Errorf("events\n got %s\nwant %s", encode(t, events), encode(t, want))
		}
	}
}

func judge(t *testing.T, want conformance.Expect, o invocation.Outcome) {
	t.Helper()
	at := ""
	if o.At != nil && o.At.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", path.Base(o.At.File), o.At.Line, o.At.Column)
	}
	if want.OK != (o.Code == "") || o.Code != want.Code {
		t.Fatalf("ended with %q %s at %s (value %s), want %+v", o.Code, o.Message, at, o.Value, want)
	}
	if !strings.Contains(o.Message, want.Message) {
		t.Errorf("message %q, want a part of it to be %q", o.Message, want.Message)
	}
	if want.At != "" && at != want.At {
		t.Errorf("at %s, want %s", at, want.At)
	}
	if got, want := ordered(t, o.Value), ordered(t, want.Value); want != got {
		t.Errorf("value\n got %s\nwant %s", got, want)
	}
}

// encode gives the JSON of v with its keys in order.
func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return ordered(t, b)
}

func ordered(t *testing.T, raw contract.RawJSON) string {
	t.Helper()
	if len(raw) == 0 {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

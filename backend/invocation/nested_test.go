package invocation

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
)

// family is a world whose functions call each other. What each does is in does,
// by name; invoke is its ctx.fn.invoke.
type family struct {
	*world
	fns  map[string]*functions.Function
	does map[string]func(ctx context.Context, job Job, invoke func(Nested) contract.HostReply) Outcome
}

func newFamily(t *testing.T, names ...string) *family {
	t.Helper()
	f := &family{world: newWorld(t), fns: map[string]*functions.Function{},
		does: map[string]func(context.Context, Job, func(Nested) contract.HostReply) Outcome{}}
	for _, n := range names {
		f.fns[n] = &functions.Function{AgentID: "a1", Name: n, Version: 1, Source: "x", SourceSHA256: n, Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS}}
	}
	f.cfg.Functions = f
	f.cfg.OpenHost = func(p Pins) HostSession { return nestSession{fakeSession{f.world}, f, p} }
	f.exec = func(ctx context.Context, job Job, host Host) Outcome {
		do := f.does[job.Function]
		if do == nil {
			return Outcome{Value: json.RawMessage(`"done"`)}
		}
		var n atomic.Int32
		return do(ctx, job, func(call Nested) contract.HostReply {
			args, _ := json.Marshal(call)
			return host.HostCall(ctx, int(n.Add(1)), "fn.invoke", args)
		})
	}
	return f
}

func (f *family) Get(_, name string) (*functions.Function, bool) {
	fn, ok := f.fns[name]
	return fn, ok
}

// nestSession is a host bridge that knows fn.invoke.
type nestSession struct {
	fakeSession
	f    *family
	pins Pins
}

func (s nestSession) Call(ctx context.Context, _ int, _ string, args json.RawMessage) contract.HostReply {
	var n Nested
	if err := json.Unmarshal(args, &n); err != nil {
		panic(err)
	}
	n.Parent = s.pins.InvocationID
	value, _, err := s.f.InvokeNested(ctx, n)
	if err != nil {
		e := contract.AsError(err)
		return contract.HostReply{Error: &contract.HostFailed{Code: e.Code, Message: e.Message}}
	}
	return contract.HostReply{OK: true, Result: value}
}

func (f *family) call(t *testing.T, name string) contract.InvokeResult {
	t.Helper()
	req := request(`{}`, "")
	req.Function = name
	a, err := f.Invoke(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return result(t, a)
}

// then gives the reply of one nested call as the outcome.
func then(n Nested) func(context.Context, Job, func(Nested) contract.HostReply) Outcome {
	return func(_ context.Context, _ Job, invoke func(Nested) contract.HostReply) Outcome {
		r := invoke(n)
		if r.OK {
			return Outcome{Value: r.Result}
		}
		return Outcome{Code: r.Error.Code, Message: r.Error.Message}
	}
}

// f0 calls f1, which calls f2, ...
func chain(t *testing.T, depth int) *family {
	var names []string
	for i := range depth + 1 {
		names = append(names, fmt.Sprint("f", i))
	}
	f := newFamily(t, names...)
	for i := range depth {
		f.does[names[i]] = then(Nested{Name: names[i+1]})
	}
	return f
}

func TestChainDepth(t *testing.T) {
	f := chain(t, contract.MaxChainDepth)
	if r := f.call(t, "f0"); !r.OK || string(r.Result) != `"done"` {
		t.Fatalf("four deep: %+v", r)
	}
	root := f.rows[len(f.rows)-1]
	for i, row := range f.rows { // the deepest ends first
		depth := contract.MaxChainDepth - i
		if row.FunctionName != fmt.Sprint("f", depth) || row.ChainDepth != depth || row.RootInvocationID != root.ID || row.BilledTo != "owner" {
			t.Errorf("row %d: %+v", i, row)
		}
		if depth == 0 {
			if row.ParentInvocationID != "" || row.SourceSkill != contract.SkillManual {
				t.Errorf("root: %+v", row)
			}
			continue
		}
		if parent := f.rows[i+1]; row.ParentInvocationID != parent.ID || row.ConsumerID != parent.ID || row.SourceSkill != contract.SkillFunction || row.CallerUserID != "" {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	trace := f.detail[len(f.detail)-1].Trace
	if len(trace) != 1 || trace[0].Name != "fn.invoke" || trace[0].InvocationID != f.rows[len(f.rows)-2].ID || string(trace[0].Result) != `"done"` {
		t.Errorf("trace %+v", trace)
	}

	f = chain(t, contract.MaxChainDepth+1)
	r := f.call(t, "f0")
	if r.ErrorCode != contract.FnChainTooDeep || !strings.Contains(r.ErrorMessage, "f0 -> f1 -> f2 -> f3 -> f4 -> f5") {
		t.Errorf("five deep: %+v", r)
	}
	if n := f.runs.Load(); n != contract.MaxChainDepth+1 {
		t.Errorf("%d runs", n)
	}
}

// A chain sees one clock that goes on: what it calls begins later than it did, and
// the history says for each run where its own began.
func TestChainUnderAClock(t *testing.T) {
	f := chain(t, 2)
	real := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	f.cfg.Now = func() time.Time { real = real.Add(10 * time.Millisecond); return real }
	started := map[string]int64{}
	do := f.exec
	f.exec = func(ctx context.Context, job Job, host Host) Outcome {
		started[job.Function] = job.ClockStartMs
		real = real.Add(5 * time.Second)
		return do(ctx, job, host)
	}
	for _, fn := range f.fns {
		fn.Manifest.Limits.WallMs = 60_000
	}
	clock, err := contract.ParseClock("2026-12-31T23:59:50+01:00[Europe/Berlin]")
	if err != nil {
		t.Fatal(err)
	}
	req := request(`{}`, "")
	req.Function, req.Clock = "f0", clock
	if a, err := f.Invoke(t.Context(), req); err != nil || !result(t, a).OK {
		t.Fatal(err, string(a.Body))
	}
	if started["f0"] != clock.Start.UnixMilli() {
		t.Errorf("f0 begins at %d", started["f0"])
	}
	for i, name := range []string{"f1", "f2"} {
		begun := time.Duration(started[name]-started["f0"]) * time.Millisecond
		if least := time.Duration(i+1) * 5 * time.Second; begun < least || begun > least+time.Second {
			t.Errorf("%s begins %s after f0", name, begun)
		}
	}
	for i, name := range []string{"f2", "f1", "f0"} {
		replay := f.detail[i].Replay
		had, err := contract.ParseClock(replay.Clock)
		if err != nil || had.Zone != "Europe/Berlin" || had.Start.UnixMilli() != started[name] || replay.ClockStartMs != started[name] {
			t.Errorf("%s: %+v %v", name, replay, err)
		}
	}
	if finished := f.rows[2].FinishedAt; finished[:11] != "2026-03-01T" {
		t.Errorf("the history has %s", finished)
	}
	f.call(t, "f2")
	if replay := f.detail[3].Replay; replay.Clock != "" || replay.ClockStartMs < real.UnixMilli()-60_000 || replay.ClockStartMs > real.UnixMilli() {
		t.Errorf("without a clock: %+v", replay)
	}
}

func TestCycles(t *testing.T) {
	for _, tt := range []struct {
		name, start, says string
		self              string // has selfRecursion
		calls             map[string]string
		code              contract.Code
	}{
		{"itself", "a", "a -> a", "", map[string]string{"a": "a"}, contract.FnCycleDetected},
		{"itself as self", "a", "a -> a", "", map[string]string{"a": "self"}, contract.FnCycleDetected},
		{"by way of others", "a", "a -> b -> c -> a", "", map[string]string{"a": "b", "b": "c", "c": "a"}, contract.FnCycleDetected},
		{"in the middle", "a", "a -> b -> c -> b", "", map[string]string{"a": "b", "b": "c", "c": "b"}, contract.FnCycleDetected},
		{"itself with selfRecursion", "a", "a -> a -> a -> a -> a -> a", "a", map[string]string{"a": "a"}, contract.FnChainTooDeep},
		{"as self with selfRecursion", "a", "a -> a -> a -> a -> a -> a", "a", map[string]string{"a": "self"}, contract.FnChainTooDeep},
		{"another's selfRecursion", "a", "a -> b -> a", "b", map[string]string{"a": "b", "b": "a"}, contract.FnCycleDetected},
		{"nobody", "a", "no function", "", map[string]string{"a": "zzz"}, contract.FnNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFamily(t, "a", "b", "c")
			for from, to := range tt.calls {
				f.does[from] = then(Nested{Name: to})
			}
			if tt.self != "" {
				f.fns[tt.self].Manifest.Permissions.SelfRecursion = true
			}
			if r := f.call(t, tt.start); r.ErrorCode != tt.code || !strings.Contains(r.ErrorMessage, tt.says) {
				t.Errorf("%+v", r)
			}
		})
	}
	f := newFamily(t, "a", "self")
	f.does["a"] = then(Nested{Name: "self"})
	if r := f.call(t, "a"); !r.OK {
		t.Errorf("a sibling that is called self: %+v", r)
	}
}

// A nested call has what is left of its caller's time, less 50 ms.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		name          string
		leftMs        int // 0: the executor does not say
		manifestMs    int
		timeoutMs     int
		most, atLeast int // of the nested wall limit; 0: FN_QUOTA_EXHAUSTED
	}{
		{"the rest", 5_000, 0, 0, 4_950, 4_000},
		{"its own limit", 5_000, 300, 0, 300, 300},
		{"the caller's timeout", 5_000, 0, 200, 200, 200},
		{"a timeout above the rest", 5_000, 0, 60_000, 4_950, 4_000},
		{"nothing", 50, 0, 0, 0, 0},
		{"less", 1, 0, 0, 0, 0},
		{"the wall limit from its start", 0, 0, 0, contract.DefaultWallMs - 50, contract.DefaultWallMs - 1_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFamily(t, "a", "b")
			f.fns["b"].Manifest.Limits.WallMs = tt.manifestMs
			wall := 0
			f.does["b"] = func(_ context.Context, job Job, _ func(Nested) contract.HostReply) Outcome {
				wall = job.Limits.WallMs
				return Outcome{}
			}
			f.exec = func(inner func(context.Context, Job, Host) Outcome) func(context.Context, Job, Host) Outcome {
				return func(ctx context.Context, job Job, host Host) Outcome {
					if job.Function == "a" && tt.leftMs > 0 {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, time.Duration(tt.leftMs)*time.Millisecond)
						defer cancel()
					}
					return inner(ctx, job, host)
				}
			}(f.exec)
			f.does["a"] = then(Nested{Name: "b", TimeoutMs: tt.timeoutMs})
			r := f.call(t, "a")
			if tt.most == 0 {
				// The little time may run out before the call is made.
				if r.ErrorCode != contract.FnQuotaExhausted && r.ErrorCode != contract.InvocationCancelled || wall != 0 {
					t.Errorf("%+v, wall %d", r, wall)
				}
				return
			}
			if !r.OK || wall > tt.most || wall < tt.atLeast {
				t.Errorf("%+v, wall %d", r, wall)
			}
		})
	}
}

func TestNestedArguments(t *testing.T) {
	f := newFamily(t, "a", "b")
	f.fns["b"].Manifest.Parameters = json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`)
	f.does["b"] = func(_ context.Context, job Job, _ func(Nested) contract.HostReply) Outcome {
		return Outcome{Value: job.Context}
	}
	for args, ok := range map[string]bool{`{"n":1}`: true, `{"n":"1"}`: false, `{}`: false, `[1]`: false, `null`: false, ``: false} {
		call := Nested{Name: "b"}
		if args != "" {
			call.Args = json.RawMessage(args)
		}
		f.does["a"] = then(call)
		runs := f.runs.Load()
		r := f.call(t, "a")
		if !ok {
			if r.ErrorCode != contract.ParametersInvalid || f.runs.Load() != runs+1 {
				t.Errorf("%s: %+v", args, r)
			}
			continue
		}
		var got struct {
			Source struct{ Skill, ConsumerID, InvocationID, BilledTo string }
			Auth   struct {
				UserID        *string
				AgentID       string
				Scopes        []string
				Authenticated bool
			}
			ToolCall struct {
				Name, CallID string
				Params       json.RawMessage
			}
		}
		if err := json.Unmarshal(r.Result, &got); err != nil {
			t.Fatal(err)
		}
		parent := f.rows[len(f.rows)-1].ID
		if got.Source.Skill != contract.SkillFunction || got.Source.ConsumerID != parent || got.Source.BilledTo != "owner" ||
			got.Auth.UserID != nil || got.Auth.AgentID != "a1" || fmt.Sprint(got.Auth.Scopes) != "[function:nested]" || got.Auth.Authenticated ||
			got.ToolCall.Name != "b" || string(got.ToolCall.Params) != args {
			t.Errorf("context %s", r.Result)
		}
	}
}

func TestNestedIdempotency(t *testing.T) {
	f := newFamily(t, "a", "b")
	f.does["a"] = then(Nested{Name: "b", IdempotencyKey: "once", Args: json.RawMessage(`{"n":1}`)})
	first, second := f.call(t, "a"), f.call(t, "a")
	if !first.OK || !second.OK || f.runs.Load() != 3 {
		t.Errorf("%+v, %+v, %d runs", first, second, f.runs.Load())
	}
	f.does["a"] = then(Nested{Name: "b", IdempotencyKey: "once", Args: json.RawMessage(`{"n":2}`)})
	if r := f.call(t, "a"); r.ErrorCode != contract.IdempotencyMismatch {
		t.Errorf("other arguments: %+v", r)
	}
	for _, key := range []string{"a b", "é", strings.Repeat("k", 256)} {
		f.does["a"] = then(Nested{Name: "b", IdempotencyKey: key})
		if r := f.call(t, "a"); r.ErrorCode != contract.InvalidIdempotentKey {
			t.Errorf("key %.10q: %+v", key, r)
		}
	}
}

// Cancelling a function cancels what it waits for, and the record says why.
func TestCancelReachesNestedCalls(t *testing.T) {
	f := newFamily(t, "a", "b")
	started := make(chan string, 1)
	parent := make(chan string, 1)
	f.does["a"] = func(_ context.Context, job Job, invoke func(Nested) contract.HostReply) Outcome {
		parent <- job.InvocationID
		r := invoke(Nested{Name: "b"})
		return Outcome{Code: contract.InvocationCancelled, Message: r.Error.Message}
	}
	f.does["b"] = func(ctx context.Context, job Job, _ func(Nested) contract.HostReply) Outcome {
		started <- job.InvocationID
		<-ctx.Done()
		return Outcome{Code: contract.InvocationCancelled}
	}
	done := make(chan contract.InvokeResult, 1)
	go func() { done <- f.call(t, "a") }()
	id := <-parent
	<-started
	if cancelled, _ := f.Cancel(id); !cancelled {
		t.Error("not cancelled")
	}
	if r := <-done; r.ErrorCode != contract.InvocationCancelled {
		t.Errorf("%+v", r)
	}
	if child := f.rows[0]; child.FunctionName != "b" || child.Status != contract.StatusCancelled || !strings.Contains(child.ErrorMessage, "owner") {
		t.Errorf("child %+v", child)
	}
	if _, _, err := f.InvokeNested(t.Context(), Nested{Parent: id, Name: "b"}); contract.AsError(err) == nil || contract.AsError(err).Code != contract.HostBridgeError {
		t.Errorf("for an invocation that has ended: %v", err)
	}
}

// A nested run ends with its caller even when whatever asked for it goes on.
func TestNestedRunEndsWithItsCaller(t *testing.T) {
	f := newFamily(t, "a", "b")
	started := make(chan struct{})
	asked := make(chan error, 1)
	f.does["a"] = func(ctx context.Context, job Job, _ func(Nested) contract.HostReply) Outcome {
		go func() {
			_, _, err := f.InvokeNested(context.Background(), Nested{Parent: job.InvocationID, Name: "b"})
			asked <- err
		}()
		<-started
		return Outcome{}
	}
	f.does["b"] = func(ctx context.Context, _ Job, _ func(Nested) contract.HostReply) Outcome {
		close(started)
		<-ctx.Done()
		return Outcome{Code: contract.InvocationCancelled}
	}
	if r := f.call(t, "a"); !r.OK {
		t.Errorf("%+v", r)
	}
	if e := contract.AsError(<-asked); e == nil || e.Code != contract.InvocationCancelled || !strings.Contains(e.Message, "called it has ended") {
		t.Errorf("%v", e)
	}
}

// Nested calls of one function run one after another.
func TestNestedCallsAreAdmittedOneByOne(t *testing.T) {
	f := newFamily(t, "a", "b")
	var running, most atomic.Int32
	f.does["b"] = func(context.Context, Job, func(Nested) contract.HostReply) Outcome {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		return Outcome{}
	}
	f.does["a"] = func(_ context.Context, _ Job, invoke func(Nested) contract.HostReply) Outcome {
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if r := invoke(Nested{Name: "b"}); !r.OK {
					t.Errorf("%+v", r.Error)
				}
			})
		}
		group.Wait()
		return Outcome{}
	}
	if r := f.call(t, "a"); !r.OK || most.Load() != 1 || f.runs.Load() != 21 {
		t.Errorf("%+v, %d at a time, %d runs", r, most.Load(), f.runs.Load())
	}
}

// A function that runs while the platform stops may still call others.
func TestNestedCallsStartWhileStopping(t *testing.T) {
	f := newFamily(t, "a", "b")
	running, closing := make(chan struct{}), make(chan struct{})
	f.does["a"] = func(_ context.Context, _ Job, invoke func(Nested) contract.HostReply) Outcome {
		close(running)
		<-closing
		return Outcome{Value: invoke(Nested{Name: "b"}).Result}
	}
	done := make(chan contract.InvokeResult, 1)
	go func() { done <- f.call(t, "a") }()
	<-running
	closed := make(chan struct{})
	go func() { f.Close(t.Context()); close(closed) }()
	for stopping := false; !stopping; runtime.Gosched() {
		f.Invoker.mu.Lock()
		stopping = f.Invoker.closed
		f.Invoker.mu.Unlock()
	}
	close(closing)
	if r := <-done; string(r.Result) != `"done"` {
		t.Errorf("%+v", r)
	}
	<-closed
}

// The result of a nested call is capped in the trace, not in the answer.
func TestNestedTraceIsCapped(t *testing.T) {
	f := newFamily(t, "a", "b")
	big := json.RawMessage(`"` + strings.Repeat("x", 100_000) + `"`)
	f.does["b"] = func(context.Context, Job, func(Nested) contract.HostReply) Outcome { return Outcome{Value: big} }
	f.does["a"] = then(Nested{Name: "b"})
	r := f.call(t, "a")
	e := f.detail[1].Trace[0]
	if string(r.Result) != string(big) || len(e.Result) > 2*maxTraceValue || !e.Truncated || e.InvocationID == "" {
		t.Errorf("%d bytes of result, trace %d bytes, truncated %v", len(r.Result), len(e.Result), e.Truncated)
	}
}

// A function that ended with the code of a nested refusal has run: its answer is
// kept under its key, and it does not run again.
func TestRefusalOfANestedCallIsNoRefusalOfItsCaller(t *testing.T) {
	for _, code := range []contract.Code{contract.FnQuotaExhausted, contract.PoolSaturated, contract.ExecutorUnavailable} {
		f := newFamily(t, "a")
		f.does["a"] = func(context.Context, Job, func(Nested) contract.HostReply) Outcome {
			return Outcome{Code: code, Message: "of a nested call", DurationUs: 1}
		}
		req := request(`{}`, "key")
		req.Function = "a"
		for range 2 {
			a, err := f.Invoke(t.Context(), req)
			if err != nil || a.Status != 200 || result(t, a).ErrorCode != code {
				t.Errorf("%s: %d %v", code, a.Status, err)
			}
		}
		if n := f.runs.Load(); n != 1 {
			t.Errorf("%s: ran %d times", code, n)
		}
	}
}

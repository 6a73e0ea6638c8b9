//go:build unix

package executor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

// newLocal gives an executor over fake workers that is closed, and has no
// process left, when the test ends.
func newLocal(t testing.TB, c Config) *Local {
	t.Helper()
	if c.Worker == nil {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c.Worker = []string{self, fakeArg}
	}
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.pool.mu.Lock()
		all := append([]*worker(nil), l.pool.all...)
		l.pool.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := l.Close(ctx); err != nil {
			t.Error(err)
		}
		for _, w := range all {
			if err := syscall.Kill(w.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("worker %d is still there: %v", w.cmd.Process.Pid, err)
			}
		}
	})
	return l
}

func job(code string) invocation.Job {
	sum := sha256.Sum256([]byte(code))
	return invocation.Job{
		InvocationID: "i", AgentID: "a", Function: "f",
		Source:  invocation.Source{Name: "functions/f.js", Text: code, SHA256: hex.EncodeToString(sum[:])},
		Context: contract.RawJSON(`{}`),
	}
}

// host is an invocation.Host made of functions.
type host struct {
	call    func(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply
	mu      sync.Mutex
	logs    []contract.LogLine
	emits   []contract.EmittedEvent
	fetches []contract.TraceEntry
}

func (h *host) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	if h.call == nil {
		return contract.HostReply{OK: true, Result: contract.RawJSON(`null`)}
	}
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

func (h *host) Fetch(e contract.TraceEntry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fetches = append(h.fetches, e)
}

func TestRun(t *testing.T) {
	l := newLocal(t, Config{})
	for range 3 {
		h := &host{}
		o := l.Run(t.Context(), job("log one\nlog two\nreturn 42"), h)
		if o.Code != "" || string(o.Value) != "42" {
			t.Fatalf("got %+v", o)
		}
		if len(h.logs) != 2 || h.logs[0].Message != "one" || h.logs[1].Message != "two" {
			t.Errorf("logs %+v", h.logs)
		}
	}
	// The compilation counts until it has tidied up, which the run does not wait for.
	waitFor(t, func() bool {
		s := l.Stats()
		return s.InFlight == 0 && s.Busy == 0 && s.Queued == 0 && s.Workers > 0
	})
}

func TestChildHasNothingOfOurs(t *testing.T) {
	t.Setenv("BENCHTOP_TEST_SECRET", "seen")
	l := newLocal(t, Config{})
	if o := l.Run(t.Context(), job("env"), &host{}); string(o.Value) != "[]" {
		t.Errorf("environment %s", o.Value)
	}
	var dir struct {
		Dir     string
		Entries int
		Group   bool
	}
	o := l.Run(t.Context(), job("dir"), &host{})
	if err := json.Unmarshal(o.Value, &dir); err != nil {
		t.Fatal(err)
	}
	if here, _ := os.Getwd(); dir.Dir == here || dir.Entries != 0 || !dir.Group {
		t.Errorf("got %+v", dir)
	}
}

// Whatever ends a worker gets its code, the next run works, and nothing of the
// dead one stays behind.
func TestEndings(t *testing.T) {
	cases := []struct {
		name, code string
		want       contract.Code
		says       string
		limits     manifest.Limits
	}{
		{"own exit for memory", "exit 71", contract.MemoryLimitExceeded, "256 MB", manifest.Limits{}},
		{"own exit for wall", "exit 72", contract.WallTimeout, "10000 ms", manifest.Limits{}},
		{"runtime out of memory", "say fatal error: runtime: out of memory\nexit 2", contract.MemoryLimitExceeded, "256 MB", manifest.Limits{}},
		{"runtime out of stack", "say runtime: goroutine stack exceeds 67108864-byte limit\nexit 2", contract.MemoryLimitExceeded, "", manifest.Limits{}},
		{"unknown exit", "exit 3", contract.ExecutorInternal, "exit code 3", manifest.Limits{}},
		{"killed", "die", contract.ExecutorInternal, "killed from outside", manifest.Limits{}},
		{"hangs", "hang", contract.WallTimeout, "50 ms", manifest.Limits{WallMs: 50}},
		{"spins", "spin", contract.WallTimeout, "50 ms", manifest.Limits{WallMs: 50}},
		{"eats", "eat 4096\nhang", contract.MemoryLimitExceeded, "64 MB", manifest.Limits{MemoryMb: 64}},
		{"wrong kind", "frame 3", contract.ExecutorInternal, "frame of a kind", manifest.Limits{}},
		{"kind out of turn", "frame 33", contract.ExecutorInternal, "out of turn", manifest.Limits{}},
		{"no such kind", "frame 200", contract.ExecutorInternal, "kind", manifest.Limits{}},
		{"frame too large", "announce 2000000000", contract.ExecutorInternal, "larger than allowed", manifest.Limits{}},
		{"frame too large for its kind", "announce 20000000", contract.ExecutorInternal, "larger than allowed", manifest.Limits{}},
		{"frame never comes", "announce 2000000", contract.WallTimeout, "", manifest.Limits{WallMs: 50}},
		{"result unreadable", "junk", contract.ExecutorInternal, "last frame", manifest.Limits{}},
		{"call out of order", "skip\nask kv.get", contract.ExecutorInternal, "host call 2 came after 0", manifest.Limits{}},
		{"asks for another script", "frame 35", contract.ExecutorInternal, "not to run", manifest.Limits{}},
		{"flood of logs", "flood", contract.ExecutorInternal, "reported more", manifest.Limits{}},
	}
	l := newLocal(t, Config{})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			j := job(c.code)
			j.Limits = c.limits
			o := l.Run(t.Context(), j, &host{})
			if o.Code != c.want || !strings.Contains(o.Message, c.says) {
				t.Errorf("got %s %q, want %s with %q", o.Code, o.Message, c.want, c.says)
			}
			if o.DurationUs <= 0 {
				t.Error("no duration")
			}
			if strings.HasPrefix(c.name, "spins") && o.CPUUs <= 0 { // how much it got is the machine's business
				t.Error("a spinning function took no CPU")
			}
			if o := l.Run(t.Context(), job("return 1"), &host{}); string(o.Value) != "1" {
				t.Errorf("the next run gives %+v", o)
			}
		})
	}
}

func TestCompilerDies(t *testing.T) {
	l := newLocal(t, Config{})
	for _, step := range []string{"exit 71", "say runtime: goroutine stack exceeds 67108864-byte limit\nexit 2"} {
		for range 2 {
			o := l.Run(t.Context(), job("compiler: "+step), &host{})
			if o.Code != contract.JSCompileError || !strings.Contains(o.Message, "nests too deeply") {
				t.Fatalf("got %+v", o)
			}
		}
		src := job("compiler: " + step).Source
		if c := l.Check(t.Context(), src, ""); len(c.Errors) != 1 || c.Errors[0].Code != contract.JSCompileError {
			t.Fatalf("got %+v", c)
		}
	}
	if o := l.Run(t.Context(), job("return 1"), &host{}); string(o.Value) != "1" {
		t.Errorf("the next run gives %+v", o)
	}
}

func TestWorkerKilledWhileIdle(t *testing.T) {
	l := newLocal(t, Config{Slots: 1, Warm: 1})
	for range 5 {
		o := l.Run(t.Context(), job("pid"), &host{})
		pid, err := strconv.Atoi(string(o.Value))
		if err != nil {
			t.Fatalf("got %+v", o)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return syscall.Kill(pid, 0) != nil })
	}
	if o := l.Run(t.Context(), job("return 1"), &host{}); string(o.Value) != "1" {
		t.Errorf("got %+v", o)
	}
}

func TestHostCallsRunAtTheSameTime(t *testing.T) {
	l := newLocal(t, Config{})
	var arrived sync.WaitGroup
	arrived.Add(3)
	var last atomic.Int32
	h := &host{call: func(_ context.Context, n int, method string, _ contract.RawJSON) contract.HostReply {
		arrived.Done()
		arrived.Wait()
		last.Store(max(last.Load(), int32(n)))
		return contract.HostReply{OK: true}
	}}
	o := l.Run(t.Context(), job("ask a\nask b\ncall c"), h)
	if o.Code != "" || last.Load() != 3 {
		t.Errorf("got %+v, last call %d", o, last.Load())
	}
}

// A function that ends without waiting for a host call does not leave it
// running behind Run's back.
func TestHostIsNotCalledAfterRun(t *testing.T) {
	l := newLocal(t, Config{})
	var ended atomic.Bool
	h := &host{call: func(ctx context.Context, _ int, _ string, _ contract.RawJSON) contract.HostReply {
		<-ctx.Done()
		ended.Store(true)
		return contract.HostReply{}
	}}
	if o := l.Run(t.Context(), job("ask slow\nreturn 1"), h); string(o.Value) != "1" || !ended.Load() {
		t.Errorf("got %+v, host call ended: %v", o, ended.Load())
	}
}

func TestCancel(t *testing.T) {
	l := newLocal(t, Config{})
	for _, code := range []string{"call stop\nhang", "ask stop\nuntil-cancel\nexit 1"} {
		ctx, cancel := context.WithCancel(t.Context())
		h := &host{call: func(context.Context, int, string, contract.RawJSON) contract.HostReply {
			cancel()
			return contract.HostReply{OK: true}
		}}
		o := l.Run(ctx, job(code), h)
		if strings.Contains(code, "hang") && o.Code != contract.InvocationCancelled {
			t.Errorf("%s: got %+v", code, o)
		}
		if o := l.Run(ctx, job("return 1"), h); o.Code != contract.InvocationCancelled {
			t.Errorf("cancelled before its start: %+v", o)
		}
	}
}

// A dead worker is replaced without anybody asking.
func TestReplacementIsStartedAtOnce(t *testing.T) {
	l := newLocal(t, Config{Slots: 2, Warm: 2})
	ready := func() bool {
		l.pool.mu.Lock()
		defer l.pool.mu.Unlock()
		return len(l.pool.idle) == 2
	}
	waitFor(t, ready)
	if o := l.Run(t.Context(), job("exit 3"), nil); o.Code != contract.ExecutorInternal {
		t.Errorf("got %+v", o)
	}
	waitFor(t, ready)
}

// Close lets what runs come to its end, with the nested calls it needs.
func TestCloseWaits(t *testing.T) {
	l := newLocal(t, Config{Slots: 1})
	child := job("return 7")
	child.Depth = 1
	running, closing := make(chan struct{}), make(chan struct{})
	h := &host{call: func(ctx context.Context, _ int, _ string, _ contract.RawJSON) contract.HostReply {
		close(running)
		<-closing
		o := l.Run(ctx, child, nil)
		if string(o.Value) != "7" {
			t.Errorf("the nested call ended with %+v", o)
		}
		return contract.HostReply{OK: true}
	}}
	ended := make(chan invocation.Outcome, 1)
	go func() { ended <- l.Run(context.Background(), job("call nested\nreturn 1"), h) }()
	<-running
	closed := make(chan error, 1)
	go func() { closed <- l.Close(t.Context()) }()
	waitFor(t, func() bool { return l.Run(t.Context(), job("return 1"), nil).Code == contract.ShuttingDown })
	close(closing)
	if o := <-ended; string(o.Value) != "1" {
		t.Errorf("got %+v", o)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestCloseStopsWhatIsLeft(t *testing.T) {
	l := newLocal(t, Config{Slots: 1})
	running := make(chan struct{})
	h := &host{call: func(ctx context.Context, _ int, _ string, _ contract.RawJSON) contract.HostReply {
		close(running)
		<-ctx.Done()
		return contract.HostReply{}
	}}
	ended := make(chan invocation.Outcome, 1)
	go func() { ended <- l.Run(context.Background(), job("call forever"), h) }()
	<-running
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if o := <-ended; o.Code != contract.InvocationCancelled {
		t.Errorf("got %+v", o)
	}
	if o := l.Run(t.Context(), job("return 1"), h); o.Code != contract.ShuttingDown {
		t.Errorf("after Close: %+v", o)
	}
}

// callOf answers every host call with what f gives.
func callOf(f func() contract.HostReply) func(context.Context, int, string, contract.RawJSON) contract.HostReply {
	return func(context.Context, int, string, contract.RawJSON) contract.HostReply { return f() }
}

// waitFor looks until ok, for what nobody tells the test of: the end of another
// process, or a state inside the executor.
func waitFor(t testing.TB, ok func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	late := time.After(30 * time.Second)
	for !ok() {
		select {
		case <-look.C:
		case <-late:
			t.Fatal("waited for 30 s")
		}
	}
}

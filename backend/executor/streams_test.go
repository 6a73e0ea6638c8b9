//go:build unix

package executor

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
	"benchtop/backend/worker/wire"
)

// talk is a handler that does what its messages say.
const talk = `export default async ({ socket, kv }) => {
  for await (const m of socket) {
    if (m.spin) for (;;);
    if (m.stuck) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)
    if (m.busy) for (const end = Date.now() + m.busy; Date.now() < end;);
    if (m.fill) { const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1)) }
    if (m.throw) throw new Error(m.throw)
    if (m.never) await new Promise(() => {})
    await socket.send(m)
  }
  return undefined
}`

// conversation is a run of talk and its other end.
type conversation struct {
	say    chan string // "" ends it
	heard  chan string
	ended  chan invocation.Outcome
	cancel context.CancelFunc
}

func (c *conversation) HostCall(ctx context.Context, _ int, method string, args contract.RawJSON) contract.HostReply {
	answer := func(text string) contract.HostReply {
		return contract.HostReply{OK: true, Result: contract.RawJSON(text)}
	}
	switch method {
	case "socket.receive":
		select {
		case m := <-c.say:
			if m == "" {
				return answer(`{"closed":true}`)
			}
			return answer(`{"message":` + m + `}`)
		case <-ctx.Done():
			return answer(`{"closed":true}`)
		}
	case "socket.send":
		c.heard <- string(args)
	}
	return answer(`{}`)
}

func (c *conversation) Log(int64, contract.LogLine)       {}
func (c *conversation) Emit(int64, contract.EmittedEvent) {}
func (c *conversation) Fetch(contract.TraceEntry)         {}

func converse(t *testing.T, l *Local, agent string, wallMs int) *conversation {
	c := &conversation{say: make(chan string, 4), heard: make(chan string, 4), ended: make(chan invocation.Outcome, 1)}
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(t.Context())
	t.Cleanup(c.cancel)
	j := job(talk)
	j.AgentID, j.Endpoint, j.Shared = agent, wire.EndpointSocket, true
	j.Limits = manifest.Limits{WallMs: wallMs, MemoryMb: 64}
	go func() { c.ended <- l.Run(ctx, j, c) }()
	return c
}

// says sends a message and waits for its echo.
func (c *conversation) says(t *testing.T, message string) {
	t.Helper()
	c.say <- message
	select {
	case got := <-c.heard:
		var echo struct{ JSON json.RawMessage }
		if err := json.Unmarshal([]byte(got), &echo); err != nil || string(echo.JSON) != message {
			t.Fatalf("said %s, heard %s", message, got)
		}
	case o := <-c.ended:
		t.Fatalf("said %s, and it ended: %+v", message, o)
	}
}

func (c *conversation) ends(t *testing.T, code contract.Code, message string) {
	t.Helper()
	if o := <-c.ended; o.Code != code || !strings.Contains(o.Message, message) {
		t.Errorf("ended with %s %q, want %s %q", o.Code, o.Message, code, message)
	}
}

func realLocal(t *testing.T) *Local { return newLocal(t, Config{Worker: exectest.Worker(t), Warm: 1}) }

// Runs that last share processes by agent, hold no place, and leave nothing.
func TestLanesShareProcesses(t *testing.T) {
	l := realLocal(t)
	var all []*conversation
	for range lanesPerProcess + 6 {
		all = append(all, converse(t, l, "a", 10_000))
	}
	other := converse(t, l, "b", 10_000)
	var said sync.WaitGroup
	for _, c := range append(all, other) {
		said.Go(func() { c.says(t, `{"n":1}`) })
	}
	said.Wait()
	if n := len(l.streams.processes()); n != 3 {
		t.Errorf("%d processes for %d runs of one agent and one of another", n, len(all))
	}
	if o := l.Run(t.Context(), job(handler("return 1")), &host{}); o.Code != "" {
		t.Errorf("beside them: %+v", o)
	}
	for _, c := range append(all, other) {
		c.say <- ""
		c.ends(t, "", "")
	}
	waitFor(t, func() bool { return l.Stats().InFlight == 0 })
}

// The wall limit is for the time between two messages; waiting for one does not
// count.
func TestLaneClock(t *testing.T) {
	l := realLocal(t)
	c := converse(t, l, "a", 300)
	c.says(t, `{"n":1}`)
	for range 3 {
		// Longer than the limit, in another process.
		if o := l.Run(t.Context(), job(handler("for (const end = Date.now() + 400; Date.now() < end;);")), &host{}); o.Code != "" {
			t.Fatalf("%+v", o)
		}
		c.says(t, `{"busy":150}`)
	}
	c.say <- `{"spin":true}`
	c.ends(t, contract.WallTimeout, "300 ms")
	c = converse(t, l, "a", 300)
	c.say <- `{"never":true}`
	c.ends(t, contract.WallTimeout, "still waiting")
}

// What ends one run leaves its neighbours alone, unless the process has to go:
// then they are told why.
func TestLanesAreApart(t *testing.T) {
	l := realLocal(t)
	beside := converse(t, l, "a", 2_000)
	beside.says(t, `{"n":1}`)
	c := converse(t, l, "a", 2_000)
	c.say <- `{"throw":"oops"}`
	c.ends(t, contract.JSRuntimeError, "oops")
	c = converse(t, l, "a", 2_000)
	c.says(t, `{"n":2}`)
	c.cancel()
	c.ends(t, contract.InvocationCancelled, "")
	c = converse(t, l, "a", 20_000)
	c.say <- `{"spin":true}`
	waitFor(t, func() bool { return len(c.say) == 0 })
	c.cancel()
	c.ends(t, contract.InvocationCancelled, "")
	beside.says(t, `{"n":3}`)

	c = converse(t, l, "a", 500)
	c.say <- `{"stuck":true}` // no interrupt reaches it
	c.ends(t, contract.WallTimeout, "")
	beside.ends(t, contract.ExecutorInternal, "wall limit")

	beside = converse(t, l, "a", 20_000)
	beside.says(t, `{"n":1}`)
	c = converse(t, l, "a", 20_000)
	c.say <- `{"fill":true}`
	c.ends(t, contract.MemoryLimitExceeded, "64 MB")
	beside.ends(t, contract.ExecutorInternal, "memory limit of 64 MB")
}

// A function has no peer, and a run that lasts cannot make the platform keep
// calls for it without end.
func TestLanesAsk(t *testing.T) {
	l := realLocal(t)
	o := l.Run(t.Context(), job(handler("return typeof ctx.socket + typeof ctx.agent + typeof ctx.args")), &host{})
	if string(o.Value) != `"undefinedundefinedundefined"` {
		t.Errorf("%+v", o)
	}
	c := converse(t, l, "a", 2_000)
	for n := range 300 { // more than a function may make of host calls
		c.says(t, `{"n":`+string(rune('0'+n%10))+`}`)
	}
}

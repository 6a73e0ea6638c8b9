package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

// TestSlots follows the slot of a run that waits for two calls.
func TestSlots(t *testing.T) {
	c := start(t)
	spec := c.spec(`export default async (ctx) => { const a = await ctx.kv.get("a"); const b = await ctx.kv.get("b"); return [a, b]; };`)
	got := c.run(spec, func(h wire.Host) *contract.HostReply {
		return &contract.HostReply{OK: true, Result: contract.RawJSON(fmt.Sprint(h.N))}
	})
	if string(got.result.Value) != "[1,2]" || got.idles != 2 || got.wakes != 0 {
		t.Fatalf("%s after %d idles and %d wakes; want [1,2], 2, 0", got.result.Value, got.idles, got.wakes)
	}
}

// TestStrangeReplies wants replies that nobody waits for to do nothing.
func TestStrangeReplies(t *testing.T) {
	c := start(t)
	spec := c.spec(`export default async (ctx) => ctx.kv.get("a");`)
	c.send(wire.KindReply, wire.Reply{N: 1, HostReply: contract.HostReply{OK: true}}) // of a run that is over
	c.send(wire.KindRun, spec)
	for n := 0; ; {
		kind, body := c.next()
		if kind == wire.KindNeed {
			b, _ := wire.AppendRaw(nil, wire.KindCode, append([]byte(spec.Hash), c.code[spec.Hash]...))
			_, _ = c.in.Write(b)
		}
		if kind == wire.KindIdle {
			n++
			switch n {
			case 1:
				c.send(wire.KindReply, wire.Reply{N: 99, HostReply: contract.HostReply{OK: true}})
			case 2:
				c.send(wire.KindGo, nil)
			case 3:
				c.send(wire.KindReply, wire.Reply{N: 1, HostReply: contract.HostReply{OK: true, Result: contract.RawJSON(`"right"`)}})
			}
		}
		if kind == wire.KindResult {
			if !strings.Contains(string(body), `"right"`) || n != 3 {
				t.Fatalf("%s after %d idles", body, n)
			}
			return
		}
	}
}

func TestCancel(t *testing.T) {
	c := start(t)
	for name, source := range map[string]string{
		"loop":    `export default async (ctx) => { ctx.emit("on"); for (;;) {} };`,
		"waiting": `export default async (ctx) => { ctx.emit("on"); await ctx.kv.get("a"); };`,
		"asleep":  `export default async (ctx) => { ctx.emit("on"); await new Promise(() => {}); };`,
	} {
		t.Run(name, func(t *testing.T) {
			c.t = t
			spec := c.spec(source)
			c.send(wire.KindRun, spec)
			for {
				kind, body := c.next()
				switch kind {
				case wire.KindNeed:
					b, _ := wire.AppendRaw(nil, wire.KindCode, append([]byte(spec.Hash), c.code[spec.Hash]...))
					_, _ = c.in.Write(b)
				case wire.KindEmit: // it leaves although the loop never ends
					c.send(wire.KindCancel, nil)
				case wire.KindResult:
					var r wire.Result
					c.read(body, &r)
					if r.Error == nil || r.Error.Code != contract.InvocationCancelled {
						t.Fatalf("%s", body)
					}
					return
				}
			}
		})
	}
	c.t = t
	if v := c.value(`export default () => "still here";`); v != `"still here"` {
		t.Fatal(v)
	}
}

// TestHostile runs bodies that must not take the process along. Those that are
// meant to end it are tested from outside.
func TestHostile(t *testing.T) {
	c := start(t)
	for _, tt := range []struct {
		name, source string
		code         contract.Code
	}{
		{"throwing proxy", `export default () => { throw new Proxy(function () {}, { get() { throw new Proxy({}, { get() { throw 1; } }); }, getPrototypeOf() { throw 2; } }); };`, contract.JSRuntimeError},
		{"revoked proxy", `export default () => { const p = Proxy.revocable({}, {}); p.revoke(); throw p.proxy; };`, contract.JSRuntimeError},
		{"returned revoked proxy", `export default () => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy; };`, contract.JSRuntimeError},
		{"message loops", `export default () => { throw { get message() { for (;;); } }; };`, contract.WallTimeout},
		{"stack loops", `export default () => { const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;); } }); throw e; };`, contract.WallTimeout},
		{"toJSON loops", `export default () => ({ toJSON() { for (;;); } });`, contract.WallTimeout},
		{"ownKeys trap", `export default () => new Proxy({}, { ownKeys() { throw new Error("keys"); } });`, contract.JSRuntimeError},
		{"length getter", `export default () => { const a = []; return new Proxy(a, { get(t, k) { if (k === "length") throw new Error("len"); return t[k]; } }); };`, contract.JSRuntimeError},
		{"endless array in a short time", `export default () => { const a = []; a.length = 4294967295; return { toJSON: () => a, b: Array(10) }; };`, contract.WallTimeout},
		{"exports trap", `module.exports = new Proxy({}, { get() { throw new Error("no exports"); }, ownKeys() { throw new Error("no keys"); } });`, contract.JSRuntimeError},
		{"then getter", `export default () => ({ get then() { throw new Error("then"); } });`, contract.JSRuntimeError},
		{"then never", `export default () => ({ then() {} });`, contract.WallTimeout},
		{"broken intrinsics", `Promise.prototype.then = null; Object.defineProperty = null; JSON.parse = null; Map.prototype.get = null; Error = null; Uint8Array = null; export default async (ctx) => { ctx.log.info("x"); throw new TypeError("t"); };`, contract.JSRuntimeError},
		{"broken error", `Error = class { constructor() { throw 1; } }; export default async () => eval("1");`, contract.JSRuntimeError},
		{"own microtasks", `export default async () => { const f = async () => { for (;;) await 0; }; f(); f(); await new Promise(() => {}); };`, contract.WallTimeout},
		{"sort", `export default () => [3, 2, 1].sort(() => { for (;;); });`, contract.WallTimeout},
		{"host calls", `export default async (ctx) => { for (;;) ctx.kv.get("x").catch(() => {}); };`, contract.WallTimeout},
		{"events", `export default async (ctx) => { for (;;) ctx.emit("x"); };`, contract.HostQuotaExceeded},
		{"recursion", `const f = () => { try { f(); } finally { f(); } }; export default () => f();`, contract.JSRuntimeError},
		{"source map", "//# sourceMappingURL=file:///etc/passwd\nexport default () => { throw new Error(\"x\"); };\n//# sourceMappingURL=/etc/passwd", contract.JSRuntimeError},
		{"prototype", `Object.prototype.toJSON = function () { throw new Error("polluted"); }; export default () => ({ a: 1 });`, contract.JSRuntimeError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.t = t
			began := time.Now()
			f := c.failure(tt.source, 100)
			if f.Code != tt.code {
				t.Fatalf("%s: %s", f.Code, f.Message)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Fatalf("took %v", took)
			}
		})
	}
	c.t = t
	select {
	case code := <-c.died:
		t.Fatalf("the watchdog ended the process with %d", code)
	default:
	}
	if v := c.value(`export default () => [typeof seen, Object.keys({}).length];`); v != `["undefined",0]` {
		t.Fatal(v)
	}
}

// TestEndlessArray gives a result that is larger than any, without a loop.
func TestEndlessArray(t *testing.T) {
	c := start(t)
	if f := c.failure(`export default () => { const a = []; a.length = 4294967295; return a; };`, contract.MaxWallMs); f.Code != contract.JSResultNotSerialized {
		t.Fatalf("%s: %s", f.Code, f.Message)
	}
}

// TestUntouchedMemory asks for more than the limit and touches none of it.
func TestUntouchedMemory(t *testing.T) {
	c := start(t)
	spec := c.spec(`let a; export default () => { a = new ArrayBuffer(400 * 1024 * 1024); return a.byteLength; };`)
	spec.MemoryMb = 64
	c.send(wire.KindRun, spec)
	b, _ := wire.AppendRaw(nil, wire.KindCode, append([]byte(spec.Hash), c.code[spec.Hash]...))
	for {
		kind, body, err := c.frames.Next()
		if err != nil {
			break // the watchdog came first, which is as good
		}
		if kind == wire.KindNeed {
			_, _ = c.in.Write(b)
		}
		if kind == wire.KindResult {
			var r wire.Result
			if json.Unmarshal(body, &r) != nil || r.Error == nil || r.Error.Code != contract.MemoryLimitExceeded {
				t.Fatalf("%s", body)
			}
			return
		}
	}
	if code := <-c.died; code != wire.ExitMemory {
		t.Fatalf("ended with %d", code)
	}
}

// TestLogCap counts what a run may log, to the byte.
func TestLogCap(t *testing.T) {
	c := start(t)
	got := c.run(c.spec(`export default async (ctx) => { const kb = "x".repeat(1024); for (let i = 0; i < 64; i++) ctx.log.info(kb); ctx.log.info("y"); ctx.log.info("z"); };`), nil)
	if n := len(got.logs); n != 65 {
		t.Fatalf("%d lines, want 64 and the last entry", n)
	}
	if last := got.logs[64]; last.Level != "warn" || !strings.Contains(last.Message, "65536") {
		t.Fatalf("%+v", last)
	}
}

// TestCheck loads a script without calling it.
func TestCheck(t *testing.T) {
	c := start(t)
	check := func(source string) wire.Result {
		c.send(wire.KindCheck, c.spec(source))
		return c.follow(nil).result
	}
	if r := check(`export default () => { throw new Error("never called"); };`); r.Error != nil {
		t.Errorf("%+v", r.Error)
	}
	if r := check(`const a = 1;`); r.Error == nil || r.Error.Code != contract.JSNoHandler {
		t.Errorf("%+v", r.Error)
	}
	if r := check("\nnope();\nexport default () => 1;"); r.Error == nil || !strings.HasPrefix(place(r.Error.At), "functions/f/index.js:2:") {
		t.Errorf("%+v", r.Error)
	}
}

// TestBadFrames wants every frame that makes no sense to end the worker.
func TestBadFrames(t *testing.T) {
	for name, raw := range map[string][]byte{
		"empty frame":  {0, 0, 0, 0},
		"too long":     {0xff, 0xff, 0xff, 0xff, 1},
		"cut off":      {10, 0, 0, 0, byte(wire.KindRun), '{'},
		"not JSON":     {2, 0, 0, 0, byte(wire.KindRun), '{'},
		"unknown kind": {1, 0, 0, 0, 99},
		"own kind":     {1, 0, 0, 0, byte(wire.KindResult)},
		"short code":   {3, 0, 0, 0, byte(wire.KindCode), 'a', 'b'},
	} {
		t.Run(name, func(t *testing.T) {
			if code := feed(raw); code != exitBroken {
				t.Fatalf("ended with %d, want %d", code, exitBroken)
			}
		})
	}
	if code := feed(nil); code != exitClosed {
		t.Fatalf("a closed pipe ended it with %d", code)
	}
}

// feed gives a worker some bytes and then closes the pipe.
func feed(raw []byte) int {
	return serve(strings.NewReader(string(raw)), io.Discard, ground{factory: factoryOf(nil), outside: wall.Open()}, func(int) {}, interruptWait)
}

// FuzzFrames wants a worker to end, with one of its own codes, whatever comes.
func FuzzFrames(f *testing.F) {
	run, _ := wire.Append(nil, wire.KindRun, wire.Run{Hash: strings.Repeat("a", wire.HashLen), WallMs: 50})
	code, _ := wire.AppendRaw(nil, wire.KindCode, []byte(strings.Repeat("a", wire.HashLen)+"(function(module,exports){module.exports=c=>c.kv.get('a')})"))
	reply, _ := wire.Append(nil, wire.KindReply, wire.Reply{N: 1, HostReply: contract.HostReply{OK: true}})
	compileFrame, _ := wire.Append(nil, wire.KindCompile, wire.Compile{Name: "a.js", Source: "export default () => 1"})
	f.Add(append(append(append([]byte{}, run...), code...), reply...))
	f.Add(append(append([]byte{}, compileFrame...), run...))
	f.Add([]byte{1, 0, 0, 0, byte(wire.KindCancel), 1, 0, 0, 0, byte(wire.KindGo)})
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if code := feed(raw); code != exitClosed && code != exitBroken {
			t.Fatalf("ended with %d", code)
		}
	})
}

// TestPrelude compiles every script of the prelude, used by another test or not.
func TestPrelude(t *testing.T) {
	if err := factoryOf(t).Compile(); err != nil {
		t.Fatal(err)
	}
}

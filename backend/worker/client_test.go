package worker

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/worker/sandbox"
	"benchtop/backend/worker/wall"
	"benchtop/backend/worker/wire"
)

var sharedFactory = sync.OnceValues(newFactory)

func factoryOf(t testing.TB) *sandbox.Factory {
	f, err := sharedFactory()
	if err != nil && t != nil {
		t.Fatal(err)
	}
	return f
}

// client is the platform's side of one worker that lives in this process.
type client struct {
	t      testing.TB
	in     io.WriteCloser
	frames *wire.Reader
	exit   chan int
	died   chan int // what the watchdog would have ended the process with
	code   map[string]string
	idle   func() // told when the worker gives its slot back; nil for nobody
}

// patience is how long a test on a busy machine waits for an interrupt to take.
const patience = 20 * time.Second

// start runs a worker over two pipes.
func start(t testing.TB) *client {
	t.Helper()
	factory := factoryOf(t)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, frames: wire.NewReader(outR), exit: make(chan int, 1), died: make(chan int, 8), code: map[string]string{}}
	go func() {
		code := serve(inR, outW, ground{factory: factory, outside: wall.Open()}, func(code int) {
			select {
			case c.died <- code:
			default:
			}
			_ = outW.CloseWithError(io.ErrClosedPipe)
		}, patience)
		_ = outW.Close()
		_ = inR.Close()
		c.exit <- code
	}()
	if kind, _ := c.next(); kind != wire.KindReady {
		t.Fatalf("first frame is of kind %d, want Ready", kind)
	}
	t.Cleanup(func() {
		_ = inW.Close()
		go func() { _, _ = io.Copy(io.Discard, outR) }()
		<-c.exit
	})
	return c
}

func (c *client) next() (wire.Kind, []byte) {
	c.t.Helper()
	kind, body, err := c.frames.Next()
	if err != nil {
		c.t.Fatalf("reading from the worker: %v", err)
	}
	return kind, body
}

func (c *client) send(kind wire.Kind, body any) {
	c.t.Helper()
	b, err := wire.Append(nil, kind, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(b); err != nil {
		c.t.Fatalf("writing to the worker: %v", err)
	}
}

func (c *client) compile(name, source string) wire.Compiled {
	c.t.Helper()
	c.send(wire.KindCompile, wire.Compile{Name: name, Source: source})
	kind, body := c.next()
	if kind != wire.KindCompiled {
		c.t.Fatalf("got a frame of kind %d, want Compiled", kind)
	}
	var res wire.Compiled
	c.read(body, &res)
	return res
}

func (c *client) read(body []byte, into any) {
	c.t.Helper()
	if err := json.Unmarshal(body, into); err != nil {
		c.t.Fatalf("%v in %s", err, body)
	}
}

// seen is everything a run did, in order of frames.
type seen struct {
	result  wire.Result
	calls   []wire.Host
	logs    []wire.Log
	events  []wire.Emit
	fetches []wire.Fetch
	idles   int
	wakes   int
}

// spec is a run of source with defaults.
func (c *client) spec(source string) wire.Run {
	c.t.Helper()
	return c.prepared("functions/f/index.js", source)
}

func (c *client) prepared(file, source string) wire.Run {
	c.t.Helper()
	sum := sha256.Sum256([]byte(file + source))
	hash := hex.EncodeToString(sum[:])
	if _, ok := c.code[hash]; !ok {
		res := c.compile(file, source)
		if len(res.Errors) > 0 {
			c.t.Fatalf("does not compile: %+v", res.Errors)
		}
		c.code[hash] = res.Code
	}
	return wire.Run{Hash: hash, InvocationID: "inv-1", File: file, Context: contract.RawJSON(`{}`), WallMs: contract.MaxWallMs, MemoryMb: 256,
		IngressBytes: contract.DefaultIngressBytes, EgressBytes: contract.DefaultEgressBytes, Seed: 42, ClockStartMs: 1_700_000_000_000,
		Permissions: manifest.Permissions{}}
}

// run does a run; answer replies to host calls, nil for none.
func (c *client) run(spec wire.Run, answer func(wire.Host) *contract.HostReply) seen {
	c.t.Helper()
	c.send(wire.KindRun, spec)
	return c.follow(answer)
}

func (c *client) follow(answer func(wire.Host) *contract.HostReply) seen {
	c.t.Helper()
	var s seen
	var waiting []wire.Host
	for {
		kind, body := c.next()
		switch kind {
		case wire.KindNeed:
			var n wire.Need
			c.read(body, &n)
			b, err := wire.AppendRaw(nil, wire.KindCode, append([]byte(n.Hash), c.code[n.Hash]...))
			if err != nil {
				c.t.Fatal(err)
			}
			if _, err := c.in.Write(b); err != nil {
				c.t.Fatal(err)
			}
		case wire.KindHost:
			var h wire.Host
			c.read(body, &h)
			s.calls = append(s.calls, h)
			waiting = append(waiting, h)
		case wire.KindIdle:
			s.idles++
			if c.idle != nil {
				c.idle()
			}
			if len(waiting) == 0 || answer == nil {
				continue
			}
			h := waiting[0]
			waiting = waiting[1:]
			if r := answer(h); r != nil {
				c.send(wire.KindReply, wire.Reply{N: h.N, HostReply: *r})
			}
		case wire.KindWake:
			s.wakes++
			c.send(wire.KindGo, nil)
		case wire.KindLog:
			var l wire.Log
			c.read(body, &l)
			s.logs = append(s.logs, l)
		case wire.KindEmit:
			var e wire.Emit
			c.read(body, &e)
			s.events = append(s.events, e)
		case wire.KindFetch:
			var f wire.Fetch
			c.read(body, &f)
			s.fetches = append(s.fetches, f)
		case wire.KindResult, wire.KindChecked:
			c.read(body, &s.result)
			return s
		default:
			c.t.Fatalf("a frame of kind %d", kind)
		}
	}
}

// value runs source and wants a value.
func (c *client) value(source string) string {
	c.t.Helper()
	s := c.run(c.spec(source), nil)
	if s.result.Error != nil {
		c.t.Fatalf("failed: %+v", *s.result.Error)
	}
	return string(s.result.Value)
}

// failure runs source and wants it to fail.
func (c *client) failure(source string, wallMs int) wire.Failure {
	c.t.Helper()
	spec := c.spec(source)
	spec.WallMs = wallMs
	s := c.run(spec, nil)
	if s.result.Error == nil {
		c.t.Fatalf("gave %s, want a failure", s.result.Value)
	}
	return *s.result.Error
}

func compact(t testing.TB, raw []byte) string {
	t.Helper()
	if len(raw) == 0 {
		return ""
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func place(p *contract.SourcePos) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

func contains(s, part string) bool { return strings.Contains(s, part) }

//go:build unix

package remote_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/executor"
	"benchtop/backend/executor/remote"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
)

func job(code string) invocation.Job {
	sum := sha256.Sum256([]byte(code))
	return invocation.Job{
		InvocationID: "i", AgentID: "a", Function: "f",
		Source:      invocation.Source{Name: "functions/f/index.js", Text: code, SHA256: hex.EncodeToString(sum[:])},
		Permissions: manifest.Permissions{KV: manifest.KV{Self: manifest.ModeRW}},
		Context:     contract.RawJSON(`{}`),
	}
}

// host is an invocation.Host that answers with call.
type host struct {
	call func(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply
	mu   sync.Mutex
	said []string
}

func (h *host) HostCall(ctx context.Context, n int, method string, args contract.RawJSON) contract.HostReply {
	if h.call == nil {
		return contract.HostReply{OK: true}
	}
	return h.call(ctx, n, method, args)
}

func (h *host) say(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, text)
}
func (h *host) Log(_ int64, l contract.LogLine)       { h.say("log " + l.Message) }
func (h *host) Emit(_ int64, e contract.EmittedEvent) { h.say("emit " + e.Event) }
func (h *host) Fetch(e contract.TraceEntry)           { h.say("fetch " + e.Name) }

// gone is an address where nobody listens.
func gone(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return "http://" + ln.Addr().String()
}

// answers is a server that says the same to everything, and how often it was
// asked to run something.
func answers(t *testing.T, do http.HandlerFunc) (string, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked.Add(1)
		do(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, &asked
}

func body(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// local runs nothing and remembers that it was asked.
type local struct{ runs, checks int }

func (l *local) Run(context.Context, invocation.Job, invocation.Host) invocation.Outcome {
	l.runs++
	return invocation.Outcome{Value: contract.RawJSON(`"local"`)}
}
func (l *local) Check(context.Context, invocation.Source, string) invocation.Check {
	l.checks++
	return invocation.Check{}
}

// TestFailover: what no server has read goes on; what one may have read does not.
func TestFailover(t *testing.T) {
	good := body(200, `{"ok":true,"result":"good","durationMs":1}`)
	for _, c := range []struct {
		name  string
		first http.HandlerFunc // nil: nobody listens
		code  contract.Code
		value string
		then  int64 // how often the second server is asked
	}{
		{"nobody listens", nil, "", `"good"`, 1},
		{"it is full", body(200, `{"ok":false,"errorCode":"POOL_SATURATED","errorMessage":"full","retryAfterSec":2}`), "", `"good"`, 1},
		{"it has no time", body(200, `{"ok":false,"errorCode":"CPU_PRESSURE"}`), "", `"good"`, 1},
		{"it stops", body(200, `{"ok":false,"errorCode":"SHUTTING_DOWN"}`), "", `"good"`, 1},
		{"it does not know us", body(401, `{"error":"who?"}`), "", `"good"`, 1},
		{"it only validates", body(404, ``), "", `"good"`, 1},
		{"it breaks off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, contract.InvocationInterrupted, "", 0},
		{"it breaks off in a stream", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-ndjson")
			_, _ = io.WriteString(w, "\n")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, contract.InvocationInterrupted, "", 0},
		{"a proxy gave it up", body(502, `bad gateway`), contract.InvocationInterrupted, "", 0},
		{"it answers with something else", body(200, `<html>`), contract.InvocationInterrupted, "", 0},
		{"the function ended with a code like a refusal", body(200, `{"ok":false,"errorCode":"POOL_SATURATED","durationMs":3}`), contract.PoolSaturated, "", 0},
		{"a code that does not exist", body(200, `{"ok":false,"errorCode":"MADE_UP","durationMs":3}`), contract.ExecutorInternal, "", 0},
		{"neither result nor error", body(200, `{"durationMs":3}`), contract.ExecutorInternal, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := gone(t)
			if c.first != nil {
				first, _ = answers(t, c.first)
			}
			second, asked := answers(t, good)
			// The order changes from call to call: with the first one twice it
			// is asked first in one of three.
			e := near(t, remote.Config{URLs: []string{second, first}})
			before := asked.Load()
			o := e.Run(t.Context(), job(""), &host{})
			if asked.Load() != before+c.then || o.Code != c.code || string(o.Value) != c.value {
				t.Errorf("%s %s: %s; the second was asked %d times, want %d", o.Code, o.Message, o.Value, asked.Load()-before, c.then)
			}
		})
	}
}

// TestNobody: without a server that answers, nothing runs, and that is said in a
// way that lets the caller try again.
func TestNobody(t *testing.T) {
	e := near(t, remote.Config{URLs: []string{gone(t), gone(t)}, Local: &local{}})
	if o := e.Run(t.Context(), job(""), &host{}); o.Code != contract.ExecutorUnavailable || o.RetryAfterSec < 1 || o.DurationUs != 0 {
		t.Errorf("%+v", o)
	}
	if down := e.Unreachable(); len(down) != 2 {
		t.Errorf("unreachable: %v", down)
	}
	full, _ := answers(t, body(200, `{"ok":false,"errorCode":"POOL_SATURATED","retryAfterSec":7}`))
	e = near(t, remote.Config{URLs: []string{full, gone(t)}})
	if o := e.Run(t.Context(), job(""), &host{}); o.Code != contract.PoolSaturated || o.RetryAfterSec != 7 {
		t.Errorf("%+v", o)
	}
}

// TestValidateAlone: executors without /invoke are for validation.
func TestValidateAlone(t *testing.T) {
	url, _ := answers(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/validate" {
			w.WriteHeader(404)
			return
		}
		body(200, `{"ok":false,"errors":[{"code":"JS_NO_HANDLER","message":"none","line":3}],"warnings":[]}`)(w, r)
	})
	l := &local{}
	e := near(t, remote.Config{URLs: []string{url}, Local: l})
	for range 2 {
		if o := e.Run(t.Context(), job(""), &host{}); string(o.Value) != `"local"` {
			t.Errorf("%+v", o)
		}
	}
	if c := e.Check(t.Context(), invocation.Source{}, ""); len(c.Errors) != 1 || c.Errors[0].Line != 3 || l.checks != 0 || l.runs != 2 {
		t.Errorf("%+v %+v", c, l)
	}
	if c := near(t, remote.Config{URLs: []string{gone(t)}, Local: l}).Check(t.Context(), invocation.Source{}, ""); len(c.Errors) != 0 || l.checks != 1 {
		t.Errorf("%+v %+v", c, l)
	}
	if c := near(t, remote.Config{URLs: []string{gone(t)}}).Check(t.Context(), invocation.Source{}, ""); len(c.Errors) != 1 || c.Errors[0].Code != contract.ExecutorUnavailable {
		t.Errorf("%+v", c)
	}
}

// TestRun: what a function says arrives while it runs, and a caller's end stops
// it on the other side.
func TestRun(t *testing.T) {
	e, _ := pair(t, "")
	h := &host{}
	o := e.Run(t.Context(), job(`export default async ctx => { ctx.log.info("one"); ctx.emit("two", {}); await ctx.kv.get("three"); return "ok"; }`), h)
	if string(o.Value) != `"ok"` || strings.Join(h.said, ",") != "log one,emit two" || o.DurationUs <= 0 {
		t.Errorf("%+v %v", o, h.said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	h = &host{call: func(context.Context, int, string, contract.RawJSON) contract.HostReply {
		cancel()
		return contract.HostReply{OK: true}
	}}
	o = e.Run(ctx, job(`export default async ctx => { await ctx.kv.get("a"); for (;;) {} }`), h)
	if o.Code != contract.InvocationCancelled {
		t.Errorf("%+v", o)
	}
}

// TestHostCallTwice: a host call that is sent twice is carried out once, and one
// of a run that has ended is none of ours.
func TestHostCallTwice(t *testing.T) {
	var carried atomic.Int64
	hold := make(chan struct{})
	in := make(chan struct{}, 1)
	url, _ := answers(t, func(w http.ResponseWriter, r *http.Request) {
		in <- struct{}{}
		<-hold
		body(200, `{"ok":true,"durationMs":1}`)(w, r)
	})
	e := near(t, remote.Config{URLs: []string{url}})
	done := make(chan invocation.Outcome)
	h := &host{call: func(_ context.Context, n int, _ string, _ contract.RawJSON) contract.HostReply {
		return contract.HostReply{OK: true, Result: contract.RawJSON(strings.Repeat("1", int(carried.Add(1))))}
	}}
	go func() { done <- e.Run(t.Context(), job(""), h) }()
	<-in
	for range 3 {
		if r, ok := e.HostCall(t.Context(), "i", 1, "kv.get", nil); !ok || string(r.Result) != "1" {
			t.Errorf("%+v %v", r, ok)
		}
	}
	if r, _ := e.HostCall(t.Context(), "i", 2, "kv.get", nil); string(r.Result) != "11" {
		t.Errorf("%+v", r)
	}
	if _, ok := e.HostCall(t.Context(), "another", 1, "kv.get", nil); ok {
		t.Error("an invocation that does not run was answered for")
	}
	close(hold)
	<-done
	if _, ok := e.HostCall(t.Context(), "i", 3, "kv.get", nil); ok {
		t.Error("a run that has ended was answered for")
	}
}

// TestAddresses: what is no address of an executor is said at once.
func TestAddresses(t *testing.T) {
	for _, url := range []string{"", "localhost:7070", "ftp://a", "http://", "http://user:pw@host", "://"} {
		if _, err := remote.New(remote.Config{URLs: []string{url}}); err == nil {
			t.Errorf("%q was taken", url)
		}
	}
	if _, err := remote.New(remote.Config{}); err == nil {
		t.Error("no address was taken")
	}
}

// TestServer walks the addresses of a server.
func TestServer(t *testing.T) {
	url := server(t, "between us")
	source, _ := json.Marshal(`export default async ctx => { ctx.log.info("hi"); return ctx.toolCall.params.n + 1; }`)
	kv, _ := json.Marshal(`export default async ctx => ctx.kv.get("a")`)
	invoke := func(source []byte, more string) string {
		return `{"functionName":"f","agentId":"a","manifest":{"runtime":"js-v1","permissions":{"kv":"rw"}},"codeRef":{"kind":"inline","source":` +
			string(source) + `},"context":{"source":{"invocationId":"i-9"},"toolCall":{"params":{"n":41}}}` + more + `}`
	}
	for _, c := range []struct {
		name, method, path, secret, body string
		status                           int
		want                             string
	}{
		{"health needs no secret", "GET", "/healthz", "", "", 200, `"status":"ok"`},
		{"metrics do", "GET", "/metrics", "", "", 401, "secret"},
		{"metrics", "GET", "/metrics", "between us", "", 200, "executor_workers_total"},
		{"a wrong secret", "POST", "/invoke", "between you", "{}", 401, "secret"},
		{"no secret", "POST", "/invoke", "", "{}", 401, "secret"},
		{"no POST", "GET", "/invoke", "between us", "", 405, ""},
		{"nowhere", "POST", "/else", "between us", "{}", 404, ""},
		{"no JSON", "POST", "/invoke", "between us", "{", 400, `{"error":"invalid JSON"}`},
		{"a run", "POST", "/invoke", "between us", invoke(source, ""), 200, `"ok":true,"result":42`},
		{"its logs", "POST", "/invoke", "between us", invoke(source, ""), 200, `"message":"hi"`},
		{"its id", "POST", "/invoke", "between us", invoke(source, ""), 200, `"invocationId":"i-9"`},
		{"without a bridge", "POST", "/invoke", "between us", invoke(kv, ""), 200, `HOST_BRIDGE_DISABLED`},
		{"a bridge that is none", "POST", "/invoke", "between us", invoke(kv, `,"hostBridge":{"baseUrl":"`+url+`","token":"t"}`), 200, `"errorCode":"HOST_BRIDGE_ERROR"`},
		{"only look", "POST", "/invoke", "between us", invoke([]byte(`"export const a = 1"`), `,"validateOnly":true`), 200, `JS_NO_HANDLER`},
		{"a source that is elsewhere", "POST", "/invoke", "between us", `{"manifest":{"runtime":"js-v1"},"codeRef":{"kind":"content","contentId":"x"},"context":{}}`, 200, `INVALID_CODE_REF`},
		{"another runtime", "POST", "/invoke", "between us", `{"manifest":{"runtime":"wasm-v1"},"codeRef":{"kind":"inline","source":"1"},"context":{}}`, 200, `RUNTIME_DISABLED`},
		{"validate", "POST", "/validate", "between us", `{"runtime":"js-v1","source":` + string(source) + `}`, 200, `"ok":true`},
		{"validate nothing", "POST", "/validate", "between us", `{"runtime":"js-v1","source":" "}`, 200, `"ok":false`},
		{"validate a mistake", "POST", "/validate", "between us", `{"runtime":"js-v1","source":"export default async ( =>"}`, 200, `"line":1`},
		{"validate too much", "POST", "/validate", "between us", `{"runtime":"js-v1","source":"` + strings.Repeat("x", 262145) + `"}`, 200, `CODE_TOO_LARGE`},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if c.secret != "" {
				req.Header.Set("Authorization", "Bearer "+c.secret)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			text, _ := io.ReadAll(res.Body)
			if res.StatusCode != c.status || !strings.Contains(string(text), c.want) || c.want == "" && len(text) > 0 {
				t.Errorf("%d %s, want %d and %s", res.StatusCode, text, c.status, c.want)
			}
		})
	}
}

type faulty struct{ invocation.Executor }

func (faulty) Check(context.Context, invocation.Source, string) invocation.Check { panic("s3cret") }

// A fault of the executor is an answer, and its log has no value that it met.
func TestFault(t *testing.T) {
	var log strings.Builder
	s := remote.NewServer(remote.ServerConfig{
		Executor: faulty{}, Stats: func() contract.ExecutorStats { return contract.ExecutorStats{} },
		Load: func() executor.Load { return executor.Load{} }, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	defer s.Close()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", "/validate", strings.NewReader(`{"runtime":"js-v1","source":"export default async () => 1"}`)))
	if w.Code != 500 || !strings.Contains(w.Body.String(), "EXECUTOR_INTERNAL") {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
	if said := log.String(); strings.Contains(said+w.Body.String(), "s3cret") || !strings.Contains(said, "executor_test.go") {
		t.Errorf("logged %s", said)
	}
}

// A page can post to loopback without asking anybody; what it sends is not read.
func TestPagesRunNothing(t *testing.T) {
	l := &local{}
	s := remote.NewServer(remote.ServerConfig{
		Executor: l, Stats: func() contract.ExecutorStats { return contract.ExecutorStats{} }, Load: func() executor.Load { return executor.Load{} },
	})
	defer s.Close()
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:7070"} {
		r := httptest.NewRequest("POST", "/invoke", strings.NewReader(`{"manifest":{"runtime":"js-v1"},"codeRef":{"kind":"inline","source":"1"},"context":{}}`))
		r.Header.Set("Origin", origin)
		r.Header.Set("Content-Type", "text/plain")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusForbidden || l.runs != 0 {
			t.Errorf("a page of %s: %d, %d runs", origin, w.Code, l.runs)
		}
	}
}

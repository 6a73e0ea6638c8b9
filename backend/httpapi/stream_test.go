package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// sse is one frame as a reader sees it.
type sse struct{ id, event, data string }

// frames reads an event stream the way the standard says, comments left out.
type frames struct {
	r    *bufio.Reader
	body io.Closer
}

func (f *frames) next() (sse, error) {
	var ev sse
	var data []string
	for {
		line, err := f.r.ReadString('\n')
		if err != nil {
			return ev, err
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && (ev != sse{} || data != nil):
			ev.data = strings.Join(data, "\n")
			return ev, nil
		case name == "id":
			ev.id = value
		case name == "event":
			ev.event = value
		case name == "data":
			data = append(data, value)
		}
	}
}

// send makes a real request to the running server and gives its stream.
func (w *world) send(t *testing.T, ctx context.Context, r request) (*http.Response, *frames) {
	t.Helper()
	r = w.owner(r)
	req, err := http.NewRequestWithContext(ctx, r.method, w.url+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range r.header {
		req.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res, &frames{bufio.NewReader(res.Body), res.Body}
}

func invokeRequest() request {
	return request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: `{"args":{}}`,
		header: map[string]string{"Accept": "application/json, text/event-stream;q=0.9", "Idempotency-Key": "k-1"}}
}

func TestInvokeStream(t *testing.T) {
	w := newWorld(t)
	w.serve(t)
	goOn := make(chan struct{})
	w.invoke = func(_ context.Context, req invocation.Request) (invocation.Answer, error) {
		if req.IdempotencyKey != "k-1" || req.Skill != contract.SkillManual || req.Function != "greet" || string(req.Body) != `{"args":{}}` {
			return invocation.Answer{}, fmt.Errorf("request %+v", req)
		}
		req.OnEmit(contract.EmittedEvent{Event: "progress", Payload: json.RawMessage("{\n\"n\": 1\r\n}")})
		<-goOn
		req.OnEmit(contract.EmittedEvent{Event: "in\nject: x"})
		return invocation.Answer{Status: 200, Body: []byte(`{"ok":true}`)}, nil
	}
	res, in := w.send(t, t.Context(), invokeRequest())
	if res.StatusCode != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("status %d, type %q", res.StatusCode, res.Header.Get("Content-Type"))
	}
	first, err := in.next() // while the run still waits
	if err != nil {
		t.Fatal(err)
	}
	var payload struct{ N int }
	if first.event != "progress" || json.Unmarshal([]byte(first.data), &payload) != nil || payload.N != 1 {
		t.Errorf("first frame %+v", first)
	}
	close(goOn)
	second, _ := in.next()
	if second.event != "in ject: x" || second.data != "null" {
		t.Errorf("second frame %+v", second)
	}
	last, _ := in.next()
	if last.event != "result" || last.data != `{"ok":true}` {
		t.Errorf("last frame %+v", last)
	}
	if _, err := in.next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the result: %v", err)
	}
}

func TestInvokeStreamOutcomes(t *testing.T) {
	w := newWorld(t)
	w.serve(t)
	emit := contract.EmittedEvent{Event: "e", Payload: json.RawMessage("1")}
	refused := contract.Errorf(contract.ParametersInvalid, "no")
	for _, c := range []struct {
		name   string
		emit   bool
		ans    invocation.Answer
		err    error
		status int
		stream bool
		last   string // of the stream
	}{
		{"result alone", false, invocation.Answer{Status: 200, Body: []byte(`{"ok":false}`)}, nil, 200, true, `{"ok":false}`},
		{"replayed", false, invocation.Answer{Status: 200, Body: []byte(`{"ok":true}`), Replayed: true}, nil, 200, true, `{"ok":true}`},
		{"refused", false, invocation.Answer{}, refused, 400, false, ""},
		{"pool full", false, invocation.Answer{Status: 429, Body: []byte(`{"ok":false}`), RetryAfterSec: 3}, nil, 429, false, ""},
		{"refused after an event", true, invocation.Answer{}, refused, 200, true, `{"error":{"code":"PARAMETERS_INVALID","message":"no"},"code":"PARAMETERS_INVALID","message":"no","ok":false,"errorCode":"PARAMETERS_INVALID","errorMessage":"no","durationMs":0,"cpuMs":0,"ingressBytes":0,"egressBytes":0}`},
	} {
		w.invoke = func(_ context.Context, req invocation.Request) (invocation.Answer, error) {
			if c.emit {
				req.OnEmit(emit)
			}
			return c.ans, c.err
		}
		res, in := w.send(t, t.Context(), invokeRequest())
		stream := strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream")
		if res.StatusCode != c.status || stream != c.stream {
			t.Errorf("%s: status %d, stream %v", c.name, res.StatusCode, stream)
		}
		if got := res.Header.Get("Idempotent-Replayed"); (got == "true") != c.ans.Replayed {
			t.Errorf("%s: Idempotent-Replayed %q", c.name, got)
		}
		if c.ans.RetryAfterSec > 0 && res.Header.Get("Retry-After") != "3" {
			t.Errorf("%s: Retry-After %q", c.name, res.Header.Get("Retry-After"))
		}
		var last sse
		for c.stream {
			ev, err := in.next()
			if err != nil {
				break
			}
			last = ev
		}
		if c.stream && (last.event != "result" || last.data != c.last) {
			t.Errorf("%s: last frame %+v", c.name, last)
		}
	}
}

// TestInvokeOutlivesItsReader: who hangs up does not end the run, and the run
// does not wait for who does not read.
func TestInvokeOutlivesItsReader(t *testing.T) {
	w := newWorld(t)
	w.serve(t)
	left, ended := make(chan struct{}), make(chan error, 1)
	w.invoke = func(ctx context.Context, req invocation.Request) (invocation.Answer, error) {
		req.OnEmit(contract.EmittedEvent{Event: "first"})
		<-left
		for range 10_000 {
			req.OnEmit(contract.EmittedEvent{Event: "more"})
		}
		ended <- ctx.Err()
		return invocation.Answer{Status: 200, Body: []byte(`{}`)}, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, in := w.send(t, ctx, invokeRequest())
	if ev, err := in.next(); err != nil || ev.event != "first" {
		t.Fatal(ev, err)
	}
	cancel()
	close(left)
	if err := <-ended; err != nil {
		t.Errorf("the run was ended with its reader: %v", err)
	}
}

func TestReplayedHeader(t *testing.T) {
	w := newWorld(t)
	w.invoke = func(context.Context, invocation.Request) (invocation.Answer, error) {
		return invocation.Answer{Status: 200, Body: []byte(`{"ok":true}`), Replayed: true}, nil
	}
	r := invokeRequest()
	r.header = nil
	rec := w.do(w.owner(r))
	if rec.Header().Get("Idempotent-Replayed") != "true" || rec.Body.String() != `{"ok":true}` {
		t.Errorf("%v %s", rec.Header(), rec.Body)
	}
}

func TestEventStream(t *testing.T) {
	w := newWorld(t)
	w.serve(t)
	w.bus.Publish(contract.EvSecretSet, contract.SecretChange{Binding: "before"})
	_, in := w.send(t, t.Context(), request{method: "GET", path: "/api/local/events"})
	w.bus.Publish(contract.EvSecretSet, contract.SecretChange{AgentID: "a", Function: "f", Binding: "B"})
	ev, err := in.next()
	if err != nil || ev.event != "secret.set" || ev.data != `{"agentId":"a","function":"f","binding":"B"}` {
		t.Fatalf("%+v, %v", ev, err)
	}
	w.bus.Publish(contract.EvSecretDeleted, contract.SecretChange{Binding: "C"})
	want, _ := in.next()
	if want.event != "secret.deleted" {
		t.Fatalf("%+v", want)
	}
	for _, r := range []request{
		{path: "/api/local/events", header: map[string]string{"Last-Event-ID": ev.id}},
		{path: "/api/local/events?after=" + ev.id},
		{path: "/api/local/events?after=999", header: map[string]string{"Last-Event-ID": ev.id}}, // the header wins
	} {
		r.method = "GET"
		_, again := w.send(t, t.Context(), r)
		if got, err := again.next(); err != nil || got != want {
			t.Errorf("resumed with %+v, want %+v (%v)", got, want, err)
		}
	}
	_, lost := w.send(t, t.Context(), request{method: "GET", path: "/api/local/events?after=999"})
	if got, err := lost.next(); err != nil || got.event != "stream.gap" || got.data != `{"reason":"expired"}` {
		t.Errorf("behind the buffer: %+v, %v", got, err)
	}
	w.bus.Close()
	if _, err := in.next(); !errors.Is(err, io.EOF) {
		t.Errorf("the stream does not end with the bus: %v", err)
	}
}

// TestStreamsEndWithTheServer: an open stream does not hold up a shutdown that
// cancels the server's base context.
func TestStreamsEndWithTheServer(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	srv := httptest.NewUnstartedServer(w.handler)
	srv.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	srv.Start()
	defer srv.Close()
	w.url = srv.URL
	res, in := w.send(t, t.Context(), request{method: "GET", path: "/api/local/events"})
	if res.StatusCode != 200 {
		t.Fatal(res.Status)
	}
	stop()
	if _, err := in.next(); !errors.Is(err, io.EOF) {
		t.Errorf("the stream ended with %v", err)
	}
	limit, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := srv.Config.Shutdown(limit); err != nil {
		t.Errorf("shutdown: %v", err)
	}
}

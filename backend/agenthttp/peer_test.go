package agenthttp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/endpoints"
	"benchtop/backend/invocation"
)

// handlerFunc stands in for a handler: it talks to the peer of its run.
type handlerFunc func(ctx context.Context, say func(method, args string) contract.HostReply) (contract.RawJSON, error)

func (f handlerFunc) Invoke(ctx context.Context, req invocation.Request) (invocation.Answer, error) {
	result, err := f(ctx, func(method, args string) contract.HostReply {
		return req.Endpoint.Peer.Call(ctx, method, contract.RawJSON(args))
	})
	r := contract.InvokeResult{OK: err == nil, Result: result}
	if err == nil {
		if _, failed := req.Shape(result); failed != nil {
			err = failed
		}
	}
	if e := contract.AsError(err); e != nil {
		r = contract.InvokeResult{ErrorCode: e.Code, ErrorMessage: e.Message}
	}
	return invocation.Answer{Status: 200, Result: &r}, nil
}

// peers serves /sse, /raw and /ws, whose handler is f.
func peers(t *testing.T, patience agenthttp.Patience, f handlerFunc) string {
	t.Helper()
	var raws []endpoints.Raw
	for _, entry := range []string{`{"path":"/sse","content_type":"text/event-stream"`, `{"path":"/raw"`, `{"path":"/ws","websocket":true`} {
		raws = append(raws, endpoints.Raw{JSON: json.RawMessage(entry + `,"handler":"endpoints/a.js"}`)})
	}
	entries, problems := endpoints.Check(raws, endpoints.Options{Modules: func(string) (endpoints.Module, error) { return endpoints.Module{Text: "x"}, nil }})
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	all := endpoints.New()
	all.Replace(mia.ID, &endpoints.Set{Entries: entries})
	cons, err := consumers.New(t.Context(), consumers.Config{Store: noStore{}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(agenthttp.New(agenthttp.Config{
		Consumers: cons, Functions: noFunctions{}, Invoker: f, Endpoints: all, Patience: patience,
		Complete: func(_ context.Context, _ agents.Agent, messages contract.RawJSON) iter.Seq2[contract.RawJSON, error] {
			return func(yield func(contract.RawJSON, error) bool) {
				if yield(messages, nil) && yield(contract.RawJSON(`2`), nil) {
					yield(nil, errors.New("the wire to /secret broke"))
				}
			}
		},
	}).Handler(mia))
	t.Cleanup(srv.Close)
	return srv.URL
}

const short = 10 * time.Millisecond

func isClosed(r contract.HostReply) bool { return string(r.Result) == `{"closed":true}` }

// A silent stream sends comments, which its client does not see as events.
func TestSilentStream(t *testing.T) {
	seen := make(chan struct{})
	url := peers(t, agenthttp.Patience{Quiet: short}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		say("stream.open", `{}`)
		say("stream.send", `{"text":"a"}`)
		<-seen
		say("stream.send", `{"text":"b"}`)
		return nil, nil
	})
	resp, err := http.Get(url + "/sse")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	var got []string
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), ":") && got[len(got)-1] != lines.Text() {
			close(seen)
		} else if strings.HasPrefix(lines.Text(), ":") {
			continue
		}
		if lines.Text() != "" {
			got = append(got, lines.Text())
		}
	}
	if all := strings.Join(got, "|"); !strings.HasPrefix(all, "data: a|: keep-alive|") || !strings.HasSuffix(all, "data: b") {
		t.Errorf("%q", all)
	}
}

// A client that leaves is told to the handler by its next chunk; one that goes on
// regardless is stopped, and why is known.
func TestClientLeaves(t *testing.T) {
	for _, path := range []string{"/sse", "/raw"} {
		told, cause := make(chan bool, 1), make(chan error, 1)
		url := peers(t, agenthttp.Patience{Gone: short}, func(ctx context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
			say("stream.open", `{}`)
			for !isClosed(say("stream.send", `{"text":"a"}`)) {
			}
			told <- true
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return nil, contract.Errorf(contract.InvocationCancelled, "cancelled")
		})
		ctx, leave := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, "GET", url+path, nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(resp.Body).ReadByte(); err != nil {
			t.Fatal(err)
		}
		leave()
		_ = resp.Body.Close()
		<-told
		if err := <-cause; !errors.Is(err, invocation.ErrHungUp) {
			t.Errorf("%s: stopped by %v", path, err)
		}
	}
}

// A handler that does not stream goes on when its caller has hung up, like a
// function.
func TestCallerOfAWholeAnswerLeaves(t *testing.T) {
	begun, left, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	url := peers(t, agenthttp.Patience{Gone: short}, func(ctx context.Context, _ func(string, string) contract.HostReply) (contract.RawJSON, error) {
		close(begun)
		<-left
		ended <- ctx.Err()
		return contract.RawJSON(`1`), nil
	})
	ctx, leave := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "GET", url+"/raw", nil)
	go func() {
		<-begun
		leave()
	}()
	if resp, err := http.DefaultClient.Do(req); err == nil {
		_ = resp.Body.Close()
		t.Error("it was answered")
	}
	close(left)
	if err := <-ended; err != nil {
		t.Errorf("the handler was stopped: %v", err)
	}
}

// A body that is no event stream and breaks off must not look whole.
func TestBrokenBody(t *testing.T) {
	url := peers(t, agenthttp.Patience{}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		say("stream.open", `{"status":200,"headers":{"content-type":"text/csv"}}`)
		say("stream.send", `{"text":"a,b\n"}`)
		return nil, contract.Errorf(contract.JSRuntimeError, "oops")
	})
	resp, err := http.Get(url + "/raw")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
	}
	if lines.Err() == nil || resp.Header.Get("Content-Type") != "text/csv" {
		t.Errorf("it ended with %v", lines.Err())
	}
}

// A client that answers no ping is gone.
func TestNoPong(t *testing.T) {
	ended := make(chan bool, 1)
	url := peers(t, agenthttp.Patience{Ping: short, Pong: 10 * short}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		say("socket.accept", `{}`)
		ended <- isClosed(say("socket.receive", `{}`))
		return nil, nil
	})
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if !<-ended { // nobody reads here, so no pong is sent
		t.Error("there was a message")
	}
}

// A client that answers pings stays, however long it says nothing.
func TestPong(t *testing.T) {
	url := peers(t, agenthttp.Patience{Ping: short, Pong: time.Minute}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		say("socket.accept", `{}`)
		say("socket.send", `{"json":`+string(say("socket.receive", `{}`).Result)+`}`)
		return nil, nil
	})
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	pings := 0
	conn.SetPingHandler(func(data string) error {
		if pings++; pings == 5 {
			return conn.WriteMessage(websocket.TextMessage, []byte(`"still here"`))
		}
		return conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	})
	if _, got, err := conn.ReadMessage(); err != nil || string(got) != `{"message":"still here"}` {
		t.Errorf("%s %v", got, err)
	}
}

// The model's chunks come one by one; its own failure is told without what only
// the log may know.
func TestModelCalls(t *testing.T) {
	var got []string
	url := peers(t, agenthttp.Patience{}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		ask := func(method, args string) {
			r := say(method, args)
			if r.Error != nil {
				got = append(got, string(r.Error.Code)+" "+r.Error.Message)
			} else {
				got = append(got, string(r.Result))
			}
		}
		ask("agent.complete", `{"messages":[1]}`)
		for range 4 {
			ask("agent.next", `{"id":1}`)
		}
		ask("agent.complete", `{"messages":[2]}`)
		ask("agent.stop", `{"id":2}`)
		ask("agent.next", `{"id":2}`)
		ask("agent.sing", `{}`)
		for range 9 {
			say("agent.complete", `{"messages":[3]}`)
		}
		ask("agent.complete", `{"messages":[4]}`)
		return contract.RawJSON(`1`), nil
	})
	resp, err := http.Get(url + "/raw")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	want := `{"id":1}|{"chunk":[1]}|{"chunk":2}|HOST_BRIDGE_ERROR the model failed; the platform's log says why|{"done":true}|{"id":2}|{}|{"done":true}|` +
		`UNKNOWN_HOST_CALL there is no agent.sing|HOST_QUOTA_EXCEEDED ctx.agent.complete: 8 streams of the model are open already`
	if all := strings.Join(got, "|"); all != want {
		t.Errorf("%s", all)
	}
}

// A message that is no text in UTF-8 is none of JSON either.
func TestMessageThatIsNoText(t *testing.T) {
	url := peers(t, agenthttp.Patience{}, func(_ context.Context, say func(string, string) contract.HostReply) (contract.RawJSON, error) {
		say("socket.accept", `{}`)
		if !isClosed(say("socket.receive", `{}`)) {
			t.Error("the handler got it")
		}
		return nil, nil
	})
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.WriteMessage(websocket.TextMessage, []byte("\"\xff\"")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseInvalidFramePayloadData) {
		t.Error(err)
	}
}

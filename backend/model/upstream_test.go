package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchtop/backend/contract"
)

func sse(frames ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, f := range frames {
			_, _ = io.WriteString(w, f)
		}
	}
}

func delta(json string) string {
	return `data: {"choices":[{"index":0,"delta":` + json + `}]}` + "\n\n"
}

const (
	stop = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	over = "data: [DONE]\n\n"
)

// What servers that speak the protocol are known to send.
func TestUpstreamAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
		finish string
		used   int
	}{
		"pieces":        {sse(delta(`{"role":"assistant","content":"one "}`), delta(`{"content":"two"}`), stop, `data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}`+"\n\n", over), "says one two", FinishStop, 7},
		"no [DONE]":     {sse(delta(`{"content":"one"}`), stop), "says one", FinishStop, 0},
		"carriages":     {sse("data:{\"choices\":[{\"delta\":{\"content\":\"one\"},\"finish_reason\":\"length\"}]}\r\n\r\n", "data:[DONE]\r\n\r\n"), "says one", FinishLength, 0},
		"comments":      {sse(": busy\n\n", "event: x\nid: 1\n"+delta(`{"content":"one"}`), stop, over), "says one", FinishStop, 0},
		"split data":    {sse("data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"one\"}}]}\n\n", stop, over), "says one", FinishStop, 0},
		"no last break": {sse(delta(`{"content":"one"}`), stop, "data: [DONE]"), "says one", FinishStop, 0},
		"calls in parts": {sse(delta(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":""}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":"}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}},{"index":1,"id":"c2","function":{"name":"look","arguments":"{}"}}]}`),
			`data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`+"\n\n", over), "calls look {\"q\":1} client:true\ncalls look {} client:true", FinishToolCalls, 0},
		"calls without index or id":   {sse(delta(`{"tool_calls":[{"function":{"name":"look","arguments":{"q":1}}},{"function":{"name":"look","arguments":"{}"}}]}`), stop, over), "calls look {\"q\":1} client:true\ncalls look {} client:true", FinishToolCalls, 0},
		"thinking":                    {sse(delta(`{"role":"assistant","reasoning_content":"let me "}`), delta(`{"reasoning_content":"see","reasoning":"see"}`), delta(`{"content":"one"}`), stop, over), "thinks let me see\nsays one", FinishStop, 0},
		"thinking under another name": {sse(delta(`{"content":"","reasoning":"hm"}`), delta(`{"content":"one","reasoning":null}`), stop, over), "thinks hm\nsays one", FinishStop, 0},
		"thinking in another form":    {sse(delta(`{"reasoning":{"text":"hm"},"content":"one"}`), stop, over), "says one", FinishStop, 0},
		"not streamed": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"one","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)
		}, "says one", FinishStop, 2},
		"text in parts":   {sse(delta(`{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"one "},{"type":"text","text":"two"}]}`), stop, over), "says one two", FinishStop, 0},
		"filtered":        {sse(`data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}`+"\n\n", over), "", FinishFilter, 0},
		"unknown finish":  {sse(`data: {"choices":[{"delta":{"content":"one"},"finish_reason":"eos"}]}`+"\n\n", over), "says one", FinishStop, 0},
		"null everywhere": {sse(`data: {"error":null,"usage":null,"choices":[{"delta":{"content":null,"tool_calls":null},"finish_reason":null}]}`+"\n\n", stop, over), "", FinishStop, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, upstreamAgent(serve(t, c.answer)))
			req := w.ask(t, "far", "hello")
			req.Tools = client("look")
			r, chunks, err := w.listen(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if told(chunks) != c.want || r.Finish != c.finish || r.Usage.TotalTokens != c.used {
				t.Errorf("%s\n%s, %d tokens", told(chunks), r.Finish, r.Usage.TotalTokens)
			}
			for _, call := range r.Message.ToolCalls {
				if call.ID == "" {
					t.Error("a call without an id")
				}
			}
		})
	}
}

// What goes wrong is told in the model's own words, without the key.
func TestUpstreamFails(t *testing.T) {
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.Header().Set("Location", "http://127.0.0.1:1/stolen")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
		retry  int
	}{
		"an error object":  {status(404, `{"error":{"message":"model tiny\n is not  pulled"}}`), "answered 404: model tiny is not pulled", 0},
		"an error text":    {status(400, `{"error":"bad key sk-very-secret"}`), "answered 400: bad key [secret KEY]", 0},
		"a detail":         {status(422, `{"detail":"what?"}`), "answered 422: what?", 0},
		"a message":        {status(500, `{"message":"oh"}`), "answered 500: oh", 0},
		"a page":           {status(500, "<h1>no</h1>"), "answered 500: <h1>no</h1>", 0},
		"nothing":          {status(500, ""), "answered 500", 0},
		"the wrong key":    {status(401, `{"error":{"message":"no"}}`), "the key is the secret KEY", 0},
		"too much":         {status(429, `{"error":{"message":"slow down"}}`), "slow down", 7},
		"a redirect":       {status(307, ""), "redirects are not followed", 0},
		"an error at once": {sse(`data: {"error":{"message":"out of memory"}}` + "\n\n"), "it failed: out of memory", 0},
		"an event of one":  {sse("event: error\ndata: {\"message\":\"the key sk-very-secret is old\"}\n\n"), "it failed: the key [secret KEY] is old", 0},
		"one without name": {sse(`data: {"object":"error","message":"too long a prompt","code":400}` + "\n\n"), "it failed: too long a prompt", 0},
		"a page for an answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>\n<p>Sign in first</p>\n")
		}, "it sent what is no chat completion: <html>", 0},
		"JSON that is an error": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"message":"come back later"}`)
		}, "it failed: come back later", 0},
		"no JSON":         {sse("data: {\n\n"), "no chat completion: {", 0},
		"nothing at all":  {sse(), "the connection ended before the answer did", 0},
		"half an answer":  {sse(delta(`{"content":"one"}`)), "the connection ended before the answer did", 0},
		"done at once":    {sse(over), "its answer was empty", 0},
		"too many calls":  {sse(delta(`{"tool_calls":[{"index":99,"function":{"name":"x"}}]}`)), "out of order", 0},
		"a line too long": {sse("data: " + strings.Repeat("x", maxFrame+10)), "more than", 0},
		"JSON of no answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{}`)
		}, "no choices", 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := upstreamAgent(serve(t, c.answer))
			a.Settings.Model.KeySecret = "KEY"
			w := newWorld(t, a)
			w.secrets["KEY"] = "sk-very-secret"
			_, _, err := w.listen(t.Context(), w.ask(t, "far", "hello"))
			e := contract.AsError(err)
			if e == nil || e.Code != contract.ModelFailed || !strings.Contains(e.Message, c.want) || strings.Contains(e.Message, "very-secret") || e.RetryAfterSec != c.retry {
				t.Errorf("%v", err)
			}
			if e != nil && len(e.Message) > 2*maxSaid {
				t.Errorf("%d bytes of words", len(e.Message))
			}
		})
	}
}

func TestUpstreamIsAsked(t *testing.T) {
	asked := make(chan map[string]any, 1)
	a := upstreamAgent(serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		body["auth"], body["path"] = r.Header.Get("Authorization"), r.Method+" "+r.URL.Path
		asked <- body
		sse(delta(`{"content":"x"}`), stop, over)(w, r)
	}))
	a.Settings.Model.KeySecret = "KEY"
	w := newWorld(t, a)
	req := w.ask(t, "far", "hello")
	if _, _, err := w.listen(t.Context(), req); codeOf(err) != contract.ModelNotReady || !strings.Contains(err.Error(), "KEY") {
		t.Errorf("without its key: %v", err)
	}
	w.secrets["KEY"] = "sk-1"
	req.Options = map[string]contract.RawJSON{"temperature": contract.RawJSON("0.5"), "user": contract.RawJSON(`"ada"`), "model": contract.RawJSON(`"other"`), "stream": contract.RawJSON("false")}
	req.Choice = Choice{ChoiceFunction, "add"}
	if _, _, err := w.listen(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	got := <-asked
	if got["auth"] != "Bearer sk-1" || got["path"] != "POST /v1/chat/completions" || got["model"] != "tiny" || got["stream"] != true ||
		got["temperature"] != 0.5 || got["user"] != nil || len(got["tools"].([]any)) != 3 || fmt.Sprint(got["tool_choice"]) != "map[function:map[name:add] type:function]" {
		t.Errorf("%v", got)
	}
	messages := got["messages"].([]any)
	first := messages[0].(map[string]any)
	if len(messages) != 2 || first["role"] != "system" || first["content"] != "You are far." {
		t.Errorf("%v", messages)
	}
}

// A turn that is ended ends the request.
func TestUpstreamIsLetGo(t *testing.T) {
	gone := make(chan struct{})
	asked := make(chan struct{}, 1)
	w := newWorld(t, upstreamAgent(serve(t, func(w http.ResponseWriter, r *http.Request) {
		sse(delta(`{"content":"one"}`))(w, r)
		_ = http.NewResponseController(w).Flush()
		asked <- struct{}{}
		<-r.Context().Done()
		gone <- struct{}{}
	})))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, _, err := w.listen(ctx, w.ask(t, "far", "hello"))
		done <- err
	}()
	<-asked
	cancel()
	<-gone
	if err := <-done; codeOf(err) != contract.TurnCancelled {
		t.Error(err)
	}
}

// wire is a model at the other end of no network: it sends this, and then, when
// it hangs, nothing until the request ends.
type wire struct {
	headers bool
	sends   string
	hangs   bool
}

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if !w.headers {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	var body io.Reader = strings.NewReader(w.sends)
	if w.hangs {
		body = io.MultiReader(body, hanging{r.Context()})
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}, nil
}

type hanging struct{ ctx context.Context }

func (h hanging) Read([]byte) (int, error) {
	<-h.ctx.Done()
	return 0, h.ctx.Err()
}

// A model that says nothing for too long is let go, at any point; one whose
// listener takes their time is not.
func TestSilence(t *testing.T) {
	one := delta(`{"content":"one"}`)
	for name, c := range map[string]struct {
		wire   wire
		listen time.Duration
		want   string
	}{
		"no answer":       {wire{}, 0, "MODEL_TIMEOUT: the model of agent far did not answer within 1m0s"},
		"half an answer":  {wire{true, one, true}, 0, "MODEL_TIMEOUT: the model of agent far stopped in the middle and said nothing more for 1m0s"},
		"a slow listener": {wire{true, one + stop + over, false}, time.Hour, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, upstreamAgent("http://far.example"))
				w.cfg.HTTP, w.cfg.Silence = c.wire, time.Minute
				_, err := w.Turn(t.Context(), w.ask(t, "far", "hello"), func(ch Chunk) error {
					if ch.Kind == ChunkText && c.listen > 0 {
						<-time.After(c.listen)
					}
					return nil
				})
				w.Close()
				if fmt.Sprint(err) != c.want {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

func TestUpstreamIsNotThere(t *testing.T) {
	w := newWorld(t, upstreamAgent("http://127.0.0.1:1"))
	_, _, err := w.listen(t.Context(), w.ask(t, "far", "hello"))
	if codeOf(err) != contract.ModelFailed || !strings.Contains(err.Error(), "cannot be reached at http://127.0.0.1:1/v1") {
		t.Error(err)
	}
}

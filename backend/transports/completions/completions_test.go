package completions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/model"
)

// fake is a Model whose turns are a function of the test.
type fake struct {
	*model.Model
	turn func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)
}

func (f *fake) Turn(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	return f.turn(ctx, req, emit)
}

// serve mounts the transport alone, for one public agent.
func serve(t *testing.T, turn func(ctx context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error)) string {
	t.Helper()
	m := model.New(model.Config{Now: func() time.Time { return time.Unix(1, 0) }, NewID: func() string { return "1" }})
	t.Cleanup(m.Close)
	a := agents.Agent{ID: "a", Username: "mia", Settings: agents.Settings{Visibility: agents.VisibilityPublic}}
	mux := http.NewServeMux()
	for _, r := range New(Config{Model: &fake{m, turn}}).Routes {
		mux.HandleFunc(r.Method+" "+r.Path, func(w http.ResponseWriter, req *http.Request) { r.Serve(w, req, a) })
	}
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL + "/v1/chat/completions"
}

func post(t *testing.T, ctx context.Context, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

const streamed = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`

func text(s string) model.Chunk { return model.Chunk{Kind: model.ChunkText, Text: s} }

// What the model reasons stands where upstream models say it, beside the content.
func TestThinking(t *testing.T) {
	url := serve(t, func(_ context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, "one")}, errors.Join(emit(model.Chunk{Kind: model.ChunkThinking, Text: "hm"}), emit(text("one")))
	})
	body, err := io.ReadAll(post(t, t.Context(), url, streamed).Body)
	if err != nil || !strings.Contains(string(body), `"delta":{"reasoning_content":"hm"}`) || !strings.Contains(string(body), `"delta":{"content":"one"}`) {
		t.Errorf("%s %v", body, err)
	}
}

// An error behind the first chunk is a frame, and no [DONE] follows; what it says
// is the platform's own words only when it is meant for others.
func TestLateErrors(t *testing.T) {
	for err, want := range map[error]string{
		contract.Errorf(contract.ModelFailed, "it broke"): `{"error":{"message":"it broke","type":"upstream_error","param":null,"code":"MODEL_FAILED"}}`,
		errors.New("open /secret: no"):                    `{"error":{"message":"a fault of the platform; its log has the details","type":"server_error","param":null,"code":"INTERNAL_ERROR"}}`,
	} {
		url := serve(t, func(_ context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
			return model.TurnResult{}, errors.Join(emit(text("one")), err)
		})
		resp := post(t, t.Context(), url, streamed)
		body, readErr := io.ReadAll(resp.Body)
		if readErr != nil || resp.StatusCode != 200 || !strings.HasSuffix(string(body), "data: "+want+"\n\n") || strings.Contains(string(body), "[DONE]") {
			t.Errorf("%d %s %v", resp.StatusCode, body, readErr)
		}
	}
}

// Before the first chunk it is an answer with its own status.
func TestEarlyErrors(t *testing.T) {
	busy := contract.Errorf(contract.ConcurrencyExceeded, "busy")
	busy.RetryAfterSec = 3
	for err, want := range map[error]int{
		contract.Errorf(contract.ModelTimeout, "slow"):     504,
		contract.Errorf(contract.Forbidden, "no"):          403,
		contract.Errorf(contract.WallTimeout, "of a tool"): 500,
		errors.New("open /secret: no"):                     500,
		busy:                                               429,
	} {
		url := serve(t, func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
			return model.TurnResult{}, err
		})
		for _, body := range []string{streamed, strings.Replace(streamed, "true", "false", 1)} {
			resp := post(t, t.Context(), url, body)
			got, readErr := io.ReadAll(resp.Body)
			if readErr != nil || resp.StatusCode != want || resp.Header.Get("Content-Type") != "application/json; charset=utf-8" || strings.Contains(string(got), "secret") {
				t.Errorf("%d %s %v, want %d", resp.StatusCode, got, readErr, want)
			}
			if want == 429 && resp.Header.Get("Retry-After") != "3" {
				t.Errorf("Retry-After %q", resp.Header.Get("Retry-After"))
			}
		}
	}
}

// Pieces arrive as they are made, and a reader that goes ends the turn.
func TestPiecesAndGone(t *testing.T) {
	more, ended := make(chan struct{}), make(chan error, 1)
	url := serve(t, func(ctx context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		if err := emit(text("one")); err != nil {
			return model.TurnResult{}, err
		}
		<-more
		<-ctx.Done()
		ended <- ctx.Err()
		return model.TurnResult{}, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	resp := post(t, ctx, url, streamed)
	got := ""
	for buf := make([]byte, 1024); !strings.Contains(got, `"content":"one"`); {
		n, err := resp.Body.Read(buf)
		if err != nil {
			t.Fatalf("%v after %s", err, got)
		}
		got += string(buf[:n])
	}
	close(more)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What a model's fault does to a turn does not reach the platform.
func TestTurnPanics(t *testing.T) {
	url := serve(t, func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
		panic("oh")
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if resp, err := http.DefaultClient.Do(req); err == nil { // net/http has taken the panic and hung up
		t.Errorf("answered %d", resp.StatusCode)
		_ = resp.Body.Close()
	}
}

// The request reaches the model as it was meant.
func TestRequest(t *testing.T) {
	var got model.TurnRequest
	url := serve(t, func(_ context.Context, req model.TurnRequest, _ func(model.Chunk) error) (model.TurnResult, error) {
		got = req
		return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, "ok"), Finish: model.FinishStop}, nil
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(
		`{"model":"m","temperature":0.5,"tool_choice":{"type":"function","function":{"name":"x"}},"tools":[{"type":"function","function":{"name":"x"}}],"messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("X-Payment-Token", "a.b.c")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var c model.Completion
	if err := json.NewDecoder(resp.Body).Decode(&c); err != nil || c.ID != "chatcmpl-1" || c.Model != "m" || c.Created != 1 || c.Choices[0].FinishReason != "stop" {
		t.Errorf("%+v %v", c, err)
	}
	if string(got.Options["temperature"]) != "0.5" || got.Choice != (model.Choice{Mode: model.ChoiceFunction, Name: "x"}) || len(got.Tokens) != 1 || got.Tokens[0] != "a.b.c" ||
		string(got.Tools[0].Function.Parameters) != `{"type":"object","properties":{}}` || got.Messages[0].Text() != "hi" {
		t.Errorf("%+v", got)
	}
}

func TestTooLarge(t *testing.T) {
	url := serve(t, nil)
	if resp := post(t, t.Context(), url, `{"model":"`+strings.Repeat("x", maxBody)+`"}`); resp.StatusCode != 413 {
		t.Error(resp.StatusCode)
	}
}

// A request is refused with INVALID_REQUEST, or can be used.
func FuzzRequest(f *testing.F) {
	f.Add(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	f.Add(`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"tools":[{"type":"function","function":{"name":"x","parameters":{}}}],"tool_choice":"auto","stream_options":{"include_usage":true},"n":1}`)
	f.Add(`{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}`)
	f.Add(`{"messages":{},"stream_options":1}`)
	f.Fuzz(func(t *testing.T, body string) {
		r, err := parse([]byte(body))
		if err != nil {
			if e := contract.AsError(err); e == nil || e.Code != contract.InvalidRequest || e.Message == "" {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		if r.Model == "" || len(r.Messages) == 0 {
			t.Errorf("%q is taken", body)
		}
		if _, err := json.Marshal(r.Messages); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	})
}

package uamp_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
)

func TestSession(t *testing.T) {
	w := open(t, parrot)
	c := w.dial()
	c.send("input.text", object{"text": "too early"})
	if e := c.wants("response.error"); at(e, "error", "code") != "session_required" {
		t.Errorf("before a session: %s", text(e))
	}
	c.send("session.create", object{"uamp_version": "2.0"})
	if e := c.wants("response.error"); at(e, "error", "code") != "version_mismatch" {
		t.Errorf("another version: %s", text(e))
	}
	c.send("session.create", object{"uamp_version": "1.0", "session": object{"modalities": []string{"text"}, "instructions": "Be short.", "extensions": object{"X-Payment-Token": "tok", "other": 1}}})
	e := c.wants("session.created")
	if !regexp.MustCompile(`^sess_[0-9a-f]{12}$`).MatchString(at(e, "session", "id").(string)) || e["uamp_version"] != "1.0" || at(e, "session", "status") != "active" ||
		at(e, "session", "created_at") != 1.7e12 || at(e, "session", "config", "instructions") != "Be short." || e["session_id"] != nil || strings.Contains(text(e), "tok\"") {
		t.Errorf("created: %s", text(e))
	}
	e = c.wants("capabilities")
	if at(e, "capabilities", "id") != "mia" || at(e, "capabilities", "supports_streaming") != true || at(e, "capabilities", "tools", "built_in_tools", 0) != "quote" || at(e, "capabilities", "provides", 0) != "users" {
		t.Errorf("capabilities: %s", text(e))
	}
	c.send("session.update", object{"session": object{"modalities": []string{"text", "audio"}}})
	if e := c.wants("session.updated"); at(e, "session", "config", "instructions") != "Be short." || at(e, "session", "config", "modalities", 1) != "audio" {
		t.Errorf("updated: %s", text(e))
	}

	c.send("input.text", object{"text": "hello"})
	c.send("response.create", nil)
	id := c.wants("response.created")["response_id"].(string)
	if !regexp.MustCompile(`^resp_[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("the response is %s", id)
	}
	var said string
	for _, want := range []string{"you ", "said hello"} {
		e := c.wants("response.delta")
		said += at(e, "delta", "text").(string)
		if e["response_id"] != id || at(e, "delta", "type") != "text" || at(e, "delta", "text") != want {
			t.Errorf("delta: %s", text(e))
		}
	}
	if e := c.wants("usage.delta"); at(e, "delta", "total_tokens") != 5.0 {
		t.Errorf("usage: %s", text(e))
	}
	e = c.wants("response.done")
	if at(e, "response", "id") != id || at(e, "response", "status") != "completed" || at(e, "response", "output", 0, "text") != said ||
		at(e, "response", "usage", "input_tokens") != 3.0 || at(e, "response", "usage", "output_tokens") != 2.0 {
		t.Errorf("done: %s", text(e))
	}
	c.ask("and again")
	req := w.request(1)
	if got := text(req.Messages); got != `[{"role":"system","content":"Be short."},{"role":"user","content":"hello"},{"role":"assistant","content":"you said hello"},{"role":"user","content":"and again"}]` || text(req.Tokens) != `["tok"]` {
		t.Errorf("the second turn got %s with %s", got, text(req.Tokens))
	}

	c.send("session.end", object{"reason": "user_left"})
	if e := c.next(); e != nil {
		t.Errorf("after the end: %s", text(e))
	}
	wait(t, "the connection is gone", func() bool { return w.uamp.Connections() == 0 })
}

// Every event of clients, with its reply or the message that it becomes.
func TestEvents(t *testing.T) {
	for _, row := range []struct {
		name, kind string
		event      object
		reply      string // its type, with what it says after a space; empty: none
		message    string // what the next turn gets of it
	}{
		{"text", "input.text", object{"text": "hi"}, "", `{"role":"user","content":"hi"}`},
		{"text of the system", "input.text", object{"text": "hi", "role": "system"}, "", `{"role":"system","content":"hi"}`},
		{"text without one", "input.text", object{}, "response.error invalid_event", ""},
		{"text as the agent", "input.text", object{"text": "hi", "role": "assistant"}, "response.error invalid_event", ""},
		{"text that is none", "input.text", object{"text": 1}, "response.error invalid_event", ""},
		{"an image", "input.image", object{"image": "AAAA", "format": "jpeg", "detail": "low"}, "", `{"type":"image_url","image_url":{"detail":"low","url":"data:image/jpeg;base64,AAAA"}}`},
		{"an image elsewhere", "input.image", object{"image": object{"url": "https://x/y.png"}}, "", `{"type":"image_url","image_url":{"url":"https://x/y.png"}}`},
		{"an image as a data address", "input.image", object{"image": "data:image/png;base64,AAAA"}, "", `"url":"data:image/png;base64,AAAA"`},
		{"no image", "input.image", object{}, "response.error invalid_event", ""},
		{"an image that is none", "input.image", object{"image": "!"}, "response.error invalid_event", ""},
		{"sound", "input.audio", object{"audio": "AAAA", "format": "wav"}, "", `{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}`},
		{"sound elsewhere", "input.audio", object{"audio": object{"url": "https://x/y.wav"}, "format": "wav"}, "", `"content":"audio: https://x/y.wav"`},
		{"a film", "input.video", object{"video": "AAAA"}, "", `{"type":"video_url","video_url":{"url":"data:video/mp4;base64,AAAA"}}`},
		{"a file of text", "input.file", object{"file": "aGk=", "filename": "a.txt", "mime_type": "text/plain"}, "", `"content":"a.txt:\nhi"`},
		{"a file that is an image", "input.file", object{"file": "AAAA", "filename": "a.png", "mime_type": "image/png"}, "", `"type":"image_url"`},
		{"another file", "input.file", object{"file": "AAAA", "filename": "a.pdf", "mime_type": "application/pdf"}, "", `{"type":"file","file":{"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf"}}`},
		{"a file elsewhere", "input.file", object{"file": "https://x/a.pdf", "filename": "a.pdf", "mime_type": "application/pdf"}, "", `"content":"a.pdf: https://x/a.pdf"`},
		{"typing", "input.typing", object{"is_typing": true}, "", ""},
		{"nothing to commit", "input.audio_committed", object{}, "", ""},
		{"a message", "conversation.item.create", object{"item": object{"id": "i1", "type": "message", "role": "assistant", "content": []object{{"type": "text", "text": "before"}}}}, "", `{"role":"assistant","content":[{"type":"text","text":"before"}]}`},
		{"a message of a word", "conversation.item.create", object{"item": object{"type": "message", "role": "user", "content": "before"}}, "", `{"role":"user","content":"before"}`},
		{"a call", "conversation.item.create", object{"item": object{"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}}, "", `"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]`},
		{"its result", "conversation.item.create", object{"item": object{"type": "function_call_output", "call_id": "c1", "output": object{"a": 1}}}, "", `{"role":"tool","content":"{\"a\":1}","tool_call_id":"c1"}`},
		{"an item of no type", "conversation.item.create", object{"item": object{"type": "song"}}, "response.error invalid_event", ""},
		{"a message of nobody", "conversation.item.create", object{"item": object{"type": "message", "role": "ghost", "content": "x"}}, "response.error invalid_event", ""},
		{"delete what is not there", "conversation.item.delete", object{"item_id": "none"}, "response.error item_not_found", ""},
		{"truncate what is not there", "conversation.item.truncate", object{"item_id": "none"}, "response.error item_not_found", ""},
		{"ping", "ping", object{}, "pong", ""},
		{"what the agent can", "capabilities.query", object{}, "capabilities", ""},
		{"what the client can", "client.capabilities", object{"capabilities": object{"audio": true}}, "", ""},
		{"a call by voice", "voice.invite", object{}, "voice.decline", ""},
		{"its end", "voice.end", object{}, "", ""},
		{"an extension", "extension.message", object{"namespace": "x.y"}, "response.error unknown_extension", ""},
		{"an event of one's own", "x-mine", object{}, "", ""},
		{"an unknown event", "frobnicate", object{}, "response.error unknown_event", ""},
		{"an event of the server", "response.done", object{}, "response.error unknown_event", ""},
		{"an event inside", "system.stop", object{}, "response.error unknown_event", ""},
		{"cancel nothing", "response.cancel", object{}, "response.error response_not_found", ""},
		{"a result nobody waits for", "tool.result", object{"call_id": "c", "result": "1"}, "response.error unknown_call", ""},
		{"an answer to nothing", "response.create", object{}, "response.error invalid_event", ""},
		{"an answer with bad tools", "response.create", object{"response": object{"tools": []object{{"name": "a b"}}}}, "response.error invalid_event", ""},
		{"an answer to bad messages", "response.create", object{"response": object{"messages": []object{{"role": "ghost"}}}}, "response.error invalid_event", ""},
		{"an update with a bad token", "session.update", object{"token": "bad"}, "session.updated", ""},
		{"an update that is none", "session.update", object{"session": 1}, "response.error invalid_event", ""},
		{"a payment without a token", "payment.submit", object{"payment": object{}}, "payment.error token_invalid", ""},
		{"a payment nobody asked for", "payment.submit", object{"payment": object{"scheme": "token", "token": "t"}}, "payment.accepted", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := open(t, parrot)
			c, _ := w.session(nil)
			c.send(row.kind, row.event)
			if row.reply != "" {
				kind, code, _ := strings.Cut(row.reply, " ")
				e := c.wants(kind)
				if code != "" && at(e, "error", "code") != code && e["code"] != code {
					t.Errorf("replied %s", text(e))
				}
			}
			c.send("input.text", object{"text": "last", "role": "system"})
			c.send("response.create", nil)
			if _, kinds := c.until("response.done"); !strings.HasPrefix(kinds, "response.created response.delta") {
				t.Errorf("more replies: %s", kinds)
			}
			if got := text(w.request(0).Messages); !strings.Contains(got, row.message) || strings.Contains(got, "tool_calls") != strings.Contains(row.message, "tool_calls") {
				t.Errorf("the turn got %s", got)
			}
		})
	}
}

// Input collects until it is answered: one message, its parts in order; sound that
// comes in pieces is one part.
func TestInputCollects(t *testing.T) {
	w := open(t, parrot)
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "look"})
	c.send("input.image", object{"image": "AAAA"})
	c.send("input.audio", object{"audio": "AAEC", "format": "wav", "is_final": false})
	c.send("input.audio", object{"audio": "AwQF", "is_final": false})
	c.send("input.audio_committed", nil)
	c.send("input.text", object{"text": "well?"})
	c.send("response.create", object{"response": object{"instructions": "Now.", "temperature": 0.5, "max_tokens": 7}, "response_format": object{"type": "json_object"}})
	c.until("response.done")
	req := w.request(0)
	want := `[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},` +
		`{"type":"input_audio","input_audio":{"data":"AAECAwQF","format":"wav"}},{"type":"text","text":"well?"}]},{"role":"system","content":"Now."}]`
	if got := text(req.Messages); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if text(req.Options) != `{"max_tokens":7,"response_format":{"type":"json_object"},"temperature":0.5}` {
		t.Errorf("options %s", text(req.Options))
	}
	c.send("conversation.item.create", object{"item": object{"id": "gone", "role": "user", "content": "gone"}})
	c.send("conversation.item.delete", object{"item_id": "gone"})
	c.ask("next")
	if got := text(w.request(1).Messages); strings.Contains(got, "gone") || strings.Count(got, "look") != 1 || !strings.HasSuffix(got, `{"role":"user","content":"next"}]`) {
		t.Errorf("then %s", got)
	}
	c.send("response.create", object{"response": object{"messages": []object{{"role": "user", "content": "only this"}}}})
	c.until("response.done")
	if got := text(w.request(2).Messages); got != `[{"role":"user","content":"only this"}]` {
		t.Errorf("a conversation of the client's own: %s", got)
	}
}

// A tool of the agent runs in the turn, and the client sees it run.
func TestToolsOfTheAgent(t *testing.T) {
	call := model.ToolCall{ID: "c1", Type: "function", Function: model.FunctionCall{Name: "quote", Arguments: `{"hours":3}`}}
	w := open(t, func(_ context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		for _, c := range []model.Chunk{
			{Kind: model.ChunkText, Text: "Let me see. "}, {Kind: model.ChunkToolCall, Call: &call},
			{Kind: model.ChunkToolProgress, Call: &call, Event: &contract.EmittedEvent{Event: "half", Payload: contract.RawJSON(`{"n":1}`)}},
			{Kind: model.ChunkToolResult, Call: &call, Result: contract.RawJSON(`{"total":240}`), InvocationID: "i1"},
			{Kind: model.ChunkToolCall, Call: &call}, {Kind: model.ChunkToolResult, Call: &call, Result: contract.RawJSON(`{}`), Failed: contract.ToolNotFound},
		} {
			if err := emit(c); err != nil {
				return model.TurnResult{}, err
			}
		}
		return said(emit, "240.")
	})
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "cost?"})
	c.send("response.create", nil)
	c.wants("response.created")
	for _, want := range []string{
		`{"text":"Let me see. ","type":"text"}`,
		`{"tool_call":{"arguments":"","id":"c1","name":"quote"},"type":"tool_call"}`,
		`{"tool_call":{"arguments":"{\"hours\":3}","id":"c1","name":"quote"},"type":"tool_call"}`,
		`{"tool_progress":{"call_id":"c1","event":"half","name":"quote","payload":{"n":1}},"type":"tool_progress"}`,
		`{"tool_result":{"call_id":"c1","invocation_id":"i1","result":"{\"total\":240}"},"type":"tool_result"}`,
		`{"tool_call":{"arguments":"","id":"c1","name":"quote"},"type":"tool_call"}`,
		`{"tool_call":{"arguments":"{\"hours\":3}","id":"c1","name":"quote"},"type":"tool_call"}`,
		`{"tool_result":{"call_id":"c1","is_error":true,"result":"{}"},"type":"tool_result"}`,
		`{"text":"240.","type":"text"}`,
	} {
		if e := c.wants("response.delta"); text(e["delta"]) != want {
			t.Errorf("got %s, want %s", text(e["delta"]), want)
		}
	}
	done, _ := c.until("response.done")
	var kinds []string
	for _, o := range at(done, "response", "output").([]any) {
		kinds = append(kinds, at(o, "type").(string))
	}
	if strings.Join(kinds, " ") != "text tool_call tool_result tool_call tool_result text" {
		t.Errorf("output %s", text(done))
	}
}

// What the model reasons is told as it comes, and is no part of the answer.
func TestThinking(t *testing.T) {
	w := open(t, func(_ context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		if err := emit(model.Chunk{Kind: model.ChunkThinking, Text: "let me see"}); err != nil {
			return model.TurnResult{}, err
		}
		return said(emit, "240.")
	})
	c, _ := w.session(nil)
	c.send("input.text", object{"text": "cost?"})
	c.send("response.create", nil)
	created := c.wants("response.created")
	if e := c.wants("thinking"); e["content"] != "let me see" || e["is_delta"] != true || e["response_id"] != created["response_id"] {
		t.Errorf("%s", text(e))
	}
	c.wants("response.delta")
	done, _ := c.until("response.done")
	if out := at(done, "response", "output").([]any); len(out) != 1 || at(out[0], "text") != "240." {
		t.Errorf("output %s", text(done))
	}
}

// asking calls two tools of the client's, then says what they gave.
func asking(_ context.Context, req model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
	if last := req.Messages[len(req.Messages)-1]; last.Role == model.RoleTool {
		var results []string
		for _, m := range req.Messages {
			if m.Role == model.RoleTool {
				results = append(results, m.ToolCallID+"="+m.Text())
			}
		}
		return said(emit, strings.Join(results, " "))
	}
	m := model.Message{Role: model.RoleAssistant, Content: contract.RawJSON("null")}
	for _, id := range []string{"c1", "c2"} {
		m.ToolCalls = append(m.ToolCalls, model.ToolCall{ID: id, Type: "function", Function: model.FunctionCall{Name: "sky", Arguments: `{"in":"Rome"}`}})
	}
	for i := range m.ToolCalls {
		if err := emit(model.Chunk{Kind: model.ChunkToolCall, Call: &m.ToolCalls[i], ByClient: true}); err != nil {
			return model.TurnResult{}, err
		}
	}
	return model.TurnResult{Message: m, Steps: []model.Message{m}, Finish: model.FinishToolCalls}, nil
}

func TestToolsOfTheClient(t *testing.T) {
	w := open(t, asking)
	c, _ := w.session(object{"session": object{"tools": []object{{"type": "function", "function": object{"name": "sky", "parameters": object{"type": "object"}}}, {"name": "sea"}}}})
	c.send("input.text", object{"text": "how is it?"})
	c.send("response.create", nil)
	c.wants("response.created")
	first := c.wants("tool.call")
	if first["call_id"] != "c1" || first["name"] != "sky" || first["arguments"] != `{"in":"Rome"}` || first["response_id"] == nil {
		t.Errorf("tool.call %s", text(first))
	}
	// The first result may come before the response has ended.
	c.send("tool.result", object{"call_id": "c1", "result": `{"sky":"blue"}`})
	_, kinds := c.until("response.done")
	if strings.Count(kinds, "tool.call ") != 1 {
		t.Errorf("then %s", kinds)
	}
	if !strings.Contains(kinds, "tool.call_done") {
		c.wants("tool.call_done")
	}
	if got := text(w.request(0).Tools); !strings.Contains(got, `"sky"`) || !strings.Contains(got, `"sea"`) {
		t.Errorf("the turn got the tools %s", got)
	}
	c.send("tool.result", object{"call_id": "c1", "result": "twice"})
	if e := c.wants("response.error"); at(e, "error", "code") != "unknown_call" {
		t.Errorf("a result twice: %s", text(e))
	}
	c.send("tool.result", object{"call_id": "c2", "result": "rain", "is_error": true})
	c.wants("tool.call_done")
	done, kinds := c.until("response.done")
	if !strings.HasPrefix(kinds, "response.created") || !strings.HasPrefix(at(done, "response", "output", 0, "text").(string), `c1={"sky":"blue"} c2={"ok":false`) {
		t.Errorf("%s: %s", kinds, text(done))
	}
	// Whoever goes on without a result has not run the tool.
	c.send("input.text", object{"text": "once more"})
	c.send("response.create", nil)
	c.until("response.done")
	c.send("response.create", nil)
	done, _ = c.until("response.done")
	if !strings.Contains(text(done), "NO_RESULT") {
		t.Errorf("without a result: %s", text(done))
	}
}

func TestFailures(t *testing.T) {
	busy := contract.Errorf(contract.ConcurrencyExceeded, "too many")
	for _, row := range []struct {
		name  string
		turn  turner
		kinds string
		code  string
		says  string
	}{
		{"the model's", func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
			return model.TurnResult{}, contract.Errorf(contract.ModelFailed, "upstream said: no")
		}, "response.created response.error", "generation_error", "upstream said: no"},
		{"too many turns", func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
			return model.TurnResult{}, busy
		}, "response.created rate_limit response.error", "rate_limited", "too many"},
		{"a fault", func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
			return model.TurnResult{}, context.DeadlineExceeded
		}, "response.created response.error", "generation_error", "its log has the details"},
		{"a panic", func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
			panic("hunter2")
		}, "response.created response.error", "generation_error", "its log has the details"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := open(t, row.turn)
			c, _ := w.session(nil)
			c.send("input.text", object{"text": "x"})
			c.send("response.create", nil)
			e, kinds := c.until("response.error")
			if kinds != row.kinds || at(e, "error", "code") != row.code || !strings.Contains(text(e), row.says) || e["response_id"] == nil {
				t.Errorf("%s: %s", kinds, text(e))
			}
			c.send("ping", nil)
			c.wants("pong")
			_ = c.ws.Close()
			w.uamp.Close()
			if strings.Contains(w.log.String(), "hunter2") {
				t.Error("the log has the value of a panic")
			}
		})
	}
}

func TestWhoMayTalk(t *testing.T) {
	w := open(t, parrot)
	w.agent.Settings.Visibility = agents.VisibilityOwner
	owner := auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}
	for _, row := range []struct {
		name   string
		caller auth.Caller
		header []string
		create object
		ok     bool
	}{
		{"nobody", auth.Caller{Kind: auth.KindAnonymous}, nil, nil, false},
		{"the owner", owner, nil, nil, true},
		{"a token in the event", auth.Caller{Kind: auth.KindAnonymous}, nil, object{"token": "owner"}, true},
		{"a token in the session", auth.Caller{Kind: auth.KindAnonymous}, nil, object{"session": object{"token": "owner"}}, true},
		{"a bad token", auth.Caller{Kind: auth.KindAnonymous}, nil, object{"token": "bad"}, false},
		{"the owner with a bad token", owner, nil, object{"token": "bad"}, false},
		{"the owner's cookie from our page", owner, []string{"Origin", w.url}, nil, true},
		{"the owner's cookie from another page", owner, []string{"Origin", "http://evil.example"}, nil, false},
		{"the owner's cookie from no page", owner, []string{"Origin", "null"}, nil, false},
		{"the owner's bearer from another page", owner, []string{"Origin", "http://evil.example", "Authorization", "Bearer x"}, nil, true},
	} {
		w.is(row.caller)
		c := w.dial(row.header...)
		c.send("session.create", row.create)
		e := c.next()
		if (e["type"] == "session.created") != row.ok || !row.ok && (e["type"] != "session.error" || at(e, "error", "code") != "unauthorized") {
			t.Errorf("%s: %s", row.name, text(e))
		}
		_ = c.ws.Close()
	}
}

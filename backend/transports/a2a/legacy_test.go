package a2a_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"benchtop/backend/auth"
	"benchtop/backend/model"
)

// gone sends a request whose client goes.
func (w *world) gone(ctx context.Context, path, body string) error {
	req, err := http.NewRequestWithContext(ctx, "POST", w.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		res.Body.Close()
	}
	return err
}

func first(more ...any) object {
	p := object{"message": object{"role": "user", "parts": []object{{"type": "text", "text": "hello"}}}}
	for i := 0; i < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

// The first versions: tasks/send with ids of the client's, parts with a type.
func TestFirstVersions(t *testing.T) {
	var asked []int
	w := open(t, func(_ context.Context, req model.TurnRequest, _ func(model.Chunk) error) (model.TurnResult, error) {
		asked = append(asked, len(req.Messages))
		return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, "yes")}, nil
	})
	got, _ := w.rpc("tasks/send", first("id", "t1", "sessionId", "s1"))
	if got["id"] != "t1" || got["sessionId"] != "s1" || at(got, "status", "state") != "completed" || at(got, "artifacts", 0, "name") != "response" ||
		at(got, "artifacts", 0, "parts", 0, "type") != "text" || at(got, "artifacts", 0, "parts", 0, "text") != "yes" || at(got, "history", 0, "role") != "user" || at(got, "status", "message", "parts", 0, "text") != "yes" {
		t.Errorf("%s", text(got))
	}
	got, _ = w.rpc("tasks/send", first("id", "t1"))
	if len(got["history"].([]any)) != 4 || got["sessionId"] != "s1" {
		t.Errorf("goes on: %s", text(got))
	}
	w.rpc("tasks/send", first("sessionId", "s1"))
	if len(asked) != 3 || asked[0] != 1 || asked[1] != 3 || asked[2] != 5 {
		t.Errorf("the model got %v messages", asked)
	}
	if got, _ := w.rpc("tasks/get", object{"id": "t1"}); got["kind"] != "task" || at(got, "status", "state") != "completed" {
		t.Errorf("got %s", text(got))
	}
	if _, failed := w.rpc("tasks/cancel", object{"id": "t1"}); failed["code"] != -32002.0 {
		t.Errorf("cancel: %s", text(failed))
	}
	w.caller = auth.Caller{Kind: auth.KindVisitor, UserID: "v"}
	if _, failed := w.rpc("tasks/send", first("id", "t1")); failed["code"] != -32602.0 {
		t.Errorf("the id of somebody else's task: %s", text(failed))
	}
}

// 0.3: objects that say their kind; the same names mean 1.0 when that is asked for.
func TestEarlierVersions(t *testing.T) {
	w := open(t, saying("o", "k"))
	old := object{"message": object{"kind": "message", "messageId": "m", "role": "user", "parts": []object{
		{"kind": "text", "text": "hello"}, {"kind": "file", "file": object{"name": "a.png", "mimeType": "image/png", "bytes": "AAAA"}}, {"kind": "data", "data": object{"a": 1}},
	}}}
	got, _ := w.rpc("message/send", old, "A2A-Version", "0.3")
	if got["kind"] != "task" || at(got, "status", "state") != "completed" || at(got, "history", 0, "parts", 1, "file", "bytes") != "AAAA" || at(got, "history", 0, "parts", 2, "kind") != "data" {
		t.Errorf("0.3: %s", text(got))
	}
	got, _ = w.rpc("message/send", hello(), "A2A-Version", "1.0")
	if at(got, "task", "status", "state") != "TASK_STATE_COMPLETED" {
		t.Errorf("the name of 0.3 with 1.0: %s", text(got))
	}
	res := w.do(t.Context(), "POST", "/a2a", object{"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": old})
	defer res.Body.Close()
	var kinds []string
	all := frames(t, res.Body)
	for _, f := range all {
		kinds = append(kinds, at(f, "result", "kind").(string))
	}
	if strings.Join(kinds, " ") != "task artifact-update artifact-update status-update" || at(all[3], "result", "final") != true {
		t.Errorf("streamed %s", text(all))
	}
	if _, failed := w.rpc("tasks/pushNotificationConfig/set", object{"id": "x"}); failed["code"] != -32003.0 {
		t.Errorf("push: %s", text(failed))
	}

	w.legacy.Store(false)
	if _, failed := w.rpc("tasks/send", first()); failed["code"] != -32601.0 {
		t.Errorf("switched off, tasks/send: %s", text(failed))
	}
	if got, _ := w.rpc("message/send", hello()); at(got, "task", "status", "state") != "TASK_STATE_COMPLETED" {
		t.Errorf("switched off, message/send: %s", text(got))
	}
	if _, failed := w.rpc("message/send", hello(), "A2A-Version", "0.3"); failed["code"] != -32009.0 {
		t.Errorf("switched off, 0.3: %s", text(failed))
	}
}

// The REST verbs of an early version: a stream of named events, and DELETE.
func TestEarlyRest(t *testing.T) {
	w := open(t, saying("o", "k"))
	res := w.do(t.Context(), "POST", "/a2a/tasks", first("id", "t1"))
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.SplitSeq(string(body), "\n") {
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			names = append(names, name)
		}
	}
	if strings.Join(names, " ") != "task.started task.message task.message task.completed" {
		t.Errorf("%s", body)
	}
	for _, row := range []struct {
		method, path string
		body         any
		legacy       bool
		status       int
	}{
		{"GET", "/a2a/tasks/t1", nil, true, 200}, {"DELETE", "/a2a/tasks/t1", nil, true, 400}, {"DELETE", "/a2a/tasks/none", nil, true, 404},
		{"POST", "/a2a/tasks", "{", true, 400}, {"POST", "/a2a/tasks", object{}, true, 400},
		{"POST", "/a2a/tasks", first(), false, 405}, {"DELETE", "/a2a/tasks/t1", nil, false, 405},
	} {
		w.legacy.Store(row.legacy)
		if status, _, out := w.ask(row.method, row.path, row.body); status != row.status {
			t.Errorf("%s %s: %d %s", row.method, row.path, status, text(out))
		}
	}
	w = open(t, gated(make(chan string)))
	sent, _ := w.rpc("SendMessage", object{"message": hello()["message"], "configuration": object{"returnImmediately": true}})
	if status, _, out := w.ask("DELETE", "/a2a/tasks/"+at(sent, "task", "id").(string), nil); status != 200 || at(out, "status", "state") != "canceled" {
		t.Errorf("DELETE: %d %s", status, text(out))
	}
}

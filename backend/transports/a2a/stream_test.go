package a2a_test

import (
	"bufio"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"benchtop/backend/model"
)

// gated says one piece for each token of more and ends when that is closed.
func gated(more chan string) turner {
	return func(ctx context.Context, _ model.TurnRequest, emit func(model.Chunk) error) (model.TurnResult, error) {
		var all string
		for {
			select {
			case piece, open := <-more:
				if !open {
					return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, all)}, nil
				}
				all += piece
				if err := emit(model.Chunk{Kind: model.ChunkText, Text: piece}); err != nil {
					return model.TurnResult{}, err
				}
			case <-ctx.Done():
				return model.TurnResult{}, ctx.Err()
			}
		}
	}
}

// wait waits for what something else does.
func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !done(); <-tick.C {
		if time.Now().After(end) {
			t.Errorf("still not: %s", what)
			return
		}
	}
}

// stream reads one frame after the other.
type stream struct {
	t *testing.T
	s *bufio.Scanner
}

func (s stream) next() object {
	s.t.Helper()
	for s.s.Scan() {
		if data, ok := strings.CutPrefix(s.s.Text(), "data: "); ok {
			var v object
			if err := json.Unmarshal([]byte(data), &v); err != nil {
				s.t.Fatal(err)
			}
			return v
		}
	}
	return nil
}

func TestStream(t *testing.T) {
	more := make(chan string)
	w := open(t, gated(more))
	res := w.do(t.Context(), "POST", "/a2a", object{"jsonrpc": "2.0", "id": "s", "method": "SendStreamingMessage", "params": hello()})
	defer res.Body.Close()
	if ct := res.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/event-stream") {
		t.Fatal(ct)
	}
	s := stream{t, bufio.NewScanner(res.Body)}
	first := s.next()
	id := at(first, "result", "task", "id")
	if first["id"] != "s" || at(first, "result", "task", "status", "state") != "TASK_STATE_WORKING" {
		t.Fatalf("first %s", text(first))
	}
	more <- "one "
	more <- "two "
	if got := s.next(); at(got, "result", "artifactUpdate", "artifact", "parts", 0, "text") != "one " || at(got, "result", "artifactUpdate", "append") != false {
		t.Errorf("second %s", text(got))
	}
	// Somebody who comes later gets what there is, then the rest.
	res2 := w.do(t.Context(), "GET", "/a2a/tasks/"+id.(string)+":subscribe", nil)
	defer res2.Body.Close()
	late := stream{t, bufio.NewScanner(res2.Body)}
	if got := late.next(); at(got, "task", "artifacts", 0, "parts", 0, "text") != "one " || at(got, "task", "status", "state") != "TASK_STATE_WORKING" {
		t.Errorf("late: %s", text(got))
	}
	if got, _ := w.rpc("GetTask", object{"id": id}); at(got, "artifacts", 0, "parts", 0, "text") != "one " {
		t.Errorf("got meanwhile %s", text(got))
	}
	if _, failed := w.rpc("SendMessage", hello("taskId", id)); failed["code"] != -32004.0 {
		t.Errorf("a message to a task under way: %s", text(failed))
	}
	close(more)
	for name, next := range map[string]func() any{
		"the first": func() any { return s.next()["result"] }, "the late": func() any { return late.next() },
	} {
		got := next()
		if at(got, "artifactUpdate", "artifact", "parts", 0, "text") != "two " || at(got, "artifactUpdate", "append") != true || at(got, "artifactUpdate", "lastChunk") != true {
			t.Errorf("%s reader got %s", name, text(got))
		}
		if got = next(); at(got, "statusUpdate", "status", "state") != "TASK_STATE_COMPLETED" || at(got, "statusUpdate", "taskId") != id {
			t.Errorf("%s reader's end is %s", name, text(got))
		}
	}
	if s.next() != nil || late.next() != nil {
		t.Error("something follows the end")
	}
}

func TestCancel(t *testing.T) {
	w := open(t, gated(make(chan string)))
	sent, _ := w.rpc("SendMessage", object{"message": hello()["message"], "configuration": object{"returnImmediately": true}})
	id := at(sent, "task", "id")
	if at(sent, "task", "status", "state") != "TASK_STATE_WORKING" {
		t.Errorf("at once %s", text(sent))
	}
	res := w.do(t.Context(), "POST", "/a2a", object{"jsonrpc": "2.0", "id": 1, "method": "SubscribeToTask", "params": object{"id": id}})
	defer res.Body.Close()
	got, _ := w.rpc("CancelTask", object{"id": id})
	if at(got, "status", "state") != "TASK_STATE_CANCELED" {
		t.Errorf("cancelled %s", text(got))
	}
	all := frames(t, res.Body)
	if at(all[len(all)-1], "result", "statusUpdate", "status", "state") != "TASK_STATE_CANCELED" {
		t.Errorf("the follower saw %s", text(all))
	}
	if got, _ := w.rpc("GetTask", object{"id": id}); at(got, "status", "state") != "TASK_STATE_CANCELED" {
		t.Errorf("stored %s", text(got))
	}
	wait(t, "the task is gone", func() bool { return w.a2a.Running() == 0 })
}

// Whoever waits for an answer and goes takes the task along; whoever streams
// leaves it, and can follow it again.
func TestClientsThatGo(t *testing.T) {
	more := make(chan string)
	w := open(t, gated(more))
	ctx, kill := context.WithCancel(t.Context())
	res := w.do(ctx, "POST", "/a2a/message:stream", hello())
	s := stream{t, bufio.NewScanner(res.Body)}
	id := at(s.next(), "task", "id")
	kill()
	res.Body.Close()
	close(more)
	wait(t, "the task has ended", func() bool { return w.a2a.Running() == 0 })
	if got, _ := w.rpc("GetTask", object{"id": id}); at(got, "status", "state") != "TASK_STATE_COMPLETED" {
		t.Errorf("the stream's task is %s", text(got))
	}

	ctx, kill = context.WithCancel(t.Context())
	w = open(t, func(ctx context.Context, _ model.TurnRequest, _ func(model.Chunk) error) (model.TurnResult, error) {
		kill()
		<-ctx.Done()
		return model.TurnResult{}, ctx.Err()
	})
	body := `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}`
	if err := w.gone(ctx, "/a2a/message:send", body); err == nil {
		t.Error("a killed client got an answer")
	}
	wait(t, "the task has gone with its client", func() bool { return w.a2a.Running() == 0 })
	if got, _ := w.rpc("ListTasks", object{}); at(got, "tasks", 0, "status", "state") != "TASK_STATE_CANCELED" {
		t.Errorf("left %s", text(got))
	}
}

func TestBounds(t *testing.T) {
	w := open(t, gated(make(chan string)))
	at1 := object{"message": hello()["message"], "configuration": object{"returnImmediately": true}}
	for range 64 {
		if _, failed := w.rpc("SendMessage", at1); failed != nil {
			t.Fatal(text(failed))
		}
	}
	if status, _, out := w.ask("POST", "/a2a/message:send", at1); status != 429 {
		t.Errorf("one too many: %d %s", status, text(out))
	}
	w.a2a.Close()
	if got, _ := w.rpc("ListTasks", object{"pageSize": 1}); got["totalSize"] != 64.0 || at(got, "tasks", 0, "status", "state") != "TASK_STATE_FAILED" || !strings.Contains(text(got), "SHUTTING_DOWN") {
		t.Errorf("after the end %s", text(got))
	}
	if _, failed := w.rpc("SendMessage", at1); failed == nil {
		t.Error("a task after the end")
	}
}

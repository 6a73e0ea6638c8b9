package uamp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/transports/uamp"
)

func create() object { return object{"type": "session.create", "uamp_version": "1.0"} }
func input(s string) object {
	return object{"type": "input.text", "event_id": "e", "text": s}
}

var respond = object{"type": "response.create"}

func TestList(t *testing.T) {
	w := open(t, parrot)
	for _, row := range []struct {
		name   string
		body   any
		status int
		kinds  string
	}{
		{"a turn", []object{create(), input("hi"), respond}, 200, "session.created capabilities response.created response.delta response.delta usage.delta response.done"},
		{"without a session of its own", []object{input("hi"), respond}, 200, "session.created capabilities response.created response.delta response.delta usage.delta response.done"},
		{"two turns", []object{input("a"), respond, input("b"), respond}, 200,
			"session.created capabilities" + strings.Repeat(" response.created response.delta response.delta usage.delta response.done", 2)},
		{"one event", object{"type": "ping"}, 200, "session.created capabilities pong"},
		{"nothing after the end", []object{create(), {"type": "session.end"}, {"type": "ping"}}, 200, "session.created capabilities"},
		{"another version", []object{{"type": "session.create", "uamp_version": "7"}}, 200, "response.error"},
		{"an event that is none", []any{create(), 1}, 200, "session.created capabilities response.error"},
		{"no events", []object{}, 400, ""},
		{"no list", "hello", 400, ""},
		{"half a list", "[", 400, ""},
	} {
		status, body := w.post("/uamp", row.body)
		if status != row.status {
			t.Errorf("%s: %d %s", row.name, status, body)
			continue
		}
		if status != 200 {
			if !strings.Contains(body, `"code":"uamp_error"`) {
				t.Errorf("%s: %s", row.name, body)
			}
			continue
		}
		if kinds := kindsOf(t, body); kinds != row.kinds {
			t.Errorf("%s: %s", row.name, kinds)
		}
	}
	if status, _ := w.post("/uamp", "[]", "Content-Type", "text/plain"); status != 415 {
		t.Errorf("another content type: %d", status)
	}
	if status, _ := w.post("/uamp", `[{"type":"input.text","text":"`+strings.Repeat("x", 8<<20)+`"}]`); status != 413 {
		t.Errorf("too large: %d", status)
	}
	res, err := http.Get(w.url + "/uamp")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("GET without a WebSocket: %d", res.StatusCode)
	}
}

func TestStream(t *testing.T) {
	w := open(t, parrot)
	status, body := w.post("/uamp/stream", []object{create(), input("hi"), respond})
	var kinds []string
	for line := range strings.SplitSeq(body, "\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var e object
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e["type"].(string))
	}
	if status != 200 || !strings.HasSuffix(body, "data: [DONE]\n\n") ||
		strings.Join(kinds, " ") != "session.created capabilities response.created response.delta response.delta usage.delta response.done" {
		t.Errorf("%d %s", status, body)
	}
	if status, body := w.post("/uamp/stream", "["); status != 400 {
		t.Errorf("no events: %d %s", status, body)
	}
}

// A client goes on with its session from request to request, also for the results
// of its tools; payment is told, and not waited for.
func TestListGoesOn(t *testing.T) {
	w := open(t, asking)
	_, body := w.post("/uamp", []object{create(), input("how is it?"), respond})
	var all []object
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		t.Fatal(err)
	}
	id := at(all[0], "session", "id")
	_, body = w.post("/uamp", []object{{"type": "session.create", "session_id": id}, {"type": "tool.result", "call_id": "c1", "result": "1"}, {"type": "tool.result", "call_id": "c2", "result": "2"}})
	if !strings.Contains(body, "c1=1 c2=2") || !strings.Contains(body, `"resumed":true`) {
		t.Errorf("goes on: %s", body)
	}

	w = open(t, paid, func(c *uamp.Config) { c.Payments = tokens })
	status, body := w.post("/uamp", []object{create(), input("x"), respond})
	if kinds := kindsOf(t, body); status != 200 || kinds != "session.created capabilities response.created payment.required response.error" || !strings.Contains(body, "payment_required") {
		t.Errorf("a price: %s", kinds)
	}
	for name, try := range map[string]func() (int, string){
		"by header": func() (int, string) { return w.post("/uamp", []object{input("x"), respond}, "X-PAYMENT", "good") },
		"by session": func() (int, string) {
			return w.post("/uamp", []object{{"type": "session.create", "payment_token": "good"}, input("x"), respond})
		},
		"by input": func() (int, string) {
			return w.post("/uamp", []object{{"type": "input.text", "text": "x", "payment_token": "good"}, respond})
		},
		"by payment.submit": func() (int, string) {
			return w.post("/uamp", []object{{"type": "payment.submit", "payment": object{"token": "good"}}, input("x"), respond})
		},
	} {
		if _, body := try(); !strings.Contains(body, "you said x") {
			t.Errorf("%s: %s", name, body)
		}
	}
}

func TestListIsRefused(t *testing.T) {
	w := open(t, parrot)
	w.agent.Settings.Visibility = agents.VisibilityOwner
	for _, row := range []struct {
		name   string
		caller auth.Caller
		events []object
		status int
	}{
		{"nobody", auth.Caller{Kind: auth.KindAnonymous}, []object{input("x")}, 403},
		{"nobody, with a session", auth.Caller{Kind: auth.KindAnonymous}, []object{create()}, 403},
		{"a bad key", auth.Caller{Kind: auth.KindAnonymous, Refused: true}, []object{input("x")}, 401},
		{"a bad token", auth.Caller{Kind: auth.KindAnonymous}, []object{{"type": "session.create", "token": "bad"}}, 401},
		{"a token", auth.Caller{Kind: auth.KindAnonymous}, []object{{"type": "session.create", "token": "owner"}}, 200},
		{"the owner", auth.Caller{Kind: auth.KindOwner, UserID: "owner"}, []object{input("x")}, 200},
	} {
		w.is(row.caller)
		for _, path := range []string{"/uamp", "/uamp/stream"} {
			if status, body := w.post(path, row.events); status != row.status {
				t.Errorf("%s, %s: %d %s", row.name, path, status, body)
			}
		}
	}
}

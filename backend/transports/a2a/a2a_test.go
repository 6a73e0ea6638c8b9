package a2a_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/model"
)

func TestCards(t *testing.T) {
	w := open(t, saying("hi"))
	for _, row := range []struct {
		name, path, visibility string
		legacy                 bool
		want, not              []string
	}{
		{"1.0", "agent-card.json", "public", true,
			[]string{`"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"` + w.url + `/mia/a2a"}`, `"protocolBinding":"HTTP+JSON"`, `"httpAuthSecurityScheme"`,
				`"streaming":true`, `"pushNotifications":false`, `"id":"quote"`, `"description":"Quotes"`, `"version":"1.2.3"`}, []string{"inputSchema", "securityRequirements", "protocolVersion\":\"0"}},
		{"1.0 of a private agent", "agent-card.json", "owner", true,
			[]string{`"securityRequirements":[{"schemes":{"bearer":{"list":[]}}}]`, `"id":"quote"`}, nil},
		{"earlier", "agent.json", "public", true,
			[]string{`"protocolVersion":"0.3.0"`, `"url":"` + w.url + `/mia/a2a"`, `"authentication":{"schemes":["Bearer"]}`, `"inputSchema":{"type":"object"}`, `"preferredTransport":"JSONRPC"`, `"stateTransitionHistory":true`},
			[]string{"supportedInterfaces", `"security":`}},
		{"earlier, of a private agent", "agent.json", "owner", true, []string{`"security":[{"bearer":[]}]`}, nil},
		{"earlier, switched off", "agent.json", "public", false, []string{`"supportedInterfaces"`}, []string{"preferredTransport"}},
	} {
		w.agent.Settings.Visibility = row.visibility
		w.legacy.Store(row.legacy)
		status, header, card := w.ask("GET", "/.well-known/"+row.path, nil)
		if status != 200 || !strings.Contains(header.Get("Cache-Control"), "max-age=300") || strings.Contains(header.Get("Cache-Control"), "public") != (row.visibility == "public") {
			t.Errorf("%s: %d %v", row.name, status, header)
		}
		for _, want := range row.want {
			if !strings.Contains(text(card), want) {
				t.Errorf("%s has no %s: %s", row.name, want, text(card))
			}
		}
		for _, not := range row.not {
			if strings.Contains(text(card), not) {
				t.Errorf("%s has %s: %s", row.name, not, text(card))
			}
		}
	}
	w.agent.Settings.Visibility, w.caller = agents.VisibilityOwner, auth.Caller{Kind: auth.KindAnonymous}
	if _, _, card := w.ask("GET", "/.well-known/agent-card.json", nil); strings.Contains(text(card), "quote") || strings.Contains(text(card), "Quotes") || !strings.Contains(text(card), "securityRequirements") {
		t.Errorf("a stranger sees of a private agent %s", text(card))
	}
}

// Every verb of 1.0, over JSON-RPC and over REST, with the same answers.
func TestVerbs(t *testing.T) {
	for _, binding := range []string{"JSON-RPC", "REST"} {
		t.Run(binding, func(t *testing.T) {
			w := open(t, saying("hel", "lo ", "you"))
			call := func(method string, params object) (object, float64) {
				if binding == "JSON-RPC" {
					result, failed := w.rpc(method, params)
					code, _ := failed["code"].(float64)
					return result, code
				}
				id, _ := params["id"].(string)
				row := map[string]struct {
					method, path string
					body         any
				}{
					"SendMessage": {"POST", "/a2a/message:send", params}, "GetTask": {"GET", "/a2a/tasks/" + id + query(params, "historyLength"), nil},
					"ListTasks":  {"GET", "/a2a/tasks" + query(params, "contextId", "pageSize", "pageToken", "status", "includeArtifacts"), nil},
					"CancelTask": {"POST", "/a2a/tasks/" + id + ":cancel", nil}, "SubscribeToTask": {"GET", "/a2a/tasks/" + id + ":subscribe", nil},
					"GetExtendedAgentCard":          {"GET", "/a2a/extendedAgentCard", nil},
					"GetTaskPushNotificationConfig": {"GET", "/a2a/tasks/" + id + "/pushNotificationConfigs/1", nil},
				}[method]
				status, header, out := w.ask(row.method, row.path, row.body)
				if header.Get("Content-Type") != "application/a2a+json" {
					t.Errorf("%s: %s", method, header.Get("Content-Type"))
				}
				if status == 200 {
					return out, 0
				}
				reason, _ := at(out, "error", "details", 0, "reason").(string)
				code := map[string]float64{
					"TASK_NOT_FOUND": -32001, "TASK_NOT_CANCELABLE": -32002, "PUSH_NOTIFICATION_NOT_SUPPORTED": -32003, "UNSUPPORTED_OPERATION": -32004,
					"CONTENT_TYPE_NOT_SUPPORTED": -32005, "EXTENDED_AGENT_CARD_NOT_CONFIGURED": -32007, "INVALID_PARAMS": -32602,
				}[reason]
				if at(out, "error", "code") != float64(status) || code == 0 {
					t.Errorf("%s: %d %s", method, status, text(out))
				}
				return nil, code
			}
			if got, _ := call("ListTasks", nil); text(got) != `{"nextPageToken":"","pageSize":50,"tasks":[],"totalSize":0}` {
				t.Errorf("no tasks: %s", text(got))
			}
			sent, _ := call("SendMessage", hello())
			id, context := at(sent, "task", "id"), at(sent, "task", "contextId")
			if at(sent, "task", "status", "state") != "TASK_STATE_COMPLETED" || at(sent, "task", "artifacts", 0, "parts", 0, "text") != "hello you" ||
				at(sent, "task", "artifacts", 0, "name") != "response" || at(sent, "task", "history", 0, "role") != "ROLE_USER" || at(sent, "task", "history", 1, "role") != "ROLE_AGENT" {
				t.Errorf("sent: %s", text(sent))
			}
			if got, _ := call("GetTask", object{"id": id}); text(got) != text(sent["task"]) {
				t.Errorf("got %s, want %s", text(got), text(sent["task"]))
			}
			if got, _ := call("GetTask", object{"id": id, "historyLength": 1}); len(got["history"].([]any)) != 1 || at(got, "history", 0, "role") != "ROLE_AGENT" {
				t.Errorf("one of the history: %s", text(got))
			}
			if _, code := call("SendMessage", hello("contextId", context)); code != 0 {
				t.Errorf("the same context: %v", code)
			}
			first, _ := call("ListTasks", object{"pageSize": 1})
			if first["totalSize"] != 2.0 || first["nextPageToken"] == "" || at(first, "tasks", 0, "artifacts") != nil || at(first, "tasks", 0, "id") == id {
				t.Errorf("the first page: %s", text(first))
			}
			second, _ := call("ListTasks", object{"pageSize": 1, "pageToken": first["nextPageToken"], "includeArtifacts": true, "status": "TASK_STATE_COMPLETED", "contextId": context})
			if second["nextPageToken"] != "" || at(second, "tasks", 0, "id") != id || at(second, "tasks", 0, "artifacts", 0, "parts", 0, "text") != "hello you" {
				t.Errorf("the second page: %s", text(second))
			}
			if got, _ := call("ListTasks", object{"status": "TASK_STATE_REJECTED"}); got["totalSize"] != 0.0 {
				t.Errorf("rejected: %s", text(got))
			}
			for _, row := range []struct {
				name, method string
				params       object
				code         float64
			}{
				{"get what is not there", "GetTask", object{"id": "none"}, -32001},
				{"cancel what is not there", "CancelTask", object{"id": "none"}, -32001},
				{"cancel what is over", "CancelTask", object{"id": id}, -32002},
				{"follow what is over", "SubscribeToTask", object{"id": id}, -32004},
				{"a message to what is over", "SendMessage", hello("taskId", id), -32004},
				{"a message to what is not there", "SendMessage", hello("taskId", "none"), -32001},
				{"no message", "SendMessage", object{}, -32602},
				{"no id of the message", "SendMessage", hello("messageId", ""), -32602},
				{"no parts", "SendMessage", hello("parts", []any{}), -32602},
				{"an empty part", "SendMessage", hello("parts", []any{object{}}), -32602},
				{"a part of two sorts", "SendMessage", hello("parts", []any{object{"text": "a", "url": "b"}}), -32602},
				{"parts of another kind", "SendMessage", hello("parts", "text"), -32602},
				{"a file nobody reads", "SendMessage", hello("parts", []any{object{"raw": "AAAA", "mediaType": "application/zip"}}), -32005},
				{"no base64", "SendMessage", hello("parts", []any{object{"raw": "!", "mediaType": "image/png"}}), -32602},
				{"as the agent", "SendMessage", hello("role", "ROLE_AGENT"), -32602},
				{"an id with spaces", "SendMessage", hello("contextId", "a b"), -32602},
				{"a page too large", "ListTasks", object{"pageSize": 101}, -32602},
				{"a token that is none", "ListTasks", object{"pageToken": "x"}, -32602},
				{"a state that is none", "ListTasks", object{"status": "DONE"}, -32602},
				{"push", "GetTaskPushNotificationConfig", object{"id": id}, -32003},
				{"a message with push", "SendMessage", object{"message": hello()["message"], "configuration": object{"taskPushNotificationConfig": object{"url": "http://x"}}}, -32003},
				{"the extended card", "GetExtendedAgentCard", object{}, -32007},
			} {
				if got, code := call(row.method, row.params); code != row.code {
					t.Errorf("%s: code %v, %s; want %v", row.name, code, text(got), row.code)
				}
			}
		})
	}
}

func query(params object, names ...string) string {
	var parts []string
	for _, n := range names {
		if v, ok := params[n]; ok {
			parts = append(parts, n+"="+strings.Trim(text(v), `"`))
		}
	}
	return "?" + strings.Join(parts, "&")
}

// What the model gets: the context's conversation, then the message, each part as
// what it is.
func TestConversation(t *testing.T) {
	var asked []string
	w := open(t, func(_ context.Context, req model.TurnRequest, _ func(model.Chunk) error) (model.TurnResult, error) {
		asked = append(asked, text(req.Messages)+text(req.Tokens))
		return model.TurnResult{Message: model.TextMessage(model.RoleAssistant, "yes")}, nil
	})
	sent, _ := w.rpc("SendMessage", hello())
	w.rpc("SendMessage", hello("contextId", at(sent, "task", "contextId"), "parts", []any{
		object{"text": "look"}, object{"data": object{"n": 1}}, object{"raw": "aGk=", "mediaType": "text/plain; charset=utf-8"}, object{"url": "http://x/y.pdf", "filename": "y.pdf"},
	}), "X-PAYMENT", "tok")
	w.rpc("SendMessage", hello("parts", []any{object{"text": "see"}, object{"raw": "AAAA", "mediaType": "image/png"}, object{"raw": "_-8", "mediaType": "audio/wav"}}))
	for i, want := range []string{
		`[{"role":"user","content":"hello"}]null`,
		`[{"role":"user","content":"hello"},{"role":"assistant","content":"yes"},{"role":"user","content":"look\n{\"n\":1}\nhi\ny.pdf http://x/y.pdf"}]["tok"]`,
		`[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"input_audio","input_audio":{"data":"/+8=","format":"wav"}}]}]null`,
	} {
		if i >= len(asked) || asked[i] != want {
			t.Errorf("turn %d was asked\n%v, want\n%s", i, asked[min(i, len(asked)-1)], want)
		}
	}
}

func TestFailures(t *testing.T) {
	pay := contract.Errorf(contract.PaymentTokenRequired, "this costs 0.02")
	pay.Details = contract.PaymentFailure{Accepts: []contract.PaymentAccept{{Scheme: "token", Network: "robutler", Amount: "0.02", Asset: "robutler:credits"}}}
	for _, row := range []struct {
		name string
		fail error
		want []string
	}{
		{"payment", pay, []string{`"code":"payment_required"`, `"status_code":402`, `"accepts":[{`, `"amount":"0.02"`, `"text":"this costs 0.02"`}},
		{"the model", contract.Errorf(contract.ModelFailed, "upstream said: no"), []string{`"code":"MODEL_FAILED"`, `upstream said: no`}},
		{"a fault", context.DeadlineExceeded, []string{`"code":"INTERNAL_ERROR"`, `its log has the details`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := open(t, failing(row.fail))
			sent, _ := w.rpc("SendMessage", hello())
			if at(sent, "task", "status", "state") != "TASK_STATE_FAILED" {
				t.Errorf("sent %s", text(sent))
			}
			res := w.do(t.Context(), "POST", "/a2a/message:stream", hello())
			defer res.Body.Close()
			all := frames(t, res.Body)
			last := all[len(all)-1]
			if len(all) != 2 || at(last, "statusUpdate", "status", "state") != "TASK_STATE_FAILED" || at(last, "statusUpdate", "metadata", "code") == nil {
				t.Errorf("streamed %s", text(all))
			}
			for _, want := range row.want {
				if !strings.Contains(text(sent), want) || !strings.Contains(text(last), want) {
					t.Errorf("no %s in %s or %s", want, text(sent), text(last))
				}
			}
			res = w.do(t.Context(), "POST", "/a2a/tasks", hello())
			defer res.Body.Close()
			all = frames(t, res.Body)
			if got := text(all[len(all)-1]); row.name == "payment" && (!strings.Contains(got, `"status_code":402`) || !strings.Contains(got, `"state":"failed"`)) {
				t.Errorf("an earlier stream ended with %s", got)
			}
		})
	}
}

// panicking is a turn with a mistake in it.
func TestPanicEndsTheTask(t *testing.T) {
	w := open(t, func(context.Context, model.TurnRequest, func(model.Chunk) error) (model.TurnResult, error) {
		panic("hunter2")
	})
	sent, _ := w.rpc("SendMessage", hello())
	if at(sent, "task", "status", "state") != "TASK_STATE_FAILED" || strings.Contains(text(sent), "hunter2") || strings.Contains(w.log.String(), "hunter2") || !strings.Contains(w.log.String(), "panicked") {
		t.Errorf("%s, log %s", text(sent), w.log.String())
	}
}

func TestWhoMayTalk(t *testing.T) {
	w := open(t, saying("hi"))
	for _, row := range []struct {
		name, visibility string
		caller           auth.Caller
		status           int
	}{
		{"anybody, public", agents.VisibilityPublic, auth.Caller{Kind: auth.KindAnonymous}, 200},
		{"a bad key, public", agents.VisibilityPublic, auth.Caller{Kind: auth.KindAnonymous, Refused: true}, 200},
		{"anybody, private", agents.VisibilityOwner, auth.Caller{Kind: auth.KindAnonymous}, 403},
		{"a bad key, private", agents.VisibilityOwner, auth.Caller{Kind: auth.KindAnonymous, Refused: true}, 401},
		{"the owner, private", agents.VisibilityOwner, auth.Caller{Kind: auth.KindOwner, UserID: "owner"}, 200},
		{"a token to read, private", agents.VisibilityOwner, auth.Caller{Kind: auth.KindPortal, UserID: "owner", Scopes: []string{"read"}}, 403},
		{"another agent, private", agents.VisibilityOwner, auth.Caller{Kind: auth.KindAgent, AgentID: "a2", Scopes: []string{"invoke"}}, 403},
	} {
		w.agent.Settings.Visibility, w.caller = row.visibility, row.caller
		for _, path := range []string{"/a2a", "/a2a/message:send", "/a2a/tasks"} {
			body := hello()
			if path == "/a2a" {
				body = object{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": hello()}
			}
			res := w.do(t.Context(), "POST", path, body)
			res.Body.Close()
			if res.StatusCode != row.status {
				t.Errorf("%s, %s: %d, want %d", row.name, path, res.StatusCode, row.status)
			}
		}
	}
}

// A task is its caller's alone.
func TestTasksAreTheirCallers(t *testing.T) {
	w := open(t, saying("hi"))
	people := []auth.Caller{
		{Kind: auth.KindOwner, UserID: auth.OwnerUserID}, {Kind: auth.KindVisitor, UserID: "v1"}, {Kind: auth.KindVisitor, UserID: "v2"},
		{Kind: auth.KindAgent, AgentID: "a2"}, {Kind: auth.KindAnonymous},
	}
	ids := make([]any, len(people))
	for i, p := range people {
		w.caller = p
		sent, _ := w.rpc("SendMessage", hello("contextId", "shared"))
		ids[i] = at(sent, "task", "id")
	}
	for i, p := range people {
		w.caller = p
		for j, id := range ids {
			_, failed := w.rpc("GetTask", object{"id": id})
			if (failed == nil) != (i == j) {
				t.Errorf("%+v gets the task of %+v: %v", p, people[j], failed)
			}
		}
		got, _ := w.rpc("ListTasks", object{"contextId": "shared"})
		if got["totalSize"] != 1.0 || at(got, "tasks", 0, "id") != ids[i] {
			t.Errorf("%+v lists %s", p, text(got))
		}
	}
	if got, _ := w.rpc("ListTasks", object{}); got["totalSize"] != 0.0 {
		t.Errorf("whoever is anonymous lists %s", text(got))
	}
}

func TestProtocolErrors(t *testing.T) {
	w := open(t, saying("hi"))
	valid := `{"jsonrpc":"2.0","id":"x","method":"ListTasks"}`
	for _, row := range []struct {
		name, body string
		header     []string
		status     int
		code       float64
		id         any
	}{
		{"well", valid, nil, 200, 0, "x"},
		{"well, 1.0", valid, []string{"A2A-Version", "1.0"}, 200, 0, "x"},
		{"well, 1.0.0", valid, []string{"A2A-Version", "1.0.0"}, 200, 0, "x"},
		{"well, 1", valid, []string{"A2A-Version", "1"}, 200, 0, "x"},
		{"another version", valid, []string{"A2A-Version", "2.0"}, 200, -32009, "x"},
		{"an earlier version of a method of 1.0", valid, []string{"A2A-Version", "0.3"}, 200, -32009, "x"},
		{"another content type", valid, []string{"Content-Type", "text/plain"}, 415, -32005, nil},
		{"no content type", valid, []string{"Content-Type", ""}, 415, -32005, nil},
		{"neither content type nor body", ``, []string{"Content-Type", ""}, 415, -32005, nil},
		{"a charset beside it", valid, []string{"Content-Type", "application/json; charset=utf-8"}, 200, 0, "x"},
		{"no JSON", `{"jsonrpc":`, nil, 400, -32700, nil},
		{"nothing", ``, []string{"Content-Type", "application/json"}, 400, -32700, nil},
		{"a batch", `[` + valid + `]`, nil, 200, -32600, nil},
		{"no version", `{"id":1,"method":"ListTasks"}`, nil, 200, -32600, 1.0},
		{"no id", `{"jsonrpc":"2.0","method":"ListTasks"}`, nil, 200, -32600, nil},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ListTasks"}`, nil, 200, -32600, nil},
		{"no method", `{"jsonrpc":"2.0","id":1}`, nil, 200, -32600, 1.0},
		{"a method that is none", `{"jsonrpc":"2.0","id":1,"method":"Frobnicate"}`, nil, 200, -32601, 1.0},
		{"parameters that are none", `{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":[1]}`, nil, 200, -32602, 1.0},
		{"too large", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", contract.MaxBodyBytes) + `"}`, nil, 200, -32600, nil},
	} {
		status, _, out := w.ask("POST", "/a2a", row.body, row.header...)
		code, _ := at(out, "error", "code").(float64)
		if status != row.status || code != row.code || out["id"] != row.id {
			t.Errorf("%s: %d %s", row.name, status, text(out))
		}
	}
	for _, row := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/a2a/message:send", "{", 400}, {"GET", "/a2a/tasks?pageSize=x", "", 400}, {"GET", "/a2a/tasks?includeArtifacts=x", "", 400},
		{"GET", "/a2a", "", 405}, {"PUT", "/a2a/message:send", "", 405}, {"GET", "/a2a/nothing", "", 404}, {"POST", "/a2a/tasks/x:frob", "", 405}, {"POST", "/a2a/nothing:frob", "", 404},
		{"DELETE", "/a2a/tasks/x/pushNotificationConfigs/1", "", 400}, {"OPTIONS", "/a2a", "", 204},
	} {
		res := w.do(t.Context(), row.method, row.path, row.body)
		res.Body.Close()
		if res.StatusCode != row.status {
			t.Errorf("%s %s: %d, want %d", row.method, row.path, res.StatusCode, row.status)
		}
	}
	w.agent.Settings.Transports = nil
	if res := w.do(t.Context(), http.MethodGet, "/.well-known/agent.json", nil); res.StatusCode != 404 {
		t.Errorf("an agent that does not list it: %d", res.StatusCode)
	}
}

package uamp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Whatever events come are answered with events, each with its ids, and a response
// that began ends once.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		`[{"type":"session.create","uamp_version":"1.0","session":{"tools":[{"name":"sky"}],"extensions":{"X-Payment-Token":"t"}}},{"type":"input.text","text":"x"},{"type":"response.create"},{"type":"tool.result","call_id":"c1","result":"1"},{"type":"tool.result","call_id":"c2","result":1},{"type":"response.create"}]`,
		`[{"type":"input.audio","audio":"AA==","is_final":false},{"type":"input.audio_committed"},{"type":"input.image","image":{"url":1}},{"type":"response.create","response":{"messages":[],"tools":null}}]`,
		`[{"type":"conversation.item.create","item":{"id":"i","type":"function_call","call_id":"c","name":"f"}},{"type":"conversation.item.delete","item_id":"i"},{"type":"session.update","session":null},{"type":"session.end"}]`,
		`[{"type":"session.create","session_id":"a b"},{"type":"session.create","session_id":"mine"},{"type":"ping","session_id":"mine"},{"type":"ping"}]`,
		`{"type":"x-own"}`, `[1,null,{}]`, `[]`, `{`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := open(t, asking)
		req := httptest.NewRequest(http.MethodPost, "/uamp", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		res := httptest.NewRecorder()
		w.handler.ServeHTTP(res, req)
		status, out := res.Code, res.Body.String()
		if status >= 500 {
			t.Fatalf("%d %s", status, out)
		}
		if status != 200 {
			return
		}
		var all []object
		if err := json.Unmarshal([]byte(out), &all); err != nil {
			t.Fatal(err)
		}
		open := map[any]bool{}
		for _, e := range all {
			if id, _ := e["event_id"].(string); id == "" || e["type"] == nil {
				t.Errorf("an event without id or type: %s", text(e))
			}
			id := e["response_id"]
			switch e["type"] {
			case "response.created":
				open[id] = true
			case "response.done", "response.cancelled":
				if !open[id] {
					t.Errorf("an end without a beginning: %s", text(e))
				}
				delete(open, id)
			case "response.error":
				delete(open, id)
			}
		}
		if len(open) > 0 {
			t.Errorf("without an end: %s", text(all))
		}
		if strings.Contains(w.log.String(), "panicked") {
			t.Error(w.log.String())
		}
	})
}

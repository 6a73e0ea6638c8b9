package a2a_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Whatever comes is answered with one JSON-RPC answer or a stream, never with a
// fault of ours.
func FuzzRPC(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}}`,
		`{"jsonrpc":"2.0","id":"x","method":"tasks/send","params":{"id":"t","message":{"role":"user","parts":[{"type":"file","file":{"bytes":"AA==","mimeType":"image/png"}}]}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"pageSize":1,"pageToken":"!","statusTimestampAfter":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"parts":[{"kind":"data","data":{}}]}}}`,
		`{"jsonrpc":"2.0","id":1e999,"method":"GetTask","params":{"id":"\u0000","historyLength":-1}}`, `[{}]`, `null`, `{"id":{}}`, ``, `{`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		w := open(t, saying("a", "b"))
		req := httptest.NewRequest(http.MethodPost, "/a2a", bytes.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		res := httptest.NewRecorder()
		w.handler.ServeHTTP(res, req)
		out := res.Body.Bytes()
		if res.Header().Get("Content-Type") == "text/event-stream; charset=utf-8" {
			for _, frame := range frames(t, bytes.NewReader(out)) {
				if frame["jsonrpc"] != "2.0" || frame["result"] == nil {
					t.Errorf("a frame of %s", out)
				}
			}
			return
		}
		var answer struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *struct {
				Code int `json:"code"`
			} `json:"error"`
		}
		if err := json.Unmarshal(out, &answer); err != nil || answer.Version != "2.0" || answer.ID == nil || (answer.Error == nil) == (answer.Result == nil) {
			t.Errorf("%d %s: %v", res.Code, out, err)
		}
		if answer.Error != nil && answer.Error.Code == -32603 {
			t.Errorf("a fault of ours: %s, log %s", out, w.log.String())
		}
	})
}

package invocation

import (
	"encoding/json"
	"strings"
	"testing"
)

// A body is JSON, text or bytes, whatever is in it, and what a function gets of
// it is always JSON that can be sent on.
func TestBodies(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ name, contentType, body, want string }{
		{"JSON", "application/json", `{"a":1}`, `{"a":1}`},
		{"JSON with spaces", "text/html", " \n[1] ", `[1]`},
		{"a mark at the beginning", "text/plain", "\ufeffhi", `"hi"`},
		{"not UTF-8", "text/plain", "a\xffb", "\"a\ufffdb\""},
		{"JSON that is not UTF-8", "application/json", "\"a\xff\"", "\"\\\"a\ufffd\\\"\""},
		{"null with spaces", "application/json", " null\n", `" null\n"`},
		{"as deep as allowed", "application/json", deep(maxBodyDepth), deep(maxBodyDepth)},
		{"deeper", "application/json", deep(maxBodyDepth + 1), `"` + deep(maxBodyDepth+1) + `"`},
		{"far deeper", "application/json", deep(100_000), `"` + deep(100_000) + `"`},
		{"brackets in a text", "application/json", `"` + strings.Repeat("[", 1000) + `\""`, `"` + strings.Repeat("[", 1000) + `\""`},
		{"half a text", "application/json", `"\`, `"\"\\"`},
	} {
		h := &HTTPCall{Method: "POST", Path: "/", Header: map[string][]string{"Content-Type": {c.contentType}}, Body: []byte(c.body)}
		for _, raw := range []bool{false, true} {
			b, err := json.Marshal(h.requestOf("a", raw))
			var got struct{ Body json.RawMessage }
			if err != nil || json.Unmarshal(b, &got) != nil {
				t.Errorf("%s, raw %v: %v", c.name, raw, err)
				continue
			}
			if !raw && string(got.Body) != c.want {
				t.Errorf("%s: %.200s, want %.200s", c.name, got.Body, c.want)
			}
		}
	}
}

// What the history keeps can be sent again, and has no credential in it.
func TestInputIsAManualBody(t *testing.T) {
	h := &HTTPCall{Method: "POST", Path: "/x/1%202", Query: map[string]string{"a": "2"}, Params: map[string]string{"id": "1 2"},
		Header: map[string][]string{"X-A": {"1", "2"}, "Authorization": {"Bearer s3cret"}, "X-Payment-Token": {"s3cret"}, "Cookie": {"agt_a_s=s3cret"}}, Body: []byte(`{"n":1}`)}
	kept := h.input("a")
	want := `{"method":"POST","path":"/x/1%202","query":{"a":"2"},"headers":{"cookie":"[redacted]","x-a":"1, 2","x-payment-token":"[redacted]"},"body":{"n":1}}`
	if string(kept) != want {
		t.Errorf("kept %s\nwant %s", kept, want)
	}
	if kind, _, err := kindOf(kept, true); err != nil || kind != kindHTTP {
		t.Errorf("it is %s, %v", kind, err)
	}
}

// What an author writes in a manual call stays as it was written, but for credentials.
func TestManualInputKeepsNoCredentials(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"none", `{"method":"GET", "headers":{"X-A":"1"},"body":1e400}`, `{"method":"GET", "headers":{"X-A":"1"},"body":1e400}`},
		{"some", `{"method":"POST","headers":{"AUTHORIZATION":"Bearer s3cret","x-api-key":"s3cret","X-A":"1"},"body":12345678901234567890}`,
			`{"body":12345678901234567890,"headers":{"AUTHORIZATION":"[redacted]","X-A":"1","x-api-key":"[redacted]"},"method":"POST"}`},
		{"a member of the arguments", `{"args":{"headers":{"authorization":"a word"}}}`, `{"args":{"headers":{"authorization":"a word"}}}`},
	} {
		_, manual, err := kindOf(json.RawMessage(c.body), true)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := string(manual.keptInput(json.RawMessage(c.body))); got != c.want {
			t.Errorf("%s: kept %s\nwant %s", c.name, got, c.want)
		}
	}
}

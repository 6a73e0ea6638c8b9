package invocation

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/manifest"
	"benchtop/backend/payments"
)

func TestKindOf(t *testing.T) {
	tests := []struct {
		body   string
		schema bool
		kind   string
	}{
		{`{"args":{"a":1}}`, false, kindTool},
		{`{"args":null}`, true, kindTool},
		{`{"method":"post","path":"/x"}`, false, kindHTTP},
		{`{}`, false, kindCron},
		{``, false, kindCron},
		{`{}`, true, kindTool},
	}
	for _, tt := range tests {
		kind, _, err := kindOf(json.RawMessage(tt.body), tt.schema)
		if err != nil || kind != tt.kind {
			t.Errorf("%s (schema %v): %s %v, want %s", tt.body, tt.schema, kind, err, tt.kind)
		}
	}
}

func TestRequestOf(t *testing.T) {
	tests := []struct {
		name, body string
		raw        bool
		want       string
	}{
		{"plain", `{"method":"get"}`, false,
			`{"method":"GET","path":"/","url":"http://b/","params":{},"query":{},"headers":{},"body":null}`},
		{"query of path and member", `{"method":"GET","path":"/a%20b?x=1&x=2&y=3","query":{"y":4,"z":["p","q"],"t":true}}`, false,
			`{"method":"GET","path":"/a%20b","url":"http://b/a%20b?x=1\u0026x=2\u0026y=3","params":{},"query":{"t":"true","x":"2","y":"4","z":"q"},"headers":{},"body":null}`},
		{"headers", `{"method":"POST","headers":{"X-A":"1","Authorization":"Bearer s","Cookie":"a=b; agt_id1_s=1;agt_id2_s=2; agt_id1_t=3","X-Robutler-K":"2","X-Forwarded-For":"::1"},"body":{"n":1}}`, false,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/json","cookie":"agt_id1_s=1; agt_id1_t=3","x-a":"1","x-forwarded-for":"::1"},"body":{"n":1}}`},
		{"an API key of this platform", `{"method":"GET","headers":{"X-API-Key":"rb_1"}}`, false,
			`{"method":"GET","path":"/","url":"http://b/","params":{},"query":{},"headers":{},"body":null}`},
		{"an API key of another service", `{"method":"GET","headers":{"X-API-Key":"sk_1"}}`, false,
			`{"method":"GET","path":"/","url":"http://b/","params":{},"query":{},"headers":{"x-api-key":"sk_1"},"body":null}`},
		{"text", `{"method":"POST","body":"a=b&c=d"}`, false,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"text/plain;charset=UTF-8"},"body":"a=b\u0026c=d"}`},
		{"text that is JSON", `{"method":"POST","body":"{\"n\":1}"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/json"},"body":{"n":1},"rawBodyB64":"eyJuIjoxfQ=="}`},
		{"a form with raw body", `{"method":"POST","headers":{"Content-Type":"application/x-www-form-urlencoded"},"body":"a=b"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/x-www-form-urlencoded"},"body":"a=b","rawBodyB64":"YT1i"}`},
		{"bytes with raw body", `{"method":"POST","headers":{"content-type":"application/octet-stream"},"body":"{}"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/octet-stream"},"body":null,"rawBodyB64":"e30=","bodyIsRaw":true}`},
		{"null as JSON with raw body", `{"method":"POST","headers":{"content-type":"application/json"},"body":"null"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/json"},"body":null,"rawBodyB64":"bnVsbA=="}`},
		{"broken JSON with raw body", `{"method":"POST","headers":{"content-type":"application/json"},"body":"{"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/json"},"body":null,"rawBodyB64":"ew=="}`},
		{"the text null", `{"method":"POST","headers":{"content-type":"application/json"},"body":"null"}`, false,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"application/json"},"body":"null"}`},
		{"JSON as text/plain", `{"method":"POST","headers":{"content-type":"text/plain"},"body":"[1]"}`, false,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{"content-type":"text/plain"},"body":[1]}`},
		{"no raw body on GET", `{"method":"GET","body":"x"}`, true,
			`{"method":"GET","path":"/","url":"http://b/","params":{},"query":{},"headers":{},"body":null}`},
		{"no raw body without a body", `{"method":"POST"}`, true,
			`{"method":"POST","path":"/","url":"http://b/","params":{},"query":{},"headers":{},"body":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, b, err := kindOf(json.RawMessage(tt.body), false)
			if err != nil {
				t.Fatal(err)
			}
			h, err := b.httpCall("http://b")
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(h.requestOf("id1", tt.raw)); string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	w := newWorld(t)
	w.fn.Manifest.Parameters = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)
	for _, body := range []string{`{"args":{}}`, `{}`, `{"args":{"name":1}}`, `{"args":null}`} {
		_, err := w.Invoke(t.Context(), request(body, "k"))
		wantCode(t, err, contract.ParametersInvalid)
		if e := contract.AsError(err); len(e.Problems) == 0 || !strings.Contains(e.Message, "greet") {
			t.Errorf("%s: %v %v", body, e, e.Problems)
		}
	}
	if w.runs.Load() != 0 {
		t.Error("arguments that do not fit were run")
	}
	if _, err := w.Invoke(t.Context(), request(`{"args":{"name":"Ada"}}`, "k")); err != nil {
		t.Errorf("the key was kept by a refusal: %v", err)
	}
	w.fn.Version, w.fn.Manifest.Parameters = 4, json.RawMessage(`{"type":"object"}`)
	if _, err := w.Invoke(t.Context(), request(`{"args":{}}`, "")); err != nil {
		t.Errorf("a new version is checked by the old schema: %v", err)
	}
}

func FuzzKindOf(f *testing.F) {
	for _, s := range []string{`{"args":1}`, `{"method":"GET","path":"/?a=1","headers":{"a":"b"},"body":"x"}`, `{}`, `[`, `{"method":7}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		kind, b, err := kindOf(raw, false)
		if err != nil || kind != kindHTTP {
			return
		}
		if h, err := b.httpCall("http://b"); err == nil {
			if _, err := json.Marshal(h.requestOf("id1", true)); err != nil {
				t.Errorf("%s gives a request that is no JSON: %v", raw, err)
			}
		}
	})
}

// What a run costs around the function itself: nothing more when others have a
// price, and what the ledger takes when it has one itself.
func BenchmarkInvoke(b *testing.B) {
	for _, bm := range []struct {
		name  string
		price map[string]agents.ToolPrice
	}{
		{"free", nil},
		{"others have a price", map[string]agents.ToolPrice{"fn:other": {PerCall: 1}}},
		{"has a price", map[string]agents.ToolPrice{"fn:greet": {PerCall: 1}}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			w := newWorld(&testing.T{})
			w.fn.Manifest = manifest.Manifest{Runtime: manifest.RuntimeJS}
			w.settings.ToolPricing = bm.price
			w.cfg.Payments = generous{}
			req := request(`{"args":{"name":"Ada"}}`, "")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.Invoke(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// generous is a ledger that lets everything through.
type generous struct{}

func (generous) Gate(context.Context, payments.Charge, []string) (*payments.Paid, *contract.Error) {
	return &payments.Paid{}, nil
}
func (generous) ChargeOwner(context.Context, payments.OwnerCharge) error { return nil }
func (generous) OpenLocks(context.Context, string) ([]contract.PaymentLock, error) {
	return nil, nil
}

func (generous) Verify(context.Context, payments.VerifyRequest) payments.Verification {
	return payments.Verification{}
}

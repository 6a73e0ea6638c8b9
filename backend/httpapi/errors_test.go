package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

func TestErrors(t *testing.T) {
	w := newWorld(t)
	const declare = "/api/agents/mia/functions"
	const secret = "/api/agents/mia/functions/greet/secret"
	deep := `{"name":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`
	for _, c := range []struct {
		name string
		r    request
		code contract.Code
	}{
		{"nothing there", request{method: "GET", path: "/api/nothing"}, contract.NotFound},
		{"api itself", request{method: "GET", path: "/api"}, contract.NotFound},
		{"outside the API", request{method: "GET", path: "/nothing"}, contract.NotFound},
		{"agent without pages", request{method: "GET", path: "/nobody/x"}, contract.NotFound},
		{"hidden file", request{method: "GET", path: "/.gitkeep"}, contract.NotFound},
		{"up and out", request{method: "GET", path: "/%2e%2e/secret"}, contract.NotFound},
		{"unknown agent", request{method: "GET", path: "/api/agents/nobody/functions"}, contract.AgentNotFound},
		{"unknown function", request{method: "GET", path: "/api/agents/mia/functions/nope"}, contract.FnNotFound},
		{"unknown function's source", request{method: "GET", path: "/api/agents/mia/functions/nope/source"}, contract.FnNotFound},
		{"history of no function", request{method: "GET", path: "/api/agents/mia/functions/nope/invocations"}, contract.FnNotFound},
		{"limit", request{method: "GET", path: "/api/agents/mia/functions/greet/invocations?limit=ten"}, contract.InvalidRequest},
		{"cursor", request{method: "GET", path: "/api/agents/mia/functions/greet/invocations?cursor=nonsense"}, contract.InvalidRequest},
		{"wrong method", request{method: "PUT", path: declare, body: "{}"}, contract.MethodNotAllowed},
		{"text", request{method: "POST", path: declare, body: "{}", header: map[string]string{"Content-Type": "text/plain"}}, contract.UnsupportedMedia},
		{"form", request{method: "POST", path: declare, body: "a=b", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, contract.UnsupportedMedia},
		{"latin 1", request{method: "POST", path: declare, body: "{}", header: map[string]string{"Content-Type": "application/json; charset=latin1"}}, contract.UnsupportedMedia},
		{"no body", request{method: "POST", path: declare}, contract.InvalidRequest},
		{"blank body", request{method: "POST", path: declare, body: " \n"}, contract.InvalidRequest},
		{"array", request{method: "POST", path: declare, body: "[]"}, contract.InvalidRequest},
		{"cut off", request{method: "POST", path: declare, body: `{"name":"a"`}, contract.InvalidRequest},
		{"two values", request{method: "POST", path: declare, body: `{}{}`}, contract.InvalidRequest},
		{"wrong type", request{method: "POST", path: declare, body: `{"name":1}`}, contract.InvalidRequest},
		{"no name", request{method: "POST", path: declare, body: `{"manifest":{}}`}, contract.InvalidRequest},
		{"no manifest", request{method: "POST", path: declare, body: `{"name":"a"}`}, contract.InvalidRequest},
		{"name twice", request{method: "POST", path: declare, body: `{"name":"a","manifest":{},"name":"b"}`}, contract.InvalidRequest},
		{"name twice, once escaped", request{method: "POST", path: declare, body: `{"name":"a","manifest":{},"n\u0061me":"b"}`}, contract.InvalidRequest},
		{"too deep", request{method: "POST", path: declare, body: deep}, contract.InvalidRequest},
		{"too large", request{method: "POST", path: declare, body: `{"name":"` + strings.Repeat("a", contract.MaxBodyBytes) + `"}`}, contract.BodyTooLarge},
		{"body where none goes", request{method: "POST", path: "/api/local/focus", body: strings.Repeat(" ", smallBody+1)}, contract.BodyTooLarge},
		{"two credentials", request{method: "POST", path: "/api/auth/session", body: `{"code":"a","key":"b"}`}, contract.InvalidRequest},
		{"wrong code", request{method: "POST", path: "/api/auth/session", body: `{"code":"a"}`}, contract.Unauthorized},
		{"no binding", request{method: "POST", path: secret, body: `{"value":"v"}`}, contract.InvalidRequest},
		{"binding write", request{method: "POST", path: secret, body: `{"binding":"write","value":"v"}`}, contract.InvalidRequest},
		{"binding with a line break", request{method: "POST", path: secret, body: `{"binding":"a\nb","value":"v"}`}, contract.InvalidRequest},
		{"no value", request{method: "POST", path: secret, body: `{"binding":"A"}`}, contract.InvalidRequest},
		{"value too long", request{method: "POST", path: secret, body: `{"binding":"A","value":"` + strings.Repeat("s", contract.MaxSecretBytes+1) + `"}`}, contract.InvalidRequest},
		{"secret of no function", request{method: "POST", path: "/api/agents/mia/functions/nope/secret", body: `{"binding":"A","value":"v"}`}, contract.FnNotFound},
		{"delete of no binding", request{method: "DELETE", path: secret}, contract.InvalidRequest},
		{"key with a space", request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: "{}", header: map[string]string{"Idempotency-Key": "a b"}}, contract.InvalidIdempotentKey},
		{"empty key", request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: "{}", header: map[string]string{"Idempotency-Key": ""}}, contract.InvalidIdempotentKey},
		{"long key", request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: "{}", header: map[string]string{"Idempotency-Key": strings.Repeat("k", 256)}}, contract.InvalidIdempotentKey},
		{"agent without a name", request{method: "POST", path: "/api/agents", body: `{"name":"  "}`}, contract.InvalidRequest},
		{"taken username", request{method: "POST", path: "/api/agents", body: `{"name":"Mia","username":"mia"}`}, contract.UsernameTaken},
		{"relative folder", request{method: "POST", path: "/api/local/projects", body: `{"path":"here"}`}, contract.InvalidRequest},
		{"no folder", request{method: "POST", path: "/api/local/projects", body: `{}`}, contract.InvalidRequest},
		{"nothing to save", request{method: "PUT", path: "/api/local/agents/mia/functions/greet", body: `{}`}, contract.InvalidRequest},
		{"no such run", request{method: "GET", path: "/api/local/invocations/nope"}, contract.InvocationNotFound},
		{"cancel of no run", request{method: "POST", path: "/api/local/invocations/nope/cancel"}, contract.InvocationNotFound},
		{"event id", request{method: "GET", path: "/api/local/events?after=x"}, contract.InvalidRequest},
	} {
		wantError(t, c.name, w.do(w.owner(c.r)), c.code)
	}
}

func TestAllow(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "PATCH", path: "/api/agents/mia/functions/greet/secret"}))
	if got := rec.Header().Get("Allow"); got != "DELETE, OPTIONS, POST" {
		t.Errorf("Allow %q", got)
	}
	if rec := w.do(request{method: "POST", path: "/"}); rec.Code != 405 || rec.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST to the page: %d, Allow %q", rec.Code, rec.Header().Get("Allow"))
	}
}

// TestBodyWithoutLength: a body whose length is not announced is bounded too.
func TestBodyWithoutLength(t *testing.T) {
	w := newWorld(t)
	req := httptest.NewRequest("POST", base+"/api/agents/mia/functions", io.MultiReader(
		strings.NewReader(`{"name":"`), strings.NewReader(strings.Repeat("a", contract.MaxBodyBytes)), strings.NewReader(`"}`)))
	req.ContentLength = -1
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+w.auth.OwnerKey())
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, req)
	wantError(t, "chunked", rec, contract.BodyTooLarge)
}

// TestFaultsSayNothing: what breaks inside is in the log, not in the answer, and
// a panic's value is in neither.
func TestFaultsSayNothing(t *testing.T) {
	w := newWorld(t)
	invoke := w.owner(request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: `{"args":{}}`})
	w.invoke = func(context.Context, invocation.Request) (invocation.Answer, error) {
		return invocation.Answer{}, errors.New("disk on fire")
	}
	rec := w.do(invoke)
	wantError(t, "error", rec, contract.Internal)
	if strings.Contains(rec.Body.String(), "fire") || !strings.Contains(w.logged(), "disk on fire") {
		t.Errorf("answer %s, log %s", rec.Body, w.logged())
	}
	if id := rec.Header().Get("X-Request-Id"); id == "" || !strings.Contains(w.logged(), id) || !strings.Contains(rec.Body.String(), id) {
		t.Errorf("request id %q is not in both", id)
	}
	for _, accept := range []string{"", "text/event-stream"} {
		w.invoke = func(context.Context, invocation.Request) (invocation.Answer, error) { panic("sk_live_secret") }
		invoke.header["Accept"] = accept
		rec = w.do(invoke)
		wantError(t, "panic", rec, contract.Internal)
		if all := rec.Body.String() + w.logged(); strings.Contains(all, "sk_live_secret") || !strings.Contains(w.logged(), "panicked") {
			t.Errorf("the panic's value got out: %s", all)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	w := newWorld(t)
	invoke := w.owner(request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: `{}`})
	w.invoke = func(context.Context, invocation.Request) (invocation.Answer, error) {
		return invocation.Answer{}, &contract.Error{Code: contract.QuotaExceeded, Message: "slow down", RetryAfterSec: 12}
	}
	rec := w.do(invoke)
	wantError(t, "quota", rec, contract.QuotaExceeded)
	if rec.Header().Get("Retry-After") != "12" {
		t.Errorf("Retry-After %q", rec.Header().Get("Retry-After"))
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"b":[{"a":2}]}`, `{"a":1,"\u0061":2}`, `{"a":"\"",`, `"`, `[[[[`, `}{`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = checkJSON(trimSpace(b)) // must end, whatever it is given
	})
}

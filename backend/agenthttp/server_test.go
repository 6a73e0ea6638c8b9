package agenthttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchtop/backend/agenthttp"
	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/consumers"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/invocation"
)

type noStore struct{}

func (noStore) ListConsumers(context.Context) ([]consumers.Stored, error)          { return nil, nil }
func (noStore) ReplaceConsumers(context.Context, string, []consumers.Stored) error { return nil }

type noFunctions struct{}

func (noFunctions) Get(string, string) (*functions.Function, bool) { return nil, false }

type invoker func(invocation.Request) (invocation.Answer, error)

func (f invoker) Invoke(_ context.Context, req invocation.Request) (invocation.Answer, error) {
	return f(req)
}

var mia = agents.Agent{ID: "a1", Username: "mia"}

// serve is a Server with one endpoint of each auth mode at /<mode>, whose
// function does what run says; what it logs is in log.
func serve(t *testing.T, run invoker) (h http.Handler, log *bytes.Buffer) {
	t.Helper()
	var raws []consumers.Raw
	for _, mode := range []string{consumers.AuthPublic, consumers.AuthSignature, consumers.AuthSession, consumers.AuthVisitor, consumers.AuthPortal} {
		for _, method := range []string{"GET", "POST"} {
			entry, err := json.Marshal(map[string]string{"id": method + "-" + mode, "method": method, "path": "/" + mode, "auth": mode, "use": "f"})
			if err != nil {
				t.Fatal(err)
			}
			raws = append(raws, consumers.Raw{Skill: contract.SkillHTTP, JSON: entry})
		}
	}
	entries, errs, _ := consumers.Check(raws, func(string) bool { return true })
	if len(errs) > 0 {
		t.Fatalf("%+v", errs)
	}
	cs, err := consumers.New(t.Context(), consumers.Config{Store: noStore{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cs.Replace(t.Context(), mia.ID, entries); err != nil {
		t.Fatal(err)
	}
	log = &bytes.Buffer{}
	return agenthttp.New(agenthttp.Config{Consumers: cs, Functions: noFunctions{}, Invoker: run, Log: slog.New(slog.NewTextHandler(log, nil))}).Handler(mia), log
}

func ended(r contract.InvokeResult) invoker {
	return func(req invocation.Request) (invocation.Answer, error) {
		if r.OK {
			if _, failed := req.Shape(r.Result); failed != nil {
				r = contract.InvokeResult{ErrorCode: failed.Code, ErrorMessage: failed.Message}
			}
		}
		return invocation.Answer{Status: 200, Result: &r}, nil
	}
}

func get(h http.Handler, path string, c auth.Caller) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	req := httptest.NewRequest("GET", path, nil)
	h.ServeHTTP(rec, req.WithContext(auth.WithCaller(req.Context(), c)))
	return rec
}

// Every code of the table ends a request with its status of contract.md 3.3, and
// a body of one form.
func TestStatusOfEveryCode(t *testing.T) {
	named := map[contract.Code]int{
		contract.FnNotFound: 404, contract.FnChainTooDeep: 429, contract.FnCycleDetected: 429, contract.FnQuotaExhausted: 429,
		contract.QuotaExceeded: 429, contract.CPUPressure: 429, contract.PoolSaturated: 429, contract.ConcurrencyExceeded: 429,
		contract.WallTimeout: 504, contract.FunctionsDisabled: 503, contract.FnNoBilling: 401, contract.WSNotYetSupported: 501,
		contract.ResponseSizeCap: 502, contract.InvalidSetCookie: 502,
		contract.JSRuntimeError: 500, contract.FetchForbidden: 500, contract.PermissionDenied: 500, contract.HostQuotaExceeded: 500,
		contract.EvalDenied: 500, contract.MemoryLimitExceeded: 500, contract.JSNoHandler: 500, contract.ExecutorUnavailable: 503,
	}
	for _, row := range contract.Errors {
		want, ok := named[row.Code]
		if !ok {
			want = 500
		}
		h, _ := serve(t, ended(contract.InvokeResult{ErrorCode: row.Code, ErrorMessage: "why", RetryAfterSec: 12}))
		rec := get(h, "/public", auth.Caller{})
		if rec.Code != want || row.Outcome != want {
			t.Errorf("%s: status %d, want %d", row.Code, rec.Code, want)
		}
		if rec.Header().Get("Retry-After") != "12" || rec.Body.String() != `{"error":{"code":"`+string(row.Code)+`","message":"why"}}` {
			t.Errorf("%s: Retry-After %q, body %s", row.Code, rec.Header().Get("Retry-After"), rec.Body)
		}
	}
}

// What the platform refuses has the status of the API, not that of a function
// which ends with the same code.
func TestStatusOfRefusals(t *testing.T) {
	for code, status := range map[contract.Code]int{
		contract.InvalidRequest: 400, contract.BodyTooLarge: 413, contract.ShuttingDown: 503, contract.StorageUnavailable: 503,
		contract.FnNotFound: 404, contract.AgentNotFound: 404, contract.PermissionDenied: 403, contract.WallTimeout: 500,
	} {
		h, _ := serve(t, func(invocation.Request) (invocation.Answer, error) {
			return invocation.Answer{}, contract.Errorf(code, "why")
		})
		if rec := get(h, "/public", auth.Caller{}); rec.Code != status {
			t.Errorf("refused with %s: status %d, want %d", code, rec.Code, status)
		}
	}
}

// What is the platform's own fault says nothing to the caller.
func TestFaultIsNotTold(t *testing.T) {
	h, log := serve(t, func(invocation.Request) (invocation.Answer, error) {
		return invocation.Answer{}, errors.New("disk /secret/path")
	})
	for _, accept := range []string{"*/*", "text/event-stream"} {
		rec := httptest.NewRecorder()
		req := httptest.NewRequest("GET", "/public", nil)
		req.Header.Set("Accept", accept)
		h.ServeHTTP(rec, req)
		if rec.Code != 500 || !strings.Contains(rec.Body.String(), "INTERNAL_ERROR") || strings.Contains(rec.Body.String(), "secret") {
			t.Errorf("%s: %d %s", accept, rec.Code, rec.Body)
		}
	}
	if !strings.Contains(log.String(), "/secret/path") {
		t.Errorf("the log says %s", log)
	}
}

// A function's panic inside the platform reaches the goroutine that answers.
func TestPanicWhileStreaming(t *testing.T) {
	h, _ := serve(t, func(invocation.Request) (invocation.Answer, error) { panic("fault") })
	req := httptest.NewRequest("GET", "/public", nil)
	req.Header.Set("Accept", "text/event-stream")
	defer func() {
		if v := recover(); v != "fault" {
			t.Errorf("recovered %v", v)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), req)
}

// Every auth mode times every kind of caller: who gets in, and as whom.
func TestAuthModes(t *testing.T) {
	owner := auth.Caller{Kind: auth.KindOwner, UserID: auth.OwnerUserID}
	callers := map[string]auth.Caller{
		"nobody": {Kind: auth.KindAnonymous}, "refused": {Kind: auth.KindAnonymous, Refused: true}, "owner": owner,
		"agent key": {Kind: auth.KindAgent, AgentID: "a2"}, "admin key": {Kind: auth.KindAdmin, UserID: auth.AdminUserID},
		"visitor": {Kind: auth.KindVisitor, UserID: "v1"}, "visitor token": {Kind: auth.KindVisitor, UserID: "v1", TokenID: "t1"},
		"owner token": {Kind: auth.KindPortal, UserID: "owner", TokenID: "t2"}, "agent token": {Kind: auth.KindPortal, AgentID: "a2", TokenID: "t3", Scopes: []string{"s"}},
	}
	// mode: caller: kind that the function sees; what is not there is 401.
	want := map[string]map[string]string{
		consumers.AuthSession: {"owner": auth.KindOwner},
		consumers.AuthPortal:  {"visitor token": auth.KindVisitor, "owner token": auth.KindPortal, "agent token": auth.KindPortal},
		consumers.AuthVisitor: {"owner": auth.KindOwner, "visitor": auth.KindVisitor, "visitor token": auth.KindVisitor,
			"nobody": auth.KindAnonymous, "agent key": auth.KindAnonymous, "admin key": auth.KindAnonymous, "owner token": auth.KindAnonymous, "agent token": auth.KindAnonymous},
	}
	for name := range callers {
		for _, mode := range []string{consumers.AuthPublic, consumers.AuthSignature} {
			if want[mode] == nil {
				want[mode] = map[string]string{}
			}
			want[mode][name] = auth.KindAnonymous
		}
	}
	for mode, lets := range want {
		for name, c := range callers {
			var seen *invocation.Request
			h, _ := serve(t, func(req invocation.Request) (invocation.Answer, error) {
				seen = &req
				return ended(contract.InvokeResult{OK: true})(req)
			})
			rec := get(h, "/"+mode, c)
			kind, in := lets[name]
			switch {
			case !in && (rec.Code != 401 || seen != nil || !strings.HasPrefix(rec.Header().Get("WWW-Authenticate"), `Bearer realm="webagents"`)):
				t.Errorf("%s at %s: status %d, ran %v", name, mode, rec.Code, seen != nil)
			case in && (rec.Code != 200 || seen == nil || seen.Caller.Kind != kind):
				t.Errorf("%s at %s: status %d, %+v", name, mode, rec.Code, seen)
			case in && (seen.Claims != nil) != (mode == consumers.AuthPortal):
				t.Errorf("%s at %s: claims %v", name, mode, seen.Claims)
			case in && kind == auth.KindAnonymous && (seen.Caller.UserID != "" || seen.Caller.AgentID != "" || seen.Profile != nil):
				t.Errorf("%s at %s: the function learns %+v", name, mode, seen.Caller)
			}
		}
	}
}

// broken is a body that ends before its announced length.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBodyThatBreaksOff(t *testing.T) {
	ran := false
	h, _ := serve(t, func(req invocation.Request) (invocation.Answer, error) {
		ran = true
		return ended(contract.InvokeResult{OK: true})(req)
	})
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest("POST", "/public", broken{}))
	if rec.Code != 400 || ran {
		t.Errorf("status %d, ran %v", rec.Code, ran)
	}
	// Of unknown length and too long.
	rec = httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest("POST", "/public", io.MultiReader(strings.NewReader(strings.Repeat("x", contract.MaxBodyBytes)), strings.NewReader("x"))))
	if rec.Code != 413 || ran {
		t.Errorf("status %d, ran %v", rec.Code, ran)
	}
}

// Whatever a function returns, the answer is one that HTTP has.
func FuzzShape(f *testing.F) {
	for _, s := range []string{`"x"`, `{"status":200,"headers":{"a":["b","c"]},"body":{"a":1}}`, `{"status":204,"body":"x"}`, `{"status":1e2}`, `{"status":200,"bodyB64":"!"}`, `null`, ``, `{"status":200,"headers":7}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, result string) {
		if result != "" && !json.Valid([]byte(result)) {
			return
		}
		h, _ := serve(t, ended(contract.InvokeResult{OK: true, Result: contract.RawJSON(result)}))
		rec := get(h, "/public", auth.Caller{})
		if rec.Code < 200 || rec.Code > 599 {
			t.Errorf("%s: status %d", result, rec.Code)
		}
		for name, values := range rec.Header() {
			if strings.ContainsAny(name+strings.Join(values, ""), "\r\n") {
				t.Errorf("%s: header %q: %q", result, name, values)
			}
		}
		if c := rec.Header().Values("Set-Cookie"); len(c) > 0 && !strings.HasPrefix(strings.TrimSpace(c[0]), "agt_a1_") {
			t.Errorf("%s: cookies %q", result, c)
		}
	})
}

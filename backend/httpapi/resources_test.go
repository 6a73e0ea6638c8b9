package httpapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// TestSessionLife is what a browser does: code, cookie, request, sign out.
func TestSessionLife(t *testing.T) {
	w := newWorld(t)
	rec := w.do(w.owner(request{method: "POST", path: "/api/local/login-code"}))
	var link contract.LoginLink
	if err := json.Unmarshal(rec.Body.Bytes(), &link); err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(link.URL); err != nil || u.Fragment != "login="+link.Code || u.RawQuery != "" || u.Path != "/" {
		t.Errorf("login URL %s", link.URL)
	}
	login := request{method: "POST", path: "/api/auth/session", body: `{"code":"` + link.Code + `"}`, header: map[string]string{"Origin": base}}
	rec = w.do(login)
	cookies := rec.Result().Cookies()
	if rec.Code != 200 || len(cookies) != 1 {
		t.Fatalf("status %d, cookies %v: %s", rec.Code, cookies, rec.Body)
	}
	ck := cookies[0]
	if ck.Name != "benchtop_session_"+w.auth.DataID() || !ck.HttpOnly || ck.SameSite != http.SameSiteStrictMode || ck.Path != "/" || ck.Domain != "" {
		t.Errorf("cookie %+v", ck)
	}
	wantError(t, "code again", w.do(login), contract.Unauthorized)

	me := request{method: "GET", path: "/api/auth/session", header: map[string]string{"Cookie": ck.Name + "=" + ck.Value}}
	check := func(want contract.Session) {
		t.Helper()
		var got contract.Session
		want.DataID = w.auth.DataID()
		if err := json.Unmarshal(w.do(me).Body.Bytes(), &got); err != nil || got != want {
			t.Errorf("session %+v, want %+v (%v)", got, want, err)
		}
	}
	check(contract.Session{Authenticated: true, Kind: "owner", UserID: "owner"})
	end := me
	end.method = "DELETE"
	if rec := w.do(end); rec.Code != 200 || rec.Result().Cookies()[0].Value != "" {
		t.Errorf("sign out: %d %v", rec.Code, rec.Result().Cookies())
	}
	check(contract.Session{Kind: "anonymous"})
}

func TestSecrets(t *testing.T) {
	const value = "sk_live_51H8"
	w := newWorld(t)
	sub := w.bus.Subscribe(0, false)
	defer sub.Close()
	path := "/api/agents/mia/functions/greet/secret"
	all := ""
	do := func(r request) string {
		r.header = map[string]string{"Function-Authoring-Surface": "ui"}
		rec := w.do(w.owner(r))
		if rec.Code != 200 {
			t.Fatalf("%s %s: %d %s", r.method, r.path, rec.Code, rec.Body)
		}
		all += rec.Body.String()
		return rec.Body.String()
	}
	list := request{method: "GET", path: "/api/local/agents/mia/secrets"}
	if got := do(list); got != `{"secrets":[{"function":"greet","binding":"API_KEY","declared":true,"set":false}],"store":"file"}` {
		t.Error(got)
	}
	if got := do(request{method: "POST", path: path, body: `{"binding":"API_KEY","value":"` + value + `"}`}); got != `{"ok":true}` {
		t.Error(got)
	}
	if ev := <-sub.C; ev.Name != contract.EvSecretSet || ev.Data != any(contract.SecretChange{AgentID: w.agent.ID, Function: "greet", Binding: "API_KEY"}) {
		t.Errorf("event %+v", ev)
	}
	if got := do(list); !strings.Contains(got, `"set":true`) {
		t.Error(got)
	}
	if got := do(request{method: "GET", path: "/api/agents/mia/functions/greet"}); !strings.Contains(got, `"requiresUserAction":[]`) {
		t.Error(got)
	}
	for _, want := range []string{`{"ok":true,"removed":true}`, `{"ok":true,"removed":false}`} {
		if got := do(request{method: "DELETE", path: path + "?binding=API_KEY"}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if ev := <-sub.C; ev.Name != contract.EvSecretDeleted {
		t.Errorf("event %+v", ev)
	}
	if len(w.audits) != 2 || w.audits[0].AuthoringAction != "secret_set" || w.audits[1].AuthoringAction != "secret_delete" ||
		w.audits[0].AuthoringSurface != "ui" || w.audits[0].CallerUserID != "owner" || w.audits[0].FunctionName != "greet" {
		t.Errorf("audit rows %+v", w.audits)
	}
	if got := do(request{method: "GET", path: "/api/agents/mia/functions/greet"}); !strings.Contains(got, `"kind":"set_function_secret","functionName":"greet","binding":"API_KEY"`) {
		t.Error(got)
	}
	rows, _ := json.Marshal(w.audits)
	if strings.Contains(all+w.logged()+string(rows), value) {
		t.Error("the value was seen outside the store")
	}
}

// TestLongestSecret: one at the limit passes even when JSON makes it six times
// as long, and a broken body does not bring its text into the answer.
func TestLongestSecret(t *testing.T) {
	w := newWorld(t)
	secret := request{method: "POST", path: "/api/agents/mia/functions/greet/secret"}
	secret.body = `{"binding":"API_KEY","value":"` + strings.Repeat(`\u0001`, contract.MaxSecretBytes) + `"}`
	if rec := w.do(w.owner(secret)); rec.Code != 200 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	for _, body := range []string{`{"binding":"A","value":"hunter2`, `{"binding":"A","value":["hunter2"]}`, `{"binding":"A","value":"hunter2","value":"hunter2"}`, `{"value":hunter2}`} {
		secret.body = body
		rec := w.do(w.owner(secret))
		wantError(t, body, rec, contract.InvalidRequest)
		if strings.Contains(rec.Body.String()+w.logged(), "hunter2") {
			t.Errorf("%s: answered %s", body, rec.Body)
		}
	}
}

func TestAnswers(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		r      request
		status int
		body   string
	}{
		{request{method: "GET", path: "/boot.json"}, 200, `{"mode":"browser","api":"","version":"test","dataId":"` + w.auth.DataID() + `"}`},
		{request{method: "GET", path: "/api/agents/mia/functions"}, 200, `{"functions":[{"name":"greet","declaration":{"contentId":"c1","runtime":"js-v1","permissions":{"secrets":["API_KEY","write"]},"description":""},"usedBy":[]}]}`},
		{request{method: "GET", path: "/api/agents/" + w.agent.ID + "/functions/greet/source"}, 200, `{"name":"greet","source":"export default async () =\u003e 1","sha256":"ab","version":3}`},
		{request{method: "POST", path: "/api/agents/mia/functions/greet/validate", body: `{"manifest":{}}`}, 200, `{"ok":true,"errors":[],"warnings":[]}`},
		{request{method: "POST", path: "/api/agents/mia/functions/greet/invoke", body: ` {"args":{"a":1}} `}, 200, `{"ok":true,"result":{"args":{"a":1}}}`},
		{request{method: "POST", path: "/api/agents/mia/functions/greet/invoke"}, 200, `{"ok":true,"result":{}}`},
		{request{method: "POST", path: "/api/local/focus"}, 200, `{"ok":true,"focused":true}`},
		{request{method: "POST", path: "/api/local/invocations/running/cancel"}, 200, `{"ok":true,"cancelled":true}`},
		{request{method: "POST", path: "/api/local/invocations/ended/cancel"}, 200, `{"ok":true,"cancelled":false}`},
		{request{method: "DELETE", path: "/api/local/projects/" + w.agent.ID}, 200, `{"ok":true}`},
	} {
		rec := w.do(w.owner(c.r))
		got := strings.Replace(rec.Body.String(), `,"description":""`, "", 1)
		want := strings.Replace(c.body, `,"description":""`, "", 1)
		if rec.Code != c.status || normal(t, got) != normal(t, want) {
			t.Errorf("%s %s: %d %s\nwant %d %s", c.r.method, c.r.path, rec.Code, got, c.status, want)
		}
		if rec.Header().Get("Content-Type") != "application/json; charset=utf-8" || rec.Header().Get("Cache-Control") != "no-store" ||
			rec.Header().Get("X-Content-Type-Options") != "nosniff" || rec.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s %s: headers %v", c.r.method, c.r.path, rec.Header())
		}
	}
	if w.focused != 1 {
		t.Errorf("the window was asked %d times", w.focused)
	}
}

// normal writes JSON with sorted members; permissions may gain members.
func normal(t *testing.T, s string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v: %s", err, s)
	}
	strip(v)
	b, _ := json.Marshal(v)
	return string(b)
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		if p, ok := v["permissions"].(map[string]any); ok {
			v["permissions"] = p["secrets"]
		}
		for _, e := range v {
			strip(e)
		}
	case []any:
		for _, e := range v {
			strip(e)
		}
	}
}

func TestCreateAgent(t *testing.T) {
	w := newWorld(t)
	sub := w.bus.Subscribe(0, false)
	defer sub.Close()
	rec := w.do(w.owner(request{method: "POST", path: "/api/agents", body: `{"name":" Ada ","username":"ada"}`}))
	var got contract.Agent
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || rec.Code != 201 || got.Name != "Ada" || got.AgentURL != base+"/ada" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if ev := <-sub.C; ev.Name != contract.EvAgentCreated {
		t.Errorf("event %+v", ev)
	}
}

func TestHistoryLimit(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]int{"": 50, "?limit=7": 7, "?limit=0": 1, "?limit=-3": 1, "?limit=9999": 200} {
		rec := w.do(w.owner(request{method: "GET", path: "/api/agents/mia/functions/greet/invocations" + query}))
		var page contract.InvocationPage
		if err := json.Unmarshal(rec.Body.Bytes(), &page); err != nil || len(page.Items) != want {
			t.Errorf("%q: %d rows, want %d", query, len(page.Items), want)
		}
	}
}

// TestHostCall: whatever is wrong, the executor gets a HostReply.
func TestHostCall(t *testing.T) {
	w := newWorld(t)
	w.host = func(bearer, key string, req contract.HostRequest) (int, contract.HostReply) {
		if bearer != "token" || key != "inv:1" || req.Method != "kv.get" {
			return 400, contract.HostReply{Error: &contract.HostFailed{Code: contract.UnknownHostCall}}
		}
		return 200, contract.HostReply{OK: true, Result: json.RawMessage("7")}
	}
	call := request{method: "POST", path: "/api/internal/fn-host", body: `{"method":"kv.get","args":{"key":"a"}}`,
		header: map[string]string{"Authorization": "Bearer token", "Idempotency-Key": "inv:1"}}
	if rec := w.do(call); rec.Code != 200 || rec.Body.String() != `{"ok":true,"result":7}` {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	without := call
	without.header = nil
	broken := call
	broken.body = `{"method":`
	for _, r := range []request{without, broken} {
		rec := w.do(r)
		var reply contract.HostReply
		if err := json.Unmarshal(rec.Body.Bytes(), &reply); err != nil || rec.Code < 400 || reply.OK || reply.Error == nil || !reply.Error.Code.Known() {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	}
}

func TestSaveConflict(t *testing.T) {
	w := newWorld(t)
	w.saveErr = &contract.Error{Code: contract.VersionConflict, Message: "newer", Details: contract.SaveConflict{Source: &contract.WorkFile{Text: "theirs"}}}
	rec := w.do(w.owner(request{method: "PUT", path: "/api/local/agents/mia/functions/greet", body: `{"source":"mine","sourceBase":"ab"}`}))
	wantError(t, "conflict", rec, contract.VersionConflict)
	if !strings.Contains(rec.Body.String(), `"text":"theirs"`) {
		t.Errorf("details are missing: %s", rec.Body)
	}
}

func TestJWKSRoute(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/.well-known/jwks.json", "/api/auth/jwks"} {
		if rec := w.do(request{method: "GET", path: path}); rec.Code != 200 || !strings.Contains(rec.Body.String(), `"RS256"`) {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
}

func TestPage(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ path, contentType, cache string }{
		{"/", "text/html; charset=utf-8", "no-cache"},
		{"/index.html", "text/html; charset=utf-8", "no-cache"},
		{"/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"},
	} {
		rec := w.do(request{method: "GET", path: c.path})
		h := rec.Header()
		if rec.Code != 200 || h.Get("Content-Type") != c.contentType || h.Get("Cache-Control") != c.cache {
			t.Errorf("%s: %d %v", c.path, rec.Code, h)
		}
		policy := h.Get("Content-Security-Policy")
		for _, want := range []string{"connect-src 'self'", "frame-src 'none'", "frame-ancestors 'none'", "default-src 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: policy %q lacks %s", c.path, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe-eval") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: policy %q", c.path, policy)
		}
	}
	rec := w.do(request{method: "GET", path: "/"})
	tag := rec.Header().Get("ETag")
	if rec := w.do(request{method: "GET", path: "/", header: map[string]string{"If-None-Match": tag}}); tag == "" || rec.Code != 304 {
		t.Errorf("ETag %q gives %d", tag, rec.Code)
	}
	w.handler = w.open(nil)
	if rec := w.do(request{method: "GET", path: "/"}); rec.Code != 503 || !strings.Contains(rec.Body.String(), "make build") {
		t.Errorf("page that was not built: %d %s", rec.Code, rec.Body)
	}
}

// TestAgentPages: what an agent serves can do nothing in the console's origin.
func TestAgentPages(t *testing.T) {
	w := newWorld(t)
	var seen http.Header
	w.pages = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		seen = r.Header
		h := rw.Header()
		h.Set("Content-Type", r.URL.Query().Get("type"))
		h.Set("Content-Security-Policy", "default-src *")
		h.Set("Service-Worker-Allowed", "/")
		h.Set("Access-Control-Allow-Credentials", "true")
		h.Add("Set-Cookie", sessionCookie+"00=stolen; Path=/")
		h.Add("Set-Cookie", "wide=1; domain=localhost")
		h.Add("Set-Cookie", "mine=1; Path=/mia")
		rw.Write([]byte("<script>alert(1)</script>"))
	})
	page := func(host, contentType string) *httptest.ResponseRecorder {
		return w.do(request{method: "GET", path: "/mia/page?type=" + url.QueryEscape(contentType), header: map[string]string{
			"Host": host, "Cookie": "a=1; " + sessionCookie + w.auth.DataID() + "=x; b=2", "Origin": "https://anywhere.example"}})
	}
	for _, host := range []string{"127.0.0.1:4780", "localhost:4780", "[::1]:4780"} {
		for _, contentType := range []string{"text/html", "image/svg+xml", "application/xml", "application/xhtml+xml", "text/plain", ""} {
			h := page(host, contentType).Header()
			if got := h["Content-Security-Policy"]; len(got) != 2 || got[1] != "sandbox allow-scripts allow-forms" {
				t.Errorf("%s %s: policies %q", host, contentType, got)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s: types are guessed", host, contentType)
			}
		}
	}
	h := page("mia.localhost:4780", "text/html").Header()
	if got := h["Content-Security-Policy"]; len(got) != 1 {
		t.Errorf("on the agent's own name: policies %q", got)
	}
	if got := h["Set-Cookie"]; len(got) != 1 || !strings.HasPrefix(got[0], "mine=") {
		t.Errorf("cookies %q", got)
	}
	if h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" || h.Get("Service-Worker-Allowed") != "" {
		t.Errorf("headers %v", h)
	}
	if got := seen.Get("Cookie"); got != "a=1; b=2" {
		t.Errorf("the agent saw the cookies %q", got)
	}
	rec := w.do(request{method: "GET", path: "/mia/page?q=1", header: map[string]string{"Sec-Fetch-Mode": "navigate"}})
	if rec.Code != 307 || rec.Header().Get("Location") != "http://mia.localhost:4780/mia/page?q=1" {
		t.Errorf("a browser is sent to %q with %d", rec.Header().Get("Location"), rec.Code)
	}
}

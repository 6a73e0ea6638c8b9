package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/events"
	"benchtop/backend/executor/exectest"
)

// stage is a platform with callers of every kind.
type stage struct {
	t       *testing.T
	p       *Platform
	url     string
	at      string                       // which row plays
	callers map[string]map[string]string // their headers
	seen    map[string]bool              // ids of history rows
	sub     *events.Subscription
	saved   map[string]string
}

func openStage(t *testing.T) *stage {
	t.Helper()
	p, err := Open(t.Context(), Config{
		DataDir: t.TempDir(), Version: "test", Ephemeral: true, Worker: exectest.Worker(t), Assets: fstest.MapFS{},
		Home: t.TempDir(), Log: slog.New(slog.DiscardHandler), ValidationsPerMinute: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(p.Handler())
	p.SetURL(srv.URL)
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
		srv.Close()
	})
	st := &stage{t: t, p: p, url: srv.URL, seen: map[string]bool{}, saved: map[string]string{}}
	st.callers = map[string]map[string]string{"owner": bearer(p.auth.OwnerKey())}
	ids := map[string]string{}
	for _, name := range []string{"mia", "noah"} {
		status, body, _ := st.send(scenario{Call: "POST /api/agents", As: "owner", Body: map[string]any{"name": name}})
		if status != 201 {
			t.Fatalf("make %s: %d %v", name, status, body)
		}
		ids[name], _ = at(body, "id").(string)
		st.saved[name] = ids[name]
	}
	st.cast(ids)
	st.sub = p.bus.Subscribe(0, false)
	t.Cleanup(st.sub.Close)
	return st
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// cast makes the callers.
func (st *stage) cast(ids map[string]string) {
	a, ctx := st.p.auth, st.t.Context()
	must := func(err error) {
		st.t.Helper()
		if err != nil {
			st.t.Fatal(err)
		}
	}
	cookie, _, err := a.Login(ctx, contract.SessionRequest{Key: a.OwnerKey()})
	must(err)
	st.callers["nobody"] = nil
	st.callers["session"] = map[string]string{"Cookie": "benchtop_session_" + a.DataID() + "=" + cookie}
	st.callers["window"] = bearer(a.WindowToken())
	st.callers["wrong"] = bearer("nonsense")
	st.callers["basic"] = map[string]string{"Authorization": "Basic " + a.OwnerKey()}
	for name, req := range map[string]contract.PortalTokenRequest{
		"token": {}, "reader": {Scopes: []string{contract.ScopeRead}}, "writer": {Scopes: []string{contract.ScopeWrite}},
		"runner": {Scopes: []string{contract.ScopeInvoke}}, "service": {Subject: "service:x"},
		"foreign": {Audience: contract.Audience{"https://other.example"}}, "revoked": {},
	} {
		tok, err := a.Issue(ctx, req, "", false)
		must(err)
		st.callers[name] = bearer(tok.Token)
		if name == "revoked" {
			_, err := a.Revoke(ctx, tok.Info.ID)
			must(err)
		}
	}
	for name, id := range ids {
		tok, err := a.Issue(ctx, contract.PortalTokenRequest{}, id, false)
		must(err)
		key, err := a.MakeAgentKey(ctx, id)
		must(err)
		agentToken, err := a.AgentToken(ctx, id, key.RawKey)
		must(err)
		st.callers["token for "+name], st.callers[name], st.callers["token of "+name] = bearer(tok.Token), bearer(key.RawKey), bearer(agentToken.Token)
		st.saved[name+"Key"] = key.RawKey
	}
	admin, err := a.MakeAdminKey(ctx)
	must(err)
	st.callers["admin"], st.saved["adminKey"] = bearer(admin.RawKey), admin.RawKey
	ada, err := a.MakeVisitor(ctx, contract.VisitorRequest{Name: "Ada", Email: "ada@example.com"})
	must(err)
	visitor, err := a.MakeVisitorKey(ctx, ada.ID)
	must(err)
	st.callers["visitor"], st.saved["visitor"], st.saved["visitorKey"] = bearer(visitor.RawKey), ada.ID, visitor.RawKey
	other, err := a.Sign("fn-invocation", &auth.PortalClaims{})
	must(err)
	st.callers["invocation token"] = bearer(other)
}

func (st *stage) send(row scenario) (status int, body any, header http.Header) {
	st.t.Helper()
	method, path, ok := strings.Cut(st.expand(row.Call), " ")
	if !ok {
		st.t.Fatalf("%s: no method and path", st.at)
	}
	var sent []byte
	switch b := row.Body.(type) {
	case nil:
	case string:
		sent = []byte(st.expand(b))
	default:
		raw, err := json.Marshal(row.Body)
		if err != nil {
			st.t.Fatalf("%s: %v", st.at, err)
		}
		sent = []byte(st.expand(string(raw)))
	}
	req, err := http.NewRequestWithContext(st.t.Context(), method, st.url+path, bytes.NewReader(sent))
	if err != nil {
		st.t.Fatalf("%s: %v", st.at, err)
	}
	if sent != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	caller, ok := st.callers[row.As]
	if !ok {
		st.t.Fatalf("%s: no such caller", st.at)
	}
	for _, headers := range []map[string]string{caller, row.Header} {
		for name, value := range headers {
			if name == "Host" {
				req.Host = value
				continue
			}
			req.Header.Set(name, st.expand(value))
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		st.t.Fatalf("%s: %v", st.at, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		st.t.Fatalf("%s: %v", st.at, err)
	}
	if json.Unmarshal(text, &body) != nil {
		body = string(text)
	}
	return resp.StatusCode, body, resp.Header
}

var (
	repeated = regexp.MustCompile(`\{\{(.+?)\*(\d+)\}\}`)
	named    = regexp.MustCompile(`\$[a-zA-Z]+`)
)

func (st *stage) expand(s string) string {
	s = repeated.ReplaceAllStringFunc(s, func(m string) string {
		parts := repeated.FindStringSubmatch(m)
		n, err := strconv.Atoi(parts[2])
		if err != nil {
			st.t.Fatalf("%s: %v", st.at, err)
		}
		return strings.Repeat(parts[1], n)
	})
	return named.ReplaceAllStringFunc(s, func(m string) string {
		if value, ok := st.saved[m[1:]]; ok {
			return value
		}
		return m
	})
}

// newRows gives the rows that the history did not have before, oldest first.
func (st *stage) newRows() []string {
	st.t.Helper()
	status, body, _ := st.send(scenario{Call: "GET /api/local/invocations?limit=200", As: "owner"})
	list, ok := at(body, "invocations").([]any)
	if status != 200 || !ok {
		st.t.Fatalf("%s: history %d %v", st.at, status, body)
	}
	rows := []string{}
	for _, item := range list {
		text := func(name string) string { s, _ := at(item, name).(string); return s }
		if st.seen[text("id")] {
			continue
		}
		st.seen[text("id")] = true
		row := text("source_skill") + " " + text("function_name") + " " + text("status")
		for _, name := range []string{"error_code", "authoring_action"} {
			if v := text(name); v != "" {
				row += " " + v
			}
		}
		if v := text("authoring_surface"); v != "" {
			row += " by " + v
		}
		rows = append([]string{row}, rows...)
	}
	return rows
}

// mark is an event of the test itself, behind which there is nothing of a call.
const mark contract.EventName = "test.mark"

func (st *stage) newEvents() []string {
	st.t.Helper()
	st.p.bus.Publish(mark, nil)
	names := []string{}
	for ev := range st.sub.C {
		if ev.Name == mark {
			return names
		}
		names = append(names, string(ev.Name))
	}
	st.t.Fatalf("%s: the events ended", st.at)
	return nil
}

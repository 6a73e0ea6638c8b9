package httpapi

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
	"benchtop/backend/events"
	"benchtop/backend/functions"
	"benchtop/backend/history"
	"benchtop/backend/invocation"
	"benchtop/backend/manifest"
	"benchtop/backend/payments"
	"benchtop/backend/quota"
	"benchtop/backend/secrets"
)

// base is where the handler under test believes to be.
const base = "http://127.0.0.1:4780"

// world is everything behind the handler, in memory.
type world struct {
	mu       sync.Mutex
	agent    agents.Agent
	fn       *functions.Function
	secrets  map[string]string
	audits   []contract.InvocationRow
	invoke   func(context.Context, invocation.Request) (invocation.Answer, error)
	host     func(bearer, key string, req contract.HostRequest) (int, contract.HostReply)
	surface  string          // of the last authoring call
	ranAt    *contract.Clock // the clock of the last run of a schedule
	saveErr  error
	pages    http.Handler
	focused  int
	bus      *events.Bus
	auth     *auth.Auth
	log      bytes.Buffer
	url      string
	filter   history.Filter // of the last look at the history
	figures  history.StatsQuery
	stored   []string // by key
	settings contract.Settings
	clock    time.Time // of the validation bucket
	perMin   int
	issued   string          // jti of a token that counts
	stranger *rsa.PrivateKey // a key that is not ours
	handler  http.Handler
	sessions sessionStore

	bearerToken string // id of the payment token that a good bearer is
	locked      payments.LockRequest
	settled     payments.SettleRequest
	settleErr   error
	tokens      payments.TokenFilter
	entries     payments.EntryFilter
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{
		agent: agents.Agent{ID: "5f0c2a1e-0000-4000-8000-000000000001", Username: "mia", Name: "Mia"},
		fn: &functions.Function{
			Name: "greet", Version: 3, Source: "export default async () => 1", SourceSHA256: "ab", ContentID: "c1",
			Manifest: manifest.Manifest{Runtime: manifest.RuntimeJS, Permissions: manifest.Permissions{
				Secrets: []string{"API_KEY", "write"},
				Folders: []manifest.Folder{{Alias: "inbox", ContentID: "f1", Permissions: manifest.ModeRO}, {Alias: "disk", Path: "../x"}},
			}},
		},
		secrets:  map[string]string{},
		bus:      events.New(events.Config{}),
		url:      base,
		sessions: sessionStore{rows: map[string]auth.SessionRow{}},
	}
	w.invoke = func(_ context.Context, req invocation.Request) (invocation.Answer, error) {
		return invocation.Answer{Status: 200, Body: []byte(`{"ok":true,"result":` + orEmpty(req.Body) + `}`)}, nil
	}
	var err error
	if w.auth, err = auth.Open(t.Context(), auth.Config{Dir: t.TempDir(), Store: &w.sessions, URL: func() string { return w.url }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.auth.Close)
	t.Cleanup(w.bus.Close)
	page := fstest.MapFS{
		"index.html":          {Data: []byte("<!doctype html><title>Benchtop</title>")},
		"assets/app-1a2b.js":  {Data: []byte("export {}")},
		"assets/app-1a2b.css": {Data: []byte("body{}")},
		".gitkeep":            {Data: []byte("x")},
	}
	w.handler = w.open(page)
	return w
}

func orEmpty(b []byte) string {
	if len(b) == 0 {
		return "{}"
	}
	return string(b)
}

func (w *world) open(page fs.FS) http.Handler {
	return New(Deps{
		Auth: w.auth, Agents: fakeAgents{w}, Functions: fakeFunctions{w}, Secrets: fakeSecrets{w}, History: fakeHistory{w},
		Schedules: fakeSchedules{w}, Inbox: fakeInbox{}, Drafts: fakeDrafts{}, Relay: fakeRelay{}, ContentLinks: fakeLinks{},
		Payments: fakePayments{w}, Simulator: fakeSimulator{},
		Settings: fakeSettings{w}, Validations: quota.New(quota.Config{Limit: func() int { return w.perMin }, Per: time.Minute, Now: func() time.Time { return w.clock }}),
		Events: w.bus, Invoker: fakeInvoker{w}, Bridge: fakeBridge{w}, Authoring: fakeAuthoring{w}, Projects: fakeProjects{},
		Tools: fakeTools{}, KV: fakeKV{w}, Content: fakeContent{w}, AgentRemover: fakeRemover{},
		Status: func() contract.Status { return contract.Status{Version: "test"} },
		Focus:  func() { w.focused++ },
		Assets: page, URL: func() string { return w.url }, Version: "test",
		Log: slog.New(slog.NewTextHandler(lockedWriter{w}, nil)),
		AgentPages: func(agents.Agent) http.Handler {
			if w.pages == nil {
				return http.NotFoundHandler()
			}
			return w.pages
		},
	})
}

type lockedWriter struct{ w *world }

func (l lockedWriter) Write(b []byte) (int, error) {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	return l.w.log.Write(b)
}

func (w *world) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

// serve starts a real server around the handler.
func (w *world) serve(t testing.TB) {
	srv := httptest.NewServer(w.handler)
	t.Cleanup(srv.Close)
	w.url = srv.URL
}

// request is one row of a test table; "" for the defaults.
type request struct {
	method, path, body string
	header             map[string]string
}

// owner adds the owner key.
func (w *world) owner(r request) request {
	h := map[string]string{"Authorization": "Bearer " + w.auth.OwnerKey()}
	for k, v := range r.header {
		h[k] = v
	}
	r.header = h
	return r
}

func (w *world) do(r request) *httptest.ResponseRecorder {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req := httptest.NewRequest(r.method, w.url+r.path, body)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range r.header {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, req)
	return rec
}

// wantError checks status and body of a failed call.
func wantError(t *testing.T, name string, rec *httptest.ResponseRecorder, code contract.Code) {
	t.Helper()
	var body contract.ErrorBody
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil {
		t.Errorf("%s: status %d, body %q is no error body", name, rec.Code, rec.Body)
		return
	}
	if body.Code != code || body.Error.Code != code || rec.Code != code.Status() {
		t.Errorf("%s: status %d code %s (%s), want %d %s", name, rec.Code, body.Code, body.Message, code.Status(), code)
	}
	if body.Message == "" || body.Message != body.Error.Message || strings.Contains(body.Message, "\n") {
		t.Errorf("%s: message %q", name, body.Message)
	}
}

// sessionStore keeps sessions; what else auth stores is in auth's memory too,
// and that is enough for a world without restarts.
type sessionStore struct {
	mu   sync.Mutex
	rows map[string]auth.SessionRow
}

func (*sessionStore) PutKey(context.Context, auth.KeyRow) error               { return nil }
func (*sessionStore) ListKeys(context.Context) ([]auth.KeyRow, error)         { return nil, nil }
func (*sessionStore) DeleteKeys(context.Context, []string, time.Time) error   { return nil }
func (*sessionStore) PutToken(context.Context, auth.TokenRow) error           { return nil }
func (*sessionStore) ListTokens(context.Context) ([]auth.TokenRow, error)     { return nil, nil }
func (*sessionStore) DropTokens(context.Context, time.Time) error             { return nil }
func (*sessionStore) PutVisitor(context.Context, auth.VisitorRow) error       { return nil }
func (*sessionStore) ListVisitors(context.Context) ([]auth.VisitorRow, error) { return nil, nil }
func (*sessionStore) DeleteVisitor(context.Context, string) error             { return nil }

func (m *sessionStore) PutSession(_ context.Context, s auth.SessionRow) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[s.Hash] = s
	return nil
}

func (m *sessionStore) Session(_ context.Context, hash string) (*auth.SessionRow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.rows[hash]; ok {
		return &s, nil
	}
	return nil, nil
}

func (m *sessionStore) DeleteSession(_ context.Context, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.rows, hash)
	return nil
}
func (m *sessionStore) DropSessions(context.Context, time.Time) error { return nil }

type fakeAgents struct{ w *world }

func (f fakeAgents) Resolve(s string) (agents.Agent, bool) {
	return f.w.agent, s == f.w.agent.ID || s == f.w.agent.Username
}
func (f fakeAgents) List() []agents.Agent { return []agents.Agent{f.w.agent} }
func (f fakeAgents) Create(_ context.Context, a agents.Agent) (agents.Agent, error) {
	if a.Username == f.w.agent.Username {
		return a, contract.Errorf(contract.UsernameTaken, "taken")
	}
	a.ID = "new"
	return a, nil
}

func (f fakeAgents) Update(_ context.Context, a agents.Agent) (agents.Agent, error) { return a, nil }

type fakeFunctions struct{ w *world }

func (f fakeFunctions) Get(agentID, name string) (*functions.Function, bool) {
	return f.w.fn, agentID == f.w.agent.ID && name == f.w.fn.Name
}
func (f fakeFunctions) Version(_ context.Context, _, name string, v int) (*functions.Function, error) {
	if name != f.w.fn.Name || v != f.w.fn.Version {
		return nil, nil
	}
	return f.w.fn, nil
}
func (f fakeFunctions) Versions(_ context.Context, _, name string) ([]functions.VersionInfo, error) {
	if name != f.w.fn.Name {
		return nil, nil
	}
	return []functions.VersionInfo{{Version: 3}, {Version: 2}}, nil
}
func (f fakeFunctions) List(string) []*functions.Function { return []*functions.Function{f.w.fn} }

type fakeSettings struct{ w *world }

func (f fakeSettings) Get() contract.Settings { return f.w.settings }
func (f fakeSettings) Put(_ context.Context, req contract.SettingsRequest) (contract.Settings, error) {
	if req.HistoryDays != nil {
		f.w.settings.HistoryDays = *req.HistoryDays
	}
	return f.w.settings, nil
}

type fakeSecrets struct{ w *world }

func (f fakeSecrets) Put(_ context.Context, _, fn, binding, value string) error {
	f.w.secrets[fn+"/"+binding] = value
	return nil
}
func (f fakeSecrets) Delete(_ context.Context, _, fn, binding string) (bool, error) {
	_, ok := f.w.secrets[fn+"/"+binding]
	delete(f.w.secrets, fn+"/"+binding)
	return ok, nil
}
func (f fakeSecrets) List(context.Context, string, string) ([]secrets.Binding, error) {
	var out []secrets.Binding
	for k := range f.w.secrets {
		fn, b, _ := strings.Cut(k, "/")
		out = append(out, secrets.Binding{Function: fn, Binding: b, SetAt: time.Unix(1, 0)})
	}
	return out, nil
}
func (f fakeSecrets) Missing(_ context.Context, _, fn string, bindings []string) ([]string, error) {
	var out []string
	for _, b := range bindings {
		if _, ok := f.w.secrets[fn+"/"+b]; !ok {
			out = append(out, b)
		}
	}
	return out, nil
}
func (fakeSecrets) Where() string { return "file" }

type fakeHistory struct{ w *world }

func (f fakeHistory) Audit(_ context.Context, row contract.InvocationRow) error {
	f.w.audits = append(f.w.audits, row)
	return nil
}
func (f fakeHistory) Search(_ context.Context, q history.Filter) (contract.InvocationPage, error) {
	if q.Cursor == "nonsense" {
		return contract.InvocationPage{}, contract.Errorf(contract.InvalidRequest, "cursor")
	}
	f.w.filter = q
	rows := []contract.InvocationItem{}
	if q.Function == "greet" || q.Function == "" {
		for range q.Limit {
			rows = append(rows, contract.InvocationItem{InvocationRow: contract.InvocationRow{ID: "x"}})
		}
	}
	return contract.InvocationPage{Invocations: rows, Items: rows}, nil
}
func (f fakeHistory) Stats(_ context.Context, q history.StatsQuery) (contract.Stats, error) {
	f.w.figures = q
	return contract.Stats{Functions: []contract.FunctionStats{}}, nil
}
func (f fakeHistory) Get(_ context.Context, id string) (*contract.InvocationDetail, error) {
	switch id {
	case "ended":
		return &contract.InvocationDetail{InvocationRow: contract.InvocationRow{ID: id}}, nil
	case "of a version":
		row := contract.InvocationRow{ID: id, FunctionName: f.w.fn.Name, FunctionVersion: f.w.fn.Version}
		return &contract.InvocationDetail{InvocationRow: row}, nil
	}
	return nil, nil
}

type fakeInvoker struct{ w *world }

func (f fakeInvoker) Invoke(ctx context.Context, req invocation.Request) (invocation.Answer, error) {
	return f.w.invoke(ctx, req)
}
func (fakeInvoker) Cancel(id string) (bool, bool) { return id == "running", id == "running" }

func (fakeAuthoring) Attach(_ context.Context, _ agents.Agent, skill string, req contract.UseRequest) (contract.UseResponse, error) {
	if contract.SkillList(skill) == "" {
		return contract.UseResponse{}, contract.Errorf(contract.NotFound, "no such skill")
	}
	return contract.UseResponse{OK: true, EntryID: req.Use + "1"}, nil
}
func (fakeAuthoring) ChangeEntry(_ context.Context, _ agents.Agent, skill, id string, _ contract.UseRequest) (contract.UseResponse, error) {
	if id == "gone" {
		return contract.UseResponse{}, contract.Errorf(contract.EntryNotFound, "%s has no %s", skill, id)
	}
	return contract.UseResponse{OK: true, EntryID: id}, nil
}
func (fakeAuthoring) DetachEntry(_ context.Context, _ agents.Agent, _, id string) (contract.DetachResponse, error) {
	return contract.DetachResponse{OK: true, EntryID: id}, nil
}

type fakeTools struct{}

func (fakeTools) Tools(string) []contract.ToolDefinition {
	return []contract.ToolDefinition{{Type: "function", Function: contract.ToolFunction{Name: "greet", Parameters: contract.RawJSON(`{"type":"object"}`)}}}
}
func (fakeTools) CallTool(_ context.Context, req invocation.ToolRequest) (invocation.ToolAnswer, error) {
	if req.Tool != "greet" {
		return invocation.ToolAnswer{}, contract.Errorf(contract.ToolNotFound, "no tool %s", req.Tool)
	}
	return invocation.ToolAnswer{Value: req.Args, InvocationID: "i1"}, nil
}

type fakeBridge struct{ w *world }

func (f fakeBridge) ServeToken(_ context.Context, bearer, key string, req contract.HostRequest) (int, contract.HostReply) {
	return f.w.host(bearer, key, req)
}

type fakeAuthoring struct{ w *world }

func (f fakeAuthoring) Declare(_ context.Context, _ agents.Agent, req contract.DeclareRequest, surface string) (contract.DeclareResponse, error) {
	f.w.surface = surface
	return contract.DeclareResponse{OK: true, Name: req.Name, Version: 1}, nil
}
func (f fakeAuthoring) Remove(_ context.Context, _ agents.Agent, name, surface string) (contract.RemoveResponse, error) {
	f.w.surface = surface
	return contract.RemoveResponse{OK: true, Name: name}, nil
}
func (f fakeAuthoring) Restore(_ context.Context, _ agents.Agent, name, surface string) (contract.RestoreResponse, error) {
	f.w.surface = surface
	return contract.RestoreResponse{Function: contract.WorkFunction{Name: name}}, nil
}
func (fakeAuthoring) Validate(context.Context, agents.Agent, string, contract.ValidateRequest) (contract.ValidateResponse, error) {
	return contract.ValidateResponse{OK: true}, nil
}
func (fakeAuthoring) Work(context.Context, agents.Agent) (contract.WorkList, error) {
	return contract.WorkList{}, nil
}
func (fakeAuthoring) WorkFunction(_ context.Context, _ agents.Agent, name string) (contract.WorkFunction, error) {
	if name == "nope" {
		return contract.WorkFunction{}, contract.Errorf(contract.FnNotFound, "agent mia has no function %q", name)
	}
	return contract.WorkFunction{Name: name}, nil
}
func (f fakeAuthoring) Save(_ context.Context, _ agents.Agent, name string, _ contract.SaveRequest, surface string) (contract.WorkFunction, error) {
	f.w.surface = surface
	return contract.WorkFunction{Name: name}, f.w.saveErr
}

func (fakeAuthoring) Calls(context.Context, agents.Agent) (contract.SavedCalls, error) {
	return contract.SavedCalls{}, nil
}
func (fakeAuthoring) SaveCall(context.Context, agents.Agent, string, string, contract.SaveCallRequest) (contract.SavedCall, error) {
	return contract.SavedCall{}, nil
}
func (fakeAuthoring) SaveClientCall(context.Context, agents.Agent, string, contract.SaveClientCallRequest) (contract.ClientCall, error) {
	return contract.ClientCall{}, nil
}
func (fakeAuthoring) RenameClientCall(context.Context, agents.Agent, string, string) (contract.ClientCall, error) {
	return contract.ClientCall{}, nil
}
func (fakeAuthoring) RemoveClientCall(context.Context, agents.Agent, string) (bool, error) {
	return true, nil
}
func (fakeAuthoring) RemoveCall(context.Context, agents.Agent, string, string) (bool, error) {
	return true, nil
}

type fakeProjects struct{}

func (fakeProjects) List(context.Context) (contract.ProjectList, error) {
	return contract.ProjectList{}, nil
}
func (fakeProjects) Open(_ context.Context, path string) (contract.Project, error) {
	return contract.Project{Path: path}, nil
}
func (fakeProjects) Create(_ context.Context, sample, path string) (contract.Project, error) {
	return contract.Project{Name: sample, Path: path}, nil
}
func (fakeProjects) Close(context.Context, string) error { return nil }

type fakeRemover struct{}

func (fakeRemover) RemoveAgent(context.Context, agents.Agent) error { return nil }

type fakeRelay struct{}

func (fakeRelay) Serve(_ context.Context, w http.ResponseWriter, _ contract.ClientRequest) error {
	w.WriteHeader(http.StatusOK)
	return nil
}
func (fakeRelay) Send(string, contract.ClientSend) error { return nil }
func (fakeRelay) End(string) bool                        { return true }

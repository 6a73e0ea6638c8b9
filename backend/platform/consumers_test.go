package platform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// callTable is a file of testdata/consumers: an agent, and requests one after
// the other with what comes back and what is written. $ID is the agent's id.
type callTable struct {
	Functions map[string]struct {
		Manifest any    `yaml:"manifest"`
		Source   string `yaml:"source"`
	} `yaml:"functions"`
	Entries map[string][]any `yaml:"entries"` // by skill
	Rows    []callRow        `yaml:"rows"`
}

// callRow is one request. Want is JSON that the answer's must contain: objects
// may have more keys, everything else is the same. Text is a body in full, Part a
// part of it. Has are headers, "" for one that is not there. Row is the newest
// history row of a function after it: "echo custom_http ok", "echo custom_http
// error WALL_TIMEOUT", or "echo -" for no new one.
type callRow struct {
	Name   string            `yaml:"name"`
	Send   string            `yaml:"send"`
	As     string            `yaml:"as"`
	Host   string            `yaml:"host"`
	Header map[string]string `yaml:"header"`
	JSON   any               `yaml:"json"`
	Body   *string           `yaml:"body"`
	Bytes  int               `yaml:"bytes"` // a body of that many characters
	Status int               `yaml:"status"`
	Has    map[string]string `yaml:"has"`
	Want   any               `yaml:"want"`
	Text   *string           `yaml:"text"`
	Part   string            `yaml:"part"`
	Row    string            `yaml:"row"`
}

func TestConsumers(t *testing.T) {
	files, err := filepath.Glob("testdata/consumers/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var table callTable
			dec := yaml.NewDecoder(bytes.NewReader(text))
			dec.KnownFields(true)
			if err := dec.Decode(&table); err != nil {
				t.Fatal(err)
			}
			playCalls(t, table)
		})
	}
}

// callStage is an agent and everybody who may call it.
type callStage struct {
	*console
	id      string
	callers map[string]http.Header
	newest  map[string]string // history row ids by function
}

func playCalls(t *testing.T, table callTable) {
	c := start(t, t.TempDir())
	var agent, other contract.Agent
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, &agent)
	c.must("POST", "/api/agents", map[string]string{"name": "Leo"}, &other)
	s := &callStage{console: c, id: agent.ID, newest: map[string]string{}}
	s.hire(other)
	for name, f := range table.Functions {
		manifest, err := json.Marshal(f.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		s.declare("mia", name, string(manifest), f.Source)
	}
	for _, skill := range contract.SkillLists {
		for _, entry := range table.Entries[skill.Skill] {
			s.must("POST", "/api/agents/mia/skills/"+skill.Skill+"/use", map[string]any{"entry": entry}, nil)
		}
	}
	for i, row := range table.Rows {
		name := row.Name
		if name == "" {
			name = row.Send
		}
		t.Run(fmt.Sprintf("%03d %s", i, name), func(t *testing.T) {
			s.t = t
			s.playCalls(row)
		})
	}
	s.t = t
}

// hire makes the credentials of all callers.
func (s *callStage) hire(other contract.Agent) {
	bearer := func(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
	token := func(req map[string]any) string {
		var res contract.PortalTokenResponse
		s.must("POST", "/api/local/tokens", req, &res)
		return res.Token
	}
	var ada contract.Visitor
	s.must("POST", "/api/local/visitors", map[string]string{"name": "Ada", "email": "ada@example.com", "avatarUrl": "https://example.com/ada.png"}, &ada)
	var cookie contract.VisitorSession
	s.must("POST", "/api/local/visitors/"+ada.ID+"/session", nil, &cookie)
	var key contract.CreatedKey
	s.must("POST", "/api/agents/leo/api-key", nil, &key)
	s.callers = map[string]http.Header{
		"nobody":  {},
		"owner":   bearer(s.p.Auth().OwnerKey()),
		"portal":  bearer(token(map[string]any{"scopes": []string{"tools:quote"}})),
		"leo":     bearer(token(map[string]any{"sub": other.ID, "agent": other.ID})),
		"leo-key": bearer(key.RawKey),
		"visitor": {"Cookie": {cookie.CookieName + "=" + cookie.CookieValue}},
		"forged":  bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJvd25lciJ9."),
		"basic":   {"Authorization": {"Basic b3duZXI6"}},
	}
}

func (s *callStage) fill(text string) string { return strings.ReplaceAll(text, "$ID", s.id) }

func (s *callStage) playCalls(row callRow) {
	method, path, _ := strings.Cut(row.Send, " ")
	var body io.Reader
	var contentType string
	switch {
	case row.JSON != nil:
		b, err := json.Marshal(row.JSON)
		if err != nil {
			s.t.Fatal(err)
		}
		body, contentType = strings.NewReader(s.fill(string(b))), "application/json"
	case row.Body != nil:
		body = strings.NewReader(s.fill(*row.Body))
	case row.Bytes > 0:
		body = strings.NewReader(strings.Repeat("x", row.Bytes))
	}
	req, err := http.NewRequest(method, s.url+s.fill(path), body)
	if err != nil {
		s.t.Fatal(err)
	}
	if row.Host != "" {
		req.Host = row.Host + s.url[strings.LastIndex(s.url, ":"):]
	}
	caller, known := s.callers[row.As]
	if row.As != "" && !known {
		s.t.Fatalf("nobody is called %q", row.As)
	}
	for name, values := range caller {
		req.Header[name] = values
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for name, value := range row.Header {
		req.Header.Add(name, s.fill(value))
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	s.compare(row, resp, got)
	s.compareRow(row.Row)
}

func (s *callStage) compare(row callRow, resp *http.Response, got []byte) {
	if resp.StatusCode != row.Status {
		s.t.Errorf("status %d, want %d: %.600s", resp.StatusCode, row.Status, got)
	}
	for name, want := range row.Has {
		have := strings.Join(resp.Header.Values(name), " | ")
		if want = s.fill(want); want == "" && have != "" || !strings.Contains(have, want) {
			s.t.Errorf("header %s is %q, want %q", name, have, want)
		}
	}
	if row.Text != nil && string(got) != s.fill(*row.Text) {
		s.t.Errorf("body %q, want %q", got, s.fill(*row.Text))
	}
	if row.Part != "" && !strings.Contains(string(got), s.fill(row.Part)) {
		s.t.Errorf("body %.600q has no %q", got, s.fill(row.Part))
	}
	if row.Want == nil {
		return
	}
	b, err := json.Marshal(row.Want)
	if err != nil {
		s.t.Fatal(err)
	}
	var want, have any
	if err := json.Unmarshal([]byte(s.fill(string(b))), &want); err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(got, &have); err != nil {
		s.t.Errorf("body is no JSON: %.600q", got)
		return
	}
	if where := missingIn(have, want, ""); where != "" {
		s.t.Errorf("body differs at %s\n got %.1500s\nwant %s", where, got, s.fill(string(b)))
	}
}

// missingIn gives the path at which have is not what want says; empty when it is.
func missingIn(have, want any, at string) string {
	object, ok := want.(map[string]any)
	if !ok {
		if reflect.DeepEqual(have, want) {
			return ""
		}
		return at + "."
	}
	h, ok := have.(map[string]any)
	if !ok {
		return at + "."
	}
	for key, w := range object {
		v, there := h[key]
		if w == "<absent>" {
			if there {
				return at + "." + key
			}
			continue
		}
		if where := missingIn(v, w, at+"."+key); where != "" || !there {
			return at + "." + key + where
		}
	}
	return ""
}

func (s *callStage) compareRow(row string) {
	if row == "" {
		return
	}
	function, want, _ := strings.Cut(row, " ")
	var page contract.InvocationPage
	s.must("GET", "/api/agents/mia/functions/"+function+"/invocations?limit=1", nil, &page)
	have, id := "-", ""
	for _, r := range page.Invocations {
		if r.ID != s.newest[function] && r.SourceSkill != contract.SkillAuthoring {
			have = strings.TrimSpace(r.SourceSkill + " " + r.Status + " " + string(r.ErrorCode))
		}
		id = r.ID
	}
	s.newest[function] = id
	if have != want {
		s.t.Errorf("history row of %s: %q, want %q", function, have, want)
	}
}

// What AGENT.md says about skills is live when it is saved, as functions are; a
// function whose file is gone leaves its endpoint with nothing behind it, and
// comes back to it.
func TestSavedSkillsAreLive(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const endpoint = "---\nname: mia\nskills:\n  custom_http:\n    endpoints:\n      - { id: a, method: GET, path: %s, auth: public, use: greet }\n---\n"
	write("AGENT.md", fmt.Sprintf(endpoint, "/one"))
	write("functions/greet.js", "export default () => 'hi'\n")
	dir := t.TempDir()
	c := start(t, dir, folder)
	want := func(path string, status int, body string) {
		t.Helper()
		resp, got := c.send("GET", path, nil)
		if resp.StatusCode != status || !strings.Contains(string(got), body) {
			t.Errorf("%s: %d %s, want %d %s", path, resp.StatusCode, got, status, body)
		}
	}
	want("/mia/one", 200, "hi")
	events := c.events(t)
	write("AGENT.md", fmt.Sprintf(endpoint, "/two"))
	events.wait("consumers.changed")
	want("/mia/one", 404, "NOT_FOUND")
	want("/mia/two", 200, "hi")

	// The API edits the file, and the watcher agrees with it.
	c.must("PATCH", "/api/agents/mia/skills/custom_http/use/a", map[string]any{"entry": map[string]any{"path": "/three"}}, nil)
	want("/mia/three", 200, "hi")
	if text, err := os.ReadFile(filepath.Join(folder, "AGENT.md")); err != nil || !strings.Contains(string(text), "path: /three") {
		t.Errorf("AGENT.md is %s, %v", text, err)
	}
	if err := os.Remove(filepath.Join(folder, "functions/greet.js")); err != nil {
		t.Fatal(err)
	}
	if gone := events.wait("function.removed"); !strings.Contains(gone, "greet") {
		t.Errorf("removed %s", gone)
	}
	want("/mia/three", 404, "FN_NOT_FOUND")
	write("functions/greet.js", "export default () => 'back'\n")
	events.wait("function.declared")
	want("/mia/three", 200, "back")

	// A restart without the folder: what was loaded keeps serving.
	c.close()
	if err := os.Rename(folder, folder+"-moved"); err != nil {
		t.Fatal(err)
	}
	c = start(t, dir)
	want("/mia/three", 200, "back")
}

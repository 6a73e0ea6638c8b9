package platform_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/samples"
)

// outsideAddress is what the samples fetch from; a stub stands in for it.
const outsideAddress = "https://api.example.com"

// sample is a project made from a sample, and its agent.
type sample struct {
	*console
	name    string
	id      string
	outside *outside
}

// openSample makes a project from a sample, as one click does, and opens it.
// More functions come from testdata/realistic, to show what samples do not do.
func openSample(t *testing.T, name string, more ...string) *sample {
	t.Helper()
	out := &outside{calls: map[string]int{}}
	srv := httptest.NewServer(out)
	t.Cleanup(srv.Close)
	folder := filepath.Join(t.TempDir(), name)
	if err := samples.Copy(name, folder); err != nil {
		t.Fatal(err)
	}
	for _, f := range more {
		if err := os.CopyFS(filepath.Join(folder, "functions", f), os.DirFS("testdata/realistic/functions/"+f)); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(folder, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, []byte(strings.ReplaceAll(string(text), outsideAddress, srv.URL)), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, t.TempDir(), folder)
	var agent contract.Agent
	c.must("GET", "/api/agents/"+name, nil, &agent)
	return &sample{c, name, agent.ID, out}
}

// each runs tests on one open sample.
func (s *sample) each(t *testing.T, tests map[string]func(*sample)) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(&sample{s.in(t), s.name, s.id, s.outside}) })
	}
}

func (s *sample) secret(function, binding, value string) {
	s.t.Helper()
	s.must("POST", "/api/agents/"+s.name+"/functions/"+function+"/secret", map[string]string{"binding": binding, "value": value}, nil)
}

// visitor makes a test visitor and signs them in.
func (s *sample) visitor(name string) (id, cookie string) {
	s.t.Helper()
	var v contract.Visitor
	s.must("POST", "/api/local/visitors", map[string]string{"name": name, "email": name + "@example.com"}, &v)
	var c contract.VisitorSession
	s.must("POST", "/api/local/visitors/"+v.ID+"/session", nil, &c)
	return v.ID, c.CookieName + "=" + c.CookieValue
}

// ask calls an endpoint of the sample as somebody from outside.
func (s *sample) ask(method, path, body string, header ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"/"+s.name+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(got)
}

// want asks and holds the answer to a status and a body: JSON that says the
// same, a text that is the same, or "~" and a part of it.
func (s *sample) want(status int, body, method, path, sent string, header ...string) *http.Response {
	s.t.Helper()
	resp, got := s.ask(method, path, sent, header...)
	part, isPart := strings.CutPrefix(body, "~")
	if same := got == body || isPart && strings.Contains(got, part) || !isPart && sameJSON(got, body); resp.StatusCode != status || !same {
		s.t.Errorf("%s %s: %d %s, want %d %s", method, path, resp.StatusCode, got, status, body)
	}
	return resp
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

func (s *sample) tool(name, args string) contract.ToolCallResponse {
	s.t.Helper()
	var out contract.ToolCallResponse
	s.must("POST", "/api/local/agents/"+s.name+"/tools/"+name, map[string]any{"args": json.RawMessage(args)}, &out)
	return out
}

// run runs a schedule now and gives what is written about it.
func (s *sample) run(schedule string) contract.InvocationDetail {
	s.t.Helper()
	var run contract.ScheduleRunResponse
	s.must("POST", "/api/local/agents/"+s.name+"/schedules/"+schedule+"/run", nil, &run)
	d := s.detail(run.InvocationID)
	if d.SourceSkill != contract.SkillCron {
		s.t.Errorf("the run of %s is in the history as %s", schedule, d.SourceSkill)
	}
	return d
}

// runs counts the invocations of a function.
func (s *sample) runs(function string) (n int) {
	s.t.Helper()
	var page contract.InvocationPage
	s.must("GET", "/api/agents/"+s.name+"/functions/"+function+"/invocations?limit=100", nil, &page)
	for _, row := range page.Invocations {
		if row.SourceSkill != contract.SkillAuthoring {
			n++
		}
	}
	return n
}

func (s *sample) inbox() []contract.InboxMessage {
	s.t.Helper()
	var page contract.InboxPage
	s.must("GET", "/api/local/inbox", nil, &page)
	return page.Messages
}

func signed(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// outside is what samples fetch: rates, a feed, tokens, messages, the weather.
type outside struct {
	mu    sync.Mutex
	calls map[string]int
	feed  []string
	token string // the refresh token that it takes
	news  []int  // ids of messages
}

const feedItem = "<item><title>News %[1]s</title><guid isPermaLink=\"false\">%[1]s</guid></item>"

func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls[r.URL.Path]++
	switch r.URL.Path {
	case "/rates/EUR", "/rates/USD":
		fmt.Fprintf(w, `{"rate":1.%d}`, o.calls[r.URL.Path])
	case "/feed.xml":
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>`)
		for _, id := range o.feed {
			fmt.Fprintf(w, feedItem, id)
		}
		fmt.Fprint(w, "</channel></rss>")
	case "/messages":
		if r.Method == http.MethodPost {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"key":%q}`, r.Header.Get("Idempotency-Key"))
			return
		}
		if r.Header.Get("Authorization") != "Bearer key-of-the-poller" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		after, _ := strconv.Atoi(r.FormValue("after"))
		list := []map[string]int{}
		for _, id := range o.news {
			if id > after {
				list = append(list, map[string]int{"id": id})
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"messages": list})
	case "/weather":
		if r.FormValue("city") != "Porto" {
			http.Error(w, "no such city", http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"celsius":21,"sky":"clear"}`)
	case "/token":
		if r.FormValue("grant_type") == "authorization_code" {
			if r.FormValue("code") != "good" || r.FormValue("client_secret") != "secret-of-the-client" || !strings.HasSuffix(r.FormValue("redirect_uri"), "/oauth/callback") {
				http.Error(w, "invalid_grant", http.StatusBadRequest)
				return
			}
			fmt.Fprint(w, `{"access_token":"calendar-token","expires_in":600}`)
			return
		}
		if r.FormValue("grant_type") != "refresh_token" || r.FormValue("refresh_token") != o.token {
			http.Error(w, "invalid_grant", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"access_token":"access-%04d","expires_in":3600}`, o.calls["/token"])
	default:
		http.NotFound(w, r)
	}
}

func (o *outside) count(path string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls[path]
}

func (o *outside) publish(ids ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.feed = ids
}

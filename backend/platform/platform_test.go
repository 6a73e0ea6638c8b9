package platform_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"benchtop/backend/contract"
	"benchtop/backend/executor/exectest"
	"benchtop/backend/platform"
)

// console is a running platform and its owner.
type console struct {
	t   testing.TB
	p   *platform.Platform
	url string
}

func start(t testing.TB, dir string, projects ...string) *console {
	t.Helper()
	p, err := platform.Open(t.Context(), platform.Config{
		DataDir: dir, Version: "test", Ephemeral: true, Projects: projects,
		Worker: exectest.Worker(t), Assets: fstest.MapFS{}, Home: t.TempDir(), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(p.Handler())
	p.SetURL(srv.URL)
	c := &console{t, p, srv.URL}
	t.Cleanup(func() { // the platform first: it ends the streams the server waits for
		c.close()
		srv.Close()
	})
	return c
}

func (c *console) close() {
	if err := c.p.Close(context.Background()); err != nil {
		c.t.Errorf("close: %v", err)
	}
}

// send does a request as the owner and gives status, headers and body.
func (c *console) send(method, path string, body any, header ...string) (*http.Response, []byte) {
	c.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	req, _ := http.NewRequest(method, c.url+path, bytes.NewReader(b))
	req.Header.Set("Authorization", "Bearer "+c.p.Auth().OwnerKey())
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp, out
}

// must does a request that has to go well.
func (c *console) must(method, path string, body, out any, header ...string) *http.Response {
	c.t.Helper()
	resp, b := c.send(method, path, body, header...)
	if resp.StatusCode != 200 && resp.StatusCode != 201 {
		c.t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, b)
	}
	if out != nil {
		if err := json.Unmarshal(b, out); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, b)
		}
	}
	return resp
}

func (c *console) declare(agent, name, manifest, source string) contract.DeclareResponse {
	c.t.Helper()
	var out contract.DeclareResponse
	c.must("POST", "/api/agents/"+agent+"/functions", map[string]any{
		"name": name, "manifest": json.RawMessage(manifest), "source": source,
	}, &out)
	return out
}

func (c *console) invoke(agent, name string, body any, header ...string) contract.InvokeResult {
	c.t.Helper()
	var out contract.InvokeResult
	c.must("POST", "/api/agents/"+agent+"/functions/"+name+"/invoke", body, &out, header...)
	return out
}

const visits = `export default async (ctx) => {
  const n = ((await ctx.kv.get("n")) ?? 0) + 1
  await ctx.kv.put("n", n)
  const key = await ctx.secrets.get("API_KEY")
  ctx.log.info("the key is", key)
  ctx.emit("visit", { n, key })
  return { n, signed: key.length === 7 }
}`

const visitsManifest = `{"runtime":"js-v1","permissions":{"kv":"rw","secrets":["API_KEY"]}}`

// The whole life of a function: declared, given its secret, run, looked at,
// replaced, removed; and nowhere but in ctx is the secret to be seen.
func TestOneFunctionEndToEnd(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	var agent contract.Agent
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, &agent)
	declared := c.declare("mia", "visits", visitsManifest, visits)
	if len(declared.RequiresUserAction) != 1 || declared.RequiresUserAction[0].Binding != "API_KEY" {
		t.Errorf("declared %+v", declared)
	}
	c.must("POST", "/api/agents/mia/functions/visits/secret", map[string]string{"binding": "API_KEY", "value": "k-12345"}, nil)

	for want := 1; want <= 3; want++ {
		r := c.invoke(agent.ID, "visits", map[string]any{})
		if got := string(r.Result); got != fmt.Sprintf(`{"n":%d,"signed":true}`, want) {
			t.Fatalf("call %d: %s %s %s", want, got, r.ErrorCode, r.ErrorMessage)
		}
	}
	// The same key gives the stored answer, after a restart too.
	first := c.invoke("mia", "visits", map[string]any{}, "Idempotency-Key", "once")
	c.close()
	c = start(t, dir)
	again := c.invoke("mia", "visits", map[string]any{}, "Idempotency-Key", "once")
	if first.InvocationID != again.InvocationID || string(first.Result) != string(again.Result) {
		t.Errorf("replayed %+v, first %+v", again, first)
	}

	var page contract.InvocationPage
	c.must("GET", "/api/agents/mia/functions/visits/invocations?limit=2", nil, &page)
	if len(page.Invocations) != 2 || page.NextCursor == nil {
		t.Fatalf("page %+v", page)
	}
	var detail contract.InvocationDetail
	c.must("GET", "/api/local/invocations/"+page.Invocations[0].ID, nil, &detail)
	var names []string
	for _, e := range detail.Trace {
		names = append(names, e.Kind+" "+e.Name)
	}
	if got := strings.Join(names, ", "); got != "host kv.get, host kv.put, host secrets.get, log info, event visit" {
		t.Errorf("trace %s", got)
	}
	whole, _ := json.Marshal(detail)
	if bytes.Contains(whole, []byte("k-12345")) {
		t.Errorf("the secret is in the record: %s", whole)
	}

	next := c.declare("mia", "visits", visitsManifest, `export default () => "new"`)
	if r := c.invoke("mia", "visits", map[string]any{}); string(r.Result) != `"new"` || r.Version != next.Version {
		t.Errorf("after a new version: %+v", r)
	}
	c.must("DELETE", "/api/agents/mia/functions/visits", nil, nil)
	if resp, _ := c.send("POST", "/api/agents/mia/functions/visits/invoke", map[string]any{}); resp.StatusCode != 404 {
		t.Errorf("a removed function answers %d", resp.StatusCode)
	}
	c.close()
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte("k-12345")) {
				t.Errorf("the secret is readable in %s", filepath.Base(path))
			}
		}
		return nil
	})
}

// An edit on the disk is live on the next call.
func TestSavedFileIsLive(t *testing.T) {
	project := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("AGENT.md", "---\nname: mia\n---\nYou are Mia.\n")
	write("functions/greet/manifest.json", `{"runtime":"js-v1"}`)
	write("functions/greet/index.js", `export default () => 1`)
	c := start(t, t.TempDir(), project)
	if r := c.invoke("mia", "greet", map[string]any{}); string(r.Result) != "1" {
		t.Fatalf("%+v", r)
	}
	events := c.events(t)
	write("functions/greet/index.js", `export default () => 2`)
	events.wait("function.declared")
	if r := c.invoke("mia", "greet", map[string]any{}); string(r.Result) != "2" || r.Version != 2 {
		t.Errorf("after a save: %+v", r)
	}
	write("functions/greet/index.js", `export default () => {`)
	failure := events.wait("function.failed")
	if !strings.Contains(failure, "JS_COMPILE_ERROR") || !strings.Contains(failure, `"line":1`) {
		t.Errorf("failure %s", failure)
	}
	if r := c.invoke("mia", "greet", map[string]any{}); string(r.Result) != "2" {
		t.Errorf("while the saved file is broken: %+v", r)
	}
	write("functions/greet/index.js", `export default () => 3`)
	events.wait("function.declared")
	if r := c.invoke("mia", "greet", map[string]any{}); string(r.Result) != "3" {
		t.Errorf("after the repair: %+v", r)
	}
}

type stream struct {
	t     *testing.T
	lines *bufio.Scanner
}

func (c *console) events(t *testing.T) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	req, _ := http.NewRequestWithContext(ctx, "GET", c.url+"/api/local/events", nil)
	req.Header.Set("Authorization", "Bearer "+c.p.Auth().OwnerKey())
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("events: %v %v", err, resp)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return &stream{t, bufio.NewScanner(resp.Body)}
}

// wait gives the data of the next event of that name.
func (s *stream) wait(name string) string {
	s.t.Helper()
	found := false
	for s.lines.Scan() {
		line := s.lines.Text()
		if ev, ok := strings.CutPrefix(line, "event: "); ok {
			found = ev == name
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok && found {
			return data
		}
	}
	s.t.Fatalf("the stream ended before %s: %v", name, s.lines.Err())
	return ""
}

// Many callers at once, some with the same key: every call is answered, every
// row is in the history, no page repeats or loses one.
func TestManyCallers(t *testing.T) {
	c := start(t, t.TempDir())
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	c.declare("mia", "count", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`,
		`export default async (ctx) => (await ctx.kv.putIfAbsent("k" + ctx.toolCall.params.i, 1)).won`)
	const callers, keys = 60, 20
	var wg sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for i := range callers {
		wg.Go(func() {
			r := c.invoke("mia", "count", map[string]any{"args": map[string]int{"i": i % keys}}, "Idempotency-Key", fmt.Sprint("k", i%keys))
			mu.Lock()
			defer mu.Unlock()
			ids[r.InvocationID] = true
			if string(r.Result) != "true" {
				t.Errorf("call %d ran again: %s", i, r.Result)
			}
		})
	}
	wg.Wait()
	if len(ids) != keys {
		t.Errorf("%d invocations for %d keys", len(ids), keys)
	}
	seen := map[string]bool{}
	for cursor := ""; ; {
		var page contract.InvocationPage
		c.must("GET", "/api/agents/mia/functions/count/invocations?limit=7&cursor="+cursor, nil, &page)
		for _, row := range page.Invocations {
			if row.SourceSkill == contract.SkillAuthoring {
				continue
			}
			if seen[row.ID] || row.Status != contract.StatusOK {
				t.Errorf("row %+v", row)
			}
			seen[row.ID] = true
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if len(seen) != keys {
		t.Errorf("%d rows for %d invocations", len(seen), keys)
	}
}

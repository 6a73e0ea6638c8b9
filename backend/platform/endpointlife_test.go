package platform_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// project is an open folder that a test writes to.
type project struct {
	*console
	t      *testing.T
	folder string
	events *stream
}

// openProject opens a folder with these files as the agent mia.
func openProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{t: t, folder: t.TempDir()}
	for name, text := range files {
		p.write(name, text)
	}
	p.console = start(t, t.TempDir(), p.folder)
	p.events = p.console.events(t)
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// want sends a GET as nobody.
func (p *project) want(path string, status int, body string) {
	p.t.Helper()
	resp, got := p.send("GET", path, nil, "Authorization", "")
	if resp.StatusCode != status || !strings.Contains(string(got), body) {
		p.t.Errorf("%s: %d %s, want %d %s", path, resp.StatusCode, got, status, body)
	}
}

// problems are those of the agent's endpoints.
func (p *project) problems() string {
	p.t.Helper()
	var list contract.AgentEndpointList
	p.must("GET", "/api/local/agents/mia/endpoints", nil, &list)
	var out []string
	for _, problem := range list.Problems {
		out = append(out, string(problem.Code)+" "+problem.Path+": "+problem.Message)
	}
	return strings.Join(out, "\n")
}

const oneEndpoint = "---\nname: mia\nendpoints:\n  - { path: /one, handler: endpoints/one.js }\n---\n"

// What is saved is live: entries, modules and what they may do. A module that
// does not load leaves the one that served.
func TestSavedEndpointsAreLive(t *testing.T) {
	p := openProject(t, map[string]string{"AGENT.md": oneEndpoint, "endpoints/one.js": "export default () => 'one'"})
	p.want("/mia/one", 200, "one")
	p.write("endpoints/one.js", "export default () => 'two'")
	p.events.wait("consumers.changed")
	p.want("/mia/one", 200, "two")

	p.write("endpoints/one.js", "export default () => {")
	if told := p.events.wait("project.changed"); !strings.Contains(told, "endpoints/one.js") {
		told = p.events.wait("project.changed")
		if !strings.Contains(told, "endpoints/one.js") {
			t.Errorf("told %s", told)
		}
	}
	p.want("/mia/one", 200, "two")
	if got := p.problems(); !strings.Contains(got, "JS_COMPILE_ERROR") {
		t.Errorf("problems %q", got)
	}
	p.write("endpoints/one.js", "export default async ({ kv }) => { await kv.put('a', 1); return kv.get('a') }")
	p.events.wait("consumers.changed")
	p.want("/mia/one", 500, "PERMISSION_DENIED")
	p.write("endpoints/one.json", `{"runtime":"js-v1","permissions":{"kv":"rw"}}`)
	p.events.wait("consumers.changed")
	p.want("/mia/one", 200, "1")

	p.write("AGENT.md", strings.ReplaceAll(oneEndpoint, "path: /one", "path: /other"))
	p.events.wait("consumers.changed")
	p.want("/mia/one", 404, "NOT_FOUND")
	p.want("/mia/other", 200, "1")
	p.write("AGENT.md", strings.ReplaceAll(oneEndpoint, "one.js", "../secret.js"))
	p.events.wait("consumers.changed")
	p.want("/mia/one", 404, "NOT_FOUND")
	if got := p.problems(); !strings.Contains(got, "INVALID_ENTRY endpoints[0].handler") {
		t.Errorf("problems %q", got)
	}
}

// Two answers on one method and path are refused, of whatever kinds they are.
func TestOneAnswerToAPath(t *testing.T) {
	p := openProject(t, map[string]string{
		"AGENT.md": `---
name: mia
visibility: public
transports: [hello]
skills:
  custom_http:
    endpoints:
      - { id: taken, method: GET, path: "/both/:x", auth: public, use: f }
endpoints:
  - { path: "/both/{y}", method: get, handler: endpoints/e.js }
  - { path: "/both/{y}", method: post, handler: endpoints/e.js }
  - { path: "/twice", method: get, handler: endpoints/e.js }
  - { path: "/twice/", method: GET, handler: endpoints/e.js }
  - { path: "/hello", method: get, handler: endpoints/e.js }
  - { path: "/health", method: get, handler: endpoints/e.js }
  - { path: "/both/{z}", websocket: true, handler: endpoints/e.js }
---
`,
		"endpoints/e.js": "export default () => 'endpoint'", "functions/f.js": "export default () => 'function'",
	})
	got := p.problems()
	for _, want := range []string{
		"ROUTE_CONFLICT endpoints[0].path: GET /both/{y} is taken by the entry taken of custom_http",
		"ROUTE_CONFLICT endpoints[3].path: GET /twice/ has an endpoint already, GET /twice",
		"ROUTE_CONFLICT endpoints[4].path: GET /hello is taken by the transport hello",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "ROUTE_CONFLICT"); n != 3 {
		t.Errorf("%d conflicts:\n%s", n, got)
	}
	p.want("/mia/both/1", 200, "function")
	p.want("/mia/twice", 200, "endpoint")
	p.want("/mia/hello", 200, "mia")
	p.want("/mia/health", 200, "endpoint") // instead of what every agent has

	for path, want := range map[string]string{"/twice": "the endpoint GET /twice", "/hello": "the transport hello", "/both/:w": ""} {
		entry := map[string]string{"id": "new", "method": "GET", "path": path, "auth": "public", "use": "f"}
		resp, body := p.send("POST", "/api/agents/mia/skills/custom_http/use", map[string]any{"entry": entry})
		if resp.StatusCode != 409 || !strings.Contains(string(body), "ROUTE_CONFLICT") || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
	}
	entry := map[string]string{"id": "info", "method": "GET", "path": "/info", "auth": "public", "use": "f"}
	p.must("POST", "/api/agents/mia/skills/custom_http/use", map[string]any{"entry": entry}, nil)
	p.want("/mia/info", 200, "function")
}

// An endpoint's price is charged when it answers, and given back when it fails.
func TestEndpointsHavePrices(t *testing.T) {
	p := openProject(t, map[string]string{
		"AGENT.md": `---
name: mia
endpoints:
  - { path: "/report", price: 0.25, handler: endpoints/e.js }
  - { path: "/refuses", price: 0.25, handler: endpoints/e.js#refuses }
  - { path: "/fails", price: 0.25, handler: endpoints/e.js#fails }
  - { path: "/stream", price: 0.5, content_type: text/event-stream, handler: endpoints/e.js#stream }
  - { path: "/early", price: 0.5, content_type: text/event-stream, handler: endpoints/e.js#early }
---
`,
		"endpoints/e.js": `export default () => 'worth it'
export const refuses = () => ({ status: 404, body: 'none' })
export const fails = () => { throw new Error('no') }
export async function* stream() { yield 'a'; throw new Error('late') }
export async function* early() { throw new Error('early') }`,
	})
	var minted contract.PaymentMintResponse
	p.must("POST", "/api/local/payments/mint", map[string]any{"amount": 2}, &minted)
	tokens := func() string {
		var b contract.PaymentBalances
		p.must("GET", "/api/local/payments/balances", nil, &b)
		return b.Tokens.String() + " " + b.Escrow.String()
	}
	for _, step := range []struct {
		path   string
		status int
		left   string
	}{
		{"/mia/report", 200, "1.75 0"}, {"/mia/fails", 500, "1.75 0"}, {"/mia/refuses", 404, "1.75 0"}, {"/mia/stream", 200, "1.25 0"}, {"/mia/early", 500, "1.25 0"},
	} {
		resp, body := p.send("GET", step.path, nil, "X-PAYMENT", minted.Token)
		if got := tokens(); resp.StatusCode != step.status || got != step.left {
			t.Errorf("%s: %d %.200s, left %s, want %d and %s", step.path, resp.StatusCode, body, got, step.status, step.left)
		}
	}
	resp, body := p.send("GET", "/mia/report", nil, "X-PAYMENT", "forged")
	if resp.StatusCode != http.StatusPaymentRequired || !strings.Contains(string(body), `"accepts":[`) || !strings.Contains(string(body), `/mia/report"`) {
		t.Errorf("a forged token: %d %s", resp.StatusCode, body)
	}
}

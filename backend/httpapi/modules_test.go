package httpapi

import (
	"context"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

func (fakeAuthoring) Module(_ context.Context, _ agents.Agent, name string) (contract.WorkFunction, error) {
	return contract.WorkFunction{Name: name, Layout: "module"}, nil
}
func (f fakeAuthoring) SaveModule(_ context.Context, _ agents.Agent, name string, _ contract.SaveRequest) (contract.WorkFunction, error) {
	return contract.WorkFunction{Name: name}, f.w.saveErr
}
func (fakeAuthoring) AgentFile(context.Context, agents.Agent) (contract.WorkFunction, error) {
	return contract.WorkFunction{Name: "AGENT.md", Layout: "agent"}, nil
}
func (f fakeAuthoring) SaveAgentFile(context.Context, agents.Agent, contract.SaveRequest) (contract.WorkFunction, error) {
	return contract.WorkFunction{Name: "AGENT.md"}, f.w.saveErr
}

// TestModulePath: a path with slashes is one part of an address.
func TestModulePath(t *testing.T) {
	w := newWorld(t)
	r := w.do(w.owner(request{method: "GET", path: "/api/local/agents/mia/modules/endpoints%2Fa%2Fb.js"}))
	if r.Code != 200 || !strings.Contains(r.Body.String(), `"name":"endpoints/a/b.js"`) {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	r = w.do(w.owner(request{method: "PUT", path: "/api/local/agents/mia/modules/endpoints%2Fa.js", body: `{}`}))
	if r.Code != 400 {
		t.Errorf("nothing to save: %d %s", r.Code, r.Body)
	}
}

// TestAgentFilePath: the address names no file, and none can be smuggled in.
func TestAgentFilePath(t *testing.T) {
	w := newWorld(t)
	r := w.do(w.owner(request{method: "GET", path: "/api/local/agents/mia/agentfile"}))
	if r.Code != 200 || !strings.Contains(r.Body.String(), `"layout":"agent"`) {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	for _, path := range []string{"/api/local/agents/mia/agentfile/x", "/api/local/agents/mia/agentfile/..%2F..%2Fetc%2Fpasswd", "/api/local/agents/mia/agentfile%2F..%2Fx"} {
		if r := w.do(w.owner(request{method: "GET", path: path})); r.Code != 404 {
			t.Errorf("%s: %d %s", path, r.Code, r.Body)
		}
	}
	big := `{"source":"` + strings.Repeat("x", sourceBody) + `"}`
	if r := w.do(w.owner(request{method: "PUT", path: "/api/local/agents/mia/agentfile", body: big})); r.Code != 413 {
		t.Errorf("too large: %d", r.Code)
	}
}

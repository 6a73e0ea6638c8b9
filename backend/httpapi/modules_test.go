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

package httpapi

import (
	"context"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

func (fakeAuthoring) SetTransport(_ context.Context, _ agents.Agent, name string, on bool) (contract.TransportsResponse, error) {
	if name == "smoke" {
		return contract.TransportsResponse{}, contract.Errorf(contract.InvalidRequest, "smoke is no transport")
	}
	if !on {
		return contract.TransportsResponse{Transports: []string{}}, nil
	}
	return contract.TransportsResponse{Transports: []string{name}}, nil
}

func TestTransports(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		method, name, want string
		status             int
	}{{"PUT", "a2a", `"transports":["a2a"]`, 200}, {"DELETE", "a2a", `"transports":[]`, 200}, {"PUT", "smoke", "smoke is no transport", 400}} {
		r := w.do(w.owner(request{method: c.method, path: "/api/local/agents/mia/transports/" + c.name}))
		if r.Code != c.status || !strings.Contains(r.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s", c.method, c.name, r.Code, r.Body)
		}
	}
}

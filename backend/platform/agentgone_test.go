package platform_test

import (
	"net/http"
	"testing"

	"benchtop/backend/contract"
)

// An agent that is deleted answers nobody any more, at once and after a restart:
// its credentials are gone from memory and from the disk, and so is what it
// served. What it did stays on record.
func TestAgentRemoved(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	var agent contract.Agent
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, &agent)
	c.declare("mia", "greet", `{"runtime":"js-v1"}`, `export default async () => 'hi'`)
	c.must("POST", "/api/agents/mia/skills/custom_http/use", map[string]any{"entry": map[string]string{"id": "a", "method": "GET", "path": "/a", "auth": "public"}, "use": "greet"}, nil)
	var key contract.CreatedKey
	c.must("POST", "/api/agents/mia/api-key", nil, &key)
	var byKey contract.AgentTokenResponse
	c.must("POST", "/api/auth/agent/token", map[string]string{"agentId": "mia", "secret": key.RawKey}, &byKey)
	var bound contract.PortalTokenResponse
	c.must("POST", "/api/local/tokens", map[string]string{"agent": "mia"}, &bound)
	ran := c.invoke("mia", "greet", map[string]any{})

	status := func(path string, header ...string) int {
		resp, _ := c.send("GET", path, nil, header...)
		return resp.StatusCode
	}
	credentials := []string{key.RawKey, byKey.Token, bound.Token}
	for _, cred := range credentials {
		if got := status("/api/agents", "Authorization", "Bearer "+cred); got != http.StatusOK {
			t.Fatalf("before, a credential gets %d", got)
		}
	}
	c.must("DELETE", "/api/agents/mia", nil, nil)
	gone := func(when string) {
		t.Helper()
		for n, cred := range credentials {
			if got := status("/api/agents", "Authorization", "Bearer "+cred); got != http.StatusUnauthorized {
				t.Errorf("%s credential %d still gets %d", when, n, got)
			}
		}
		for _, path := range []string{"/api/agents/mia", "/api/agents/" + agent.ID, "/mia/a", "/api/agents/" + agent.ID + "/functions/greet"} {
			if got := status(path); got != http.StatusNotFound {
				t.Errorf("%s %s answers %d", when, path, got)
			}
		}
		if row := c.detail(ran.InvocationID); row.FunctionName != "greet" {
			t.Errorf("%s the record of its run is %+v", when, row)
		}
	}
	gone("at once,")
	c.close()
	c = start(t, dir)
	gone("after a restart,")
	if got := status("/api/agents/mia"); got != http.StatusNotFound {
		t.Errorf("again: %d", got)
	}
	// Another agent may have the name; what the first one had is not its own.
	c.must("POST", "/api/agents", map[string]string{"name": "Mia"}, nil)
	var keys contract.KeyList
	c.must("GET", "/api/agents/mia/api-key", nil, &keys)
	if got := status("/mia/a"); got != http.StatusNotFound || len(keys.Keys) > 0 {
		t.Errorf("a new agent of that name serves %d and has keys %+v", got, keys)
	}
	c.must("DELETE", "/api/agents/mia", nil, nil)
}

// The folder of a project is closed and stays as it is.
func TestProjectAgentRemoved(t *testing.T) {
	c := start(t, t.TempDir())
	var made contract.Project
	c.must("POST", "/api/local/projects", map[string]string{"sample": "hello", "path": t.TempDir() + "/hello"}, &made)
	c.must("DELETE", "/api/agents/"+made.AgentID, nil, nil)
	var list contract.ProjectList
	c.must("GET", "/api/local/projects", nil, &list)
	if len(list.Projects) != 0 || len(list.Recent) != 1 || list.Recent[0].Missing {
		t.Errorf("%+v", list)
	}
	var again contract.Project
	c.must("POST", "/api/local/projects", map[string]string{"path": made.Path}, &again)
	if again.AgentID == made.AgentID {
		t.Error("the agent that was deleted is there again")
	}
}

package platform_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchtop/backend/contract"
)

// endpointStage is the agent of testdata/endpoints and everybody who may call it.
func endpointStage(t *testing.T) *callStage {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(folder, os.DirFS("testdata/endpoints/project")); err != nil {
		t.Fatal(err)
	}
	c := start(t, t.TempDir(), folder)
	var agent, other contract.Agent
	c.must("GET", "/api/agents/mia", nil, &agent)
	c.must("POST", "/api/agents", map[string]string{"name": "Leo"}, &other)
	s := &callStage{console: c, id: agent.ID, newest: map[string]string{}}
	s.hire(other)
	var key contract.CreatedKey
	c.must("POST", "/api/local/admin-key", nil, &key)
	s.callers["admin"] = map[string][]string{"Authorization": {"Bearer " + key.RawKey}}
	return s
}

// newestRow is the newest history row of a custom endpoint, and its id.
func (s *callStage) newestRow() (row, id string) {
	s.t.Helper()
	var page contract.InvocationPage
	s.must("GET", "/api/local/invocations?limit=1&skill=endpoint", nil, &page)
	if len(page.Invocations) == 0 {
		return "-", ""
	}
	r := page.Invocations[0]
	return strings.TrimSpace(r.ConsumerID + " " + r.Status + " " + string(r.ErrorCode)), r.ID
}

// Every row of spec 4.5, 4.6 and 7.2 that is one request and its answer. Row is
// the newest history row after it, "-" for no new one.
func TestEndpoints(t *testing.T) {
	text, err := os.ReadFile("testdata/endpoints/calls.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var table callTable
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&table); err != nil {
		t.Fatal(err)
	}
	s := endpointStage(t)
	for i, row := range table.Rows {
		name := row.Name
		if name == "" {
			name = row.Send
		}
		t.Run(fmt.Sprintf("%03d %s", i, name), func(t *testing.T) {
			s.t = t
			want := row.Row
			row.Row = ""
			_, before := s.newestRow()
			s.playCalls(row)
			have, id := s.newestRow()
			if id == before {
				have = "-"
			}
			if want != "" && have != want {
				t.Errorf("history row %q, want %q", have, want)
			}
		})
	}
	s.t = t
}

package authoring_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// TestTransportInFile: the file that counts is the one on the disk, also when it
// was written after the agent was read, and taking a transport out again leaves
// it as it was.
func TestTransportInFile(t *testing.T) {
	w, _ := withEndpoints(t)
	w.write("endpoints/x.js", source)
	const file = "---\nname: mia # the one\ntransports: [uamp]\nendpoints:\n  - { path: /a2a, method: post, handler: endpoints/x.js }\n---\nHi\n"
	w.write("AGENT.md", file)
	text := func() string {
		b, err := os.ReadFile(filepath.Join(w.dir, "AGENT.md"))
		must(t, err)
		return string(b)
	}
	w.published()
	got, err := w.authoring.SetTransport(t.Context(), w.agent, "a2a", true)
	must(t, err)
	if !slices.Equal(got.Transports, []string{"uamp", "a2a"}) || text() != strings.Replace(file, "[uamp]", "[uamp, a2a]", 1) {
		t.Errorf("%+v\n%s", got, text())
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != contract.RouteConflict || !strings.Contains(got.Warnings[0].Message, "the transport a2a") {
		t.Errorf("the endpoint that it has taken: %+v", got.Warnings)
	}
	if now, _ := w.agents.Resolve(w.agent.ID); !now.Serves("a2a") || !now.Serves("uamp") {
		t.Errorf("%+v", now.Settings)
	}
	if events := w.published(); !strings.Contains(events, "agent.changed") || !strings.Contains(events, "consumers.changed") {
		t.Errorf("pages hear %q", events)
	}
	got, err = w.authoring.SetTransport(t.Context(), w.agent, "a2a", false)
	must(t, err)
	if !slices.Equal(got.Transports, []string{"uamp"}) || text() != file {
		t.Errorf("%+v\n%s", got, text())
	}
	for _, bad := range []string{"smoke", "", "[uamp]"} {
		if _, err := w.authoring.SetTransport(t.Context(), w.agent, bad, true); contract.AsError(err) == nil || contract.AsError(err).Code != contract.InvalidRequest {
			t.Errorf("%q: %v", bad, err)
		}
	}
	w.write("AGENT.md", "---\nname: [\n---\n")
	if _, err := w.authoring.SetTransport(t.Context(), w.agent, "a2a", true); contract.AsError(err) == nil || contract.AsError(err).Code != contract.AgentFileInvalid || text() != "---\nname: [\n---\n" {
		t.Errorf("a file that cannot be read: %v\n%s", err, text())
	}
}

func TestTransportInStore(t *testing.T) {
	w := newWorld(t, false)
	for _, c := range []struct {
		name string
		on   bool
		want []string
	}{{"a2a", true, []string{"a2a"}}, {"a2a", true, []string{"a2a"}}, {"uamp", true, []string{"a2a", "uamp"}}, {"a2a", false, []string{"uamp"}}, {"hello", false, []string{"uamp"}}} {
		ag, _ := w.agents.Resolve(w.agent.ID)
		got, err := w.authoring.SetTransport(t.Context(), ag, c.name, c.on)
		must(t, err)
		now, _ := w.agents.Resolve(w.agent.ID)
		if !slices.Equal(got.Transports, c.want) || !slices.Equal(now.Settings.Transports, c.want) {
			t.Errorf("%+v: %v, stored %v", c, got.Transports, now.Settings.Transports)
		}
	}
}

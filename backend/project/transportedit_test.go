package project_test

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/project"
)

func TestSetTransport(t *testing.T) {
	const body = "---\nYou are Mia. # transports: none\n"
	for _, c := range []struct{ name, without, with string }{
		{"a list in brackets", "---\nname: mia\ntransports: [completions] # for clients\nmodel: echo # small\n" + body,
			"---\nname: mia\ntransports: [completions, a2a] # for clients\nmodel: echo # small\n" + body},
		{"a list of lines", "---\ntransports:\n  # doors\n  - completions # for clients\n  - uamp\n\nmodel: echo\n" + body,
			"---\ntransports:\n  # doors\n  - completions # for clients\n  - uamp\n  - a2a\n\nmodel: echo\n" + body},
		{"lines without indent", "---\ntransports:\n- uamp\nmodel: echo\n" + body, "---\ntransports:\n- uamp\n- a2a\nmodel: echo\n" + body},
		{"none", "---\nname: mia # the one\n# the end\n" + body, "---\nname: mia # the one\n# the end\ntransports: [a2a]\n" + body},
		{"none, of another system", "---\r\nname: mia\r\n---\r\nHi\r\n", "---\r\nname: mia\r\ntransports: [a2a]\r\n---\r\nHi\r\n"},
	} {
		got, err := project.SetTransport(c.without, "a2a", true)
		if err != nil || got != c.with {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if again, err := project.SetTransport(got, "a2a", true); err != nil || again != got {
			t.Errorf("%s, twice: %v\n%s", c.name, err, again)
		}
		if back, err := project.SetTransport(got, "a2a", false); err != nil || back != c.without {
			t.Errorf("%s, and back: %v\n%s", c.name, err, back)
		}
	}
}

// TestSetTransportElse: what has no line of its own to change means what it shall.
func TestSetTransportElse(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: mia\ntransports: []\n---\nHi\n": "---\nname: mia\ntransports: [a2a]\n---\nHi\n",
		"---\nname: mia\ntransports:\n---\nHi\n":    "---\nname: mia\ntransports: [a2a]\n---\nHi\n",
		"Hi\n":                                      "---\ntransports: [a2a]\n---\nHi\n",
		"---\n{ name: mia }\n---\nHi\n":             "---\n{name: mia, transports: [a2a]}\n---\nHi\n",
		"---\nname: mia\ntransports: [\n  uamp, # live\n]\n---\nHi\n": "---\nname: mia\ntransports: [uamp, # live\n  a2a]\n---\nHi\n",
	} {
		if got, err := project.SetTransport(text, "a2a", true); err != nil || got != want {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
	for _, text := range []string{"---\nname: [\n---\n", "---\nname: mia\n", "---\ntransports: uamp\n---\n", "---\ntransports: [{ a: 1 }]\n---\n"} {
		got, err := project.SetTransport(text, "a2a", true)
		if e := contract.AsError(err); e == nil || e.Code != contract.AgentFileInvalid || got != text {
			t.Errorf("%q: %v %q", text, err, got)
		}
	}
	if got, err := project.SetTransport(strings.Repeat("-", 3)+"\n---\n", "a2a", false); err != nil || got != "---\n---\n" {
		t.Errorf("%v %q", err, got)
	}
}

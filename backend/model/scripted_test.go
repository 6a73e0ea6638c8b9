package model

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// scriptedAgent has a folder with this script.
func scriptedAgent(t *testing.T, script string) agents.Agent {
	t.Helper()
	a := mia()
	a.Folder = t.TempDir()
	write(t, a.Folder, script)
	return a
}

func write(t *testing.T, folder, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(folder, ".benchtop"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, ScriptFile), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
}

const script = `
words_per_chunk: 2
rules:
  - when: sum of (\d+) and (\S+)
    reply: "Adding {{1}} and {{ 2 }}. "
    call: { tool: add, args: { a: "{{1}}", b: "{{2}}", note: "for {{agent}}: {{text}}", deep: [ { x: "{{1}}" } ], fixed: 7 } }
    then: "It is {{result.sum}}, or {{result.list.0.n}}, of {{result.none}}; {{result}}."
  - when: just add
    call: { tool: add, args: { a: 1, b: 2 } }
  - when: try it
    call: { tool: fails }
    then: never
  - when: and this
    call: { tool: fails }
    then: never
    else: "no: {{result.error.code}}"
  - when: look at (.*)
    call: { tool: look, args: { q: "{{1}}" } }
    then: "I see {{result}}."
  - when: ^fail
    fail: cannot {{text}}
  - when: who
    reply: I am {{agent}}.
replies: [first, "second: {{text}}"]
`

func TestScript(t *testing.T) {
	for says, want := range map[string]string{
		"the SUM of 2 and 3":    "says Adding 2 and 3. \ncalls add {\"a\":2,\"b\":3,\"deep\":[{\"x\":2}],\"fixed\":7,\"note\":\"for Mia: the SUM of 2 and 3\"} client:false\ngives {\"sum\":5,\"list\":[{\"n\":1}]} \nsays It is 5, or 1, of {{result.none}}; {\"sum\":5,\"list\":[{\"n\":1}]}.",
		"just add it":           "calls add {\"a\":1,\"b\":2} client:false\ngives {\"sum\":3,\"list\":[{\"n\":1}]} \nsays {\"sum\":3,\"list\":[{\"n\":1}]}",
		"who are you, <friend>": "says I am Mia.",
		"try it":                "calls fails {} client:false\ngives {\"ok\":false,\"error\":{\"code\":\"JS_RUNTIME_ERROR\",\"message\":\"no luck\"}} JS_RUNTIME_ERROR\nsays That did not work: no luck",
		"and this":              "calls fails {} client:false\ngives {\"ok\":false,\"error\":{\"code\":\"JS_RUNTIME_ERROR\",\"message\":\"no luck\"}} JS_RUNTIME_ERROR\nsays no: JS_RUNTIME_ERROR",
		"anything else":         "says first",
		"look at <it>":          "calls look {\"q\":\"<it>\"} client:true",
	} {
		w := newWorld(t, scriptedAgent(t, script))
		req := w.ask(t, "mia", says)
		req.Tools = client("look")
		_, chunks, err := w.listen(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := told(chunks); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", says, got, want)
		}
	}
}

// The script goes on where the conversation is: replies in turn, results of the
// client's tools into the text.
func TestScriptInConversation(t *testing.T) {
	w := newWorld(t, scriptedAgent(t, script))
	req := w.ask(t, "mia", "one")
	for _, want := range []string{"first", "second: two", "first"} {
		r, _, err := w.listen(t.Context(), req)
		if err != nil || r.Message.Text() != want {
			t.Fatalf("%q, %v, want %q", r.Message.Text(), err, want)
		}
		req.Messages = append(req.Messages, r.Message, TextMessage(RoleUser, "two"))
	}
	req = w.ask(t, "mia", "look at it")
	req.Tools = client("look")
	r, _, err := w.listen(t.Context(), req)
	if err != nil || len(r.Message.ToolCalls) != 1 || string(r.Message.Content) != "null" {
		t.Fatalf("%+v %v", r, err)
	}
	req.Messages = append(req.Messages, r.Message, Message{Role: RoleTool, ToolCallID: r.Message.ToolCalls[0].ID, Content: textJSON("a tree")})
	if r, _, err = w.listen(t.Context(), req); err != nil || r.Message.Text() != "I see a tree." {
		t.Errorf("%+v %v", r, err)
	}
}

func TestScriptFails(t *testing.T) {
	w := newWorld(t, scriptedAgent(t, script))
	_, _, err := w.listen(t.Context(), w.ask(t, "mia", "fail me"))
	if codeOf(err) != contract.ModelFailed || !strings.Contains(err.Error(), "cannot fail me") {
		t.Error(err)
	}
}

// What is saved counts from the next turn on, mistakes among it.
func TestScriptIsLive(t *testing.T) {
	a := scriptedAgent(t, "replies: [one]")
	w := newWorld(t, a)
	says := func(want string) {
		t.Helper()
		r, err := w.Turn(t.Context(), w.ask(t, "mia", "hello"), nil)
		if err != nil || r.Message.Text() != want {
			t.Errorf("%q, %v, want %q", r.Message.Text(), err, want)
		}
	}
	says("one")
	write(t, a.Folder, "replies: [two]")
	says("two")
	write(t, a.Folder, "")
	if r, err := w.Turn(t.Context(), w.ask(t, "mia", "hello"), nil); err != nil || !strings.HasPrefix(r.Message.Text(), "Mia here.") {
		t.Error(r, err)
	}
	// The last good one goes on; without one, the caller is told.
	write(t, a.Folder, "replies: [three]")
	says("three")
	write(t, a.Folder, "replies: {")
	says("three")
	if p := w.Load(a); len(p) != 1 || p[0].File != ScriptFile || p[0].Line != 1 {
		t.Errorf("%+v", p)
	}
	fresh := newWorld(t, a)
	if _, err := fresh.Turn(t.Context(), fresh.ask(t, "mia", "hello"), nil); codeOf(err) != contract.ModelNotReady || !strings.Contains(err.Error(), ScriptFile) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(a.Folder, ScriptFile)); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("hidden words"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(a.Folder, ScriptFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Turn(t.Context(), fresh.ask(t, "mia", "hello"), nil); codeOf(err) != contract.ModelNotReady || strings.Contains(err.Error(), "hidden") {
		t.Errorf("a link out of the project: %v", err)
	}
	if p := fresh.Load(a); len(p) != 1 || strings.Contains(p[0].Message, "hidden") {
		t.Errorf("%+v", p)
	}
}

func TestScriptMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"rules: [{when: '('}]":                            "1:16 rules[0]: when is no regular expression: missing closing )",
		"rules:\n  - reply: a\n  - when: b":               "3:5 rules[1]: it has neither reply nor call nor fail",
		"rules: [{then: b, reply: a}]":                    "1:16 rules[0]: then and else are said after a call",
		"rules: [{call: {args: {}}}]":                     "1:16 rules[0]: call.tool is missing",
		"rules: [{call: {tool: a, args: [1]}}]":           "1:16 rules[0]: call.args is a map",
		"rules: [{call: {tool: a, args: {x: .nan}}}]":     "1:16 rules[0]: call.args cannot be written as JSON",
		"rules:\n  - { wen: a }":                          "2:7 rules[0]: \"wen\" is no key of a rule; when, reply,",
		"rules:\n  - { call: { tol: a } }":                "2:15 rules[0].call: \"tol\" is no key of call; tool, args",
		"words_per_chunk: 0":                              "1:18 words_per_chunk: it is a number from 1 to 1000",
		"replies: 1":                                      "1:1 line 1: cannot unmarshal",
		"[a]":                                             "1:1 line 1: model.yaml is a map",
		"rules:\n\t- a":                                   "2:1 line 2: found character that cannot start any token",
		"replies: ['" + strings.Repeat("x", 65537) + "']": "1:11 replies[0]: a reply has 65537 bytes",
		"rules: [{when: '" + strings.Repeat("x", 1001) + "', reply: a}]": "1:16 rules[0]: when has more than 1000 bytes",
		"a: &a [x]\nb: *a": "1:1 line 1: \"a\" is no key of model.yaml",
		"replies: [" + strings.Repeat("a,", maxRules+1) + "]": "0:0 there are more than 500",
	} {
		_, err := scriptOf([]byte(text))
		var m *mistake
		if !errors.As(err, &m) {
			t.Errorf("%.60s: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s", m.line, m.column, m); !strings.HasPrefix(got, want) {
			t.Errorf("%.60s: %.200s, want %s", text, got, want)
		}
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 1, ""}, {"one", 1, "one"}, {"one two  three", 1, "one |two  |three"}, {" a b c d", 2, " a b |c d"}, {"a\nb ", 1, "a\n|b "}, {"über  alles", 1, "über  |alles"},
	} {
		if got := strings.Join(pieces(c.text, c.n), "|"); got != c.want {
			t.Errorf("%q by %d: %q", c.text, c.n, got)
		}
	}
}

// scriptOf is parseScript with its mistake as an error.
func scriptOf(text []byte) (*Script, error) {
	s, m := parseScript(text)
	if m != nil {
		return nil, m
	}
	return s, nil
}

package model

import (
	"encoding/json"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// A script is refused or usable, whatever it says.
func FuzzScript(f *testing.F) {
	f.Add(script, "sum of 1 and 2", `{"sum":3}`)
	f.Add("rules: [{when: '(a+)+$', reply: '{{1}}{{0}}{{result.a.0}}'}]", "aaaa", `[1,{"a":[2]}]`)
	f.Add("replies: [a, '{{text}}']\nwords_per_chunk: 3", "x", "")
	f.Add("a: &a [*a]", "", "")
	f.Fuzz(func(t *testing.T, text, says, result string) {
		if len(text) > maxScriptBytes || len(says) > 4096 {
			return
		}
		s, err := scriptOf([]byte(text))
		if err != nil {
			if s != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, %v", s, err)
			}
			return
		}
		w := newWorld(t)
		e := &scripted{script: s, agent: mia(), newID: w.newID}
		q := question{messages: []Message{TextMessage(RoleUser, says), {Role: RoleTool, ToolCallID: "c", Content: textJSON(result)}}, tools: w.Tools("")}
		for range 2 {
			var heard strings.Builder
			a, err := e.step(t.Context(), q, func(s string) error { heard.WriteString(s); return nil })
			if err != nil {
				if codeOf(err) != contract.ModelFailed {
					t.Error(err)
				}
				return
			}
			if heard.String() != a.text {
				t.Errorf("said %q, and gave %q", heard.String(), a.text)
			}
			for _, c := range a.calls {
				if !json.Valid([]byte(c.Function.Arguments)) {
					t.Errorf("arguments %q", c.Function.Arguments)
				}
			}
			q.messages = q.messages[:1]
		}
	})
}

// What an upstream model sends never does more than fail.
func FuzzReply(f *testing.F) {
	f.Add(delta(`{"content":"one"}`) + stop + over)
	f.Add(delta(`{"tool_calls":[{"index":0,"function":{"name":"x","arguments":"{}"}}]}`) + over)
	f.Add("data: {\"error\":{}}\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		heard := ""
		r := &reply{say: func(s string) error { heard += s; return nil }, newID: func() string { return "i" }, heard: func() {}}
		if err := r.stream(strings.NewReader(text)); err != nil {
			return
		}
		a := r.answer()
		if a.text != heard || len(a.calls) > maxCalls {
			t.Errorf("%+v after %q", a, heard)
		}
	})
}

// The least arguments are always an object.
func FuzzLeast(f *testing.F) {
	f.Add(`{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}`, "x")
	f.Add(`{"required":["a"],"properties":{"a":{"enum":[1]},"b":{"type":"object","required":["c"]}}}`, "x")
	f.Fuzz(func(t *testing.T, schema, says string) {
		var object map[string]any
		if err := json.Unmarshal([]byte(leastArguments(contract.RawJSON(schema), says)), &object); err != nil {
			t.Error(err)
		}
	})
}

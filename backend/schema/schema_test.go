package schema_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"benchtop/backend/contract"
	"benchtop/backend/schema"
)

func compiled(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestValidateArgs(t *testing.T) {
	p := compiled(t, `{"type":"object","properties":{"name":{"type":"string","minLength":2},"n":{"type":"integer","maximum":10},
		"tags":{"type":"array","items":{"enum":["a","b"]}},"x":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["name"],"additionalProperties":false}`)
	tests := []struct{ args, want string }{
		{`{"name":"Ada"}`, ""},
		{`{"name":"Ada","n":1e1,"tags":["a"],"x":null}`, ""},
		{``, "args"},
		{`{}`, "args"},
		{`[]`, "args"},
		{`"x"`, "args"},
		{`{"name":"A"}`, "args.name"},
		{`{"name":"Ada","n":1.5}`, "args.n"},
		{`{"name":"Ada","n":11}`, "args.n"},
		{`{"name":"Ada","tags":["a","c"]}`, "args.tags[1]"},
		{`{"name":"Ada","zzz":1}`, "args"},
		{`{"name":"Ada","x":1}`, "args.x"},
		{`{"name":3,"n":"x"}`, "args.name args.n"},
		{`{"name":`, "args"},
		{`{"name":"Ada","n":1e999999999}`, "args"},
	}
	for _, tt := range tests {
		var paths []string
		for _, pr := range p.Validate(json.RawMessage(tt.args)) {
			if pr.Code != contract.ParametersInvalid || pr.Message == "" {
				t.Errorf("%s: %+v", tt.args, pr)
			}
			paths = append(paths, pr.Path)
		}
		got := strings.Join(paths, " ")
		if got != tt.want && (tt.want != "args.name args.n" || got != "args.n args.name") {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.want)
		}
	}
}

// TestSchemaBudget: schemas that double their work end, and the next call on
// the same schema works.
func TestSchemaBudget(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"x":{"$ref":"#/$defs/d39"}},"$defs":{"d00":{"type":"string"}`)
	for i := 1; i < 40; i++ {
		prev, cur := itoa(i-1), itoa(i)
		b.WriteString(`,"d` + cur + `":{"allOf":[{"$ref":"#/$defs/d` + prev + `"},{"$ref":"#/$defs/d` + prev + `"}]}`)
	}
	b.WriteString(`}}`)
	p := compiled(t, b.String())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if errs := p.Validate(json.RawMessage(`{"x":"y"}`)); len(errs) != 1 || !strings.Contains(errs[0].Message, "steps") {
				t.Errorf("%v", errs)
			}
		})
	}
	wg.Wait()
	if errs := p.Validate(json.RawMessage(`{}`)); len(errs) != 0 {
		t.Errorf("%v", errs)
	}
	deep := compiled(t, `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`)
	args := strings.Repeat(`{"a":`, 60) + `{}` + strings.Repeat(`}`, 60)
	if errs := deep.Validate(json.RawMessage(args)); len(errs) != 1 || !strings.Contains(errs[0].Message, "steps") {
		t.Errorf("%v", errs)
	}
}

func TestCompileParametersRefuses(t *testing.T) {
	for _, s := range []string{`[]`, `{}`, `{"type":"string"}`, `{"type":["object"]}`, `{"type":"object","$ref":"http://a.com/s"}`, `{"type":"object","$schema":"http://a.com/meta"}`,
		`{"type":"object","properties":{"a":{"pattern":"(?=x)"}}}`, `{"type":"object","properties":{"a":{"minimum":1e99999}}}`, `{"type":"object","properties":3}`, `{`} {
		p, err := schema.Compile(json.RawMessage(s))
		if p != nil || err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", s, err)
		}
	}
	var none *schema.Schema
	if none.Validate(json.RawMessage(`[1]`)) != nil {
		t.Error("no schema accepts everything")
	}
	compiled(t, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"const":1}}}`)
}

func itoa(i int) string { return string(rune('0'+i/10)) + string(rune('0'+i%10)) }

func FuzzSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":"b"}`)
	f.Fuzz(func(t *testing.T, text, args string) {
		s, err := schema.Compile(json.RawMessage(text))
		if text != "" && (s == nil) != (err != nil) {
			t.Fatal("neither or both")
		}
		s.Validate(json.RawMessage(args))
	})
}

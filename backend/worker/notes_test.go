package worker

import (
	"strings"
	"testing"

	"benchtop/backend/contract"
)

// TestNotesOfARun wants a line for what only running shows, and none otherwise.
func TestNotesOfARun(t *testing.T) {
	c := start(t)
	form := `{"request":{"method":"POST","headers":{"content-type":"application/x-www-form-urlencoded; charset=utf-8"},"body":"a=1"}}`
	parsed := `{"request":{"method":"POST","headers":{"content-type":"application/json"},"body":{"a":1}}}`
	for _, tt := range []struct{ name, context, body, want string }{
		{"form", form, "return [ctx.request.body.a];", "URLSearchParams"},
		{"form read as text", form, "return [new URLSearchParams(ctx.request.body).get('a'), ctx.request.body.length];", ""},
		{"a parsed body", parsed, "return [ctx.request.body.a];", ""},
		{"only in a string", form, "return ['ctx.request.body.a'];", ""},
		{"body of 204", parsed, "return { status: +'204', body: 'x' };", "status 204 has no body"},
		{"no body of 204", parsed, "return { status: 204, body: null };", ""},
		{"status of text", parsed, "return { status: 'o' + 'k' };", "status of \"ok\""},
		{"status 99", parsed, "return { status: 99 };", "status of 99"},
		{"status 200", parsed, "return { status: 200, body: 'x', headers: {} };", ""},
		{"a tool's status", `{"toolCall":{"params":{}}}`, "return { status: 'ok' };", ""},
	} {
		spec := c.spec("export default async (ctx) => {" + tt.body + "};")
		spec.Context = contract.RawJSON(tt.context)
		got := c.run(spec, nil)
		if got.result.Error != nil {
			t.Errorf("%s: %+v", tt.name, got.result.Error)
		}
		switch {
		case tt.want == "" && len(got.logs) > 0, tt.want != "" && len(got.logs) != 1:
			t.Errorf("%s: %d lines, %+v", tt.name, len(got.logs), got.logs)
		case tt.want != "" && (got.logs[0].Level != "warn" || !strings.HasPrefix(got.logs[0].Message, "PORTABILITY: ") || !strings.Contains(got.logs[0].Message, tt.want)):
			t.Errorf("%s: %+v, want %s", tt.name, got.logs[0], tt.want)
		}
	}
}

package compile

import (
	"fmt"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

const file = "functions/f/index.js"

func TestProblems(t *testing.T) {
	for _, tt := range []struct{ name, source, code, message, at string }{
		{"empty", " \n", "SOURCE_EMPTY", "export default", "1:1"},
		{"too large", "//" + strings.Repeat("x", contract.MaxStoredSource), "CODE_TOO_LARGE", "262146 bytes", "0:0"},
		{"syntax", "const a = 1;\n  const ü = ];", "JS_COMPILE_ERROR", "Unexpected", "2:13"},
		{"column in UTF-16", "const a = '😀'; ]", "JS_COMPILE_ERROR", "Unexpected", "1:17"},
		{"import", "\n\n  import x from 'left-pad';", "JS_COMPILE_ERROR", "left-pad", "3:3"},
		{"import for effect", "import 'fs'", "JS_COMPILE_ERROR", "import is not part", "1:1"},
		{"export from", "export { a } from './a.js';", "JS_COMPILE_ERROR", "./a.js", "1:1"},
		{"export star", "const s = 'import';\nexport * from './a.js';", "JS_COMPILE_ERROR", "./a.js", "2:1"},
		{"await", "await 1;", "JS_COMPILE_ERROR", "await", "1:1"},
		{"twice", "let a;\nlet a;", "JS_COMPILE_ERROR", "already been declared", "2:5"},
		{"out of its frame", "}); (function () {", "JS_COMPILE_ERROR", "Unexpected", "1:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, problems, _ := Source(file, tt.source)
			if code != "" || len(problems) == 0 {
				t.Fatalf("it compiles")
			}
			p := problems[0]
			if string(p.Code) != tt.code || !strings.Contains(p.Message, tt.message) || fmt.Sprintf("%d:%d", p.Line, p.Column) != tt.at || p.File != file {
				t.Fatalf("%+v", p)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	for source, want := range map[string]string{
		"async function h(ctx) {}\n  export default h;":                                     "2:3 exported by name alone",
		"async function handler() {}\nexport { handler };":                                  "2:1 export list",
		"export default ctx => 1":                                                           "1:1 parentheses",
		"export default async ctx => 1":                                                     "1:1 parentheses",
		"export default async function handler(ctx) {}":                                     "",
		"export default async (ctx) => 1":                                                   "",
		"export const handler = async (ctx) => ({ a: 'b' });":                               "",
		"const s = \"import x from 'y'\"; export default async function (ctx) { return s }": "",
	} {
		code, problems, warnings := Source(file, source)
		if code == "" {
			t.Fatalf("%s: %+v", source, problems)
		}
		got := ""
		if len(warnings) > 0 {
			got = fmt.Sprintf("%d:%d %s %s", warnings[0].Line, warnings[0].Column, warnings[0].Code, warnings[0].Message)
		}
		place, part, _ := strings.Cut(want, " ")
		if (want == "") != (got == "") || !strings.HasPrefix(got, place) || !strings.Contains(got, part) {
			t.Errorf("%s\n got %q\nwant %q", source, got, want)
		}
	}
}

// TestSlim keeps an eye on the helpers that the pinned esbuild writes: when they
// change, running them comes back into every invocation unnoticed.
func TestSlim(t *testing.T) {
	code, _, _ := Source(file, "export default async function handler(ctx) { return 1; }\nexport const other = 2;")
	for _, helper := range []string{"__defProp", "__copyProps", "__getOwnPropNames", "__esModule"} {
		if strings.Contains(code, helper) {
			t.Errorf("%s is still there:\n%s", helper, code)
		}
	}
	if !strings.Contains(code, "target.$exports = all") {
		t.Errorf("no table of exports:\n%s", code)
	}
}

func FuzzSource(f *testing.F) {
	for _, s := range []string{"export default () => 1", "import a from 'b'", "import('x')", "})(", "/*", "export * from \"\\\n\"", "`${`", "class A { static { await 1 } }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		code, problems, _ := Source(file, source)
		if (code == "") == (len(problems) == 0) {
			t.Fatalf("code of %d bytes and %d problems", len(code), len(problems))
		}
	})
}

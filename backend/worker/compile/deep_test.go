package compile

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestDeepLiteral has a literal in a nest as deep as a source can make it, under
// a worker's limit of the stack.
func TestDeepLiteral(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	for _, nest := range []struct{ open, inside, close string }{
		{"[", `/\p{L}/u`, "]"},
		{"(", `/\p{L}/u`, ")"},
		{"-", `/\p{L}/u`, ""},
	} {
		for _, depth := range []int{100, 4000} {
			source := "export default async (ctx) => {" + strings.Repeat(nest.open, depth) + nest.inside + strings.Repeat(nest.close, depth) + "};"
			if nest.open == "-" {
				source = strings.ReplaceAll(source, "-", "- ")
			}
			if code, problems, _ := Source(file, source); code == "" && len(problems) == 0 {
				t.Errorf("%d times %s: neither code nor a problem", depth, nest.open)
			}
		}
	}
}

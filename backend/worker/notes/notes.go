// Package notes finds in a function's source what works here and not on the
// hosted platform, or the reverse (contract.md, the portability list). It reads
// the tree of the compiled script, so that comments and strings never count,
// and reports places in the author's own text.
package notes

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"

	"benchtop/backend/contract"
)

// maxNotes bounds what one source is told.
const maxNotes = 30

// Find gives the notes on a source: text is the author's, code what the
// compiler made of it, with an inline source map. name is what problems call
// the source. absent are names that js-v1 does not have, each with what to do
// instead, in turn; the compiler has made them members of $import.
func Find(name, text, code string, absent []string) []contract.Problem {
	f := &finder{name: name, absent: absent, said: map[string]bool{}}
	f.exports(text)
	if frame, prog := read(code); frame != nil {
		f.file = prog.File
		f.look(frame)
	}
	slices.SortStableFunc(f.found, func(a, b contract.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f.found
}

// ReadsBodyMembers reports whether a compiled script reads a member of
// ctx.request.body, which is text and has none when a form was sent.
func ReadsBodyMembers(code string) bool {
	if !strings.Contains(code, "request") || !strings.Contains(code, "body") {
		return false
	}
	frame, _ := read(code)
	found := false
	walk(frame, func(n ast.Node, _ []ast.Node) bool {
		if rest, ok := strings.CutPrefix(chain(n), "ctx.request.body."); ok && !slices.Contains(ofText, rest) {
			found = true
		}
		return !found
	}, nil)
	return found
}

// ofText are members that text has.
var ofText = []string{"length", "split", "slice", "trim", "includes", "startsWith", "endsWith", "indexOf", "match", "matchAll", "replace",
	"replaceAll", "toString", "substring", "toLowerCase", "toUpperCase", "charCodeAt", "charAt", "at", "codePointAt", "concat", "search"}

// read gives the frame that the compiler puts around a module.
func read(code string) (*ast.FunctionLiteral, *ast.Program) {
	none := func(string) ([]byte, error) { return nil, errors.New("source maps are only read inline") }
	prog, err := goja.Parse(unmapped, code, parser.WithSourceMapLoader(none))
	if err != nil || len(prog.Body) == 0 {
		return nil, nil
	}
	st, ok := prog.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil, nil
	}
	frame, _ := st.Expression.(*ast.FunctionLiteral)
	return frame, prog
}

// unmapped is the file name of what has no place in the author's text.
const unmapped = "js-v1"

// finder collects notes on one source.
type finder struct {
	name   string
	absent []string
	file   *file.File
	found  []contract.Problem
	said   map[string]bool // rule and subject: once is enough

	declared map[string]int      // how often a name is declared anywhere
	guarded  map[string]bool     // names behind typeof
	state    map[string]bool     // the module's variables; true: a collection
	texts    map[string]int      // variables that begin as text, and the loops around them
	secrets  map[string]bool     // variables that hold a secret
	caught   map[ast.Node]string // what a catch block or callback calls the error of a host call
}

// note reports a place, once for each rule and subject.
func (f *finder) note(at ast.Node, rule, says string) {
	line, col := f.place(at)
	if line == 0 || f.said[rule] || len(f.found) >= maxNotes {
		return
	}
	f.said[rule] = true
	f.found = append(f.found, contract.Problem{Code: contract.Portability, Message: says}.At(f.name, line, col))
}

// place is where a node is in the author's text; 0 when it is not from there.
func (f *finder) place(n ast.Node) (line, col int) {
	p := f.file.Position(int(n.Idx0()) - f.file.Base())
	if p.Filename == unmapped || p.Line == 0 {
		return 0, 0
	}
	return p.Line, p.Column + 1
}

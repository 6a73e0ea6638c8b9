package notes

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
)

// maxDepth ends a walk into trees that nobody wrote by hand.
const maxDepth = 1000

var nodeType = reflect.TypeFor[ast.Node]()

// walk visits every node below root, parents first. enter gets the nodes around
// it, the nearest last, and says whether to go into it; leave may be nil.
func walk(root ast.Node, enter func(n ast.Node, around []ast.Node) bool, leave func(n ast.Node)) {
	w := walker{enter: enter, leave: leave}
	w.value(reflect.ValueOf(root))
}

type walker struct {
	enter  func(ast.Node, []ast.Node) bool
	leave  func(ast.Node)
	around []ast.Node
}

func (w *walker) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			w.value(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct || len(w.around) > maxDepth || !v.CanInterface() {
			return
		}
		n, ok := v.Interface().(ast.Node)
		if !ok {
			w.fields(v.Elem())
			return
		}
		if !w.enter(n, w.around) {
			return
		}
		w.around = append(w.around, n)
		w.fields(v.Elem())
		w.around = w.around[:len(w.around)-1]
		if w.leave != nil {
			w.leave(n)
		}
	}
}

func (w *walker) fields(v reflect.Value) {
	if !strings.HasSuffix(v.Type().PkgPath(), "goja/ast") {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Name == "DeclarationList" || !field.IsExported() {
			continue // what is listed there stands in the body too
		}
		f := v.Field(i)
		if f.Kind() == reflect.Struct && f.CanAddr() && reflect.PointerTo(f.Type()).Implements(nodeType) {
			w.value(f.Addr())
			continue
		}
		w.value(f)
	}
}

// maxChain is how many names a chain has that a rule asks for.
const maxChain = 6

// chain writes a.b.c for an expression that is one; "" for others, and for long
// ones. A name in brackets counts like one behind a dot.
func chain(n ast.Node) string { return chainOf(n, 2*maxChain) }

func chainOf(n ast.Node, most int) string {
	if most == 0 {
		return ""
	}
	switch n := n.(type) {
	case *ast.Identifier:
		return n.Name.String()
	case *ast.OptionalChain:
		return chainOf(n.Expression, most-1)
	case *ast.Optional:
		return chainOf(n.Expression, most-1)
	case *ast.DotExpression:
		if left := chainOf(n.Left, most-1); left != "" {
			return left + "." + n.Identifier.Name.String()
		}
	case *ast.BracketExpression:
		if name, ok := n.Member.(*ast.StringLiteral); ok {
			if left := chainOf(n.Left, most-1); left != "" {
				return left + "." + name.Value.String()
			}
		}
	}
	return ""
}

// some reports whether a node below root, or root, is what is looked for.
func some(root ast.Node, is func(ast.Node) bool) bool {
	found := false
	walk(root, func(n ast.Node, _ []ast.Node) bool {
		found = found || is(n)
		return !found
	}, nil)
	return found
}

// names are the identifiers that a pattern binds.
func names(target ast.Node) []*ast.Identifier {
	var out []*ast.Identifier
	walk(target, func(n ast.Node, _ []ast.Node) bool {
		if id, ok := n.(*ast.Identifier); ok {
			out = append(out, id)
		}
		return true
	}, nil)
	return out
}

// parameters are what a function expression takes.
func parameters(n ast.Node) (*ast.ParameterList, bool) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		return n.ParameterList, true
	case *ast.ArrowFunctionLiteral:
		return n.ParameterList, true
	}
	return nil, false
}

package notes

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// prepare learns what the rules need to know of the whole module first: what
// is declared, what is asked for with typeof, and what state it has.
func (f *finder) prepare(frame *ast.FunctionLiteral) {
	f.declared, f.guarded, f.state = map[string]int{}, map[string]bool{}, map[string]bool{}
	f.texts, f.secrets, f.caught = map[string]int{}, map[string]bool{}, map[ast.Node]string{}
	walk(frame.Body, func(n ast.Node, _ []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Binding:
			f.declare(n.Target)
		case *ast.FunctionLiteral:
			if n.Name != nil {
				f.declare(n.Name)
			}
			f.declareRest(n.ParameterList)
		case *ast.ArrowFunctionLiteral:
			f.declareRest(n.ParameterList)
		case *ast.ClassLiteral:
			if n.Name != nil {
				f.declare(n.Name)
			}
		case *ast.CatchStatement:
			if n.Parameter != nil {
				f.declare(n.Parameter)
			}
		case *ast.ForDeclaration:
			f.declare(n.Target)
		case *ast.UnaryExpression:
			if id, ok := n.Operand.(*ast.Identifier); ok && n.Operator == token.TYPEOF {
				f.guarded[id.Name.String()] = true
			}
		}
		return true
	}, nil)
	for _, st := range frame.Body.List {
		switch st := st.(type) {
		case *ast.LexicalDeclaration:
			f.module(st.List, st.Token != token.CONST)
		case *ast.VariableStatement:
			f.module(st.List, true)
		}
	}
}

func (f *finder) declare(target ast.Node) {
	for _, id := range names(target) {
		f.declared[id.Name.String()]++
	}
}

func (f *finder) declareRest(l *ast.ParameterList) {
	if l != nil && l.Rest != nil {
		f.declare(l.Rest)
	}
}

// module takes in the variables of the module itself: those that can be set,
// and constants that can be filled.
func (f *finder) module(list []*ast.Binding, set bool) {
	for _, b := range list {
		id, ok := b.Target.(*ast.Identifier)
		if !ok {
			continue
		}
		if line, _ := f.place(b); line == 0 {
			continue // the compiler's own
		}
		collection := false
		switch v := b.Initializer.(type) {
		case *ast.ArrayLiteral, *ast.ObjectLiteral:
			collection = true
		case *ast.NewExpression:
			switch chain(v.Callee) {
			case "Map", "Set", "WeakMap", "WeakSet", "Array":
				collection = true
			}
		}
		if set || collection {
			f.state[id.Name.String()] = collection
		}
	}
}

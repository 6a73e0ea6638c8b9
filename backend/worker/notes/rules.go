package notes

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// look applies every rule to the module.
func (f *finder) look(frame *ast.FunctionLiteral) {
	f.prepare(frame)
	loops, functions := 0, 0
	var caught []string
	each := map[ast.Node]bool{} // callbacks that run once for each item
	walk(frame.Body, func(n ast.Node, around []ast.Node) bool {
		if name, ok := f.caught[n]; ok {
			caught = append(caught, name)
		}
		if _, ok := parameters(n); ok {
			functions++
		}
		if loop(n) || each[n] {
			loops++
		}
		switch n := n.(type) {
		case *ast.DotExpression, *ast.BracketExpression:
			f.member(n, caught)
		case *ast.CallExpression:
			f.call(n, functions)
			if d, ok := n.Callee.(*ast.DotExpression); ok && d.Identifier.Name == "forEach" && len(n.ArgumentList) > 0 {
				each[n.ArgumentList[0]] = true
			}
		case *ast.TryStatement:
			if n.Catch != nil && some(n.Body, host) {
				if id, ok := n.Catch.Parameter.(*ast.Identifier); ok {
					f.caught[n.Catch] = id.Name.String()
				}
			}
		case *ast.Binding:
			f.binding(n, loops)
		case *ast.AssignExpression:
			f.assign(n, loops, functions)
		case *ast.UnaryExpression:
			if n.Operator == token.INCREMENT || n.Operator == token.DECREMENT {
				f.stateful(n, n.Operand, functions)
			}
		case *ast.ReturnStatement:
			f.result(n.Argument)
		case *ast.ExpressionBody:
			f.result(n.Expression)
		}
		return true
	}, func(n ast.Node) {
		if _, ok := f.caught[n]; ok {
			caught = caught[:len(caught)-1]
		}
		if _, ok := parameters(n); ok {
			functions--
		}
		if loop(n) || each[n] {
			loops--
		}
	})
}

func loop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStatement, *ast.ForInStatement, *ast.ForOfStatement, *ast.WhileStatement, *ast.DoWhileStatement:
		return true
	}
	return false
}

// host reports what may fail with a host error.
func host(n ast.Node) bool {
	id, ok := n.(*ast.Identifier)
	return ok && (id.Name == "ctx" || id.Name == "fetch")
}

// member looks at a.b and a["b"].
func (f *finder) member(n ast.Node, caught []string) {
	path := chain(n)
	switch path {
	case "ctx.auth.user_id", "ctx.auth.agent_id":
		name := map[string]string{"ctx.auth.user_id": "userId", "ctx.auth.agent_id": "agentId"}[path]
		f.note(n, path, fmt.Sprintf("%s is undefined, here and on the hosted platform, although some examples use it: write ctx.auth.%s.", path, name))
	case "ctx.payment":
		f.note(n, path, "ctx.payment is undefined, here and on the hosted platform, although some examples use it: write ctx.portal.payment.lock, settle or release.")
	case "ctx.request.json", "ctx.request.text", "ctx.request.arrayBuffer":
		f.note(n, "request", fmt.Sprintf("The hosted platform may not have %s(): read ctx.request.body, which is parsed already, or ctx.request.rawBody.", path))
	case "ctx.auth.profile.email":
		f.note(n, path, "The e-mail address is only there when permissions.visitor_profile names email and the visitor agrees.")
		if last := len(f.found) - 1; last >= 0 && strings.HasPrefix(f.found[last].Message, "The e-mail") {
			f.found[last].Path = "permissions.visitor_profile" // a manifest that has it needs no note
		}
	}
	if root, last, ok := strings.Cut(path, "."); ok && last == "code" && slices.Contains(caught, root) {
		f.note(n, "code", "On the hosted platform an error of ctx or fetch loses its code: test how its message begins, such as "+root+".message.startsWith(\"PERMISSION_DENIED\").")
	}
	if name, ok := strings.CutPrefix(path, "$import."); ok { // what the compiler made of a name that is not there
		f.missing(n, name)
	}
}

// missing notes a name that js-v1 does not have.
func (f *finder) missing(at ast.Node, name string) {
	if i := slices.Index(f.absent, name); i >= 0 && i%2 == 0 && !f.guarded[name] {
		f.note(at, "absent "+name, fmt.Sprintf("%s is not part of js-v1, here and on the hosted platform. %s", name, f.absent[i+1]))
	}
}

// changing are methods that change what they are called on.
var changing = []string{"set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill"}

func (f *finder) call(n *ast.CallExpression, functions int) {
	path := chain(n.Callee)
	if path == "require" && f.declared["require"] == 0 && !f.guarded["require"] {
		f.note(n, "require", "require is not part of js-v1, here and on the hosted platform: packages and other files cannot be loaded. Put the code into this file.")
	}
	if d, ok := n.Callee.(*ast.DotExpression); ok && functions > 0 && slices.Contains(changing, d.Identifier.Name.String()) {
		f.stateful(n, d, functions)
	}
	switch {
	case path == "ctx.kv.put" && len(n.ArgumentList) > 1:
		if _, ok := n.ArgumentList[0].(*ast.ObjectLiteral); ok {
			f.note(n, "kv", "ctx.kv.put with an object takes the value in it, as { key, value }: the hosted platform does not read a second argument.")
		}
	case strings.HasPrefix(path, "ctx.log.") || strings.HasPrefix(path, "console.") && f.declared["console"] == 0:
		for _, a := range n.ArgumentList {
			if f.exposes(a) {
				f.note(n, "log", "A secret goes into the log here. It is blanked out here, but the hosted platform may keep it as it is.")
			}
		}
	}
	if d, ok := n.Callee.(*ast.DotExpression); ok && d.Identifier.Name == "catch" && len(n.ArgumentList) > 0 && some(d.Left, host) {
		if p, ok := parameters(n.ArgumentList[0]); ok && p != nil && len(p.List) > 0 {
			if id, ok := p.List[0].Target.(*ast.Identifier); ok {
				f.caught[n.ArgumentList[0]] = id.Name.String()
			}
		}
	}
}

// exposes reports whether a value has a secret in it.
func (f *finder) exposes(n ast.Expression) bool {
	switch n := n.(type) {
	case *ast.Identifier:
		return f.secrets[n.Name.String()] && f.declared[n.Name.String()] == 1
	case *ast.TemplateLiteral:
		return slices.ContainsFunc(n.Expressions, f.exposes)
	case *ast.ArrayLiteral:
		return slices.ContainsFunc(n.Value, f.exposes)
	case *ast.BinaryExpression:
		return n.Operator == token.PLUS && (f.exposes(n.Left) || f.exposes(n.Right))
	case *ast.ObjectLiteral:
		for _, p := range n.Value {
			switch p := p.(type) {
			case *ast.PropertyShort:
				if f.exposes(&p.Name) {
					return true
				}
			case *ast.PropertyKeyed:
				if f.exposes(p.Value) {
					return true
				}
			}
		}
	}
	return secret(n)
}

// secret reports await ctx.secrets.get(...).
func secret(n ast.Expression) bool {
	wait, ok := n.(*ast.AwaitExpression)
	if !ok {
		return false
	}
	call, ok := wait.Argument.(*ast.CallExpression)
	return ok && chain(call.Callee) == "ctx.secrets.get"
}

func (f *finder) binding(n *ast.Binding, loops int) {
	id, ok := n.Target.(*ast.Identifier)
	if !ok || n.Initializer == nil {
		return
	}
	switch n.Initializer.(type) {
	case *ast.StringLiteral, *ast.TemplateLiteral:
		f.texts[id.Name.String()] = loops
	}
	if secret(n.Initializer) {
		f.secrets[id.Name.String()] = true
	}
}

func (f *finder) assign(n *ast.AssignExpression, loops, functions int) {
	if id, ok := n.Left.(*ast.Identifier); ok {
		name := id.Name.String()
		grows := n.Operator == token.PLUS
		if sum, ok := n.Right.(*ast.BinaryExpression); ok && n.Operator == token.ASSIGN && sum.Operator == token.PLUS {
			for left, more := sum.Left, true; more; {
				if b, ok := left.(*ast.BinaryExpression); ok && b.Operator == token.PLUS {
					left = b.Left
					continue
				}
				grows, more = chain(left) == name, false
			}
		}
		if depth, ok := f.texts[name]; ok && grows && loops > depth && f.declared[name] == 1 {
			f.note(n, "text "+name, fmt.Sprintf("Text that grows by += in a loop is slow here and fast on the hosted platform: collect the parts in an array and join them (%s).", name))
		}
	}
	f.stateful(n, n.Left, functions)
}

// stateful notes a change of the module's own variables from inside a function.
func (f *finder) stateful(at ast.Node, target ast.Node, functions int) {
	root := target
	direct := true
	for {
		switch t := root.(type) {
		case *ast.DotExpression:
			root, direct = t.Left, false
			continue
		case *ast.BracketExpression:
			root, direct = t.Left, false
			continue
		}
		break
	}
	id, ok := root.(*ast.Identifier)
	if !ok || functions == 0 {
		return
	}
	name := id.Name.String()
	if collection, ok := f.state[name]; ok && f.declared[name] == 1 && (direct || collection) {
		f.note(at, "state "+name, fmt.Sprintf("%s belongs to the module: it starts anew with every call here, and the hosted platform may keep it from call to call. Keep state in ctx.kv.", name))
	}
}

// result looks at what a function returns in so many words.
func (f *finder) result(n ast.Expression) {
	switch v := n.(type) {
	case *ast.NumberLiteral:
		if _, ok := v.Value.(*big.Int); ok {
			f.note(v, "bigint", "A BigInt cannot be a result: return String(value).")
		}
	case *ast.ObjectLiteral:
		f.response(v)
	}
}

func (f *finder) response(o *ast.ObjectLiteral) {
	var status ast.Expression
	body, headers := false, false
	for _, p := range o.Value {
		k, ok := p.(*ast.PropertyKeyed)
		if !ok || k.Computed {
			continue
		}
		if n, ok := k.Value.(*ast.NumberLiteral); ok {
			if _, ok := n.Value.(*big.Int); ok {
				f.note(k, "bigint", "A BigInt cannot be in a result: return String(value).")
			}
		}
		key, _ := k.Key.(*ast.StringLiteral)
		if key == nil {
			continue
		}
		switch key.Value.String() {
		case "status":
			status = k.Value
		case "body", "bodyB64":
			_, null := k.Value.(*ast.NullLiteral)
			body = !null && chain(k.Value) != "undefined"
		case "headers":
			headers = true
		}
	}
	if !body && !headers {
		return
	}
	switch s := status.(type) {
	case *ast.StringLiteral:
		f.note(s, "status", "A response's status is a whole number from 200 to 599; with another one the hosted platform answers 500.")
	case *ast.NumberLiteral:
		n, whole := s.Value.(int64)
		switch {
		case !whole || n < 200 || n > 599:
			f.note(s, "status", "A response's status is a whole number from 200 to 599; with another one the hosted platform answers 500.")
		case body && (n == 204 || n == 205 || n == 304):
			f.note(s, "null body", fmt.Sprintf("A response with status %d has no body; with one the hosted platform answers 500.", n))
		}
	}
}

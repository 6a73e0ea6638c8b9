package sandbox

import (
	"slices"

	"github.com/dop251/goja"
)

// globals stands behind the global object, as its prototype: a name that is not
// there yet is looked for here, and stays once it was found.
type globals struct{ s *Sandbox }

func (g *globals) Get(name string) goja.Value {
	module, ok := g.s.factory.globals[name]
	if !ok {
		return nil
	}
	v := g.s.module(module).(*goja.Object).Get(name)
	// A frozen global object takes nothing more, but what it lacks is still here.
	_ = g.s.rt.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return v
}

func (g *globals) Has(name string) bool        { _, ok := g.s.factory.globals[name]; return ok }
func (g *globals) Set(string, goja.Value) bool { return false }
func (g *globals) Delete(string) bool          { return false }
func (g *globals) Keys() []string              { return nil }

// Member is one of ctx: a value, or what a module exports under its name.
type Member struct {
	Name   string
	JSON   []byte // a value; nil with Module empty: undefined
	Module string
}

// members is ctx. A member comes into being when it is first touched.
type members struct {
	s     *Sandbox
	list  []Member
	made  map[string]goja.Value
	gone  map[string]bool
	added []string
}

func (m *members) find(name string) *Member {
	for i := range m.list {
		if m.list[i].Name == name {
			return &m.list[i]
		}
	}
	return nil
}

func (m *members) Get(name string) goja.Value {
	if v, ok := m.made[name]; ok {
		return v
	}
	of := m.find(name)
	if of == nil || m.gone[name] {
		return nil
	}
	v := goja.Undefined()
	switch {
	case of.Module != "":
		v = m.s.module(of.Module).(*goja.Object).Get(name)
	case of.JSON != nil:
		v = decode(m.s.rt, of.JSON)
	}
	m.Set(name, v)
	return v
}

func (m *members) Has(name string) bool {
	if _, ok := m.made[name]; ok {
		return true
	}
	return m.find(name) != nil && !m.gone[name]
}

func (m *members) Set(name string, v goja.Value) bool {
	if m.made == nil {
		m.made = map[string]goja.Value{}
	}
	if _, there := m.made[name]; !there && m.find(name) == nil {
		m.added = append(m.added, name)
	}
	m.made[name] = v
	return true
}

func (m *members) Delete(name string) bool {
	delete(m.made, name)
	m.added = slices.DeleteFunc(m.added, func(n string) bool { return n == name })
	if m.find(name) != nil {
		if m.gone == nil {
			m.gone = map[string]bool{}
		}
		m.gone[name] = true
	}
	return true
}

func (m *members) Keys() []string {
	var out []string
	for _, of := range m.list {
		if _, made := m.made[of.Name]; made || !m.gone[of.Name] {
			out = append(out, of.Name)
		}
	}
	return append(out, m.added...)
}

// lazy is $lazy(names, make): the same for the prelude's own objects. A member
// that is not among the names is asked of make too, which may throw to say
// what there is.
type lazy struct {
	s     *Sandbox
	names []string
	make  goja.Callable
	made  map[string]goja.Value
}

func (s *Sandbox) newLazy(call goja.FunctionCall) goja.Value {
	f, _ := goja.AssertFunction(call.Argument(1))
	c := Call{s: s, args: call.Arguments}
	return s.rt.NewDynamicObject(&lazy{s: s, names: c.Strings(0), make: f, made: map[string]goja.Value{}})
}

func (l *lazy) Get(name string) goja.Value {
	if v, ok := l.made[name]; ok {
		return v
	}
	v, err := l.make(goja.Undefined(), l.s.rt.ToValue(name))
	if err != nil {
		panic(err)
	}
	if !slices.Contains(l.names, name) && goja.IsUndefined(v) {
		return nil
	}
	l.made[name] = v
	return v
}

func (l *lazy) Has(name string) bool {
	_, made := l.made[name]
	return made || slices.Contains(l.names, name)
}

func (l *lazy) Set(name string, v goja.Value) bool {
	if !slices.Contains(l.names, name) {
		l.names = append(l.names, name)
	}
	l.made[name] = v
	return true
}

func (l *lazy) Delete(string) bool { return false }
func (l *lazy) Keys() []string     { return l.names }

package sandbox

import (
	"errors"

	"github.com/dop251/goja"

	"benchtop/backend/contract"
	"benchtop/backend/worker/compile"
)

// Op is one native operation. In the prelude's scripts $op.name(a, b) calls it.
type Op struct {
	Name string
	// Do gets the call's arguments and returns nil (undefined), string, bool,
	// int, float64, []byte (an ArrayBuffer), []string, or JSON. A
	// *contract.Error becomes a host error with its code, another error a
	// TypeError.
	Do func(c *Call) (any, error)
}

// JSON is an operation's result in JSON text; the function gets the value.
type JSON []byte

// engineOps are the operations that look into JavaScript values and therefore
// belong to the engine, not to the features above it.
var engineOps = []Op{
	// json writes a value as JSON.stringify would: undefined for undefined.
	{Name: "json", Do: func(c *Call) (any, error) {
		text, err := c.s.encode(c.args[0], lenient, contract.MaxKVPutBytes+contract.MB)
		if err != nil || text == nil {
			return nil, err
		}
		return string(text), nil
	}},
	// inspect writes a value for a person, whatever it is.
	{Name: "inspect", Do: func(c *Call) (any, error) {
		text, err := c.s.encode(c.args[0], forPeople, contract.MaxLogBytes*2)
		if err != nil {
			return nil, err
		}
		return string(text), nil
	}},
	// detach(buffer) takes the bytes from an ArrayBuffer.
	{Name: "detach", Do: func(c *Call) (any, error) {
		buffer, ok := c.args[0].Export().(goja.ArrayBuffer)
		if !ok {
			return nil, errors.New("this is not an ArrayBuffer")
		}
		buffer.Detach()
		return nil, nil
	}},
	// hasHalves(text) reports whether a JSON text has halves of surrogate pairs,
	// alone or as escapes (then perhaps both): rarely, so it is quick to say no.
	{Name: "hasHalves", Do: func(c *Call) (any, error) {
		text, ok := c.args[0].(goja.String)
		return ok && hasHalves(text), nil
	}},
	// authorPattern(source, flags) gives what the author wrote for a regular
	// expression that was translated, as [source, flags], or nothing.
	{Name: "authorPattern", Do: func(c *Call) (any, error) {
		was, ok := c.s.run.Script.Patterns[compile.Pattern{Source: c.String(0), Flags: c.String(1)}]
		if !ok {
			return nil, nil
		}
		return []string{was.Source, was.Flags}, nil
	}},
}

func hasHalves(s goja.String) bool {
	n := s.Length()
	for i := 0; i < n; i++ {
		switch c := s.CharAt(i); {
		case c == '\\' && i+3 < n && s.CharAt(i+1) == 'u' && s.CharAt(i+2)|0x20 == 'd':
			if d := s.CharAt(i + 3); d >= '8' {
				return true
			}
		case c >= 0xDC00 && c <= 0xDFFF:
			return true
		case c >= 0xD800 && c <= 0xDBFF:
			if i++; i >= n || s.CharAt(i) < 0xDC00 || s.CharAt(i) > 0xDFFF {
				return true
			}
		}
	}
	return false
}

// Call is one call of an operation: its arguments, read in the engine's terms,
// and the run's host. It is only valid until the operation returns.
type Call struct {
	Host any
	s    *Sandbox
	args []goja.Value
}

// Len is the number of arguments.
func (c *Call) Len() int { return len(c.args) }

// Has reports whether argument i is there and not undefined or null.
func (c *Call) Has(i int) bool {
	return i < len(c.args) && !goja.IsUndefined(c.args[i]) && !goja.IsNull(c.args[i])
}

// String is argument i as text; lone surrogates become U+FFFD.
func (c *Call) String(i int) string {
	if i >= len(c.args) {
		return ""
	}
	return c.args[i].String()
}

// Int is argument i as an integer.
func (c *Call) Int(i int) int64 {
	if i >= len(c.args) {
		return 0
	}
	return c.args[i].ToInteger()
}

// Bool is argument i as a truth value.
func (c *Call) Bool(i int) bool { return i < len(c.args) && c.args[i].ToBoolean() }

// Bytes is a copy of the ArrayBuffer or typed array at i, or nil.
func (c *Call) Bytes(i int) []byte {
	if i >= len(c.args) {
		return nil
	}
	switch v := c.args[i].Export().(type) {
	case goja.ArrayBuffer:
		return append([]byte{}, v.Bytes()...)
	case []byte:
		return append([]byte{}, v...)
	}
	return nil
}

// Strings is an array of texts at i that the prelude itself made.
func (c *Call) Strings(i int) []string {
	if i >= len(c.args) {
		return nil
	}
	o, ok := c.args[i].(*goja.Object)
	if !ok {
		return nil
	}
	n := int(o.Get("length").ToInteger())
	out := make([]string, 0, min(n, 1024))
	for k := range n {
		out = append(out, o.Get(itoa(k)).String())
	}
	return out
}

// dispatch is $op: the first argument is the operation's number.
func (s *Sandbox) dispatch(call goja.FunctionCall) goja.Value {
	n := int(call.Arguments[0].ToInteger())
	c := Call{Host: s.run.Host, s: s, args: call.Arguments[1:]}
	v, err := s.factory.ops[n].Do(&c)
	if err == nil {
		return s.value(v)
	}
	if coded := contract.AsError(err); coded != nil {
		panic(s.error(coded.Code, coded.Message))
	}
	panic(s.rt.NewTypeError(err.Error()))
}

// value turns what an operation returned into the engine's terms.
func (s *Sandbox) value(v any) goja.Value {
	switch v := v.(type) {
	case nil:
		return goja.Undefined()
	case []byte:
		return s.rt.ToValue(s.rt.NewArrayBuffer(v))
	case []string:
		items := make([]any, len(v))
		for i, t := range v {
			items[i] = t
		}
		return s.rt.NewArray(items...)
	case JSON:
		return decode(s.rt, v)
	}
	return s.rt.ToValue(v)
}

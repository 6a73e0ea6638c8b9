package sandbox

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/dop251/goja"
)

// object writes an object, an array, or what their toJSON gives.
func (e *encoder) object(o *goja.Object) (bool, error) {
	if _, callable := goja.AssertFunction(o); callable {
		return e.foreign("is a function, which JSON does not have", "[function]")
	}
	if len(e.open) >= maxDepth {
		if e.mode == forPeople {
			return e.foreign("", "…")
		}
		if e.mode == strict {
			return false, e.refuse("nests deeper than %d levels", maxDepth)
		}
		return false, fmt.Errorf("the value nests deeper than %d levels", maxDepth)
	}
	if slices.Contains(e.open, o) {
		switch e.mode {
		case forPeople:
			return e.foreign("", "[circular]")
		case strict:
			return false, e.refuse("leads back to a value that holds it (a cycle)")
		}
		return false, fmt.Errorf("Converting circular structure to JSON")
	}
	e.open = append(e.open, o)
	defer func() { e.open = e.open[:len(e.open)-1] }()

	if done, there, err := e.special(o); done || err != nil {
		return there, err
	}
	if isArray(o) {
		return true, e.array(o)
	}
	e.buf = append(e.buf, '{')
	first := true
	for _, key := range o.Keys() {
		before := len(e.buf)
		if !first {
			e.buf = append(e.buf, ',')
		}
		e.text(e.rt.ToValue(key).(goja.String))
		e.buf = append(e.buf, ':')
		e.path = append(e.path, segment{key: key, index: -1})
		there, err := e.value(o.Get(key))
		if err != nil {
			return false, err
		}
		e.path = e.path[:len(e.path)-1]
		if there {
			first = false
		} else {
			e.buf = e.buf[:before]
		}
	}
	e.buf = append(e.buf, '}')
	return true, nil
}

// special handles toJSON, wrapper objects and, for people, errors.
func (e *encoder) special(o *goja.Object) (done, there bool, err error) {
	class := o.ClassName()
	if e.mode == forPeople && class == "Error" {
		e.buf = append(e.buf, o.Get("stack").String()...)
		return true, true, nil
	}
	if f, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		v, err := f(o, e.rt.ToValue(""))
		if err != nil {
			panic(err)
		}
		if v != o {
			there, err := e.value(v)
			return true, there, err
		}
	}
	switch class {
	case "String":
		e.text(o.ToString().(goja.String))
		return true, true, nil
	case "Number", "Boolean":
		if v := o.Export(); v != nil {
			there, err := e.value(e.rt.ToValue(v))
			return true, there, err
		}
	}
	return false, false, nil
}

func (e *encoder) array(o *goja.Object) error {
	n := o.Get("length").ToInteger()
	e.buf = append(e.buf, '[')
	for i := int64(0); i < n; i++ {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.path = append(e.path, segment{index: int(i)})
		there, err := e.value(o.Get(itoa(int(i))))
		if err != nil {
			return err
		}
		e.path = e.path[:len(e.path)-1]
		if !there {
			e.buf = append(e.buf, "null"...)
		}
		if len(e.buf) > e.max {
			return e.tooLarge()
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

// isArray is Array.isArray: a proxy is what its target is.
func isArray(o *goja.Object) bool {
	for o.ExportType() == proxyType {
		p, ok := o.Export().(goja.Proxy)
		if !ok || p.Target() == nil {
			return false
		}
		o = p.Target()
	}
	return o.ClassName() == "Array"
}

var proxyType = reflect.TypeFor[goja.Proxy]()

package sandbox

import (
	"github.com/dop251/goja"

	"benchtop/backend/contract"
)

// noCode is a parser option that never returns. Every way in which the engine
// makes code from text at run time (the constructors of functions, async
// functions and generators, however they were reached, and eval) parses it with
// the runtime's options, so all of them end here and there is no list of
// disguises to keep. eval itself is replaced beside it, for the sake of its own
// code. The first argument only says what type an option has.
func noCode[T any](_ func(T), s *Sandbox) func(T) {
	return func(T) {
		panic(s.error(contract.FunctionDenied, "functions cannot be made from text in js-v1: write the function itself."))
	}
}

// error makes a host error.
func (s *Sandbox) error(code contract.Code, text string) goja.Value {
	coded, _ := goja.AssertFunction(s.module("core").(*goja.Object).Get("coded"))
	v, err := coded(goja.Undefined(), s.rt.ToValue(string(code)), s.rt.ToValue(text))
	if err != nil {
		panic(err)
	}
	return v
}

// module gives what a script of the prelude exports, and runs it the first time.
func (s *Sandbox) module(name string) goja.Value {
	if v, ok := s.modules[name]; ok {
		return v
	}
	compiled, ok := s.factory.scripts[name]
	if !ok {
		panic(s.rt.NewTypeError("there is no module " + name))
	}
	program, err := compiled()
	if err != nil {
		panic(err)
	}
	if s.modules == nil {
		s.modules = map[string]goja.Value{}
		s.natives = [3]goja.Value{s.rt.ToValue(s.dispatch), s.rt.ToValue(func(c goja.FunctionCall) goja.Value {
			return s.module(c.Argument(0).String())
		}), s.rt.ToValue(s.newLazy)}
		for _, native := range s.natives {
			// The engine names them after Go's own functions, and an Error's stack
			// would say so to the author.
			if err := native.(*goja.Object).DefineDataProperty("name", s.rt.ToValue("native"), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
				panic(err)
			}
		}
	}
	f, err := s.rt.RunProgram(program)
	if err != nil {
		panic(err)
	}
	export, _ := goja.AssertFunction(f)
	v, err := export(goja.Undefined(), s.natives[:]...)
	if err != nil {
		panic(err)
	}
	s.modules[name] = v
	return v
}

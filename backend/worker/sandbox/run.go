package sandbox

import (
	"errors"
	"reflect"
	"strings"

	"github.com/dop251/goja"

	"benchtop/backend/contract"
)

// begin loads the script and calls its handler.
func (s *Sandbox) begin() error {
	for _, name := range s.run.Script.Needs {
		s.module(name)
	}
	frame, err := s.rt.RunProgram(s.run.Script.Program)
	if err != nil {
		return err
	}
	load, _ := goja.AssertFunction(frame)
	module := s.rt.NewObject()
	exports := s.rt.NewObject()
	if err := module.Set("exports", exports); err != nil {
		return err
	}
	importer := goja.Undefined()
	if s.run.Script.Imports {
		importer = s.module("import")
	}
	if _, err := load(goja.Undefined(), module, exports, goja.Undefined(), importer); err != nil {
		return err
	}
	handler, names := s.pick(module.Get("exports"))
	switch {
	case handler == nil:
		text := "No handler was found: write export default async function handler(ctx) { ... }, or export one named handler."
		if s.run.Entrypoint != "" && s.run.Entrypoint != "default" && s.run.Entrypoint != "handler" {
			text = "The entrypoint " + brief(s.run.Entrypoint) + " is not an exported function."
		}
		if len(names) > 0 {
			text += " The source exports " + brief(strings.Join(names, ", ")) + "."
		}
		s.outcome = &Outcome{Error: &Thrown{Code: contract.JSNoHandler, Message: text}}
		return nil
	case s.run.OnlyLook:
		s.outcome = &Outcome{}
		return nil
	}
	ctx := s.rt.NewDynamicObject(&members{s: s, list: s.run.Members})
	result, err := s.call(handler, ctx)
	if err != nil {
		return err
	}
	return s.await(result)
}

// call calls the handler, by way of Around when there is one.
func (s *Sandbox) call(handler goja.Callable, ctx goja.Value) (goja.Value, error) {
	name, function, through := strings.Cut(s.run.Around, ".")
	if !through {
		return handler(goja.Undefined(), ctx)
	}
	around, _ := goja.AssertFunction(s.module(name).(*goja.Object).Get(function))
	inner := s.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		v, err := handler(goja.Undefined(), c.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
	return around(goja.Undefined(), inner, ctx)
}

// pick finds the handler, contract.md 2.10: the named entrypoint, else callable
// exports, default, handler, then the first exported function.
func (s *Sandbox) pick(v goja.Value) (handler goja.Callable, names []string) {
	exports, ok := v.(*goja.Object)
	if !ok {
		return nil, nil
	}
	thunks := exports.Get(thunksKey)
	of := func(name string) (goja.Callable, bool) {
		if t, ok := thunks.(*goja.Object); ok {
			thunk, ok := goja.AssertFunction(t.Get(name))
			if !ok {
				return nil, false
			}
			v, err := thunk(goja.Undefined())
			if err != nil {
				panic(err)
			}
			return goja.AssertFunction(v)
		}
		return goja.AssertFunction(exports.Get(name))
	}
	if t, ok := thunks.(*goja.Object); ok {
		names = t.Keys()
	} else {
		names = exports.Keys()
	}
	entry := s.run.Entrypoint
	if entry != "" && entry != "default" {
		if f, ok := of(entry); ok {
			return f, names
		}
		if entry != "handler" {
			return nil, names
		}
	}
	if f, ok := goja.AssertFunction(exports); ok {
		return f, names
	}
	for _, name := range append([]string{"default", "handler"}, names...) {
		if f, ok := of(name); ok {
			return f, names
		}
	}
	return nil, names
}

// thunksKey is where a converted ES module leaves its exports: functions that
// give them (compile's frame).
const thunksKey = "$exports"

var promiseType = reflect.TypeFor[*goja.Promise]()

// await makes the handler's answer a promise that Go can look at without
// touching the author's own then.
func (s *Sandbox) await(result goja.Value) error {
	o, ok := result.(*goja.Object)
	if !ok {
		return s.done(result)
	}
	if o.ExportType() == promiseType {
		s.promise, _ = o.Export().(*goja.Promise)
		return s.look()
	}
	adopt, _ := goja.AssertFunction(s.module("adopt"))
	adopted, err := adopt(goja.Undefined(), o)
	if err != nil {
		return err
	}
	s.promise, _ = adopted.Export().(*goja.Promise)
	return s.look()
}

// look ends the run when the handler's promise is settled.
func (s *Sandbox) look() error {
	if s.promise == nil || s.outcome != nil {
		return nil
	}
	switch s.promise.State() {
	case goja.PromiseStateFulfilled:
		return s.done(s.promise.Result())
	case goja.PromiseStateRejected:
		return s.fail(s.promise.Result())
	}
	return nil
}

// done writes the result. A getter or toJSON of the author's may throw in it.
func (s *Sandbox) done(v goja.Value) error {
	var text []byte
	var err error
	if thrown := s.rt.Try(func() { text, err = s.encode(v, strict, contract.MaxResultBytes) }); thrown != nil {
		return thrown
	}
	if err != nil {
		e := contract.AsError(err)
		if e == nil {
			return err
		}
		s.outcome = &Outcome{Error: &Thrown{Code: e.Code, Message: e.Message}}
		return nil // a value that cannot be written is the outcome of the run
	}
	s.outcome = &Outcome{Value: text}
	return nil
}

// fail reads a thrown value by way of the prelude. Its error is an interrupt
// that came while the author's getters ran.
func (s *Sandbox) fail(v goja.Value) error {
	thrown := &Thrown{Message: "The function threw a value that cannot be described."}
	if v != nil {
		read, _ := goja.AssertFunction(s.module("fail"))
		parts, err := read(goja.Undefined(), v)
		if interrupted := new(goja.InterruptedError); errors.As(err, &interrupted) {
			return err
		}
		if o, ok := parts.(*goja.Object); ok && err == nil {
			thrown.Message, thrown.Stack = o.Get("0").String(), o.Get("1").String()
		}
	}
	s.outcome = &Outcome{Error: thrown}
	return nil
}

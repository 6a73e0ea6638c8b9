// Package sandbox is the engine: one fresh goja runtime for each run. Everything
// the sandbox offers is a thin JavaScript prelude (Script) over named native
// operations (Op) written in Go. A second engine would be a folder beside this
// one that runs the same scripts over the same operations, with what this one
// adds itself (globals and ctx that come into being when they are touched,
// reading and writing of JSON), and passes testdata/conformance.
//
// The rule for speed: a runtime is made of nothing, and whatever a function
// does not touch it does not pay for. The rule for safety: no text becomes code
// in here, and Go reads a value of the author's only where a panic is caught.
package sandbox

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	_ "embed"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"benchtop/backend/contract"
	"benchtop/backend/worker/compile"
)

//go:embed core.js
var coreScript string

//go:embed fail.js
var failScript string

//go:embed eval.js
var evalScript string

// MaxCallStack is how deep JavaScript calls may nest. The engine's own default
// is unlimited, and its overflow cannot be caught.
const MaxCallStack = 4096

// Script is one file of the prelude, a module: a function expression over ($op,
// $module, $lazy) that returns what it exports. $op.name(a, b) calls an
// operation, $module(name) gives another module, and $lazy(names, make) an
// object whose members make(name) makes when they are first touched.
//
// Load, where it is set, gives the source when it is first needed.
type Script struct {
	Name   string
	Source string
	Load   func() (string, error)
}

// Config is what a Factory is made of.
type Config struct {
	Scripts []Script
	Ops     []Op
	// Globals are the names beside the engine's own, each with the module that
	// exports it. (To take one of the engine's away makes it first, in every
	// runtime; compile's list of needs is the way to replace one.)
	Globals map[string]string
}

// Factory has everything that runtimes share. It is made once for each worker;
// a script is compiled when the first runtime asks for it.
type Factory struct {
	scripts map[string]func() (*goja.Program, error)
	ops     []Op
	globals map[string]string
}

var opCall = regexp.MustCompile(`\$op\.(\w+)\(`)

// NewFactory checks that everything has a name of its own.
func NewFactory(c Config) (*Factory, error) {
	f := &Factory{scripts: make(map[string]func() (*goja.Program, error), len(c.Scripts)),
		ops: append(append([]Op{}, c.Ops...), engineOps...), globals: map[string]string{"eval": "eval"}}
	number := make(map[string]int, len(f.ops))
	for i, op := range f.ops {
		if _, taken := number[op.Name]; taken {
			return nil, fmt.Errorf("sandbox: two operations are called %q", op.Name)
		}
		number[op.Name] = i
	}
	for _, s := range append([]Script{{Name: "core", Source: coreScript}, {Name: "fail", Source: failScript}, {Name: "eval", Source: evalScript}}, c.Scripts...) {
		if _, taken := f.scripts[s.Name]; taken {
			return nil, fmt.Errorf("sandbox: two modules are called %q", s.Name)
		}
		f.scripts[s.Name] = sync.OnceValues(func() (*goja.Program, error) {
			source := s.Source
			if s.Load != nil {
				var err error
				if source, err = s.Load(); err != nil {
					return nil, fmt.Errorf("sandbox:%s: %w", s.Name, err)
				}
			}
			return compilePrelude("sandbox:"+s.Name, source, number)
		})
	}
	for name, module := range c.Globals {
		f.globals[name] = module
		if f.scripts[module] == nil {
			return nil, fmt.Errorf("sandbox: the global %s comes from a module that is not there, %q", name, module)
		}
	}
	return f, nil
}

// Compile compiles every script of the prelude now, to find mistakes in them.
func (f *Factory) Compile() error {
	for _, compiled := range f.scripts {
		if _, err := compiled(); err != nil {
			return err
		}
	}
	return nil
}

// compilePrelude turns $op.name( into $op(number,: one native function serves
// all operations, because a function object for each would be paid for in every
// runtime.
func compilePrelude(name, source string, number map[string]int) (*goja.Program, error) {
	var unknown string
	source = opCall.ReplaceAllStringFunc(source, func(call string) string {
		op := call[len("$op.") : len(call)-1]
		n, ok := number[op]
		if !ok {
			unknown = op
		}
		return "$op(" + strconv.Itoa(n) + ","
	})
	if unknown != "" {
		return nil, fmt.Errorf("%s: there is no operation called %q", name, unknown)
	}
	tree, err := goja.Parse(name, source, parser.WithSourceMapLoader(compile.NoFiles))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return goja.CompileAST(tree, true)
}

// Outcome is how a run ended.
type Outcome struct {
	Value contract.RawJSON // nil for undefined
	Error *Thrown
}

// Thrown is an uncaught error, as the prelude read it. Code is only set where
// the sandbox knows it better than the message does.
type Thrown struct {
	Code    contract.Code
	Message string
	Stack   string
}

// Sandbox is one runtime, for one run. It belongs to one goroutine, except for
// Interrupt.
type Sandbox struct {
	rt      *goja.Runtime
	factory *Factory
	modules map[string]goja.Value
	natives [3]goja.Value // $op, $module, $lazy
	deliver goja.Callable
	run     Run
	promise *goja.Promise // of the handler
	outcome *Outcome
	stopped atomic.Pointer[Stopped]
}

// New prepares a runtime: everything that does not depend on the run.
func (f *Factory) New() (*Sandbox, error) {
	s := &Sandbox{rt: goja.New(), factory: f}
	rt := s.rt
	rt.SetParserOptions(noCode(parser.WithDisableSourceMaps, s))
	rt.SetMaxCallStackSize(MaxCallStack)
	rt.SetTimeSource(func() time.Time { return s.run.Now() })
	rt.SetRandSource(func() float64 { return s.run.Random() })
	global := rt.GlobalObject()
	// GoError is the engine's own, for Go errors; eval comes from the prelude.
	for _, name := range []string{"GoError", "eval"} {
		if err := global.Delete(name); err != nil {
			return nil, err
		}
	}
	global.Get("Promise") // nearly every handler is async: made now, nobody waits for it
	return s, global.SetPrototype(rt.NewDynamicObject(&globals{s}))
}

// Run is what a runtime needs to know of the run it was prepared for.
type Run struct {
	Script     compile.Script
	Entrypoint string
	Members    []Member // of ctx, in order
	OnlyLook   bool     // load the code and find the handler, call nothing
	Around     string   // "module.function" of the prelude that calls the handler: f(handler, ctx); empty: nobody does
	Host       any      // what the operations get as Call.Host
	Now        func() time.Time
	Random     func() float64
}

// Start runs the script's top level and its handler up to where it first has to
// wait. Afterwards Outcome says whether that was all.
func (s *Sandbox) Start(run Run) error {
	s.run = run
	return s.guard(s.begin)
}

// Resolve ends the waiting call n well: values are what an Op may return.
func (s *Sandbox) Resolve(n int, values ...any) error {
	return s.guard(func() error {
		args := []goja.Value{s.rt.ToValue(n), s.rt.ToValue(true)}
		for _, v := range values {
			args = append(args, s.value(v))
		}
		return s.settle(args)
	})
}

// Reject ends the waiting call n with an error.
func (s *Sandbox) Reject(n int, code contract.Code, text string) error {
	return s.guard(func() error {
		return s.settle([]goja.Value{s.rt.ToValue(n), s.rt.ToValue(false), s.rt.ToValue(string(code)), s.rt.ToValue(text)})
	})
}

func (s *Sandbox) settle(args []goja.Value) error {
	if s.deliver == nil {
		s.deliver, _ = goja.AssertFunction(s.module("core").(*goja.Object).Get("deliver"))
	}
	if _, err := s.deliver(goja.Undefined(), args...); err != nil {
		return err
	}
	return s.look()
}

// Outcome is nil while the run waits for something.
func (s *Sandbox) Outcome() *Outcome { return s.outcome }

// Interrupt stops the JavaScript that runs, or the next that would. It may be
// called from any goroutine.
func (s *Sandbox) Interrupt(reason error) {
	s.stopped.Store(&Stopped{Reason: reason})
	s.rt.Interrupt(reason)
}

// Stopped is what Start, Resolve and Reject return when Interrupt took effect.
type Stopped struct {
	Reason error
	Stack  string // where the code was
}

// Error names the reason.
func (e *Stopped) Error() string { return "stopped: " + e.Reason.Error() }

package sandbox

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"benchtop/backend/contract"
)

// guard runs a piece of JavaScript and translates how it ended. Go never
// touches a value of the author's outside of it: a getter or a trap may panic
// through whatever reads it.
func (s *Sandbox) guard(f func() error) error {
	err := caught(f)
	var thrown *goja.Exception
	if err != nil && s.outcome == nil && errors.As(err, &thrown) {
		err = caught(func() error {
			if err := s.fail(thrown.Value()); err != nil {
				return err
			}
			if s.outcome.Error.Stack == "" { // what was thrown is no Error
				s.outcome.Error.Stack = "\n" + strings.Join(framesOf(thrown.Stack()), "\n")
			}
			return nil
		})
	}
	var stopped *goja.InterruptedError
	var deep *goja.StackOverflowError
	var native *Stopped
	switch {
	case err == nil || s.outcome != nil:
	case errors.As(err, &native):
		return native
	case errors.As(err, &stopped):
		reason, _ := stopped.Value().(error)
		return &Stopped{Reason: reason, Stack: "\n" + strings.Join(framesOf(stopped.Stack()), "\n")}
	case errors.As(err, &deep):
		s.outcome = &Outcome{Error: &Thrown{Code: contract.JSRuntimeError,
			Message: fmt.Sprintf("Maximum call stack size exceeded: calls nest deeper than %d.", MaxCallStack),
			Stack:   "\n" + strings.Join(framesOf(deep.Stack()), "\n")}}
	default:
		s.outcome = &Outcome{Error: &Thrown{Code: contract.JSRuntimeError, Message: "The engine gave up on this function: " + brief(err.Error())}}
	}
	return nil
}

// caught turns a panic of the engine into an error.
func caught(f func() error) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case error:
			err = x
		default:
			err = fmt.Errorf("%v", x)
		}
	}()
	return f()
}

// framesOf writes frames the way an Error's stack has them.
func framesOf(frames []goja.StackFrame) []string {
	var out []string
	for i := range frames {
		if i == maxFrames*2 {
			break
		}
		f := &frames[i]
		p := f.Position()
		if p.Filename == "" {
			continue
		}
		out = append(out, fmt.Sprintf("\tat %s (%s:%d:%d)", f.FuncName(), p.Filename, p.Line, p.Column))
	}
	return out
}

func brief(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}

package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"benchtop/backend/contract"
)

// NoFiles is the source map loader of every parser here. The engine's own
// default opens whatever file a //# sourceMappingURL comment names; inline maps
// do not need a loader.
func NoFiles(string) ([]byte, error) { return nil, errors.New("source maps are only read inline") }

// Script is a compiled script and what it needs prepared.
type Script struct {
	Program *goja.Program
	// Needs are the modules of the prelude that must run before it.
	Needs []string
	// Patterns are its regular expressions that were translated, with the
	// author's own text.
	Patterns map[Pattern]Pattern
	// Imports says that it calls import(...) or uses an absent name, both of which
	// must say why they are refused.
	Imports bool
}

// Program parses and compiles a script that Source made.
func Program(code string) (Script, error) {
	tree, err := goja.Parse(Unmapped, code, parser.WithSourceMapLoader(NoFiles))
	if err != nil {
		return Script{}, err
	}
	patterns, err := translate(tree, code)
	if err != nil {
		return Script{}, err
	}
	p, err := goja.CompileAST(tree, false)
	s := Script{Program: p, Needs: needed(code), Patterns: patterns, Imports: strings.Contains(code, "$import(") || strings.Contains(code, absentPrefix)}
	if len(patterns) > 0 && !slices.Contains(s.Needs, "regexp") {
		s.Needs = append(s.Needs, "regexp")
	}
	return s, err
}

// parseable finds what esbuild lets through and the engine refuses, so that it
// is a compile error with a place and not a surprise at the first call.
func parseable(name, code string) *contract.Problem {
	_, err := Program(code)
	if err == nil {
		return nil
	}
	p := contract.Problem{Code: contract.JSCompileError, Message: err.Error()}
	var list parser.ErrorList
	var syntax *goja.CompilerSyntaxError
	var bad *badPattern
	if errors.As(err, &bad) {
		p.Message = "Invalid regular expression: " + bad.Error()
		p = p.At(name, bad.at.Line, bad.at.Column+1)
		return &p
	}
	switch {
	case errors.As(err, &list) && len(list) > 0:
		p.Message = list[0].Message
	case errors.As(err, &syntax):
		p.Message = syntax.Message
	}
	p.Message = fmt.Sprintf("%s (not supported by the engine that runs js-v1 here)", p.Message)
	line, col := originalPlace(code, err)
	p = p.At(name, line, col)
	return &p
}

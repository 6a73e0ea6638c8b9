// Package schema checks arguments against a function's parameter schema (spec
// 2.2, 4.2). It stands apart from package manifest because its JSON Schema
// library costs milliseconds at the start of every process that links it, and
// workers, which link manifest, start all the time.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"benchtop/backend/contract"
)

const (
	maxProblems = 50
	location    = "benchtop:parameters"
)

// Schema is a compiled parameter schema. It is safe for concurrent use.
type Schema struct {
	schema *jsonschema.Schema
	budget *budget
}

// Error says why a schema cannot be used. At is the path of keys and indexes to
// the part that is wrong; empty is the schema as a whole.
type Error struct {
	At      []string
	Message string
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

// Compile compiles a parameter schema (JSON Schema 2020-12, or the draft its
// $schema names). References never leave the document: there is no loader. An
// absent schema gives nil, which accepts everything. Errors are *Error.
func Compile(text json.RawMessage) (*Schema, error) {
	if len(text) == 0 {
		return nil, nil
	}
	doc, err := decode(text, maxSchemaBytes)
	if err != nil {
		return nil, &Error{Message: err.Error()}
	}
	top, ok := doc.(map[string]any)
	if !ok {
		return nil, &Error{Message: "parameters is a JSON Schema of an object"}
	}
	if top["type"] != "object" {
		return nil, &Error{At: []string{"type"}, Message: `the top of parameters has "type": "object"`}
	}
	b := &budget{}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.RegisterVocabulary(&jsonschema.Vocabulary{URL: "benchtop:budget", Compile: b.meter})
	compiler.AssertVocabs()
	if err := compiler.AddResource(location, doc); err != nil {
		return nil, failure(err)
	}
	s, err := compiler.Compile(location)
	if err != nil {
		return nil, failure(err)
	}
	return &Schema{schema: s, budget: b}, nil
}

// failure turns an error of the compiler into words about the author's schema.
func failure(err error) *Error {
	var sv *jsonschema.SchemaValidationError
	var ve *jsonschema.ValidationError
	if errors.As(err, &sv) && errors.As(sv.Err, &ve) {
		for len(ve.Causes) > 0 {
			ve = ve.Causes[0]
		}
		where := strings.Join(ve.InstanceLocation, ".")
		if where != "" {
			where += ": "
		}
		return &Error{ve.InstanceLocation, short(where + ve.ErrorKind.LocalizedString(message.NewPrinter(language.English)))}
	}
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return &Error{nil, short(fmt.Sprintf("the schema refers to %s; a reference stays inside the schema (#/$defs/…)", load.URL))}
	}
	var re *jsonschema.InvalidRegexError
	if errors.As(err, &re) {
		return &Error{nil, short(fmt.Sprintf("the pattern %q cannot be used here: lookahead, lookbehind and backreferences are not supported", re.Regex))}
	}
	return &Error{nil, short(strings.ReplaceAll(err.Error(), location, "the schema"))}
}

// short keeps a message on one line of bounded length.
func short(msg string) string {
	r := []rune(strings.ToValidUTF8(strings.Join(strings.Fields(msg), " "), ""))
	if len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return string(r)
}

// Validate checks arguments; an absent text counts as {}. The problems have the
// code PARAMETERS_INVALID and a path such as args.items[0].
func (s *Schema) Validate(args json.RawMessage) []contract.Problem {
	if s == nil {
		return nil
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	doc, err := decode(args, contract.MaxBodyBytes)
	if err == nil {
		err = s.budget.within(func() error { return s.schema.Validate(doc) })
	}
	var ve *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ve):
		return flatten(nil, ve, message.NewPrinter(language.English))
	}
	return []contract.Problem{{Code: contract.ParametersInvalid, Path: "args", Message: short(err.Error())}}
}

// flatten gives the findings that say something: of alternatives the choice
// itself, of the rest the leaves.
func flatten(out []contract.Problem, e *jsonschema.ValidationError, pr *message.Printer) []contract.Problem {
	if len(out) >= maxProblems {
		return out
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains:
	default:
		if len(e.Causes) > 0 {
			for _, c := range e.Causes {
				out = flatten(out, c, pr)
			}
			return out
		}
	}
	path := "args"
	for _, step := range e.InstanceLocation {
		if _, err := strconv.Atoi(step); err == nil {
			path += "[" + step + "]"
		} else {
			path += "." + step
		}
	}
	return append(out, contract.Problem{Code: contract.ParametersInvalid, Path: path, Message: short(e.ErrorKind.LocalizedString(pr))})
}

type noLoader struct{}

// Load follows no reference.
func (noLoader) Load(string) (any, error) {
	return nil, errors.New("references to other documents are not followed")
}

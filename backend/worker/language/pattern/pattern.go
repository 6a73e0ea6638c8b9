// Package pattern translates regular expressions that the engine reads wrongly
// or not at all into ones that it reads right: property escapes (\p{…}), the v
// flag, \w and \W without regard to case. What it cannot translate it refuses,
// because the engine's own answer to \p{L} is to match the text "p{L}", without
// a word.
//
// The data of the properties comes from V8, the hosted platform's engine
// (properties.gz, written by ../build/properties.mjs).
package pattern

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says why a pattern is not possible; the message has no position.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Translated is a pattern in the engine's terms.
type Translated struct {
	Source, Flags string
	// Changed is false for a pattern that the engine reads right as it is.
	Changed bool
	// Indices is the d flag, which Flags do not have.
	Indices bool
}

// suspicious is what a pattern has that this package must look at.
var suspicious = regexp.MustCompile(`\\[pPwW]|\(\?[-ims]|\(\?<[^=!]|\[\^?\]`)

// Translate reads a pattern as ECMAScript 2024 does. The pattern may be
// invalid in ways that the engine finds itself.
func Translate(source, flags string) (Translated, error) {
	t := Translated{Source: source, Flags: flags}
	for i, f := range flags {
		if !strings.ContainsRune("dgimsuvy", f) || strings.ContainsRune(flags[i+1:], f) {
			return t, refuse("Invalid flags supplied to RegExp constructor '%s'", flags)
		}
	}
	sets := strings.Contains(flags, "v")
	if sets && strings.Contains(flags, "u") {
		return t, refuse("Invalid flags supplied to RegExp constructor '%s': u and v exclude each other", flags)
	}
	if strings.Contains(flags, "d") {
		t.Indices, t.Changed = true, true
		t.Flags = strings.Replace(t.Flags, "d", "", 1)
	}
	if !sets && !suspicious.MatchString(source) {
		return t, nil
	}
	r := reader{text: source, sets: sets, unicode: sets || strings.Contains(flags, "u"), fold: strings.Contains(flags, "i"),
		names: map[string]bool{}}
	if err := r.pattern(); err != nil {
		return t, err
	}
	if sets {
		t.Flags = strings.Replace(t.Flags, "v", "u", 1)
		t.Changed = true
	}
	if r.unicode && len(r.names) > 0 {
		// The engine's fast matcher loses the names in text beyond ASCII; it does
		// not take lookaheads.
		r.out.WriteString("(?=)")
		r.changed = true
	}
	if r.changed {
		t.Source, t.Changed = r.out.String(), true
	}
	return t, nil
}

// reader walks over a pattern once and writes the translation.
type reader struct {
	text                string
	i                   int
	sets, unicode, fold bool
	names               map[string]bool
	out                 strings.Builder
	changed             bool
}

func (r *reader) peek() byte {
	if r.i < len(r.text) {
		return r.text[r.i]
	}
	return 0
}

func (r *reader) starts(s string) bool { return strings.HasPrefix(r.text[r.i:], s) }

// keep copies the next n bytes.
func (r *reader) keep(n int) {
	n = min(n, len(r.text)-r.i)
	r.out.WriteString(r.text[r.i : r.i+n])
	r.i += n
}

func (r *reader) pattern() error {
	for r.i < len(r.text) {
		switch r.text[r.i] {
		case '\\':
			if err := r.escape(); err != nil {
				return err
			}
		case '[':
			if err := r.class(); err != nil {
				return err
			}
		case '(':
			if err := r.group(); err != nil {
				return err
			}
		default:
			r.keep(1)
		}
	}
	return nil
}

// escape is one outside of a class.
func (r *reader) escape() error {
	if r.i+1 >= len(r.text) {
		r.keep(1)
		return nil // the engine says that it ends too early
	}
	c := r.text[r.i+1]
	switch {
	case !r.unicode:
	case c == 'p' || c == 'P' || (c == 'w' || c == 'W') && r.fold:
		s, _, err := r.classEscape()
		if err != nil {
			return err
		}
		r.changed = true
		s.write(&r.out)
		return nil
	}
	_, n := utf8.DecodeRuneInString(r.text[r.i+1:])
	r.keep(1 + n)
	return nil
}

// group looks at what follows an opening parenthesis.
func (r *reader) group() error {
	rest := r.text[r.i:]
	if strings.HasPrefix(rest, "(?") && len(rest) > 2 && strings.IndexByte("-ims", rest[2]) >= 0 {
		return refuse("modifiers such as (?i:…) are not supported by the engine that runs js-v1 here: give the flag to the whole expression, or spell both cases out")
	}
	if strings.HasPrefix(rest, "(?<") && !strings.HasPrefix(rest, "(?<=") && !strings.HasPrefix(rest, "(?<!") {
		if name, _, ok := strings.Cut(rest[3:], ">"); ok {
			if r.names[name] {
				return refuse("two groups are called %q: give each a name of its own", name)
			}
			r.names[name] = true
		}
	}
	r.keep(1)
	return nil
}

// Names lists the groups of a pattern that have names, as name, number, ….
func Names(source string) []string {
	var out []string
	number, inClass := 0, false
	for i := 0; i < len(source); i++ {
		switch {
		case source[i] == '\\':
			i++
		case source[i] == '[':
			inClass = true
		case source[i] == ']':
			inClass = false
		case source[i] != '(' || inClass:
		case !strings.HasPrefix(source[i:], "(?"):
			number++
		case strings.HasPrefix(source[i:], "(?<") && !strings.HasPrefix(source[i:], "(?<=") && !strings.HasPrefix(source[i:], "(?<!"):
			number++
			name, _, _ := strings.Cut(source[i+3:], ">")
			out = append(out, name, strconv.Itoa(number))
		}
	}
	return out
}

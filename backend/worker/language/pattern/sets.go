package pattern

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// setClass reads a class of the v flag: union, intersection (&&), difference
// (--), classes in classes and \q{…}.
func (r *reader) setClass() (members, error) {
	r.i++
	negated := r.peek() == '^'
	if negated {
		r.i++
	}
	m := members{texts: map[string]bool{}}
	operator, ranges := "", false
	for n := 0; r.peek() != ']'; n++ {
		if r.i >= len(r.text) {
			return m, refuse("Unterminated character class")
		}
		found := ""
		if n > 0 && (r.starts("&&") || r.starts("--")) {
			found = r.text[r.i : r.i+2]
			r.i += 2
		}
		if n == 1 {
			operator = found
		} else if n > 1 && operator != found {
			return m, refuse("Invalid set operation in character class: put different operations into classes of their own")
		}
		if found != "" && ranges {
			return m, refuse("Invalid set operation in character class: put the range into a class of its own")
		}
		next, single, err := r.operand()
		if err != nil {
			return m, err
		}
		if single && r.peek() == '-' && !r.starts("--") {
			if operator != "" {
				return m, refuse("Invalid set operation in character class: put the range into a class of its own")
			}
			if next, err = r.rangeFrom(next.first); err != nil {
				return m, err
			}
			ranges = true
		}
		if n == 0 {
			operator = ""
		}
		m.combine(next, operator)
	}
	r.i++
	if negated {
		if len(m.texts) > 0 {
			return m, refuse("Negated character class may contain strings")
		}
		m.points = m.points.not()
	}
	return m, nil
}

func (m *members) combine(next members, operator string) {
	switch operator {
	case "":
		m.points = m.points.or(next.points)
		maps.Copy(m.texts, next.texts)
	case "&&":
		m.points = m.points.and(next.points)
		maps.DeleteFunc(m.texts, func(t string, _ bool) bool { return !next.texts[t] })
	case "--":
		m.points = m.points.minus(next.points)
		maps.DeleteFunc(m.texts, func(t string, _ bool) bool { return next.texts[t] })
	}
}

// rangeFrom reads the rest of a range.
func (r *reader) rangeFrom(from rune) (members, error) {
	r.i++
	to, single, err := r.operand()
	if err != nil {
		return to, err
	}
	if !single || from > to.first {
		return to, refuse("Range out of order in character class")
	}
	return r.cased(set{{from, to.first}}), nil
}

func (r *reader) cased(s set) members {
	if r.fold {
		s = s.folded()
	}
	return members{points: s}
}

const (
	syntaxCharacters = `()[]{}/-|`
	doubled          = "&!#$%*+,.:;<=>?@^`~"
)

// operand reads one character, escape, class or \q{…}.
func (r *reader) operand() (m members, single bool, err error) {
	switch {
	case r.peek() == '[':
		m, err = r.setClass()
		return m, false, err
	case r.starts(`\q{`):
		m, err = r.literals()
		return m, false, err
	case r.peek() == '\\':
		s, single, err := r.classEscape()
		if err != nil || !single {
			return members{points: s}, false, err
		}
		m = r.cased(s)
		m.first = s[0].lo
		return m, true, nil
	}
	c, n := utf8.DecodeRuneInString(r.text[r.i:])
	if strings.ContainsRune(syntaxCharacters, c) {
		return m, false, refuse("Invalid character in character class: with the v flag %c needs a \\ before it", c)
	}
	if strings.ContainsRune(doubled, c) && r.starts(string(c)+string(c)) {
		return m, false, refuse("Invalid set operation in character class: %c%c", c, c)
	}
	r.i += n
	m = r.cased(one(c))
	m.first = c
	return m, true, nil
}

// literals reads \q{a|bc|d}.
func (r *reader) literals() (members, error) {
	m := members{texts: map[string]bool{}}
	r.i += len(`\q{`)
	var text []rune
	add := func() {
		if len(text) == 1 {
			m.points = m.points.or(r.cased(one(text[0])).points)
		} else {
			m.texts[string(text)] = true
		}
		text = nil
	}
	for {
		switch c := r.peek(); {
		case r.i >= len(r.text):
			return m, refuse("Unterminated \\q{…}")
		case c == '}':
			r.i++
			add()
			if r.fold && len(m.texts) > 0 {
				return m, refuse("\\q{…} with strings and the i flag together are not supported by the engine that runs js-v1 here")
			}
			return m, nil
		case c == '|':
			r.i++
			add()
		default:
			o, single, err := r.operand()
			if err != nil {
				return m, err
			}
			if !single {
				return m, refuse("Invalid escape in \\q{…}")
			}
			text = append(text, o.first)
		}
	}
}

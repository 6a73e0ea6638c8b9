package pattern

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// class translates one [...]. Classes that the engine reads right stay as they
// are; of the others only the code points they match are written.
func (r *reader) class() error {
	start := r.i
	if !r.unicode {
		for r.i++; r.i < len(r.text) && r.text[r.i] != ']'; r.i++ {
			if r.text[r.i] == '\\' {
				r.i++
			}
		}
		end := min(r.i+1, len(r.text))
		r.i = start
		r.keep(end - start)
		return nil
	}
	var m members
	var err error
	if r.sets {
		m, err = r.setClass()
	} else {
		m.points, err = r.plainClass()
	}
	if err != nil {
		return err
	}
	if !r.sets && !r.differs(r.text[start:r.i]) {
		end := r.i
		r.i = start
		r.keep(end - start)
		return nil
	}
	r.changed = true
	m.write(&r.out)
	return nil
}

// differs reports whether the engine reads a class of the u flag wrongly.
func (r *reader) differs(text string) bool {
	return text == "[]" || text == "[^]" || strings.Contains(text, `\p`) || strings.Contains(text, `\P`) ||
		r.fold && (strings.Contains(text, `\w`) || strings.Contains(text, `\W`) || strings.HasPrefix(text, "[^"))
}

// plainClass reads a class of the u flag.
func (r *reader) plainClass() (set, error) {
	r.i++
	negated := r.peek() == '^'
	if negated {
		r.i++
	}
	var all set
	for r.peek() != ']' {
		if r.i >= len(r.text) {
			return nil, refuse("Unterminated character class")
		}
		from, single, err := r.classAtom()
		if err != nil {
			return nil, err
		}
		if r.peek() != '-' || r.starts("-]") {
			all = append(all, from...)
			continue
		}
		r.i++
		if r.i >= len(r.text) {
			return nil, refuse("Unterminated character class")
		}
		to, last, err := r.classAtom()
		if err != nil {
			return nil, err
		}
		if !single || !last {
			return nil, refuse("Invalid character class: a range needs single characters at both ends")
		}
		if from[0].lo > to[0].lo {
			return nil, refuse("Range out of order in character class")
		}
		all = append(all, span{from[0].lo, to[0].lo})
	}
	r.i++
	if r.fold {
		all = all.folded()
	}
	if negated {
		all = all.not()
	}
	return all.tidy(), nil
}

// classAtom reads one character or escape of a class.
func (r *reader) classAtom() (s set, single bool, err error) {
	if r.peek() == '\\' {
		return r.classEscape()
	}
	c, n := utf8.DecodeRuneInString(r.text[r.i:])
	r.i += n
	return one(c), true, nil
}

// classEscape reads an escape as it means inside of a class; \p, \w and their
// like mean the same outside.
func (r *reader) classEscape() (s set, single bool, err error) {
	r.i++
	if r.i >= len(r.text) {
		return nil, false, refuse("\\ at end of pattern")
	}
	c, n := utf8.DecodeRuneInString(r.text[r.i:])
	r.i += n
	word := letters
	if r.fold {
		word = letters.folded()
	}
	switch c {
	case 'd':
		return digits, false, nil
	case 'D':
		return digits.not(), false, nil
	case 's':
		return spaces, false, nil
	case 'S':
		return spaces.not(), false, nil
	case 'w':
		return word, false, nil
	case 'W':
		return word.not(), false, nil
	case 'p', 'P':
		s, err = r.property(c == 'P')
		return s, false, err
	case 'b':
		return one('\b'), true, nil
	case 'f':
		return one('\f'), true, nil
	case 'n':
		return one('\n'), true, nil
	case 'r':
		return one('\r'), true, nil
	case 't':
		return one('\t'), true, nil
	case 'v':
		return one('\v'), true, nil
	case '0':
		if d := r.peek(); d < '0' || d > '9' {
			return one(0), true, nil
		}
	case 'c':
		if l := r.peek() | 0x20; l >= 'a' && l <= 'z' {
			r.i++
			return one(rune(l & 31)), true, nil
		}
	case 'x':
		if v, ok := r.hex(2); ok {
			return one(v), true, nil
		}
	case 'u':
		if v, ok := r.unicodeEscape(); ok {
			return one(v), true, nil
		}
	default:
		if strings.ContainsRune(`^$\.*+?()[]{}|/-`, c) || r.sets && strings.ContainsRune("&!#%,:;<=>@`~", c) {
			return one(c), true, nil
		}
	}
	return nil, false, refuse("Invalid escape \\%c in a character class", c)
}

// property reads {…} after \p or \P.
func (r *reader) property(negated bool) (set, error) {
	name, _, closed := strings.Cut(r.text[r.i:], "}")
	if !closed || !strings.HasPrefix(name, "{") {
		return nil, refuse("Invalid property name: \\p needs {…}")
	}
	r.i += len(name) + 1
	s, err := property(name[1:])
	if err != nil {
		return nil, err
	}
	if r.fold && r.sets {
		s = s.folded() // v folds before it negates, u after
	}
	if negated {
		s = s.not()
	}
	if r.fold {
		s = s.folded()
	}
	return s, nil
}

func (r *reader) hex(n int) (rune, bool) {
	if r.i+n > len(r.text) {
		return 0, false
	}
	v, err := strconv.ParseUint(r.text[r.i:r.i+n], 16, 32)
	if err != nil {
		return 0, false
	}
	r.i += n
	return rune(v), true
}

// unicodeEscape reads what follows \u: {…}, four digits, or a pair of fours.
func (r *reader) unicodeEscape() (rune, bool) {
	if r.peek() == '{' {
		digits, _, closed := strings.Cut(r.text[r.i+1:], "}")
		v, err := strconv.ParseUint(digits, 16, 64)
		if !closed || err != nil || v > utf8.MaxRune {
			return 0, false
		}
		r.i += len(digits) + 2
		return rune(v), true
	}
	high, ok := r.hex(4)
	if !ok || high < 0xD800 || high > 0xDBFF || !r.starts(`\u`) {
		return high, ok
	}
	back := r.i
	r.i += 2
	if low, ok := r.hex(4); ok && low >= 0xDC00 && low <= 0xDFFF {
		return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000, true
	}
	r.i = back
	return high, true
}

// members are what a class of the v flag matches: code points and longer
// strings.
type members struct {
	points set
	texts  map[string]bool
	first  rune // of an operand that is one character: as it was written
}

func (m members) write(b *strings.Builder) {
	if len(m.texts) == 0 {
		m.points.write(b)
		return
	}
	texts := make([]string, 0, len(m.texts))
	for t := range m.texts {
		texts = append(texts, t)
	}
	// The longest first, as the standard has it; the empty one after all points.
	sort.Slice(texts, func(i, j int) bool {
		a, c := utf8.RuneCountInString(texts[i]), utf8.RuneCountInString(texts[j])
		return a > c || a == c && texts[i] < texts[j]
	})
	b.WriteString("(?:")
	empty := false
	for _, t := range texts {
		if t == "" {
			empty = true
			continue
		}
		for _, c := range t {
			point(b, c)
		}
		b.WriteByte('|')
	}
	m.points.write(b)
	if empty {
		b.WriteByte('|')
	}
	b.WriteByte(')')
}

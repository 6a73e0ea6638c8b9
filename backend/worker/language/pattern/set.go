package pattern

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// span is the code points from lo to hi, both included.
type span struct{ lo, hi rune }

// set is spans in order, with gaps between them once it is tidy.
type set []span

var (
	digits = set{{'0', '9'}}
	spaces = set{{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029},
		{0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}
	letters = set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
)

func one(r rune) set { return set{{r, r}} }

func (s set) tidy() set {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	var out set
	for _, p := range s {
		if n := len(out); n > 0 && p.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, p.hi)
		} else {
			out = append(out, p)
		}
	}
	return out
}

func (s set) or(t set) set { return append(slices.Clone(s), t...).tidy() }

func (s set) not() set {
	var out set
	next := rune(0)
	for _, p := range s.tidy() {
		if p.lo > next {
			out = append(out, span{next, p.lo - 1})
		}
		next = p.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

func (s set) and(t set) set   { return s.not().or(t.not()).not() }
func (s set) minus(t set) set { return s.not().or(t).not() }

// folded adds every code point that is the same as a member without regard to
// case (simple case folding).
func (s set) folded() set {
	s = s.tidy()
	out := slices.Clone(s)
	t, err := table()
	if err != nil {
		panic(err) // the file is part of the program
	}
	for _, o := range t.orbits {
		in := false
		for _, r := range o {
			if s.has(r) {
				in = true
				break
			}
		}
		if in {
			for _, r := range o {
				out = append(out, span{r, r})
			}
		}
	}
	return out.tidy()
}

func (s set) has(r rune) bool {
	_, found := slices.BinarySearchFunc(s, r, func(p span, r rune) int {
		switch {
		case p.hi < r:
			return -1
		case p.lo > r:
			return 1
		}
		return 0
	})
	return found
}

// write writes the set as a class that has neither escapes nor negation in it.
func (s set) write(b *strings.Builder) {
	s = s.tidy()
	if len(s) == 0 {
		b.WriteString(`[^\u{0}-\u{10ffff}]`) // the engine's own [] has a hole
		return
	}
	b.WriteByte('[')
	for _, p := range s {
		point(b, p.lo)
		if p.hi > p.lo {
			b.WriteByte('-')
			point(b, p.hi)
		}
	}
	b.WriteByte(']')
}

func point(b *strings.Builder, r rune) {
	if r < 0x80 && (r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
		b.WriteRune(r)
		return
	}
	b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + "}")
}

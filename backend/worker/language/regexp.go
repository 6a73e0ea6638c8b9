package language

import (
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/dlclark/regexp2/v2"

	"benchtop/backend/worker/language/pattern"
	"benchtop/backend/worker/sandbox"
)

var regexpOps = []sandbox.Op{
	// translatePattern(source, flags) gives [source, flags, "1" when it is
	// translated, "1" for indices], or the reason why it cannot be.
	{Name: "translatePattern", Do: func(c *sandbox.Call) (any, error) {
		t, err := pattern.Translate(c.String(0), c.String(1))
		if bad := new(pattern.Error); errors.As(err, &bad) {
			return bad.Error(), nil
		}
		if err != nil {
			return nil, err
		}
		yes := map[bool]string{true: "1"}
		return []string{t.Source, t.Flags, yes[t.Changed], yes[t.Indices]}, nil
	}},
	// patternIndices(source, flags, text, at) finds the groups of the match that
	// begins at the index: start and end of each, -1 for none.
	{Name: "patternIndices", Do: func(c *sandbox.Call) (any, error) {
		return indices(c.String(0), c.String(1), c.String(2), int(c.Int(3)))
	}},
	// patternNames(source, flags) lists the groups with names: name, number, ….
	{Name: "patternNames", Do: func(c *sandbox.Call) (any, error) { return pattern.Names(c.String(0)), nil }},
}

// indices matches a second time, with an engine that says where the groups are.
// Positions are UTF-16 units.
func indices(source, flags, text string, at int) (any, error) {
	options := regexp2.ECMAScript
	unicode := false
	for _, f := range flags {
		switch f {
		case 'i':
			options |= regexp2.IgnoreCase
		case 'm':
			options |= regexp2.Multiline
		case 's':
			options |= regexp2.Singleline
		case 'u':
			options |= regexp2.Unicode
			unicode = true
		}
	}
	re, err := regexp2.Compile(source, options)
	if err != nil {
		return nil, errors.New("the d flag is not supported with this regular expression by the engine that runs js-v1 here")
	}
	var runes []rune
	var units []int // the unit of each rune
	start := 0
	add := func(r rune, unit int) {
		if unit == at {
			start = len(runes)
		}
		runes, units = append(runes, r), append(units, unit)
	}
	unit := 0
	for _, r := range text {
		n := utf16.RuneLen(r)
		if n == 2 && !unicode {
			high, low := utf16.EncodeRune(r)
			add(high, unit)
			add(low, unit+1)
		} else {
			add(r, unit)
		}
		unit += n
	}
	if at == unit {
		start = len(runes)
	}
	units = append(units, unit)
	m, err := re.FindRunesMatchStartingAt(runes, start)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteByte('[')
	if m != nil {
		for i, g := range m.Groups() {
			from, to := -1, -1
			if len(g.Captures) > 0 {
				from, to = units[g.RuneIndex], units[g.RuneIndex+g.RuneLength]
			}
			if i > 0 {
				out.WriteByte(',')
			}
			writeInt(&out, from)
			out.WriteByte(',')
			writeInt(&out, to)
		}
	}
	out.WriteByte(']')
	return sandbox.JSON(out.String()), nil
}

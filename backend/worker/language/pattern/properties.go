package pattern

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"sync"

	_ "embed"
)

//go:embed properties.gz
var packed []byte

// table has the lines of properties.gz by kind and name, still as text: a
// pattern names one or two of several hundred.
var table = sync.OnceValues(func() (tables, error) {
	t := tables{}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return t, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return t, err
	}
	lines := strings.Split(string(text), "\n")
	t.byName = make(map[string]string, 3*len(lines))
	for _, line := range lines[1:] {
		names, ranges, _ := strings.Cut(line, "|")
		kind, names, _ := strings.Cut(names, " ")
		if kind == "fold" {
			var orbit []rune
			for _, field := range strings.Fields(ranges) {
				r, err := strconv.ParseInt(field, 36, 32)
				if err != nil {
					return t, err
				}
				orbit = append(orbit, rune(r))
			}
			t.orbits = append(t.orbits, orbit)
			continue
		}
		for _, name := range strings.Fields(names) {
			t.byName[kind+" "+name] = ranges
		}
	}
	return t, nil
})

type tables struct {
	byName map[string]string
	orbits [][]rune // groups that simple case folding makes the same
}

// ofStrings are the properties whose members may be longer than one code point.
// Their data is not here, so they are refused.
var ofStrings = map[string]bool{
	"Basic_Emoji": true, "Emoji_Keycap_Sequence": true, "RGI_Modifier_Sequence": true,
	"RGI_Flag_Sequence": true, "RGI_Emoji_Modifier_Sequence": true, "RGI_Emoji_Flag_Sequence": true,
	"RGI_Emoji_Tag_Sequence": true, "RGI_Emoji_ZWJ_Sequence": true, "RGI_Emoji": true,
}

// property gives the code points of what stands between the braces of \p{…}.
func property(expression string) (set, error) {
	keys := []string{"gc " + expression, "b " + expression}
	if name, value, ok := strings.Cut(expression, "="); ok {
		switch name {
		case "General_Category", "gc":
			keys = []string{"gc " + value}
		case "Script", "sc":
			keys = []string{"sc " + value}
		case "Script_Extensions", "scx":
			keys = []string{"scx " + value}
		default:
			keys = nil
		}
	}
	t, err := table()
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if ranges, ok := t.byName[key]; ok {
			return unpack(ranges)
		}
	}
	if ofStrings[expression] {
		return nil, refuse("\\p{%s}, a property of strings, is not supported by the engine that runs js-v1 here", expression)
	}
	return nil, refuse("\\p{%s} is not a property that regular expressions have", expression)
}

func unpack(ranges string) (set, error) {
	fields := strings.Fields(ranges)
	out := make(set, 0, len(fields)/2)
	end := int64(0)
	for i := 0; i+1 < len(fields); i += 2 {
		gap, err := strconv.ParseInt(fields[i], 36, 32)
		if err != nil {
			return nil, err
		}
		length, err := strconv.ParseInt(fields[i+1], 36, 32)
		if err != nil {
			return nil, err
		}
		start := end + gap
		end = start + length
		out = append(out, span{rune(start), rune(end - 1)})
	}
	return out, nil
}

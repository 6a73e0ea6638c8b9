package compile

import (
	"regexp"
	"slices"
	"strings"
)

// needs says which modules of the prelude have to run before a script, because
// they add to what the engine already has and cannot wait to be touched: the
// text that a script has when it may use one. A text that stands in a string or
// a comment costs a few microseconds; a name that a script puts together from
// parts finds nothing there, as in an older engine.
var needs = []struct {
	module string
	text   *regexp.Regexp
}{
	{"symbols", regexp.MustCompile(`asyncIterator|[dD]ispose|__knownSymbol`)},
	{"statics", regexp.MustCompile(`groupBy|withResolvers|fromAsync|Promise\b[^\w]{0,6}try|captureStackTrace|stackTraceLimit|RegExp\W{1,6}escape|getOwnProperty|ownKeys`)},
	{"strings", regexp.MustCompile(`WellFormed|\b(?:anchor|big|blink|bold|fixed|fontcolor|fontsize|italics|link|small|strike|sub|sup)\b|getOwnProperty|ownKeys`)},
	{"annexb", regexp.MustCompile(`getYear|setYear|toGMTString|__(?:define|lookup)[GS]etter__|getOwnProperty|ownKeys`)},
	{"iterators", regexp.MustCompile(`\bIterator\b|toArray|\b(?:map|filter|take|drop|flatMap|reduce|forEach|some|every|find)\b`)},
	{"weak", regexp.MustCompile(`WeakMap|WeakSet`)},
	{"json", regexp.MustCompile(`JSON\s*\??\.\s*parse|JSON\s*[^.\s?]`)},
	{"typedfrom", regexp.MustCompile(`(?:int|Int|Float)\d+(?:Clamped)?Array\s*\??\.\s*from\b`)},
	{"buffers", regexp.MustCompile(`maxByteLength|transfer|detached|resiz|\bgrow`)},
	{"locale", regexp.MustCompile(`toLocale(?:Date|Time)?String`)},
	{"localetext", regexp.MustCompile(`toLocale(?:Upper|Lower)Case|localeCompare`)},
	{"regexp", regexp.MustCompile(`[.'"\x60]constructor\b|RegExp|globalThis|\bReflect\b|__proto__|getPrototypeOf`)},
}

// iterable is a text that makes iterators other than those of arrays.
var (
	iterable = regexp.MustCompile(`\bIterator\b|\biterator\b|function\s*\*|\*\s*[\w$\[#]+\s*\(|\.(?:values|keys|entries|matchAll)\b|toArray`)
	ofObject = regexp.MustCompile(`\bObject\.(?:values|keys|entries)\b`)
)

// A member whose name is made at run time may be RegExp, or a literal's
// constructor: one that stands in brackets and is not a plain text or number.
var (
	fixedKey = regexp.MustCompile(`\[\s*(?:'[^'\\\n]*'|"[^"\\\n]*"|\d*)\s*\]`)
	member   = regexp.MustCompile(`[\w$)\]}'"\x60.{,]\s*\[`)
)

// needed lists the modules a script needs.
func needed(code string) []string {
	if i := strings.LastIndex(code, "//# sourceMappingURL="); i >= 0 {
		code = code[:i]
	}
	var out []string
	for _, n := range needs {
		if n.text.MatchString(code) && (n.module != "iterators" || iterable.MatchString(ofObject.ReplaceAllString(code, ""))) {
			out = append(out, n.module)
		}
	}
	if !slices.Contains(out, "regexp") && member.MatchString(fixedKey.ReplaceAllString(code, "")) {
		out = append(out, "regexpdoor")
	}
	return out
}

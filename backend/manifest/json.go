package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// readJSON parses strict JSON and keeps places. It never recurses deeper than
// maxDepth. doubles are members whose name came again in their object.
func readJSON(text string) (root *node, doubles []member, err *syntaxError) {
	r := &jsonReader{text: strings.TrimPrefix(text, "\ufeff"), line: 1, col: 1}
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(*syntaxError)
			if !ok {
				panic(p)
			}
			root, err = nil, e
		}
	}()
	if len(text) > MaxManifestBytes {
		r.fail("the JSON has %d bytes; %d are allowed", len(text), MaxManifestBytes)
	}
	r.space()
	root = r.value(0)
	r.space()
	if r.pos < len(r.text) {
		r.fail("there is more after the end of the JSON value: %s", r.next())
	}
	return root, r.doubles, nil
}

type jsonReader struct {
	text    string
	pos     int
	line    int
	col     int
	nodes   int
	doubles []member
}

func (r *jsonReader) fail(format string, args ...any) {
	panic(&syntaxError{place{r.line, r.col}, fmt.Sprintf(format, args...)})
}

func (r *jsonReader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// next names what stands at the cursor, for a message.
func (r *jsonReader) next() string {
	if r.pos >= len(r.text) {
		return "the end of the text"
	}
	c, _ := utf8.DecodeRuneInString(r.text[r.pos:])
	return strconv.QuoteRune(c)
}

// step moves over n bytes of ASCII without line ends.
func (r *jsonReader) step(n int) { r.pos += n; r.col += n }

func (r *jsonReader) space() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case '\n':
			r.pos++
			r.line++
			r.col = 1
		case ' ', '\t', '\r':
			r.step(1)
		case '/':
			r.fail("JSON has no comments")
		default:
			return
		}
	}
}

func (r *jsonReader) value(depth int) *node {
	r.nodes++
	if depth > maxDepth {
		r.fail("nested more than %d levels deep", maxDepth)
	}
	if r.nodes > maxNodes {
		r.fail("more than %d values", maxNodes)
	}
	n := &node{place: place{r.line, r.col}}
	switch c := r.peek(); {
	case c == '{':
		n.kind = kindObject
		r.object(n, depth)
	case c == '[':
		n.kind = kindArray
		r.array(n, depth)
	case c == '"':
		n.kind, n.text = kindString, r.str()
	case c == '-' || c >= '0' && c <= '9':
		n.kind, n.text = kindNumber, r.number()
	case strings.HasPrefix(r.text[r.pos:], "true"):
		n.kind, n.flag = kindBool, true
		r.word("true")
	case strings.HasPrefix(r.text[r.pos:], "false"):
		n.kind = kindBool
		r.word("false")
	case strings.HasPrefix(r.text[r.pos:], "null"):
		r.word("null")
	case c == '\'':
		r.fail("a text stands in double quotes in JSON")
	default:
		r.fail("expected a JSON value, found %s", r.next())
	}
	return n
}

func (r *jsonReader) word(w string) {
	r.step(len(w))
	if c := r.peek(); c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
		r.fail("expected the end of %s, found %s", w, r.next())
	}
}

func (r *jsonReader) object(n *node, depth int) {
	r.step(1)
	for r.space(); r.peek() != '}'; {
		at := place{r.line, r.col}
		if r.peek() != '"' {
			r.fail("expected a name in double quotes or }, found %s", r.next())
		}
		key := r.str()
		r.space()
		if r.peek() != ':' {
			r.fail("expected : after the name %q, found %s", key, r.next())
		}
		r.step(1)
		r.space()
		n.members = append(n.members, member{at, key, r.value(depth + 1)})
		r.space()
		if r.peek() == ',' {
			r.step(1)
			r.space()
			if r.peek() == '}' {
				r.fail("JSON has no comma before }")
			}
			continue
		}
		if r.peek() != '}' {
			r.fail("expected , or }, found %s", r.next())
		}
	}
	r.step(1)
	r.doubles = append(r.doubles, n.dropDoubles()...)
}

func (r *jsonReader) array(n *node, depth int) {
	r.step(1)
	for r.space(); r.peek() != ']'; {
		n.items = append(n.items, r.value(depth+1))
		r.space()
		if r.peek() == ',' {
			r.step(1)
			r.space()
			if r.peek() == ']' {
				r.fail("JSON has no comma before ]")
			}
			continue
		}
		if r.peek() != ']' {
			r.fail("expected , or ], found %s", r.next())
		}
	}
	r.step(1)
}

// number checks the literal and refuses what nothing needs but what makes
// exact arithmetic on it expensive.
func (r *jsonReader) number() string {
	start := r.pos
	digits := func() {
		if c := r.peek(); c < '0' || c > '9' {
			r.fail("expected a digit, found %s", r.next())
		}
		for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
			r.step(1)
		}
	}
	if r.peek() == '-' {
		r.step(1)
	}
	if r.peek() == '0' {
		r.step(1)
		if c := r.peek(); c >= '0' && c <= '9' {
			r.fail("a number does not start with 0")
		}
	} else {
		digits()
	}
	if r.peek() == '.' {
		r.step(1)
		digits()
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.step(1)
		if c := r.peek(); c == '+' || c == '-' {
			r.step(1)
		}
		exp := r.pos
		digits()
		if r.pos-exp > 3 {
			r.fail("a number with an exponent of more than three digits")
		}
	}
	if r.pos-start > 400 {
		r.fail("a number of more than 400 characters")
	}
	return r.text[start:r.pos]
}

func (r *jsonReader) str() string {
	open := place{r.line, r.col}
	r.step(1)
	var b strings.Builder
	for {
		if r.pos >= len(r.text) {
			r.line, r.col = open.line, open.col
			r.fail("this text has no closing quote")
		}
		switch c := r.text[r.pos]; {
		case c == '"':
			r.step(1)
			return b.String()
		case c == '\\':
			r.escape(&b)
		case c < 0x20:
			r.fail("a text has no line ends or control characters; write \\n or \\u%04x", c)
		default:
			ch, size := utf8.DecodeRuneInString(r.text[r.pos:])
			if ch == utf8.RuneError && size == 1 {
				r.fail("not UTF-8")
			}
			b.WriteRune(ch)
			r.pos += size
			r.col++
		}
	}
}

func (r *jsonReader) escape(b *strings.Builder) {
	if r.pos+1 >= len(r.text) {
		r.fail("the text ends in the middle of an escape")
	}
	const plain, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(plain, r.text[r.pos+1]); i >= 0 {
		b.WriteByte(meant[i])
		r.step(2)
		return
	}
	if r.text[r.pos+1] != 'u' {
		r.fail("\\%c is no escape of JSON", r.text[r.pos+1])
	}
	first := r.hex4()
	if utf16.IsSurrogate(first) {
		second := rune(utf8.RuneError)
		if strings.HasPrefix(r.text[r.pos:], `\u`) {
			second = r.hex4()
		}
		first = utf16.DecodeRune(first, second)
	}
	b.WriteRune(first)
}

func (r *jsonReader) hex4() rune {
	if r.pos+6 > len(r.text) {
		r.fail("four hexadecimal digits follow \\u")
	}
	v, err := strconv.ParseUint(r.text[r.pos+2:r.pos+6], 16, 16)
	if err != nil {
		r.fail("four hexadecimal digits follow \\u")
	}
	r.step(6)
	return rune(v)
}

// Rewrite gives a JSON manifest as a file: in the author's order, without the
// keys in drop, and with a runtime when it names none. A text that its author
// broke into lines, and that needs no change, stays as it is; any other is
// indented. The text must have passed Parse.
func Rewrite(text []byte, runtime string, drop ...string) []byte {
	root, _, err := readJSON(string(text))
	if err != nil || root.kind != kindObject {
		return text
	}
	if v := root.get("runtime"); v != nil && v.kind == kindString && v.text != "" && bytes.IndexByte(bytes.TrimSpace(text), '\n') >= 0 &&
		!slices.ContainsFunc(drop, func(key string) bool { return root.get(key) != nil }) {
		return append(bytes.TrimSpace(text), '\n')
	}
	root.members = slices.DeleteFunc(root.members, func(m member) bool { return slices.Contains(drop, m.key) })
	if v := root.get("runtime"); v == nil {
		root.members = slices.Insert(root.members, 0, member{key: "runtime", val: &node{kind: kindString, text: runtime}})
	} else if v.kind == kindNull || v.text == "" {
		v.kind, v.text = kindString, runtime
	}
	var out bytes.Buffer
	if json.Indent(&out, root.appendJSON(nil), "", "  ") != nil {
		return text
	}
	out.WriteByte('\n')
	return out.Bytes()
}

package sandbox

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// decode makes a value of JSON text that the wire has already found valid. The
// engine's own JSON.parse costs several times as much.
func decode(rt *goja.Runtime, text []byte) goja.Value {
	d := decoder{rt: rt, b: text}
	return d.value()
}

// Fields cuts the text of a JSON object into its members without reading them.
// It gives nothing for what is not an object. The text must be valid JSON.
func Fields(text []byte, each func(name string, raw []byte)) {
	d := decoder{b: text}
	if d.next() != '{' {
		return
	}
	for d.peek() == '"' {
		name := d.text()
		d.next() // the colon
		d.space()
		start := d.i
		d.skip()
		each(name, d.b[start:d.i])
		if d.peek() == ',' {
			d.next()
		}
	}
}

// skip passes over one value.
func (d *decoder) skip() {
	depth := 0
	for d.i < len(d.b) {
		switch d.b[d.i] {
		case '"':
			d.text()
			if depth == 0 {
				return
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return
			}
			if depth--; depth == 0 {
				d.i++
				return
			}
		case ',':
			if depth == 0 {
				return
			}
		}
		d.i++
	}
}

type decoder struct {
	rt *goja.Runtime
	b  []byte
	i  int
}

func (d *decoder) space() {
	for d.i < len(d.b) && (d.b[d.i] == ' ' || d.b[d.i] == '\n' || d.b[d.i] == '\t' || d.b[d.i] == '\r') {
		d.i++
	}
}

// next skips white space and one byte.
func (d *decoder) next() byte {
	d.space()
	if d.i >= len(d.b) {
		return 0
	}
	d.i++
	return d.b[d.i-1]
}

func (d *decoder) peek() byte {
	d.space()
	if d.i >= len(d.b) {
		return 0
	}
	return d.b[d.i]
}

func (d *decoder) value() goja.Value {
	switch d.peek() {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		return d.rt.ToValue(d.text())
	case 't':
		d.i += 4
		return d.rt.ToValue(true)
	case 'f':
		d.i += 5
		return d.rt.ToValue(false)
	case 'n':
		d.i += 4
		return goja.Null()
	}
	return d.number()
}

func (d *decoder) object() goja.Value {
	o := d.rt.NewObject()
	d.next()
	for d.peek() == '"' {
		key := d.text()
		d.next() // the colon
		if err := o.DefineDataProperty(key, d.value(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
		if d.peek() == ',' {
			d.next()
		}
	}
	d.next()
	return o
}

func (d *decoder) array() goja.Value {
	var items []any
	d.next()
	for c := d.peek(); c != ']' && c != 0; c = d.peek() {
		items = append(items, d.value())
		if d.peek() == ',' {
			d.next()
		}
	}
	d.next()
	return d.rt.NewArray(items...)
}

// text reads a string; the simple ones without a detour.
func (d *decoder) text() string {
	start := d.i
	for i := start + 1; i < len(d.b); i++ {
		switch c := d.b[i]; {
		case c == '"':
			d.i = i + 1
			return string(d.b[start+1 : i])
		case c == '\\' || c >= utf8.RuneSelf:
			return d.difficult()
		}
	}
	d.i = len(d.b)
	return ""
}

func (d *decoder) difficult() string {
	start := d.i
	for d.i++; d.i < len(d.b) && d.b[d.i] != '"'; d.i++ {
		if d.b[d.i] == '\\' {
			d.i++
		}
	}
	d.i = min(d.i+1, len(d.b))
	var s string
	if json.Unmarshal(d.b[start:d.i], &s) != nil {
		return ""
	}
	return s
}

func (d *decoder) number() goja.Value {
	start := d.i
	for d.i < len(d.b) {
		c := d.b[d.i]
		if c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' && (c < '0' || c > '9') {
			break
		}
		d.i++
	}
	text := string(d.b[start:d.i])
	if n, err := strconv.ParseInt(text, 10, 53); err == nil && text != "-0" {
		return d.rt.ToValue(n)
	}
	f, _ := strconv.ParseFloat(text, 64)
	if d.i == start {
		d.i++ // not JSON after all: go on instead of standing still
	}
	return d.rt.ToValue(f)
}

package sandbox

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"

	"benchtop/backend/contract"
)

// mode says what happens to values that JSON does not have.
type mode byte

const (
	strict    mode = iota // a handler's result: refuse them, naming the path
	lenient               // like JSON.stringify
	forPeople             // a log line: describe them
)

// maxDepth is how deep a value may nest; the reader on the other side has a
// limit too.
const maxDepth = 1000

// encoder writes a JavaScript value as JSON. It runs inside a call from
// JavaScript, so that an exception of a getter or trap goes to the prelude.
type encoder struct {
	s    *Sandbox
	rt   *goja.Runtime
	mode mode
	max  int
	buf  []byte
	path []segment
	open []*goja.Object
}

type segment struct {
	key   string
	index int
}

// encode gives nil for undefined.
func (s *Sandbox) encode(v goja.Value, m mode, most int) ([]byte, error) {
	e := encoder{s: s, rt: s.rt, mode: m, max: most, buf: make([]byte, 0, 128)}
	if m == forPeople {
		switch v := v.(type) {
		case *goja.Object:
		case *goja.Symbol:
			return []byte("Symbol(" + v.String() + ")"), nil
		default:
			return []byte(v.String()), nil
		}
	}
	there, err := e.value(v)
	if err != nil || !there {
		return nil, err
	}
	return e.buf, nil
}

func (e *encoder) refuse(format string, args ...any) error {
	return contract.Errorf(contract.JSResultNotSerialized, "%s %s.", e.where(), fmt.Sprintf(format, args...))
}

// where is the path of the current value, such as result.items[3].run.
func (e *encoder) where() string {
	out := "result"
	for i, s := range e.path {
		if i == 12 {
			return out + "…"
		}
		switch {
		case s.index >= 0:
			out += "[" + strconv.Itoa(s.index) + "]"
		case identifier(s.key):
			out += "." + s.key
		default:
			out += "[" + strconv.Quote(brief(s.key)) + "]"
		}
	}
	return out
}

func identifier(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return len(s) <= 64
}

// value writes v and reports false for what JSON leaves out.
func (e *encoder) value(v goja.Value) (bool, error) {
	if len(e.buf) > e.max {
		return false, e.tooLarge()
	}
	if stopped := e.s.stopped.Load(); stopped != nil {
		return false, stopped // this loop is native: the engine does not look
	}
	if v == nil || goja.IsUndefined(v) {
		return false, nil
	}
	if goja.IsNull(v) {
		e.buf = append(e.buf, "null"...)
		return true, nil
	}
	switch v := v.(type) {
	case *goja.Object:
		return e.object(v)
	case goja.String:
		e.text(v)
		if len(e.buf) > e.max {
			return false, e.tooLarge()
		}
		return true, nil
	case *goja.Symbol:
		return e.foreign("is a symbol, which JSON does not have", "Symbol("+v.String()+")")
	}
	switch x := v.Export().(type) {
	case bool:
		e.buf = strconv.AppendBool(e.buf, x)
	case int64:
		e.buf = strconv.AppendInt(e.buf, x, 10)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			e.buf = append(e.buf, "null"...)
		} else {
			e.buf = append(e.buf, v.String()...)
		}
	default:
		if e.mode == lenient {
			return false, fmt.Errorf("Do not know how to serialize a BigInt")
		}
		return e.foreign("is a BigInt, which JSON does not have: return it as text", v.String()+"n")
	}
	return true, nil
}

// foreign deals with a value that JSON does not have.
func (e *encoder) foreign(why, shown string) (bool, error) {
	switch e.mode {
	case strict:
		return false, e.refuse("%s", why)
	case forPeople:
		e.buf = strconv.AppendQuote(e.buf, brief(shown))
		return true, nil
	}
	return false, nil
}

func (e *encoder) tooLarge() error {
	if e.mode == strict {
		return e.refuse("makes the result larger than %d bytes", e.max)
	}
	return fmt.Errorf("the value is larger than %d bytes as JSON", e.max)
}

// text writes a string with lone surrogates escaped, as JSON.stringify does.
func (e *encoder) text(s goja.String) {
	n := s.Length()
	if len(e.buf)+n > e.max {
		n = max(0, e.max+1-len(e.buf)) // the next look at the size ends it
	}
	e.buf = append(e.buf, '"')
	for i := 0; i < n; i++ {
		c := s.CharAt(i)
		switch {
		case c == '"' || c == '\\':
			e.buf = append(e.buf, '\\', byte(c))
		case c >= 0x20 && c < 0x80:
			e.buf = append(e.buf, byte(c))
		case c == '\n':
			e.buf = append(e.buf, '\\', 'n')
		case c == '\t':
			e.buf = append(e.buf, '\\', 't')
		case c == '\r':
			e.buf = append(e.buf, '\\', 'r')
		case c < 0x20 || c >= 0xDC00 && c <= 0xDFFF:
			e.buf = appendEscape(e.buf, c)
		case c >= 0xD800 && c <= 0xDBFF:
			if i+1 < n {
				if d := s.CharAt(i + 1); d >= 0xDC00 && d <= 0xDFFF {
					e.buf = utf8.AppendRune(e.buf, (rune(c)-0xD800)<<10+(rune(d)-0xDC00)+0x10000)
					i++
					continue
				}
			}
			e.buf = appendEscape(e.buf, c)
		default:
			e.buf = utf8.AppendRune(e.buf, rune(c))
		}
	}
	e.buf = append(e.buf, '"')
}

func appendEscape(b []byte, c uint16) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[c>>12], hex[c>>8&15], hex[c>>4&15], hex[c&15])
}

func itoa(n int) string { return strconv.Itoa(n) }

package webapi

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// labels are those of the Encoding standard that the index of x/text does not
// have or sends elsewhere.
func label(text string) string {
	text = strings.ToLower(strings.Trim(text, " \t\n\f\r"))
	switch text {
	case "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
		return "utf-8"
	case "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff":
		return "utf-16le"
	case "unicodefffe":
		return "utf-16be"
	}
	return text
}

// encodingName is the name of a label's encoding, or "" for what TextDecoder
// refuses: unknown labels and those of the replacement encoding.
func encodingName(text string) string {
	text = label(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	e, err := htmlindex.Get(text)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(e)
	if err != nil || name == "replacement" {
		return ""
	}
	return name
}

// decoding is one call of TextDecoder.decode.
type decoding struct {
	name                   string
	fatal, keepBOM, stream bool
}

var boms = map[string]string{"utf-8": "\xEF\xBB\xBF", "utf-16le": "\xFF\xFE", "utf-16be": "\xFE\xFF"}

// decode gives the text; with stream, also how many bytes at the end wait for
// the next call, and the shift sequence that must be put before them then.
func (d decoding) decode(raw []byte) (text string, wait int, before string, err error) {
	if !d.keepBOM {
		raw = bytes.TrimPrefix(raw, []byte(boms[d.name]))
	}
	switch d.name {
	case "utf-8":
		if d.stream {
			wait = utf8Tail(raw)
		}
		text, err = d.utf8(raw[:len(raw)-wait])
	case "utf-16le", "utf-16be":
		text, wait, err = d.utf16(raw)
	default:
		text, wait, before, err = d.legacy(raw)
	}
	return text, wait, before, err
}

func (d decoding) wrong() error {
	return errors.New("TextDecoder: the bytes are not valid " + d.name)
}

func (d decoding) utf8(raw []byte) (string, error) {
	if utf8.Valid(raw) {
		return string(raw), nil
	}
	if d.fatal {
		return "", d.wrong()
	}
	return replaceInvalid(raw), nil
}

func (d decoding) utf16(raw []byte) (string, int, error) {
	hi, lo := 1, 0
	if d.name == "utf-16be" {
		hi, lo = 0, 1
	}
	out := make([]byte, 0, len(raw)+len(raw)/2)
	bad := false
	i := 0
	for ; i+1 < len(raw); i += 2 {
		r := rune(raw[i+hi])<<8 | rune(raw[i+lo])
		switch {
		case r < 0xD800 || r > 0xDFFF:
		case r <= 0xDBFF && i+3 < len(raw) && raw[i+2+hi]&0xFC == 0xDC:
			low := rune(raw[i+2+hi])<<8 | rune(raw[i+2+lo])
			r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
			i += 2
		case r <= 0xDBFF && d.stream && i+3 >= len(raw):
			return string(out), len(raw) - i, nil
		default:
			r, bad = utf8.RuneError, true
		}
		out = utf8.AppendRune(out, r)
	}
	wait := len(raw) - i
	if wait > 0 && !d.stream {
		bad, wait = true, 0
		if n := len(raw); n < 3 || raw[n-3+hi]&0xFC != 0xD8 { // a lead before it has said so already
			out = append(out, "\uFFFD"...)
		}
	}
	if bad && d.fatal {
		return "", 0, d.wrong()
	}
	return string(out), wait, nil
}

// fffd is how gb18030 writes U+FFFD, which is no error there.
var fffd = []byte{0x84, 0x31, 0xA4, 0x37}

func (d decoding) legacy(raw []byte) (text string, wait int, before string, err error) {
	e, err := htmlindex.Get(d.name)
	if err != nil {
		return "", 0, "", err
	}
	if m, ok := oneByte(d.name, e); ok {
		text, err = d.table(m, raw)
		return text, 0, "", err
	}
	t := e.NewDecoder()
	out := make([]byte, len(raw)+len(raw)/2+16)
	n, used := 0, 0
	for {
		nDst, nSrc, err := t.Transform(out[n:], raw[used:], !d.stream)
		n, used = n+nDst, used+nSrc
		if errors.Is(err, transform.ErrShortDst) {
			out = append(out, make([]byte, len(out))...)
			continue
		}
		if err != nil && !errors.Is(err, transform.ErrShortSrc) {
			return "", 0, "", d.wrong()
		}
		break
	}
	out = out[:n]
	if doubt := bytes.Contains(out, []byte("\uFFFD")); doubt && (d.name == "gb18030" || d.name == "gbk") {
		var bad bool
		out, wait, bad = gb18030(raw, d.stream)
		if bad && d.fatal {
			return "", 0, "", d.wrong()
		}
		return string(out), wait, "", nil
	} else if doubt && d.fatal {
		return "", 0, "", d.wrong()
	}
	if d.stream && d.name == "iso-2022-jp" {
		if at := bytes.LastIndexByte(raw[:used], 0x1B); at >= 0 && at+3 <= used {
			before = string(raw[at : at+3])
		}
	}
	return string(out), len(raw) - used, before, nil
}

// oneByte is the table of an encoding with one byte for each character.
func oneByte(name string, e encoding.Encoding) (*charmap.Charmap, bool) {
	if name == "iso-8859-8-i" {
		return charmap.ISO8859_8, true
	}
	m, ok := e.(*charmap.Charmap)
	return m, ok
}

// table decodes by a table. The standard's have the control characters where
// those of x/text have nothing.
func (d decoding) table(m *charmap.Charmap, raw []byte) (string, error) {
	out := make([]byte, 0, len(raw)+len(raw)/2)
	for _, b := range raw {
		r := m.DecodeByte(b)
		if r == utf8.RuneError {
			if b < 0xA0 {
				r = rune(b)
			} else if d.fatal {
				return "", d.wrong()
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), nil
}

// utf8Tail is the length of an incomplete character at the end.
func utf8Tail(raw []byte) int {
	for n := 1; n <= 3 && n <= len(raw); n++ {
		if b := raw[len(raw)-n]; utf8.RuneStart(b) {
			if b >= 0x80 && !utf8.FullRune(raw[len(raw)-n:]) {
				return n
			}
			break
		}
	}
	return 0
}

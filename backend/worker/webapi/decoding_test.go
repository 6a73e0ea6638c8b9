package webapi

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

var encodings = strings.Fields(`utf-8 utf-16le utf-16be gb18030 gbk big5 euc-jp shift_jis euc-kr iso-2022-jp windows-1252
iso-8859-8-i koi8-u x-user-defined`)

// inParts decodes raw as a stream in pieces of n bytes, the way the prelude does.
func inParts(t *testing.T, name string, raw []byte, n int) string {
	t.Helper()
	var out strings.Builder
	var held []byte
	begun := false
	for {
		end := min(n, len(raw))
		last := len(raw) == 0
		data := append(append([]byte{}, held...), raw[:end]...)
		raw = raw[end:]
		text, wait, before, err := decoding{name: name, keepBOM: begun, stream: !last}.decode(data)
		if err != nil || wait > len(data) || wait < 0 {
			t.Fatalf("%s: % X leaves %d: %v", name, data, wait, err)
		}
		out.WriteString(text)
		if last {
			return out.String()
		}
		begun = begun || wait < len(data)
		held = append([]byte(before), data[len(data)-wait:]...)
	}
}

// FuzzDecoding: any bytes become valid text, in parts the same as at once, and
// fatal refuses exactly what has a mark of replacement in it.
func FuzzDecoding(f *testing.F) {
	for _, seed := range []string{"", "abc", "\xEF\xBB\xBF\xE2\x82\xAC\xF0\x9F", "\xFF\xFEa\x00=\xD8\x00\xDE", "\x84\x31\xA4\x37\x81\x30", "\x82\xA0\x83A\xA4", "\x1B$B$\"\x1B(Ba", "\x8F\xB0\xA1\xFF"} {
		f.Add([]byte(seed), byte(1))
	}
	f.Fuzz(func(t *testing.T, raw []byte, part byte) {
		for _, name := range encodings {
			whole, wait, _, err := decoding{name: name}.decode(raw)
			if err != nil || wait != 0 || !utf8.ValidString(whole) {
				t.Fatalf("%s: % X gives %q, %d, %v", name, raw, whole, wait, err)
			}
			if strict, _, _, err := (decoding{name: name, fatal: true}).decode(raw); err == nil && strict != whole {
				t.Fatalf("%s: % X is %q, and fatal says %q", name, raw, whole, strict)
			}
			if name == "iso-2022-jp" && bytes.IndexByte(raw, 0x1B) >= 0 {
				continue // its escapes may be broken over parts, and the library forgets what it warned of
			}
			if got := inParts(t, name, raw, int(part%8)+1); got != whole {
				t.Fatalf("%s: % X in parts of %d is %q, at once %q", name, raw, part%8+1, got, whole)
			}
		}
	})
}

package webapi

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"benchtop/backend/worker/sandbox"
)

var encodingOps = []sandbox.Op{
	{Name: "utf8Encode", Do: func(c *sandbox.Call) (any, error) { return []byte(c.String(0)), nil }},
	// utf8Decode(bytes, fatal, keepBOM)
	{Name: "utf8Decode", Do: func(c *sandbox.Call) (any, error) {
		raw := c.Bytes(0)
		if !c.Bool(2) {
			raw = bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
		}
		if utf8.Valid(raw) {
			return string(raw), nil
		}
		if c.Bool(1) {
			return nil, errors.New("TextDecoder: the bytes are not valid utf-8")
		}
		return replaceInvalid(raw), nil
	}},
	// encodingName(label) is the encoding's name in lower case, or "".
	{Name: "encodingName", Do: func(c *sandbox.Call) (any, error) { return encodingName(c.String(0)), nil }},
	// textDecode(name, bytes, fatal, keepBOM, stream) gives the text, the number of
	// bytes at the end that wait for more, and what has to stand before them.
	{Name: "textDecode", Do: func(c *sandbox.Call) (any, error) {
		d := decoding{name: c.String(0), fatal: c.Bool(2), keepBOM: c.Bool(3), stream: c.Bool(4)}
		text, wait, before, err := d.decode(c.Memory(1))
		if err != nil {
			return nil, err
		}
		return []string{text, strconv.Itoa(wait), before}, nil
	}},
	// encodeInto(text, target) writes as many whole characters as fit and gives
	// the number of UTF-16 units read and of bytes written.
	{Name: "encodeInto", Do: func(c *sandbox.Call) (any, error) {
		target, read, written := c.Memory(1), 0, 0
		for _, r := range c.String(0) {
			n := utf8.RuneLen(r)
			if written+n > len(target) {
				break
			}
			written += utf8.EncodeRune(target[written:], r)
			if read++; r > 0xFFFF {
				read++
			}
		}
		return sandbox.JSON(fmt.Sprintf(`{"read":%d,"written":%d}`, read, written)), nil
	}},
}

// replaceInvalid writes U+FFFD for each maximal part of an ill-formed
// sequence, as the Encoding standard does (Go writes one for each byte).
func replaceInvalid(raw []byte) string {
	out := make([]byte, 0, len(raw)+16)
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r != utf8.RuneError || size > 1 {
			out = append(out, raw[:size]...)
			raw = raw[size:]
			continue
		}
		out = append(out, "\uFFFD"...)
		raw = raw[illFormed(raw):]
	}
	return string(out)
}

// illFormed is the length of the longest start of a valid sequence at the
// beginning of raw, at least 1.
func illFormed(raw []byte) int {
	n := 1
	for n < 4 && n < len(raw) && !utf8.FullRune(raw[:n]) {
		if utf8.FullRune(raw[:n+1]) {
			if _, size := utf8.DecodeRune(raw[:n+1]); size == 1 {
				break
			}
		}
		n++
	}
	return n
}

package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

const (
	maxDepth       = 64
	maxSchemaBytes = 256 << 10
	maxNumber      = 400 // characters
)

// decode reads JSON of bounded size, depth and numbers. The schema library
// computes with exact fractions, in which a short text like 1e999999 is a very
// large value.
func decode(text []byte, most int) (any, error) {
	if len(text) > most {
		return nil, fmt.Errorf("the JSON has %d bytes; %d are allowed", len(text), most)
	}
	if err := scan(text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the end of the JSON value")
	}
	return v, nil
}

// scan looks at brackets and numbers outside of texts.
func scan(text []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("nested more than %d levels deep", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || c >= '0' && c <= '9':
			n := len(text[i:]) - len(bytes.TrimLeft(text[i:], "0123456789+-.eE"))
			number := text[i : i+n]
			if e := bytes.IndexAny(number, "eE"); n > maxNumber || e >= 0 && len(bytes.Trim(number[e:], "eE+-")) > 3 {
				return fmt.Errorf("the number %.20s… is too large to compute with", number)
			}
			i += n - 1
		}
	}
	return nil
}

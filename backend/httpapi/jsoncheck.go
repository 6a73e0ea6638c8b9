package httpapi

import (
	"encoding/json"
	"reflect"
	"slices"

	"benchtop/backend/contract"
)

// maxDepth bounds how deep a body nests; encoding/json would take 10,000.
const maxDepth = 256

// maxMembers bounds the members of the outermost object of a body.
const maxMembers = 64

// checkJSON refuses what a decoder would let pass: a body nested too deeply,
// and a member of the outermost object that is there twice, of which two
// readers could choose differently. It walks the bytes once and does not
// allocate for small bodies.
func checkJSON(b []byte) error {
	var space [8]string
	keys := space[:0]
	depth, inObject, wantKey := 0, false, false
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
			if depth > maxDepth {
				return contract.Errorf(contract.InvalidRequest, "the body nests deeper than %d levels", maxDepth)
			}
			if depth == 1 {
				inObject = b[i] == '{'
				wantKey = inObject
			}
		case '}', ']':
			depth--
		case ',':
			wantKey = depth == 1 && inObject
		case '"':
			end := stringEnd(b, i)
			if depth == 1 && wantKey {
				wantKey = false
				key := text(b[i:end])
				if slices.Contains(keys, key) {
					return contract.Errorf(contract.InvalidRequest, "the body has the member %.64q twice", key)
				}
				if len(keys) == maxMembers {
					return contract.Errorf(contract.InvalidRequest, "the body has more than %d members", maxMembers)
				}
				keys = append(keys, key)
			}
			i = end - 1
		}
	}
	return nil
}

// stringEnd gives the index behind the closing quote of the string at i.
func stringEnd(b []byte, i int) int {
	for j := i + 1; j < len(b); j++ {
		switch b[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(b)
}

// text is the value of a JSON string, so that two spellings of a name are one.
func text(quoted []byte) string {
	if !slices.Contains(quoted, '\\') && len(quoted) >= 2 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // a malformed one is the decoder's to refuse
	return s
}

// place gives line and column of an offset, both from 1.
func place(b []byte, offset int) (line, column int) {
	line, column = 1, 1
	for _, c := range b[:min(max(offset-1, 0), len(b))] {
		column++
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

func trimSpace(b []byte) []byte {
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
	for len(b) > 0 && space(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && space(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func jsonName(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a number"
}

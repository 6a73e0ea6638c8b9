package invocation

import "encoding/json"

// maxBodyDepth is how deep a body may nest to count as JSON; beyond, it is text.
// A thousand brackets cost nothing to send and much to take apart.
const maxBodyDepth = 256

// isJSON reports whether a body is JSON that is not nested too deep.
func isJSON(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxBodyDepth {
				return false
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return json.Valid(body)
}

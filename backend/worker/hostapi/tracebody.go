package hostapi

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"unicode/utf8"
)

const (
	// mostTraced is how much of a body goes into a trace. The platform keeps less:
	// it must know the whole of a secret to blank it out.
	mostTraced = 16 << 10
)

// Fields whose values are nobody's business, in JSON and in a form.
var (
	jsonCredential = regexp.MustCompile(`("(?:access_token|refresh_token|id_token|client_secret|password)"\s*:\s*")(?:[^"\\]|\\.)*`)
	formCredential = regexp.MustCompile(`((?:^|&)(?:access_token|refresh_token|id_token|client_secret|password|code|assertion)=)[^&\s]*`)
)

// traced gives a body as a trace shows it: JSON as it is, other text as text,
// bytes in hex. It is nil when there is nothing.
func traced(body []byte) json.RawMessage {
	if len(body) == 0 {
		return nil
	}
	part := body[:min(len(body), mostTraced)]
	for n := 0; n < utf8.UTFMax && len(part) < len(body) && !utf8.Valid(part); n++ {
		part = part[:len(part)-1] // half of a character
	}
	if !utf8.Valid(part) || bytes.IndexByte(part, 0) >= 0 {
		out, _ := json.Marshal(map[string]string{"hex": hex.EncodeToString(body[:min(len(body), mostTraced/2)])})
		return out
	}
	part = jsonCredential.ReplaceAll(part, []byte(`$1…`))
	if len(part) > 0 && (part[0] == '{' || part[0] == '[') && json.Valid(part) {
		return part
	}
	out, _ := json.Marshal(string(formCredential.ReplaceAll(part, []byte(`$1…`))))
	return out
}

// tracedHeaders gives headers, which follow each other as names and values,
// without the credentials in them.
func tracedHeaders(list []string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(list); i += 2 {
		out[list[i]] = list[i+1]
		if credential(list[i]) {
			out[list[i]] = "…"
		}
	}
	return out
}

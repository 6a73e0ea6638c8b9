package hostbridge

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// arguments are a call's args by their exact names. A decoder that folds case,
// as encoding/json does for structs, would let a second spelling of a key slip
// past the check of its grant.
type arguments map[string]json.RawMessage

func parseArgs(method string, raw json.RawMessage) (arguments, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var a arguments
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, contract.Errorf(contract.InvalidRequest, "%s: the arguments are no JSON object", method)
	}
	return a, nil
}

// has reports whether a key is there; null counts.
func (a arguments) has(key string) bool { _, ok := a[key]; return ok }

// set reports whether a key is there and not null.
func (a arguments) set(key string) bool {
	v, ok := a[key]
	return ok && string(v) != "null"
}

// text is a key's text, empty when it is absent or null.
func (a arguments) text(key string) (string, error) {
	if !a.set(key) {
		return "", nil
	}
	var s string
	if json.Unmarshal(a[key], &s) != nil {
		return "", contract.Errorf(contract.InvalidRequest, "%s must be a text", key)
	}
	return s, nil
}

// texts reads several of them.
func (a arguments) texts(into map[string]*string) error {
	for key, to := range into {
		var err error
		if *to, err = a.text(key); err != nil {
			return err
		}
	}
	return nil
}

// number is a key's number; NaN when it is absent or null.
func (a arguments) number(key string) (float64, error) {
	if !a.set(key) {
		return math.NaN(), nil
	}
	var n float64
	if json.Unmarshal(a[key], &n) != nil {
		return 0, contract.Errorf(contract.InvalidRequest, "%s must be a number", key)
	}
	return n, nil
}

// whole is a whole number, 0 when absent; what no page could hold is cut down.
func (a arguments) whole(key string) (int, error) {
	n, err := a.number(key)
	if err != nil || math.IsNaN(n) {
		return 0, err
	}
	if n != math.Trunc(n) || n < 0 {
		return 0, contract.Errorf(contract.InvalidRequest, "%s must be a whole number of 0 or more", key)
	}
	return int(min(n, 1<<30)), nil
}

func (a arguments) flag(key string) (bool, error) {
	if !a.set(key) {
		return false, nil
	}
	var b bool
	if json.Unmarshal(a[key], &b) != nil {
		return false, contract.Errorf(contract.InvalidRequest, "%s must be true or false", key)
	}
	return b, nil
}

// Body kinds, contract.md 4.4.
const (
	bodyUTF8   = "utf8"
	bodyBase64 = "base64"
)

type body struct {
	Kind string `json:"kind"`
	Data string `json:"data"`
}

// body is the bytes of {kind, data}.
func (a arguments) body(method string) ([]byte, error) {
	m, err := parseArgs(method, a["body"])
	if err != nil || m == nil {
		return nil, contract.Errorf(contract.InvalidRequest, "%s: body must be {kind: \"utf8\" or \"base64\", data: text}", method)
	}
	var b body
	if err := m.texts(map[string]*string{"kind": &b.Kind, "data": &b.Data}); err != nil {
		return nil, err
	}
	switch b.Kind {
	case bodyUTF8:
		return []byte(b.Data), nil
	case bodyBase64:
		raw, err := base64.StdEncoding.DecodeString(b.Data)
		if err != nil {
			return nil, contract.Errorf(contract.InvalidRequest, "%s: body.data is not base64", method)
		}
		return raw, nil
	}
	return nil, contract.Errorf(contract.InvalidRequest, "%s: body.kind must be \"utf8\" or \"base64\"", method)
}

// bodyOf writes bytes as text, or as base64 where that is shorter in JSON: what
// has to be escaped takes two to six bytes there.
func bodyOf(b []byte) body {
	if utf8.Valid(b) && escaped(b) <= base64.StdEncoding.EncodedLen(len(b)) {
		return body{bodyUTF8, string(b)}
	}
	return body{bodyBase64, base64.StdEncoding.EncodeToString(b)}
}

// escaped is the length of a text in JSON, U+2028 and U+2029 left out of
// account, which take twice as much.
func escaped(text []byte) int {
	n := len(text)
	for _, c := range text {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			n++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			n += 5
		}
	}
	return n
}

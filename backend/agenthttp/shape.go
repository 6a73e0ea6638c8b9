package agenthttp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/textproto"
	"sort"
	"strconv"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

const (
	jsonType = "application/json; charset=utf-8"
	textType = "text/plain; charset=utf-8"
)

// response is an answer of a function, ready to be sent.
type response struct {
	status int
	header http.Header
	body   []byte
}

// returned is the object form of an answer; a Response of a function comes in it,
// too, with its body as text or, where it is none, in base64.
type returned struct {
	Status  json.RawMessage            `json:"status"`
	Headers map[string]json.RawMessage `json:"headers"`
	Body    json.RawMessage            `json:"body"`
	BodyB64 *string                    `json:"bodyB64"`
}

// shape makes an answer of a result, contract.md 2.8.
func (x *exchange) shape(result contract.RawJSON) (response, []string, *contract.Error) {
	out := response{status: http.StatusOK, header: http.Header{}}
	var warnings []string
	var text string
	var object returned
	trimmed := bytes.TrimSpace(result)
	isObject := len(trimmed) > 0 && trimmed[0] == '{' && json.Unmarshal(trimmed, &object) == nil
	switch status, good := statusOf(object.Status); {
	case len(trimmed) == 0:
		out.json([]byte("null"))
	case json.Unmarshal(trimmed, &text) == nil && trimmed[0] == '"':
		out.header.Set("Content-Type", textType)
		out.body = []byte(text)
	case isObject && good:
		out.status = status
		if w, err := x.fill(&out, &object); err != nil {
			return out, w, err
		} else {
			warnings = w
		}
	case hasStatus(trimmed):
		warnings = append(warnings, fmt.Sprintf("the result has a status that is no whole number from 200 to 599 (%.40s); "+
			"it is sent as JSON here, and the hosted platform fails", object.Status))
		out.json(trimmed)
	default:
		out.json(trimmed)
	}
	if nullBody(out.status) {
		out.body = nil
		out.header.Del("Content-Type")
	}
	limit := x.responseLimit()
	if int64(len(out.body)) > limit {
		return out, warnings, contract.Errorf(contract.ResponseSizeCap, "the answer has %d bytes; %d are allowed (responseSizeLimitBytes)", len(out.body), limit)
	}
	if strings.HasPrefix(strings.ToLower(out.header.Get("Content-Type")), "text/html") {
		x.secure(out.header)
	}
	return out, warnings, nil
}

// responseLimit is the entry's, else 2 MB.
func (x *exchange) responseLimit() int64 {
	if x.match.Entry != nil && x.match.Endpoint.ResponseLimit > 0 {
		return x.match.Endpoint.ResponseLimit
	}
	return contract.MaxResponseBytes
}

func (r *response) json(body []byte) {
	r.header.Set("Content-Type", jsonType)
	r.body = body
}

// hasStatus reports whether an object has the key at all.
func hasStatus(object []byte) bool {
	var keys map[string]json.RawMessage
	if object[0] != '{' || json.Unmarshal(object, &keys) != nil {
		return false
	}
	_, ok := keys["status"]
	return ok
}

func statusOf(raw json.RawMessage) (int, bool) {
	var n float64
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || n != float64(int(n)) || n < 200 || n > 599 || string(raw) == "null" {
		return 0, false
	}
	return int(n), true
}

func nullBody(status int) bool { return status == 204 || status == 205 || status == 304 }

// fill puts the headers and body of the object form into an answer.
func (x *exchange) fill(out *response, o *returned) (warnings []string, failed *contract.Error) {
	names := make([]string, 0, len(o.Headers))
	for name := range o.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		values, ok := headerValues(o.Headers[name])
		if !ok || !validName(name) {
			warnings = append(warnings, fmt.Sprintf("the header %.80q is left out: a header has a name without spaces and a text of one line", name))
			continue
		}
		key := textproto.CanonicalMIMEHeaderKey(name)
		if ours[key] {
			continue
		}
		if key == "Set-Cookie" {
			for _, v := range values {
				if err := x.checkCookie(v); err != nil {
					return warnings, err
				}
			}
		}
		out.header[key] = append(out.header[key], values...)
	}
	typed := out.header.Get("Content-Type") != ""
	var text string
	switch {
	case o.BodyB64 != nil:
		b, err := base64.StdEncoding.DecodeString(*o.BodyB64)
		if err != nil {
			return append(warnings, "bodyB64 is not base64; the answer has no body"), nil //nolint:nilerr // the function's mistake, told as a warning
		}
		out.body = b
	case len(o.Body) == 0 || string(o.Body) == "null" && nullBody(out.status):
	case json.Unmarshal(o.Body, &text) == nil && o.Body[0] == '"':
		out.body = []byte(text)
		if !typed && o.Headers == nil {
			out.header.Set("Content-Type", jsonType)
		} else if !typed {
			out.header.Set("Content-Type", textType)
		}
	default:
		out.body = o.Body
		if !typed {
			out.header.Set("Content-Type", jsonType)
			if o.Headers != nil {
				warnings = append(warnings, "the result has headers without a content-type; its body is sent as JSON here, and as text/plain by the hosted platform")
			}
		}
	}
	if nullBody(out.status) && len(out.body) > 0 {
		warnings = append(warnings, fmt.Sprintf("an answer with the status %d has no body; the one of the result is not sent, and the hosted platform fails", out.status))
	}
	return warnings, nil
}

// ours are headers that belong to the connection and not to a function.
var ours = map[string]bool{
	"Connection": true, "Content-Length": true, "Date": true, "Keep-Alive": true, "Proxy-Connection": true, "Te": true, "Trailer": true,
	"Transfer-Encoding": true, "Upgrade": true, "X-Request-Id": true,
}

// headerValues reads a text, a number, a boolean, or several texts.
func headerValues(raw json.RawMessage) ([]string, bool) {
	var many []string
	if json.Unmarshal(raw, &many) != nil || string(raw) == "null" {
		var one any
		if json.Unmarshal(raw, &one) != nil {
			return nil, false
		}
		switch v := one.(type) {
		case string:
			many = []string{v}
		case float64, bool:
			many = []string{string(raw)}
		default:
			return nil, false
		}
	}
	for _, v := range many {
		if strings.ContainsAny(v, "\r\n\x00") {
			return nil, false
		}
	}
	return many, true
}

func validName(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0 {
			return false
		}
	}
	return name != ""
}

// checkCookie lets an agent set its own cookies and no other, contract.md 2.8.
func (x *exchange) checkCookie(line string) *contract.Error {
	prefix := invocation.CookiePrefix(x.agent.ID)
	name, _, _ := strings.Cut(strings.TrimSpace(line), "=")
	if !strings.HasPrefix(name, prefix) || len(name) == len(prefix) {
		return contract.Errorf(contract.InvalidSetCookie, "the cookie %.80q is not the agent's own: its name begins with %s", name, prefix)
	}
	for attr := range strings.SplitSeq(line, ";") {
		if key, _, _ := strings.Cut(attr, "="); strings.EqualFold(strings.TrimSpace(key), "Domain") {
			return contract.Errorf(contract.InvalidSetCookie, "the cookie %.80q has a Domain; an agent's cookies stay with its own address", name)
		}
	}
	return nil
}

// secure gives a page the headers of contract.md 2.8, unless the function set
// them itself.
func (x *exchange) secure(h http.Header) {
	ancestors, frame := "'none'", "DENY"
	if x.match.Entry != nil && x.match.Endpoint.Widget {
		ancestors, frame = "'self'", "SAMEORIGIN"
	}
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; " +
			"frame-ancestors " + ancestors + "; base-uri 'none'; form-action 'self'",
		"X-Frame-Options":              frame,
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "strict-origin-when-cross-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if h.Get(name) == "" {
			h.Set(name, value)
		}
	}
}

// send writes the answer. What HEAD leaves out, net/http does.
func (r *response) send(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range r.header {
		h[name] = values
	}
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil // nothing is guessed
	}
	if !nullBody(r.status) {
		h.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	w.WriteHeader(r.status)
	if len(r.body) > 0 && !nullBody(r.status) {
		_, _ = w.Write(r.body) // who has hung up cannot be told
	}
}

package invocation

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// HTTPCall is a request for a function: of a custom HTTP endpoint, or a manual
// invoke that looks like one. Both become the same ctx.request.
type HTTPCall struct {
	Method string
	Path   string              // escaped, after the agent's prefix
	URL    string              // absolute, as it was asked for
	Params map[string]string   // of the path template, unescaped
	Query  map[string]string   // of repeated keys the last
	Header map[string][]string // names in any case
	Body   []byte              // empty: none
}

type requestContext struct {
	Method     string            `json:"method"`
	Path       string            `json:"path"`
	URL        string            `json:"url,omitempty"`
	Params     map[string]string `json:"params"`
	Query      map[string]string `json:"query"`
	Headers    map[string]string `json:"headers"`
	Body       json.RawMessage   `json:"body"`
	RawBodyB64 *string           `json:"rawBodyB64,omitempty"`
	BodyIsRaw  bool              `json:"bodyIsRaw,omitempty"` // body is rawBody itself
}

// requestOf builds ctx.request, contract.md 2.9.
func (h *HTTPCall) requestOf(agentID string, rawBody bool) *requestContext {
	r := &requestContext{
		Method: h.Method, Path: h.Path, URL: h.URL, Params: h.Params, Query: h.Query, Headers: visibleHeaders(h.Header, agentID),
		Body: json.RawMessage("null"),
	}
	if len(h.Body) == 0 || h.Method == "GET" || h.Method == "HEAD" {
		return r
	}
	if !rawBody {
		r.Body = parsed(h.Body)
		return r
	}
	text := base64.StdEncoding.EncodeToString(h.Body)
	r.RawBodyB64 = &text
	switch kind := bodyKind(r.Headers["content-type"]); {
	case kind == bodyJSON && isJSON(h.Body) && utf8.Valid(h.Body):
		r.Body = h.Body
	case kind == bodyJSON:
	case kind == bodyText:
		r.Body = asText(h.Body)
	default:
		r.BodyIsRaw = true
	}
	return r
}

// parsed is a body as the hosted dispatcher reads it: JSON whatever its type
// says, and text when it is none, or is null.
func parsed(body []byte) json.RawMessage {
	if isJSON(body) && strings.TrimSpace(string(body)) != "null" && utf8.Valid(body) {
		return body
	}
	return asText(body)
}

// asText decodes UTF-8 as browsers do: without the mark at its beginning, and
// with one for every part that is not UTF-8.
func asText(body []byte) json.RawMessage {
	return quote(strings.ToValidUTF8(strings.TrimPrefix(string(body), "\ufeff"), "\ufffd"))
}

type bodyClass int

const (
	bodyBytes bodyClass = iota
	bodyJSON
	bodyText
)

func bodyKind(contentType string) bodyClass {
	t, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return bodyBytes
	case t == "application/json" || strings.HasSuffix(t, "+json"):
		return bodyJSON
	case strings.HasPrefix(t, "text/") || t == "application/x-www-form-urlencoded":
		return bodyText
	}
	return bodyBytes
}

// visibleHeaders are those that a function may see, in lower case. Of the
// cookies, its agent's own; of the API keys, those that open something else: with
// one of this platform's a function could act as whoever called it.
func visibleHeaders(header map[string][]string, agentID string) map[string]string {
	out := map[string]string{}
	for k, values := range header {
		name := strings.ToLower(k)
		if hiddenHeader(name) || len(values) == 0 {
			continue
		}
		if name == "cookie" {
			if own := ownCookies(values, CookiePrefix(agentID)); own != "" {
				out[name] = own
			}
			continue
		}
		if name == "x-api-key" && slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, auth.KeyPrefix) }) {
			continue
		}
		out[name] = strings.ToValidUTF8(strings.Join(values, ", "), "\ufffd")
	}
	return out
}

// CookiePrefix begins the name of every cookie that an agent may set and see.
func CookiePrefix(agentID string) string { return "agt_" + agentID + "_" }

func ownCookies(lines []string, prefix string) string {
	var own []string
	for _, line := range lines {
		for pair := range strings.SplitSeq(line, ";") {
			if pair = strings.TrimSpace(pair); strings.HasPrefix(pair, prefix) {
				own = append(own, pair)
			}
		}
	}
	return strings.ToValidUTF8(strings.Join(own, "; "), "\ufffd")
}

// hiddenHeader: what contract.md 2.9 keeps from functions.
func hiddenHeader(name string) bool {
	switch name {
	case "authorization", "set-cookie", "x-forwarded-host", "x-forwarded-proto":
		return true
	}
	return strings.HasPrefix(name, "x-robutler-")
}

// credentials are headers that a function may see and the history must not.
var credentials = []string{"cookie", "x-payment-token", "x-payment", "x-owner-assertion", "x-api-key"}

// input is the call in the form of a manual invoke, for the history: it can be
// sent again from there.
func (h *HTTPCall) input(agentID string) json.RawMessage {
	r := h.requestOf(agentID, false)
	for name := range r.Headers {
		if slices.Contains(credentials, name) {
			r.Headers[name] = "[redacted]"
		}
	}
	b, err := json.Marshal(struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Query   map[string]string `json:"query,omitempty"`
		Headers map[string]string `json:"headers,omitempty"`
		Body    json.RawMessage   `json:"body,omitempty"`
	}{r.Method, r.Path, r.Query, r.Headers, r.Body})
	if err != nil {
		return nil
	}
	return b
}

// keptInput is a manual body for the history: without the credentials that were
// written in its headers, and as it was sent where it has none.
func (b manualBody) keptInput(raw json.RawMessage) json.RawMessage {
	headers, found := maps.Clone(b.Headers), false
	for k := range headers {
		if name := strings.ToLower(k); hiddenHeader(name) || slices.Contains(credentials, name) {
			headers[k], found = "[redacted]", true
		}
	}
	if !found {
		return raw
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil
	}
	var err error
	if members["headers"], err = json.Marshal(headers); err != nil {
		return nil
	}
	kept, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return kept
}

// httpCall reads a manual body as a request. A text body is sent as it is, any
// other as the JSON that it is.
func (b manualBody) httpCall(baseURL string) (*HTTPCall, error) {
	path := b.Path
	if path == "" {
		path = "/"
	}
	u, err := url.Parse(path)
	if err != nil || !strings.HasPrefix(path, "/") || u.Host != "" {
		return nil, contract.Errorf(contract.InvalidRequest, "path must begin with / and be a valid URL path")
	}
	h := &HTTPCall{
		Method: strings.ToUpper(*b.Method), Path: u.EscapedPath(), URL: baseURL + path,
		Params: map[string]string{}, Query: LastOf(u.Query()), Header: map[string][]string{},
	}
	for k, v := range b.Query {
		if h.Query[k], err = queryValue(k, v); err != nil {
			return nil, err
		}
	}
	typed := false
	for k, v := range b.Headers {
		h.Header[k] = []string{v}
		typed = typed || strings.EqualFold(k, "Content-Type")
	}
	if len(b.Body) == 0 || string(b.Body) == "null" || h.Method == "GET" || h.Method == "HEAD" {
		return h, nil
	}
	// Untyped bodies get the type that a client would send them with.
	contentType := "application/json"
	var text string
	h.Body = b.Body
	if json.Unmarshal(b.Body, &text) == nil {
		h.Body = []byte(text)
		if !isJSON(h.Body) {
			contentType = "text/plain;charset=UTF-8"
		}
	}
	if !typed {
		h.Header["Content-Type"] = []string{contentType}
	}
	return h, nil
}

// LastOf gives the last value of each query key.
func LastOf(query url.Values) map[string]string {
	out := make(map[string]string, len(query))
	for k, vs := range query {
		out[strings.ToValidUTF8(k, "\ufffd")] = strings.ToValidUTF8(vs[len(vs)-1], "\ufffd")
	}
	return out
}

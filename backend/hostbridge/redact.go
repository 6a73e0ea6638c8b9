package hostbridge

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"sort"
	"strings"
	"sync"
)

// minRedacted is the length from which a secret value is looked for inside
// other texts. A shorter one would blank out half of what an author needs to
// see; it is only hidden where it is the whole of a text.
const minRedacted = 4

// redactor replaces the secret values an invocation and its chain have seen, in every form a
// function easily gives them, by the names of their bindings.
type redactor struct {
	mu       sync.Mutex
	values   map[string]string // value: binding
	replacer *strings.Replacer // nil when there is nothing to replace
	short    map[string]string
}

func (r *redactor) add(binding, value string) {
	if value == "" || r.values[value] != "" {
		return
	}
	if r.values == nil {
		r.values, r.short = make(map[string]string), make(map[string]string)
	}
	r.values[value] = binding
	if len(value) < minRedacted {
		r.short[value] = mask(binding)
	}
	r.replacer = r.build()
}

func mask(binding string) string { return "[secret " + binding + "]" }

func (r *redactor) build() *strings.Replacer {
	type pair struct{ form, mask string }
	var pairs []pair
	for value, binding := range r.values {
		if len(value) < minRedacted {
			quoted, _ := json.Marshal(value)
			pairs = append(pairs, pair{string(quoted), `"` + mask(binding) + `"`})
			continue
		}
		for _, form := range forms(value) {
			pairs = append(pairs, pair{form, mask(binding)})
		}
	}
	// Longest first: a value that holds another one must go as a whole.
	sort.Slice(pairs, func(i, j int) bool {
		if len(pairs[i].form) != len(pairs[j].form) {
			return len(pairs[i].form) > len(pairs[j].form)
		}
		return pairs[i].form < pairs[j].form
	})
	flat := make([]string, 0, 2*len(pairs))
	for _, p := range pairs {
		flat = append(flat, p.form, p.mask)
	}
	return strings.NewReplacer(flat...)
}

// forms are the spellings of a value that turn up in logs, URLs and headers.
func forms(value string) []string {
	escaped, _ := json.Marshal(value)
	var plain strings.Builder // as JSON.stringify writes it: <, > and & as they are
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value)
	unquote := func(s string) string { return s[1 : len(s)-1] }
	within, again := unquote(string(escaped)), unquote(strings.TrimSuffix(plain.String(), "\n"))
	nested, _ := json.Marshal(within) // JSON that is a text in JSON
	nestedAgain, _ := json.Marshal(again)
	all := []string{
		value, within, again, unquote(string(nested)), unquote(string(nestedAgain)),
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
		url.QueryEscape(value), url.PathEscape(value),
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(value)), "="),
		strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(value)), "="),
	}
	seen := make(map[string]bool, len(all))
	out := all[:0]
	for _, f := range all {
		if len(f) >= minRedacted && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

func (r *redactor) text(s string) string {
	if r.replacer == nil {
		return s
	}
	if m, ok := r.short[s]; ok {
		return m
	}
	return r.replacer.Replace(s)
}

// remember adds a secret value the invocation has seen.
func (s *Session) remember(binding, value string) {
	s.redactor.mu.Lock()
	defer s.redactor.mu.Unlock()
	s.redactor.add(binding, value)
}

// Redact replaces secret values that the invocation has read or written.
func (s *Session) Redact(text string) string {
	s.redactor.mu.Lock()
	defer s.redactor.mu.Unlock()
	return s.redactor.text(text)
}

// RedactJSON does the same inside a JSON text. The masks need no escaping, so
// what was valid JSON stays so.
func (s *Session) RedactJSON(raw json.RawMessage) json.RawMessage {
	s.redactor.mu.Lock()
	defer s.redactor.mu.Unlock()
	if s.redactor.replacer == nil || len(raw) == 0 {
		return raw
	}
	return json.RawMessage(s.redactor.replacer.Replace(string(raw)))
}

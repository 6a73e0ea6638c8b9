package manifest

import (
	"fmt"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// Bounds of permissions.fetch.
const (
	maxFetchPatterns = 200
	maxPatternBytes  = 2048
)

// patternKind tells the four forms of an entry of permissions.fetch apart.
type patternKind byte

const (
	patternAny    patternKind = iota + 1 // *
	patternSuffix                        // *.host
	patternOrigin                        // https://host[:port], any path
	patternPath                          // https://host/path, that path and below
	patternExact                         // https://host/path?query, nothing else
)

// pattern is one entry of permissions.fetch, read by the same parser that
// reads the addresses it is compared with.
type pattern struct {
	kind   patternKind
	scheme string
	host   string // with a port that is not the scheme's own
	suffix string // of patternSuffix, with its leading dot
	path   string
	search string
}

// FetchAllowed reports whether an entry of patterns admits u (spec 2.2,
// decisions on fetch entries in ARCHITECTURE.md): "*" is any http or https
// address, "*.host" any name below host, an origin any path on it, an address
// with a path that path and what lies below it, an address with a query only
// itself. Entries that do not parse admit nothing.
func FetchAllowed(patterns []string, u *url.Url) bool {
	return admits(patterns, u, func(patternKind) bool { return true })
}

// FetchAllowedByName is FetchAllowed by entries that name the host of u alone:
// what a request to a private or loopback address needs, so that neither "*"
// nor a wildcard name opens the machine's own network, and one named port does
// not open another.
func FetchAllowedByName(patterns []string, u *url.Url) bool {
	return admits(patterns, u, func(k patternKind) bool { return k >= patternOrigin })
}

func admits(patterns []string, u *url.Url, counts func(patternKind) bool) bool {
	if u == nil || (u.Scheme() != "http" && u.Scheme() != "https") || u.Hostname() == "" {
		return false
	}
	for _, text := range patterns {
		if p, err := parsePattern(text); err == nil && counts(p.kind) && p.matches(u) {
			return true
		}
	}
	return false
}

func (p pattern) matches(u *url.Url) bool {
	switch p.kind {
	case patternAny:
		return true
	case patternSuffix:
		name := u.Hostname()
		return len(name) > len(p.suffix) && strings.HasSuffix(name, p.suffix) && name[0] != '.' && !u.IsIPv4() && !u.IsIPv6()
	}
	if p.scheme != u.Scheme() || p.host != u.Host() {
		return false
	}
	switch p.kind {
	case patternOrigin:
		return true
	case patternExact:
		return p.path == u.Pathname() && p.search == u.Search()
	}
	path := u.Pathname()
	if !strings.HasPrefix(path, p.path) || climbs(path) {
		return false
	}
	// The parser has taken query and fragment off, so the boundaries left are
	// the end and a slash.
	return len(path) == len(p.path) || strings.HasSuffix(p.path, "/") || path[len(p.path)] == '/'
}

// climbs reports whether a path has an encoded way up that the URL parser, by
// its standard, leaves alone (..%2f) but many servers do not.
func climbs(path string) bool {
	for range 3 {
		for _, seg := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }) {
			if seg == ".." {
				return true
			}
		}
		next := unescape(path)
		if next == path {
			return false
		}
		path = next
	}
	return true // encoded four times over: nothing honest looks like that
}

func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func parsePattern(text string) (pattern, error) {
	switch {
	case text == "":
		return pattern{}, fmt.Errorf("an entry of permissions.fetch is empty")
	case len(text) > maxPatternBytes:
		return pattern{}, fmt.Errorf("an entry of permissions.fetch is longer than %d bytes", maxPatternBytes)
	case text == "*":
		return pattern{kind: patternAny}, nil
	case strings.HasPrefix(text, "*."):
		return parseSuffix(text)
	}
	return parseAddress(text)
}

func parseSuffix(text string) (pattern, error) {
	host := text[2:]
	if strings.ContainsAny(host, "*/\\?#@: \t\r\n") || host == "" {
		return pattern{}, fmt.Errorf("%q: after *. comes a host name and nothing else, such as *.example.com", text)
	}
	u, err := url.Parse("https://" + host + "/")
	if err != nil || !properName(u) || u.IsIPv4() || u.IsIPv6() {
		return pattern{}, fmt.Errorf("%q: %q is not a host name", text, host)
	}
	return pattern{kind: patternSuffix, suffix: "." + u.Hostname()}, nil
}

func parseAddress(text string) (pattern, error) {
	lower := strings.ToLower(text)
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		return pattern{}, fmt.Errorf("%q: write *, *.host, or an address that starts with https:// or http:// (such as https://%s)", text, safeHint(text))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return pattern{}, fmt.Errorf("%q: an address has no spaces, control characters or backslashes", text)
	}
	// "https://host/*" is common; the star at the end of a path says what a path
	// means anyway.
	addr := text
	if strings.HasSuffix(addr, "/*") {
		addr = strings.TrimSuffix(addr, "*")
	}
	if strings.Contains(addr, "*") {
		return pattern{}, fmt.Errorf("%q: a star stands alone, in front of a host (*.example.com) or at the end after a slash", text)
	}
	u, err := url.Parse(addr)
	if err != nil || !properName(u) {
		return pattern{}, fmt.Errorf("%q is not an address", text)
	}
	if u.Username() != "" || u.Password() != "" || strings.Contains(authority(addr), "@") {
		return pattern{}, fmt.Errorf("%q: an address in permissions.fetch has no user name or password; use a secret and a header", text)
	}
	if strings.Contains(addr, "#") {
		return pattern{}, fmt.Errorf("%q: leave out the part from # on, it is never sent", text)
	}
	p := pattern{kind: patternPath, scheme: u.Scheme(), host: u.Host(), path: u.Pathname(), search: u.Search()}
	switch {
	case p.search != "":
		p.kind = patternExact
	case p.path == "/" || p.path == "":
		p.kind = patternOrigin
	case climbs(p.path):
		return pattern{}, fmt.Errorf("%q: the path has an encoded way up", text)
	}
	return p, nil
}

// properName refuses hosts that two readers could take for different ones: a
// trailing dot, an empty label, a star.
func properName(u *url.Url) bool {
	name := u.Hostname()
	return name != "" && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".") &&
		!strings.Contains(name, "..") && !strings.Contains(name, "*")
}

func authority(addr string) string {
	_, rest, _ := strings.Cut(addr, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

func safeHint(text string) string {
	if len(text) <= 80 && !strings.ContainsAny(text, ":/@ \"\\*?#") && text != "" {
		return text
	}
	return "api.example.com"
}

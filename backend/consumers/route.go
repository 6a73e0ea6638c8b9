package consumers

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const maxSegments = 32

// segment is a part of a path template: a text, unescaped, or the name of a
// parameter.
type segment struct {
	text  string
	param bool
}

var paramGrammar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// splitTemplate gives the segments of a path template; those that are no
// parameter are unescaped.
func splitTemplate(path string) (segments []segment, problem string) {
	switch {
	case !strings.HasPrefix(path, "/"):
		return nil, "path begins with /"
	case strings.ContainsAny(path, "?#") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return nil, "path has neither spaces nor ? nor #; what follows ? is in ctx.request.query"
	}
	parts := split(path)
	if len(parts) > maxSegments {
		return nil, "path has more than 32 segments"
	}
	var names []string
	for _, s := range parts {
		if name, ok := strings.CutPrefix(s, ":"); ok {
			if !paramGrammar.MatchString(name) {
				return nil, "a parameter of path is : and a name, such as :id"
			}
			if slices.Contains(names, name) {
				return nil, "path has the parameter :" + name + " twice"
			}
			names = append(names, name)
			segments = append(segments, segment{name, true})
			continue
		}
		plain, err := url.PathUnescape(s)
		switch {
		case err != nil:
			return nil, "path has a % that begins no escape"
		case s == "":
			return nil, "path has an empty segment (//)"
		case plain == "." || plain == "..":
			return nil, "path has a . or .. segment, which no request ever has"
		}
		segments = append(segments, segment{text: plain})
	}
	return segments, ""
}

// split gives the segments of a path without a slash at its end.
func split(path string) []string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// shape is the same for two endpoints that answer the same requests.
func (e *Endpoint) shape() string {
	var b strings.Builder
	b.WriteString(e.Method)
	for _, s := range e.segments {
		if s.param {
			b.WriteString("/:")
		} else {
			b.WriteString("/=" + url.PathEscape(s.text))
		}
	}
	return b.String()
}

// Match is the endpoint of a request and the values of its parameters, unescaped.
type Match struct {
	*Entry
	Params map[string]string
}

// Route finds the endpoint for a method and the escaped path after the agent's
// prefix. Where several templates match, the one that is literal earliest counts.
// A HEAD is answered by the GET. Without an endpoint, allowed are the methods
// that the path has, sorted; none means that there is nothing at the path.
func (s *Set) Route(method, path string) (match Match, allowed []string) {
	segments, ok := unescape(split(path))
	if !ok {
		return Match{}, nil
	}
	var best *Entry
	for _, e := range s.endpoints {
		if !e.Endpoint.matches(segments) {
			continue
		}
		allowed = append(allowed, e.Endpoint.Method)
		exact := e.Endpoint.Method == method
		if !exact && (method != "HEAD" || e.Endpoint.Method != "GET") {
			continue
		}
		if best == nil || e.Endpoint.before(best.Endpoint, method) {
			best = e
		}
	}
	if best == nil {
		slices.Sort(allowed)
		return Match{}, slices.Compact(allowed)
	}
	match = Match{Entry: best, Params: map[string]string{}}
	for i, t := range best.Endpoint.segments {
		if t.param {
			match.Params[t.text] = segments[i]
		}
	}
	return match, nil
}

func unescape(segments []string) ([]string, bool) {
	for i, s := range segments {
		if strings.IndexByte(s, '%') < 0 {
			continue
		}
		plain, err := url.PathUnescape(s)
		if err != nil {
			return nil, false
		}
		segments[i] = plain
	}
	return segments, true
}

func (e *Endpoint) matches(segments []string) bool {
	if len(segments) != len(e.segments) {
		return false
	}
	for i, t := range e.segments {
		if t.param {
			if segments[i] == "" {
				return false
			}
		} else if t.text != segments[i] {
			return false
		}
	}
	return true
}

// before reports whether e is the better answer of two that match.
func (e *Endpoint) before(other *Endpoint, method string) bool {
	for i, t := range e.segments {
		if t.param != other.segments[i].param {
			return other.segments[i].param
		}
	}
	return e.Method == method && other.Method != method
}

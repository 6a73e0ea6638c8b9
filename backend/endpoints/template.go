package endpoints

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// Template is the path of an endpoint or a transport, parsed. Both notations of
// spec 2.8 are read: {name} and :name.
type Template struct {
	segments []segment
	rest     string // the name that takes all that follows, or empty
}

// segment is a text, unescaped, or a parameter with what its value ends in.
type segment struct {
	text  string // of a literal, or what follows the parameter
	param string
}

const maxSegments = 32

var paramName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// ParseTemplate reads a path template. The error has the code INVALID_ENTRY.
func ParseTemplate(path string) (Template, *contract.Error) {
	var t Template
	refuse := func(format string, args ...any) (Template, *contract.Error) {
		return Template{}, contract.Errorf(contract.InvalidEntry, format, args...)
	}
	switch {
	case !strings.HasPrefix(path, "/"):
		return refuse("path begins with /")
	case strings.ContainsAny(path, "?#") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return refuse("path has neither spaces nor ? nor #; what follows ? is in ctx.request.query")
	}
	parts := Split(path)
	if len(parts) > maxSegments {
		return refuse("path has more than %d segments", maxSegments)
	}
	var names []string
	for i, part := range parts {
		if t.rest != "" {
			return refuse("{%s...} is the last segment of a path", t.rest)
		}
		s, rest, isParam := parseParam(part)
		if isParam {
			name := s.param + rest
			if !paramName.MatchString(name) || rest != "" && i != len(parts)-1 {
				return refuse("a parameter of path is {name} or :name, such as {id}, not %.80q", part)
			}
			if slices.Contains(names, name) {
				return refuse("path has the parameter %s twice", name)
			}
			names = append(names, name)
			if t.rest = rest; rest == "" {
				t.segments = append(t.segments, s)
			}
			continue
		}
		plain, err := url.PathUnescape(part)
		switch {
		case err != nil:
			return refuse("path has a %% that begins no escape")
		case part == "":
			return refuse("path has an empty segment (//)")
		case plain == "." || plain == "..":
			return refuse("path has a . or .. segment, which no request ever has")
		case strings.ContainsAny(part, "{}"):
			return refuse("a parameter of path is {name} or :name, such as {id}, not %.80q", part)
		}
		t.segments = append(t.segments, segment{text: plain})
	}
	return t, nil
}

// parseParam reads :name, {name}, {name}:verb and {name...}.
func parseParam(part string) (s segment, rest string, ok bool) {
	if name, found := strings.CutPrefix(part, ":"); found {
		return segment{param: name}, "", true
	}
	inner, found := strings.CutPrefix(part, "{")
	if !found {
		return s, "", false
	}
	name, suffix, closed := strings.Cut(inner, "}")
	if !closed || strings.ContainsAny(suffix, "{}") {
		return segment{param: part}, "", true // which is no name
	}
	if all, more := strings.CutSuffix(name, "..."); more && suffix == "" {
		return s, all, true
	}
	return segment{param: name, text: suffix}, "", true
}

// Split gives the segments of a path, still escaped, without a slash at its end.
func Split(path string) []string {
	path = strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// Segments gives the unescaped segments of an escaped path; false when an escape
// is broken.
func Segments(path string) ([]string, bool) {
	parts := Split(path)
	for i, p := range parts {
		plain, err := url.PathUnescape(p)
		if err != nil {
			return nil, false
		}
		parts[i] = plain
	}
	return parts, true
}

// Matches reports whether the template stands for a path.
func (t Template) Matches(segments []string) bool {
	if len(segments) < len(t.segments) || t.rest == "" && len(segments) > len(t.segments) {
		return false
	}
	for i, s := range t.segments {
		if s.param == "" {
			if s.text != segments[i] {
				return false
			}
		} else if value, ok := strings.CutSuffix(segments[i], s.text); !ok || value == "" {
			return false
		}
	}
	return true
}

// Values gives the parameters of a path that matches.
func (t Template) Values(segments []string) map[string]string {
	values := map[string]string{}
	for i, s := range t.segments {
		if s.param != "" {
			values[s.param] = strings.TrimSuffix(segments[i], s.text)
		}
	}
	if t.rest != "" {
		values[t.rest] = strings.Join(segments[len(t.segments):], "/")
	}
	return values
}

// Names are the parameters in their order.
func (t Template) Names() []string {
	var names []string
	for _, s := range t.segments {
		if s.param != "" {
			names = append(names, s.param)
		}
	}
	if t.rest != "" {
		names = append(names, t.rest)
	}
	return names
}

// rank orders segments: a literal is nearer than a parameter with an end, that
// nearer than one without.
func (s segment) rank() int {
	switch {
	case s.param == "":
		return 0
	case s.text != "":
		return 1
	}
	return 2
}

// Before reports whether t is the better answer of two that match the same path:
// the one that is literal earliest.
func (t Template) Before(other Template) bool {
	for i, s := range t.segments {
		if i >= len(other.segments) {
			return true
		}
		if a, b := s.rank(), other.segments[i].rank(); a != b {
			return a < b
		}
	}
	return t.rest == "" && other.rest != "" && len(t.segments) >= len(other.segments)
}

// Shape is the same for two templates that stand for the same paths.
func (t Template) Shape() string {
	var b strings.Builder
	for _, s := range t.segments {
		b.WriteByte('/')
		if s.param != "" {
			b.WriteByte(':')
		}
		b.WriteString(url.PathEscape(s.text))
	}
	if t.rest != "" {
		b.WriteString("/*")
	}
	return b.String()
}

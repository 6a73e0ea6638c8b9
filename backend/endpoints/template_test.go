package endpoints_test

import (
	"maps"
	"strings"
	"testing"

	"benchtop/backend/endpoints"
)

func TestTemplateRefused(t *testing.T) {
	for path, says := range map[string]string{
		"x": "begins with /", "/a?b": "neither spaces", "/a b": "neither spaces", "/a//b": "empty segment", "/a/../b": ".. segment",
		"/%2e%2e": ".. segment", "/%zz": "no escape", "/:1": "such as {id}", "/{}": "such as {id}", "/{a": "such as {id}", "/a}": "such as {id}",
		"/{a}/:a": "twice", "/{a}{b}": "such as {id}", "/{a...}/b": "such as {id}", "/x{a}": "such as {id}", "/{a...}x": "such as {id}",
		strings.Repeat("/a", 33): "more than 32",
	} {
		if _, err := endpoints.ParseTemplate(path); err == nil || !strings.Contains(err.Message, says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
}

func TestTemplateMatches(t *testing.T) {
	for _, c := range []struct {
		template, path string
		values         map[string]string // nil: no match
	}{
		{"/", "/", map[string]string{}},
		{"/", "", map[string]string{}},
		{"/a", "/a/", map[string]string{}},
		{"/a", "/b", nil},
		{"/a b"[:2], "/a/b", nil},
		{"/users/{id}", "/users/7", map[string]string{"id": "7"}},
		{"/users/:id", "/users/a%2Fb", map[string]string{"id": "a/b"}},
		{"/users/{id}", "/users/", nil},
		{"/users/{id}", "/users//", nil},
		{"/tasks/{id}:cancel", "/tasks/9:cancel", map[string]string{"id": "9"}},
		{"/tasks/{id}:cancel", "/tasks/:cancel", nil},
		{"/tasks/{id}:cancel", "/tasks/9", nil},
		{"/files/{rest...}", "/files/a/b", map[string]string{"rest": "a/b"}},
		{"/files/{rest...}", "/files", map[string]string{"rest": ""}},
		{"/caf%C3%A9", "/café", map[string]string{}},
	} {
		template, err := endpoints.ParseTemplate(c.template)
		if err != nil {
			t.Fatal(c.template, err)
		}
		segments, ok := endpoints.Segments(c.path)
		if !ok {
			t.Fatal(c.path)
		}
		matches := template.Matches(segments)
		if matches != (c.values != nil) || matches && !maps.Equal(template.Values(segments), c.values) {
			t.Errorf("%s %s: %v", c.template, c.path, matches)
		}
	}
}

func TestTemplateOrder(t *testing.T) {
	for _, c := range [][2]string{
		{"/a/b", "/a/{x}"}, {"/a/{x}", "/{y}/b"}, {"/a/{x}:do", "/a/{x}"}, {"/a/{x}", "/a/{rest...}"}, {"/a", "/{rest...}"}, {"/a/{r...}", "/{r...}"},
	} {
		first, _ := endpoints.ParseTemplate(c[0])
		second, _ := endpoints.ParseTemplate(c[1])
		if !first.Before(second) || second.Before(first) || first.Shape() == second.Shape() {
			t.Errorf("%s is nearer than %s", c[0], c[1])
		}
	}
	a, _ := endpoints.ParseTemplate("/x/{id}")
	b, _ := endpoints.ParseTemplate("/x/:name")
	if a.Shape() != b.Shape() || a.Before(b) || b.Before(a) {
		t.Error("two notations of one template")
	}
}

// FuzzTemplate: whatever parses matches a path that is made of its own values.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"/", "/a/{id}", "/:x/:y", "/{a}:do", "/{all...}", "/%41"} {
		f.Add(s, "/a/b")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		template, err := endpoints.ParseTemplate(text)
		if err != nil {
			return
		}
		if template.Before(template) {
			t.Errorf("%q is before itself", text)
		}
		if segments, ok := endpoints.Segments(path); ok && template.Matches(segments) && len(template.Values(segments)) != len(template.Names()) {
			t.Errorf("%q %q: %v", text, path, template.Values(segments))
		}
	})
}

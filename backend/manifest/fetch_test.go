package manifest_test

import (
	"strings"
	"testing"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/manifest"
)

func TestFetchAllowed(t *testing.T) {
	tests := []struct {
		name    string
		pattern string
		yes, no []string
	}{
		{"any", "*",
			[]string{"http://a.com/", "https://b.org:8443/x", "http://127.0.0.1/"},
			[]string{"ftp://a.com/", "file:///etc/passwd", "data:text/plain,x", "ws://a.com/"}},
		{"origin allows any path", "https://api.example.com",
			[]string{"https://api.example.com/", "https://api.example.com/v1/x?y=1#z", "https://API.Example.COM/", "https://api.example.com:443/x"},
			[]string{"https://api.example.com.evil.org/", "https://api.example.commercial/", "http://api.example.com/",
				"https://api.example.com:8443/", "https://evil.org/https://api.example.com", "https://api.example.com@evil.org/",
				"https://evil.org\\@api.example.com/", "https://api.example.com./", "https://sub.api.example.com/"}},
		{"trailing slash is the origin too", "https://api.example.com/", []string{"https://api.example.com/v1"}, []string{"https://api.example.org/v1"}},
		{"slash star", "https://api.example.com/*", []string{"https://api.example.com/v1"}, []string{"https://api.example.com.evil.org/v1"}},
		{"path", "https://api.example.com/v1",
			[]string{"https://api.example.com/v1", "https://api.example.com/v1/", "https://api.example.com/v1/users", "https://api.example.com/v1?q=1", "https://api.example.com/v2/../v1/x"},
			[]string{"https://api.example.com/v1evil", "https://api.example.com/v1/../admin", "https://api.example.com/v1/%2e%2e/admin",
				"https://api.example.com/v1/..%2fadmin", "https://api.example.com/v1/%2e%2e%5cadmin", "https://api.example.com/v1/%252e%252e%252fadmin",
				"https://api.example.com/V1", "https://api.example.com/", "https://api.example.com/%76%31x"}},
		{"path with slash", "https://api.example.com/v1/", []string{"https://api.example.com/v1/a"}, []string{"https://api.example.com/v1", "https://api.example.com/v11/"}},
		{"path star", "https://api.example.com/v1/*", []string{"https://api.example.com/v1/a"}, []string{"https://api.example.com/v2/a"}},
		{"exact with query", "https://api.example.com/a?key=1", []string{"https://api.example.com/a?key=1", "https://api.example.com/a?key=1#f"},
			[]string{"https://api.example.com/a", "https://api.example.com/a?key=12", "https://api.example.com/a/b?key=1"}},
		{"suffix any depth", "*.example.com",
			[]string{"https://a.example.com/", "http://a.b.example.com:81/x", "https://A.EXAMPLE.com/"},
			[]string{"https://example.com/", "https://evilexample.com/", "https://a.example.com.evil.org/", "https://a.example.com./", "https://.example.com/"}},
		{"suffix of a number is no address", "*.0.0.1", nil, []string{"http://127.0.0.1/"}},
		{"default port in the entry", "http://a.com:80", []string{"http://a.com/"}, []string{"http://a.com:8080/", "https://a.com/"}},
		{"named port", "http://localhost:3000", []string{"http://localhost:3000/x"}, []string{"http://localhost/", "http://localhost:3001/"}},
		{"address notations are one", "http://127.0.0.1", []string{"http://0x7f.1/", "http://2130706433/"}, []string{"http://127.0.0.2/"}},
		{"v6", "http://[::1]:8080", []string{"http://[0:0:0:0:0:0:0:1]:8080/"}, []string{"http://[::2]:8080/", "http://[::1]/"}},
		{"international name", "https://münchen.de", []string{"https://xn--mnchen-3ya.de/", "https://MÜNCHEN.de/"}, []string{"https://munchen.de/"}},
		{"user information does not move the host", "https://a.com", []string{"https://u:p@a.com/"}, []string{"https://a.com:p@b.com/"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range tt.yes {
				if !manifest.FetchAllowed([]string{tt.pattern}, mustURL(t, s)) {
					t.Errorf("%q should admit %s", tt.pattern, s)
				}
			}
			for _, s := range tt.no {
				u, err := url.Parse(s)
				if err == nil && manifest.FetchAllowed([]string{tt.pattern}, u) {
					t.Errorf("%q should not admit %s", tt.pattern, s)
				}
			}
		})
	}
	if manifest.FetchAllowed(nil, mustURL(t, "https://a.com/")) {
		t.Error("no entries admit nothing")
	}
	if !manifest.FetchAllowed([]string{"https://x.org", "%%%", "*.a.com"}, mustURL(t, "https://b.a.com/")) {
		t.Error("one entry is enough, bad ones are passed over")
	}
	if manifest.FetchAllowed([]string{"*"}, nil) {
		t.Error("nil is nothing")
	}
}

func TestCheckFetchPattern(t *testing.T) {
	good := []string{"*", "*.example.com", "https://a.com", "HTTP://A.com/x", "http://localhost:3000/*", "https://a.com/x?y"}
	bad := []string{"", "api.example.com", "https://", "https://*", "https://*.example.com", "https://a.com*", "https://a.com/v*1", "ftp://a.com",
		"*.", "*.a.com/x", "*.a.com:80", "*.*", "**", "*.127.0.0.1", "https://u:p@a.com", "https://@a.com", "https://a.com#x", "https://a.com.", "*.a.com.",
		"https://a..com", " https://a.com", "https://a.com/ x", "https:/a.com", "https://a.com\\x", "https://a.com:99999", "https://a.com/..%2f", "javascript:alert(1)"}
	for _, p := range good {
		if err := manifest.CheckFetchPattern(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for _, p := range bad {
		if manifest.CheckFetchPattern(p) == nil {
			t.Errorf("%q should be refused", p)
		}
	}
}

func TestFetchAllowedByName(t *testing.T) {
	u := mustURL(t, "http://127.0.0.1:22/")
	if manifest.FetchAllowedByName([]string{"*", "http://127.0.0.1:3000"}, u) {
		t.Error("a star and a named port do not open another port")
	}
	if !manifest.FetchAllowedByName([]string{"http://127.0.0.1:22"}, u) {
		t.Error("a named origin is open")
	}
}

// FuzzFetchPattern: nothing panics, what Check refuses admits nothing, and an
// origin entry never admits another host.
func FuzzFetchPattern(f *testing.F) {
	for _, s := range []string{"*", "*.a.com", "https://a.com/v1", "http://[::1]:9/x?y", "https://a.com/*"} {
		f.Add(s, "https://a.com/v1/x")
	}
	f.Fuzz(func(t *testing.T, pattern, address string) {
		bad := manifest.CheckFetchPattern(pattern) != nil
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		ok := manifest.FetchAllowed([]string{pattern}, u)
		if bad && ok {
			t.Fatalf("%q is refused but admits %s", pattern, address)
		}
		if ok && u.Scheme() != "http" && u.Scheme() != "https" {
			t.Fatalf("%q admits %s", pattern, address)
		}
		if manifest.FetchAllowedByName([]string{pattern}, u) {
			if named, err := url.Parse(strings.TrimSuffix(pattern, "*")); err != nil || named.Host() != u.Host() {
				t.Fatalf("%q admits %s without naming its host", pattern, address)
			}
		}
	})
}

func mustURL(t *testing.T, s string) *url.Url {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

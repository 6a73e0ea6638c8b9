package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"benchtop/backend/contract"
)

// hostKind says under which of our names a request came.
type hostKind int

const (
	hostForeign hostKind = iota
	hostOwn              // 127.0.0.1, localhost, [::1]
	hostAgent            // <agent>.localhost: pages of an agent, never the owner's
)

// originKind says which page sent a request.
type originKind int

const (
	originForeign originKind = iota
	originNone               // no page: a program, or a page's own GET
	originOwn
	originWindow // the page inside the desktop window
)

// windowOrigins are what the window's asset server calls itself: on Linux and
// macOS, and on Windows.
var windowOrigins = [...]string{"wails://wails", "http://wails.localhost"}

// names are the Host values this platform answers to at a URL.
type names struct {
	url         string
	own         []string
	agentSuffix string // ".localhost:4780"
}

// namesOf takes them from the platform's own URL. On port 80 browsers leave the
// port away. An address that is none has no names, and nobody gets in.
func namesOf(platformURL string) *names {
	n := &names{url: platformURL}
	u, err := url.Parse(platformURL)
	if err != nil {
		return n
	}
	port := u.Port()
	if port != "" {
		port = ":" + port
	}
	if port == ":80" {
		port = ""
	}
	n.own = []string{"127.0.0.1" + port, "localhost" + port, "[::1]" + port}
	n.agentSuffix = ".localhost" + port
	return n
}

// host gives the names that belong to the platform's present URL.
func (a *api) host() *names {
	now := a.deps.URL()
	n := a.names.Load()
	if n == nil || n.url != now {
		n = namesOf(now)
		a.names.Store(n)
	}
	return n
}

// kind judges a Host header. Whoever points a name of their own at 127.0.0.1
// (DNS rebinding) is a stranger here.
func (n *names) kind(host string) hostKind {
	for _, own := range n.own {
		if host == own {
			return hostOwn
		}
	}
	lower := strings.ToLower(host)
	for _, own := range n.own {
		if lower == own {
			return hostOwn
		}
	}
	if n.label(lower) != "" {
		return hostAgent
	}
	return hostForeign
}

// label gives the agent's part of <agent>.localhost, or nothing.
func (n *names) label(host string) string {
	label, ok := strings.CutSuffix(strings.ToLower(host), n.agentSuffix)
	if !ok || n.agentSuffix == "" || !isLabel(label) {
		return ""
	}
	return label
}

func isLabel(s string) bool {
	if s == "" || len(s) > 63 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// originOf judges which page sent a request to the API (decisions.md 3). A page
// that sends no Origin, because its request is a plain GET, is told by
// Sec-Fetch-Site, which every browser sends and no page can set.
func originOf(r *http.Request) originKind {
	origins := r.Header["Origin"]
	if len(origins) > 1 {
		return originForeign
	}
	if len(origins) == 1 {
		o := origins[0]
		for _, w := range windowOrigins {
			if o == w {
				return originWindow
			}
		}
		if rest, ok := strings.CutPrefix(o, "http://"); ok && rest == r.Host {
			return originOwn
		}
		return originForeign
	}
	if site := r.Header["Sec-Fetch-Site"]; len(site) > 0 && site[0] != "same-origin" && site[0] != "none" {
		return originForeign
	}
	return originNone
}

func originError(r *http.Request) error {
	if len(r.Header["Origin"]) == 0 {
		return contract.Errorf(contract.OriginForbidden, "a page of another origin may not use this API")
	}
	return contract.Errorf(contract.OriginForbidden, "a page of origin %.128q may not use this API; programs send no Origin header", r.Header["Origin"][0])
}

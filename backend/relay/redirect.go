package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path"
	"strings"

	"benchtop/backend/contract"
)

const (
	maxHops = 10
	// maxHopBody is read of an answer that leads on, so that its connection is free.
	maxHopBody = 64 * contract.KB
)

// journey is a request that goes where its answers lead. What an answer says is
// a function's word, and functions are hostile: it stays on this platform and
// out of the console's own routes, and credentials go along to addresses of the
// agent that they were sent to and to nowhere else. The rest of the API is no
// such address, or a function could have its owner act for it.
type journey struct {
	base   *url.URL
	send   http.RoundTripper
	follow bool
	home   string // the agent that the request was for; empty for none
	bare   bool   // credentials stayed behind
	jar    http.CookieJar
	set    map[string]bool // names of cookies that answers have set
}

func (r *Relay) journey(out *http.Request, follow bool) *journey {
	jar, _ := cookiejar.New(nil) // never fails
	base := &url.URL{Scheme: out.URL.Scheme, Host: out.URL.Host}
	return &journey{base: base, send: r.send, follow: follow, home: homeOf(out.URL), jar: jar, set: map[string]bool{}}
}

// do sends the request and those that its answers lead to, and gives the last
// answer, with the reason where that leads on and was not followed.
func (j *journey) do(ctx context.Context, req *http.Request, tell func(*contract.ClientHop)) (res *http.Response, stayed string, err error) {
	for hops := 0; ; hops++ {
		if res, err = j.send.RoundTrip(req.WithContext(ctx)); err != nil {
			return nil, "", err
		}
		if !j.follow || !leads(res) {
			return res, "", nil
		}
		to, why := j.target(res)
		if why == "" && hops == maxHops {
			why = contract.StayedMany
		}
		if why != "" {
			return res, why, nil
		}
		next, err := j.next(ctx, req, res, to)
		if err != nil {
			_ = res.Body.Close()
			return nil, "", err
		}
		_, _ = io.CopyN(io.Discard, res.Body, maxHopBody) // a longer one costs its connection
		_ = res.Body.Close()
		head := headOf(res)
		tell(&contract.ClientHop{Status: head.Status, Headers: head.Headers, Method: next.Method, Path: to.RequestURI(), Bare: j.bare})
		req = next
	}
}

// leads says whether an answer sends its client elsewhere.
func leads(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return res.Header.Get("Location") != ""
	}
	return false
}

// target is where an answer leads, or the reason why nobody goes there.
func (j *journey) target(res *http.Response) (to *url.URL, stayed string) {
	location := res.Header.Get("Location")
	to, err := res.Request.URL.Parse(location)
	if err != nil || to.Opaque != "" || to.User != nil || strings.Contains(location, "\\") {
		return nil, contract.StayedLocation
	}
	if to.Scheme != j.base.Scheme || to.Host != j.base.Host {
		return nil, contract.StayedOrigin
	}
	if ofConsole(to.Path) {
		return nil, contract.StayedConsole
	}
	to.Fragment, to.RawFragment, to.RawQuery = "", "", queryOf(to.RawQuery)
	return to, ""
}

// carried are the headers of a request that are no credential of any kind.
var carried = []string{"Accept", "Accept-Language", "Content-Type", "Last-Event-Id", "User-Agent"}

// next is the request that an answer leads to: a GET where it says so or where
// browsers have always made one of it, else the same again.
func (j *journey) next(ctx context.Context, req *http.Request, res *http.Response, to *url.URL) (*http.Request, error) {
	method, body := req.Method, io.Reader(nil)
	again := res.StatusCode == http.StatusTemporaryRedirect || res.StatusCode == http.StatusPermanentRedirect
	switch {
	case res.StatusCode == http.StatusSeeOther && method != http.MethodHead, !again && method == http.MethodPost:
		method = http.MethodGet
	case req.GetBody != nil:
		b, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		body = b
	}
	next, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return nil, err
	}
	next.Header = req.Header.Clone()
	if body != nil {
		next.ContentLength, next.GetBody = req.ContentLength, req.GetBody
	} else {
		next.Header.Del("Content-Type")
	}
	j.jar.SetCookies(res.Request.URL, res.Cookies())
	for _, c := range res.Cookies() {
		j.set[c.Name] = true
	}
	if j.bare = j.bare || j.home == "" || homeOf(to) != j.home; j.bare {
		next.Header = http.Header{}
		for _, name := range carried {
			if v := req.Header.Values(name); len(v) > 0 && (body != nil || name != "Content-Type") {
				next.Header[name] = v
			}
		}
		return next, nil
	}
	next.Header.Del("Cookie")
	for _, c := range req.Cookies() {
		if !j.set[c.Name] { // what an answer set or took back counts
			next.AddCookie(c)
		}
	}
	for _, c := range j.jar.Cookies(to) {
		next.AddCookie(c)
	}
	return next, nil
}

// homeOf is the agent whose own address it is; empty where it is no agent's
// alone, as below /api, which has the routes that manage it.
func homeOf(u *url.URL) string {
	parts := strings.SplitN(strings.TrimPrefix(path.Clean("/"+u.Path), "/"), "/", 3)
	if parts[0] == "agents" && len(parts) > 1 {
		return parts[1]
	}
	if parts[0] == "api" {
		return ""
	}
	return parts[0]
}

// ofConsole says whether a path is one of the console's own routes.
func ofConsole(p string) bool {
	p = path.Clean("/"+p) + "/"
	return strings.HasPrefix(p, "/api/local/") || strings.HasPrefix(p, "/api/auth/") || strings.HasPrefix(p, "/api/internal/")
}

package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// agentSandbox makes a page powerless in an origin that it shares with the
// console: it gets an origin of its own, so it reads no answer of the API and
// reaches no window, storage or worker of ours.
const agentSandbox = "sandbox allow-scripts allow-forms"

// serveAgentHost answers on <agent>.localhost. There is nothing of the console
// or of the API there, so that no page of an agent shares an origin with them.
func (a *api) serveAgentHost(c *call, label string) {
	ag, ok := a.deps.Agents.Resolve(label)
	if !ok || ag.Username != label {
		a.noAgent(c, contract.Errorf(contract.AgentNotFound, "no agent has the username %.64q; the API is at %s", label, a.deps.URL()))
		return
	}
	a.serveAgent(c, ag)
}

// noAgent answers for an agent that is not there. A page sees no status of a
// WebSocket that is not opened, so it gets a close code instead.
func (a *api) noAgent(c *call, err error) {
	if a.deps.NoAgent != nil && a.deps.NoAgent(c.w, c.r, err) {
		c.wrote = true
		return
	}
	c.fail(err)
}

// serveAgentPath answers under /<agent> and /agents/<agent>, and at /agents
// itself; false when no agent has that name.
func (a *api) serveAgentPath(c *call) bool {
	path := c.r.URL.Path
	rest, long := strings.CutPrefix(path, "/agents")
	if long = long && (rest == "" || rest[0] == '/'); long {
		path = rest
	}
	ref, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if long && ref == "" && a.deps.AgentList != nil {
		a.serveAgentList(c)
		return true
	}
	ag, ok := a.deps.Agents.Resolve(ref)
	if !ok || !long && ag.Username != ref {
		return false
	}
	a.serveAgent(c, ag)
	return true
}

// serveAgentList answers at /agents. Pages of any origin may read what anybody
// may; credentials of a browser do not count there (decisions.md 3).
func (a *api) serveAgentList(c *call) {
	caller, err := a.agentCaller(c, true)
	if err != nil {
		c.fail(err)
		return
	}
	h := c.w.Header()
	h.Del("Cross-Origin-Resource-Policy")
	h.Set("Access-Control-Allow-Origin", "*")
	c.wrote = true
	a.deps.AgentList.ServeHTTP(c.w, c.r.WithContext(auth.WithCaller(c.r.Context(), caller)))
}

// serveAgentBelowAPI answers what no row of the table does below
// /api/agents/<agent>, where clients of the hosted platform reach an agent's
// endpoints. Any page may send there what it may send to the agent's other
// addresses: without credentials of a browser.
func (a *api) serveAgentBelowAPI(w http.ResponseWriter, r *http.Request) {
	c := &call{api: a, w: w, r: r, origin: originOf(r)}
	defer a.recover(c)
	ref := r.PathValue("agent")
	ag, ok := a.deps.Agents.Resolve(ref)
	if !ok {
		c.allowOrigin()
		a.noAgent(c, contract.Errorf(contract.AgentNotFound, "no agent has the id or username %.64q", ref))
		return
	}
	a.serveAgent(c, ag)
}

// below takes the agent's prefix off the path: one of the three of contract.md
// 0.3, by username or id. On the agent's own name there need not be one.
func below(r *http.Request, ag agents.Agent) *http.Request {
	path := r.URL.EscapedPath()
	for _, prefix := range []string{"/api/agents/", "/agents/", "/"} {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		ref, rest, more := strings.Cut(rest, "/")
		if ref != ag.Username && ref != ag.ID {
			continue
		}
		path = "/"
		if more {
			path += rest
		}
		break
	}
	u := *r.URL
	u.RawPath = path
	u.Path, _ = url.PathUnescape(path) // it came out of a parsed URL
	r.URL = &u
	return r
}

// serveAgent answers for an agent, whose pages may be hostile (decisions.md 4).
// A browser that goes to a page is sent to the agent's own name, where the
// owner's cookie does not count. On our own names every answer carries the
// sandbox, whatever its type: a list of the types that a browser shows as a page
// would always miss one.
func (a *api) serveAgent(c *call, ag agents.Agent) {
	if a.deps.AgentPages == nil {
		c.fail(contract.Errorf(contract.NotFound, "agent %s serves nothing at %.256s", ag.Username, c.r.URL.Path))
		return
	}
	names := a.host()
	ownName := names.kind(c.r.Host) == hostOwn
	caller, err := a.agentCaller(c, ownName)
	if err != nil {
		c.fail(err)
		return
	}
	h := c.w.Header()
	if ownName && c.r.Method == http.MethodGet && c.r.Header.Get("Sec-Fetch-Mode") == "navigate" {
		h["Cache-Control"] = noStore
		http.Redirect(c.w, c.r, "http://"+ag.Username+names.agentSuffix+c.r.URL.RequestURI(), http.StatusTemporaryRedirect)
		return
	}
	h.Del("X-Frame-Options") // an agent decides for itself who frames it
	h.Del("Cross-Origin-Resource-Policy")
	h.Set("Access-Control-Allow-Origin", "*") // decisions.md 3: without credentials
	c.wrote = true
	w := &agentWriter{ResponseWriter: c.w, sandbox: ownName}
	a.deps.AgentPages(ag).ServeHTTP(w, below(withoutOurs(c.r.WithContext(auth.WithCaller(c.r.Context(), caller))), ag))
	w.seal()
}

// agentCaller says who calls an agent's page: by bearer or API key, as the owner
// by the session cookie where that counts, as a visitor by theirs. What does not
// hold makes an anonymous caller, because a page may be open to everybody and a
// webhook's Authorization is not meant for us.
func (a *api) agentCaller(c *call, ownName bool) (auth.Caller, error) {
	bearer, err := credentialOf(c.r)
	session := ""
	if ownName && originOf(c.r) != originForeign {
		session = c.cookie()
	}
	var caller auth.Caller
	if err == nil {
		caller, err = a.deps.Auth.Identify(c.r.Context(), bearer, session)
	}
	if e := contract.AsError(err); e != nil && e.Code == contract.Unauthorized {
		return auth.Caller{Kind: auth.KindAnonymous, Refused: true}, nil
	}
	if err == nil && caller.Kind == auth.KindAnonymous {
		caller = a.deps.Auth.CookieVisitor(c.cookieNamed(a.deps.Auth.VisitorCookie()))
	}
	return caller, err
}

// withoutOurs takes the platform's cookies out of what an agent sees.
func withoutOurs(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	cookies := r.Cookies()
	r.Header.Del("Cookie")
	for _, c := range cookies {
		if !strings.HasPrefix(c.Name, sessionCookie) && !strings.HasPrefix(c.Name, auth.VisitorCookiePrefix) {
			r.AddCookie(c)
		}
	}
	return r
}

// agentWriter puts the rules on an answer at the last moment, when the agent can
// no longer take them off.
type agentWriter struct {
	http.ResponseWriter
	sandbox bool
	sealed  bool
}

func (w *agentWriter) seal() {
	if w.sealed {
		return
	}
	w.sealed = true
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	for _, name := range []string{"Service-Worker-Allowed", "Clear-Site-Data", "Access-Control-Allow-Credentials"} {
		h.Del(name)
	}
	if w.sandbox {
		// Added, not set: several policies hold together, the strictest wins.
		h.Add("Content-Security-Policy", agentSandbox)
	}
	// An agent must not sign anybody out of, or into, the console.
	kept := h["Set-Cookie"][:0:0]
	for _, line := range h["Set-Cookie"] {
		name := strings.TrimSpace(line)
		if !strings.HasPrefix(name, sessionCookie) && !strings.HasPrefix(name, auth.VisitorCookiePrefix) && !hasDomain(line) {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		h.Del("Set-Cookie")
	} else {
		h["Set-Cookie"] = kept
	}
}

// hasDomain finds the attribute by which a cookie of <agent>.localhost would
// reach other names.
func hasDomain(cookie string) bool {
	for attr := range strings.SplitSeq(cookie, ";") {
		if name, _, _ := strings.Cut(attr, "="); strings.EqualFold(strings.TrimSpace(name), "Domain") {
			return true
		}
	}
	return false
}

func (w *agentWriter) WriteHeader(status int) {
	w.seal()
	w.ResponseWriter.WriteHeader(status)
}

func (w *agentWriter) Write(b []byte) (int, error) {
	w.seal()
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController flush and hijack.
func (w *agentWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

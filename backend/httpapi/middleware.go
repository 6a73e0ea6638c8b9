package httpapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// bodyTimeout is how long a request may take to send its body.
const bodyTimeout = 30 * time.Second

// api is the handler.
type api struct {
	deps       Deps
	mux        *http.ServeMux
	names      atomic.Pointer[names]
	cookieName string
	assets     *assets
	runID      string
	requests   atomic.Uint64
}

// New makes the handler. It panics on a table with two rows for one method and
// path, which is a mistake of the program.
func New(deps Deps) http.Handler {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	a := &api{
		deps: deps, mux: http.NewServeMux(),
		cookieName: sessionCookie + deps.Auth.DataID(),
		assets:     newAssets(deps.Assets),
		runID:      strconv.FormatInt(deps.Now().UnixMilli(), 36) + "-",
	}
	for path, res := range resourcesOf(a, routes) {
		a.mux.Handle(path, res)
	}
	a.mux.HandleFunc("/api/agents/{agent}/{path...}", a.serveAgentBelowAPI)
	a.mux.HandleFunc("/", a.fallback)
	return a
}

// Headers that are the same on every answer. The slices are shared: nothing may
// append to them in place, and net/http does not.
var (
	nosniff    = []string{"nosniff"}
	noReferrer = []string{"no-referrer"}
	deny       = []string{"DENY"}
	sameOrigin = []string{"same-origin"}
)

// ServeHTTP is what every request goes through before its route.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["Referrer-Policy"] = noReferrer
	h["X-Frame-Options"] = deny
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Request-Id"] = []string{a.runID + strconv.FormatUint(a.requests.Add(1), 36)}

	if r.ContentLength != 0 {
		// Also for a body that nobody reads: net/http drains it. An error means
		// a writer without deadlines, as in tests.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
	}
	names := a.host()
	switch names.kind(r.Host) {
	case hostOwn:
		a.mux.ServeHTTP(w, r)
	case hostAgent:
		c := &call{api: a, w: w, r: r}
		defer a.recover(c)
		a.serveAgentHost(c, names.label(r.Host))
	default:
		c := &call{api: a, w: w, r: r}
		c.fail(contract.Errorf(contract.HostForbidden, "the Host header %.128q is none of this platform's names; use %s", r.Host, names.url))
	}
}

// serve runs one route: origin, caller, agent, handler, answer.
func (a *api) serve(c *call, row *route) {
	defer a.recover(c)
	c.caller.Kind = auth.KindAnonymous
	err := a.admit(c, row)
	if err == nil && c.r.ContentLength > max(row.body, smallBody) {
		err = contract.Errorf(contract.BodyTooLarge, "the body has %d bytes, %d are allowed here", c.r.ContentLength, row.body)
	}
	if err == nil {
		if row.body > 0 {
			c.r.Body = http.MaxBytesReader(c.w, c.r.Body, row.body)
		}
		err = row.handle(a, c)
	}
	if err != nil {
		c.fail(err)
	}
}

// recover turns a panic into an answer and a line in the log. The value of a
// panic may hold anything, a secret too: only its type and the stack are kept,
// and a stack printed here has no arguments of ours but addresses.
func (a *api) recover(c *call) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	text := fmt.Sprintf("%T", v)
	if err, ok := v.(interface{ RuntimeError() }); ok {
		text = fmt.Sprint(err) // index out of range and the like: figures only
	}
	a.deps.Log.Error("a request handler panicked",
		"request", requestID(c.w), "method", c.r.Method, "route", c.r.Pattern, "panic", text, "stack", string(debug.Stack()))
	if c.wrote {
		panic(http.ErrAbortHandler) // the answer is cut off, and the client must see that
	}
	c.fail(contract.Errorf(contract.Internal, "a fault of the platform; its log has the details under request %s", requestID(c.w)))
}

func requestID(w http.ResponseWriter) string {
	if id := w.Header()["X-Request-Id"]; len(id) > 0 {
		return id[0]
	}
	return ""
}

// fallback is what no row of the table answers: the page, or nothing.
func (a *api) fallback(w http.ResponseWriter, r *http.Request) {
	c := call{api: a, w: w, r: r}
	defer a.recover(&c)
	path := r.URL.Path
	if path == "/api" || strings.HasPrefix(path, "/api/") {
		c.origin = originOf(r)
		if c.origin == originForeign {
			c.fail(originError(r))
			return
		}
		c.allowOrigin()
		c.fail(contract.Errorf(contract.NotFound, "there is nothing at %.256s", path))
		return
	}
	if !a.assets.serve(&c) && !a.serveAgentPath(&c) {
		a.noAgent(&c, contract.Errorf(contract.NotFound, "there is nothing at %.256s", path))
	}
}

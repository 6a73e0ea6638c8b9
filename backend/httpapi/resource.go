package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// resource is everything under one path of the table: it picks the row by
// method and answers OPTIONS and 405 from the same rows.
type resource struct {
	api   *api
	rows  []route
	allow []string // the value of Allow
}

// resourcesOf groups the table by path.
func resourcesOf(a *api, table []route) map[string]*resource {
	byPath := make(map[string]*resource)
	for _, row := range table {
		res := byPath[row.path]
		if res == nil {
			res = &resource{api: a}
			byPath[row.path] = res
		}
		if res.row(row.method) != nil {
			panic("httpapi: two rows for " + row.method + " " + row.path)
		}
		res.rows = append(res.rows, row)
	}
	for _, res := range byPath {
		methods := []string{"OPTIONS"}
		for _, row := range res.rows {
			methods = append(methods, row.method)
			if row.method == "GET" {
				methods = append(methods, "HEAD")
			}
		}
		slices.Sort(methods)
		res.allow = []string{strings.Join(methods, ", ")}
	}
	return byPath
}

func (res *resource) row(method string) *route {
	if method == "HEAD" {
		method = "GET"
	}
	for i := range res.rows {
		if res.rows[i].method == method {
			return &res.rows[i]
		}
	}
	return nil
}

// ServeHTTP checks the origin, then picks the row.
func (res *resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{api: res.api, w: w, r: r, origin: originOf(r)}
	row := res.row(r.Method)
	if c.origin == originForeign && (row == nil || row.access != signedLink) {
		c.fail(originError(r))
		return
	}
	c.allowOrigin()
	switch {
	case row != nil:
		res.api.serve(c, row)
	case r.Method == "OPTIONS":
		res.preflight(c)
	default:
		w.Header()["Allow"] = res.allow
		c.fail(contract.Errorf(contract.MethodNotAllowed, "%.32s is not possible here, only %s", r.Method, res.allow[0]))
	}
}

// What a page in the window may send and read beside the headers every page may.
var (
	varyOrigin    = []string{"Origin"}
	exposeHeaders = []string{"Idempotent-Replayed, Retry-After, X-Request-Id, WWW-Authenticate"}
	allowHeaders  = []string{"Authorization, X-API-Key, Content-Type, Idempotency-Key, Benchtop-Caller, Benchtop-Clock, Function-Authoring-Surface, Last-Event-ID, Accept"}
	tenMinutes    = []string{"600"}
	yes           = []string{"true"}
)

// allowOrigin tells the window's page that it may read the answer. Credentials
// are never allowed: it has a bearer and no cookie.
func (c *call) allowOrigin() {
	if c.origin != originWindow {
		return
	}
	h := c.w.Header()
	h["Access-Control-Allow-Origin"] = c.r.Header["Origin"]
	h["Access-Control-Expose-Headers"] = exposeHeaders
	h["Vary"] = varyOrigin
}

// preflight answers OPTIONS. Only the window's page gets the permissions.
func (res *resource) preflight(c *call) {
	h := c.w.Header()
	h["Allow"] = res.allow
	if c.origin == originWindow {
		h["Access-Control-Allow-Methods"] = res.allow
		h["Access-Control-Allow-Headers"] = allowHeaders
		h["Access-Control-Max-Age"] = tenMinutes
		if c.r.Header.Get("Access-Control-Request-Private-Network") == "true" {
			h["Access-Control-Allow-Private-Network"] = yes
		}
	}
	c.w.WriteHeader(http.StatusNoContent)
}

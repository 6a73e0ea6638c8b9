package httpapi

import (
	"context"
	"net/http"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// call is one request on its way through a route.
type call struct {
	api    *api
	w      http.ResponseWriter
	r      *http.Request
	origin originKind

	caller  auth.Caller
	agent   agents.Agent // of {agent} in the path
	surface string       // Function-Authoring-Surface, empty when not stated

	badCredential bool // one was presented and is not valid
	wrote         bool // an answer has begun
	ranNothing    bool // the failure is that of an invoke
	ofPayments    bool // failures have the form of contract.md 5.4
}

func (c *call) name() string { return c.r.PathValue("name") }

// authored is the context of a change to a function: it says who makes it, for
// the audit row.
func (c *call) authored() context.Context {
	return auth.WithCaller(c.r.Context(), c.caller)
}

// identify asks auth who is calling.
func (c *call) identify() error {
	bearer, err := credentialOf(c.r)
	if err == nil {
		c.caller, err = c.api.deps.Auth.Identify(c.r.Context(), bearer, c.cookie())
	}
	if e := contract.AsError(err); e != nil && e.Code == contract.Unauthorized {
		c.badCredential = true
	}
	return err
}

// bearerOf gives the token of the Authorization header, or an error for a
// scheme that is not ours.
func bearerOf(r *http.Request) (string, error) {
	h := r.Header["Authorization"]
	if len(h) == 0 {
		return "", nil
	}
	scheme, token, _ := strings.Cut(h[0], " ")
	token = strings.TrimSpace(token)
	if len(h) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", contract.Errorf(contract.Unauthorized, "send one Authorization header, of the form: Bearer <token>")
	}
	return token, nil
}

// credentialOf gives the bearer token or, in its place, the API key of the
// header X-API-Key. Nothing else counts there.
func credentialOf(r *http.Request) (string, error) {
	bearer, err := bearerOf(r)
	h := r.Header["X-Api-Key"]
	if err != nil || len(h) == 0 {
		return bearer, err
	}
	if len(h) > 1 || !strings.HasPrefix(h[0], auth.KeyPrefix) || bearer != "" && bearer != h[0] {
		return "", contract.Errorf(contract.Unauthorized, "send one credential: Authorization: Bearer <token>, or X-API-Key with an API key")
	}
	return h[0], nil
}

// sessionCookie begins the name of the session cookie; the id of the data
// directory follows, because cookies do not tell ports apart.
const sessionCookie = "benchtop_session_"

// cookie gives the session cookie where it counts: for a page of our own, never
// for one that the window's asset server or an agent serves.
func (c *call) cookie() string {
	if c.origin == originWindow {
		return ""
	}
	return c.cookieNamed(c.api.cookieName)
}

func (c *call) cookieNamed(wanted string) string {
	for _, line := range c.r.Header["Cookie"] {
		for line != "" {
			var pair string
			pair, line, _ = strings.Cut(line, ";")
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name == wanted {
				return value
			}
		}
	}
	return ""
}

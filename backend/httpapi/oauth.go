package httpapi

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// Errors of a token endpoint, RFC 6749 5.2 and RFC 8707.
const (
	oauthRequest = "invalid_request"
	oauthClient  = "invalid_client"
	oauthGrant   = "unsupported_grant_type"
	oauthScope   = "invalid_scope"
	oauthTarget  = "invalid_target"
)

// oauthToken is the token endpoint of AOAuth (contract.md 6.10): an agent, by its
// id or username and one of its API keys, gets a portal token of its own for five
// minutes. target, an agent, is named in the audience beside this platform.
func (a *api) oauthToken(c *call) error {
	form, problem := c.form()
	if problem != "" {
		return c.oauthError(http.StatusBadRequest, oauthRequest, problem)
	}
	grant := form.Get("grant_type")
	if grant != "client_credentials" {
		code, text := oauthGrant, "grant_type must be client_credentials"
		if grant == "" {
			code = oauthRequest
		}
		return c.oauthError(http.StatusBadRequest, code, text)
	}
	scopes := strings.Fields(form.Get("scope"))
	for _, s := range scopes {
		if !slices.Contains([]string{contract.ScopeRead, contract.ScopeWrite, contract.ScopeInvoke}, s) {
			return c.oauthError(http.StatusBadRequest, oauthScope, "scope is some of read, write and invoke")
		}
	}
	audience := []string{a.deps.URL()}
	if target := form.Get("target"); target != "" {
		ag, ok := a.deps.Agents.Resolve(strings.TrimPrefix(target, "@"))
		if !ok {
			return c.oauthError(http.StatusBadRequest, oauthTarget, "target is the id or username of no agent here")
		}
		audience = append(audience, a.deps.URL()+"/"+ag.Username)
	}
	client, ok := a.deps.Agents.Resolve(strings.TrimPrefix(form.Get("client_id"), "@"))
	if !ok {
		client.ID = "" // which has no keys
	}
	token, err := a.deps.Auth.ClientToken(c.r.Context(), client.ID, form.Get("client_secret"), auth.TokenTerms{
		Scopes: scopes, Audience: audience, Lifetime: contract.ClientTokenLifetime,
	})
	if e := contract.AsError(err); e != nil && e.Code == contract.Unauthorized {
		return c.oauthError(http.StatusUnauthorized, oauthClient, "client_id and client_secret do not belong together: an agent and one of its API keys")
	}
	if err != nil {
		return err
	}
	return c.ok(contract.OAuthToken{
		AccessToken: token.Token, TokenType: "Bearer", ExpiresIn: int64(contract.ClientTokenLifetime / time.Second), Scope: strings.Join(token.Scopes, " "),
	})
}

// oauthError answers in the form of RFC 6749.
func (c *call) oauthError(status int, code, text string) error {
	if status == http.StatusUnauthorized {
		c.w.Header()["Www-Authenticate"] = []string{`Bearer realm="webagents", error="invalid_client"`}
	}
	return c.json(status, contract.OAuthError{Error: code, Description: text})
}

// form reads a body of form fields, each of which is there once at most.
func (c *call) form() (fields url.Values, problem string) {
	kind, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, "send the fields as Content-Type: application/x-www-form-urlencoded"
	}
	body, err := readAll(c.r)
	if err != nil {
		return nil, "the body is too long, or it ended too early"
	}
	fields, err = url.ParseQuery(string(body))
	if err != nil {
		return nil, "the body is not a list of form fields"
	}
	for name, values := range fields {
		if len(values) > 1 {
			return nil, "a field is there twice: " + strings.ToValidUTF8(name[:min(len(name), 40)], "")
		}
	}
	return fields, ""
}

package agenthttp

import (
	"net/http"
	"net/url"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
)

// body reads what the endpoint accepts.
func (x *exchange) body() ([]byte, error) {
	if x.r.Body == nil || x.r.ContentLength == 0 {
		return nil, nil
	}
	limit := x.bodyLimit()
	tooLarge := contract.Errorf(contract.BodyTooLarge, "the body is larger than the %d bytes allowed here (bodyLimitBytes)", limit)
	if x.r.ContentLength > limit {
		return nil, tooLarge
	}
	b, err := ReadBody(x.w, x.r, limit)
	if e := contract.AsError(err); e != nil && e.Code == contract.BodyTooLarge {
		return nil, tooLarge
	}
	return b, err
}

// bodyLimit is the endpoint's, else the manifest's, else 1 MB.
func (x *exchange) bodyLimit() int64 {
	if x.own != nil {
		return x.own.Manifest.Limits.Effective().BodyBytesMax
	}
	if n := x.match.Endpoint.BodyLimit; n > 0 {
		return n
	}
	if fn, ok := x.s.cfg.Functions.Get(x.agent.ID, x.match.Use); ok {
		return fn.Manifest.Limits.Effective().BodyBytesMax
	}
	return contract.MaxBodyBytes
}

// call is the request as a function may see it.
func (x *exchange) call(body []byte) *invocation.HTTPCall {
	query, _ := url.ParseQuery(x.r.URL.RawQuery) // what does not parse is left out
	header := map[string][]string{"host": {x.r.Host}}
	for k, v := range x.r.Header {
		header[k] = v
	}
	uri := x.r.RequestURI
	if !strings.HasPrefix(uri, "/") {
		uri = x.r.URL.RequestURI()
	}
	return &invocation.HTTPCall{
		Method: x.r.Method, Path: pathOf(x.r), URL: "http://" + x.r.Host + uri,
		Params: x.params, Query: invocation.LastOf(query), Header: header, Body: body,
	}
}

// pathOf gives the path with its escapes, and a slash at least.
func pathOf(r *http.Request) string {
	if p := r.URL.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

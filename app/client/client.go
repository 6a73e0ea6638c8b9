// Package client speaks to a platform over its management API: one that runs on
// this machine, one on another, or one in this very process (spec 4.1,
// decisions.md 1 and 6).
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"benchtop/backend/contract"
)

// Surface is what the command line says of itself in the history, spec 5.
const Surface = "cli"

// maxAnswer bounds what is read of an answer in bytes.
const maxAnswer = 64 * contract.MB

// Client is one platform and a credential for it. It is safe for concurrent use.
type Client struct {
	// URL is the platform's address without a slash at its end.
	URL string
	// Bearer is an owner key, a portal token or an API key.
	Bearer string
	// HTTP sends requests; nil is Network.
	HTTP http.RoundTripper
}

// Address checks an address of a platform and gives it without the slash at its
// end. A credential must not cross a network in the clear, so http is for this
// machine alone.
func Address(text string) (string, error) {
	at := strings.TrimRight(text, "/")
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%q is no address of a platform; write it as http://127.0.0.1:4780", text)
	}
	if h := u.Hostname(); u.Scheme == "http" && h != "127.0.0.1" && h != "::1" && h != "localhost" {
		return "", fmt.Errorf("http is for this machine (127.0.0.1, localhost or [::1]); use https for %s", u.Host)
	}
	return at, nil
}

// Network sends requests over the network: to this machine never through a
// proxy, and never to where an answer points.
func Network() http.RoundTripper {
	return &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, ForceAttemptHTTP2: true}
}

// Agent gives the path of an agent's part of the management API, with more
// segments behind it, each escaped.
func Agent(agent string, segments ...string) string {
	return "/api/agents/" + join(agent, segments)
}

// LocalAgent is Agent for what only a Benchtop has.
func LocalAgent(agent string, segments ...string) string {
	return "/api/local/agents/" + join(agent, segments)
}

func join(agent string, segments []string) string {
	path := url.PathEscape(agent)
	for _, s := range segments {
		path += "/" + url.PathEscape(s)
	}
	return path
}

// Get reads path into out.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.Do(ctx, http.MethodGet, path, nil, out)
}

// Post sends body as JSON and reads the answer into out; both may be nil.
func (c *Client) Post(ctx context.Context, path string, body, out any) error {
	return c.Do(ctx, http.MethodPost, path, body, out)
}

// Delete asks for an end and reads the answer into out, which may be nil.
func (c *Client) Delete(ctx context.Context, path string, out any) error {
	return c.Do(ctx, http.MethodDelete, path, nil, out)
}

// Do sends one request. A body of type json.RawMessage goes as it is. The error
// of a platform that refuses is an *Error.
func (c *Client) Do(ctx context.Context, method, path string, body, out any) error {
	res, err := c.Send(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("%s broke off its answer: %w", c.host(), err)
	}
	if len(b) > maxAnswer {
		return fmt.Errorf("the answer of %s is larger than %d bytes", c.host(), maxAnswer)
	}
	if out == nil {
		return nil
	}
	if raw, ok := out.(*json.RawMessage); ok {
		*raw = b
		return nil
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fmt.Errorf("%s does not answer as a platform does: %w", c.host(), err)
	}
	return nil
}

// Send sends one request and gives the answer with its body open, for a stream.
// An answer of 300 and above is an *Error.
func (c *Client) Send(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		b, err := encode(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, content)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Function-Authoring-Surface", Surface)
	if c.Bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.Bearer)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	by := c.HTTP
	if by == nil {
		by = Network()
	}
	res, err := by.RoundTrip(req)
	if err != nil {
		return nil, &Unreachable{URL: c.URL, Err: err}
	}
	if res.StatusCode >= 300 {
		defer res.Body.Close()
		return nil, failure(c.host(), res)
	}
	return res, nil
}

func encode(body any) ([]byte, error) {
	if raw, ok := body.(json.RawMessage); ok {
		return raw, nil
	}
	return json.Marshal(body)
}

// host names the platform in messages; the one in this process needs no name.
func (c *Client) host() string {
	if _, ok := c.HTTP.(direct); ok {
		return "the platform"
	}
	_, host, _ := strings.Cut(c.URL, "://")
	return host
}

package hostapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
)

// follow does a fetch hop by hop; every address on the way is checked like the
// first.
func (s *Session) follow(ctx context.Context, f *fetch, u *url.Url) (*answer, error) {
	method, body, headers := f.method, f.body, f.headers
	for hop := 0; ; hop++ {
		res, err := s.hop(ctx, f, u, method, headers, body)
		if err != nil {
			return nil, err
		}
		location := res.Header.Get("Location")
		if f.redirect != "follow" || !slices.Contains([]int{301, 302, 303, 307, 308}, res.StatusCode) || location == "" {
			if f.redirect == "error" && res.StatusCode >= 300 && res.StatusCode < 400 && location != "" {
				_ = res.Body.Close()
				return nil, contract.Errorf(contract.FetchFailed, "%s answered with a redirect, and redirect is \"error\"", clip(u.Href(false)))
			}
			return s.receive(f, res, u, hop > 0)
		}
		_ = res.Body.Close()
		if hop >= maxRedirects {
			return nil, contract.Errorf(contract.FetchFailed, "%s was redirected more than %d times", clip(f.url), maxRedirects)
		}
		if err := checkText(location); err != nil {
			return nil, err // its text may hold a password: it is nobody's business
		}
		next, err := u.Parse(location)
		if err != nil {
			return nil, contract.Errorf(contract.FetchFailed, "%s was redirected to %q, which is no address", clip(u.Href(false)), clip(location))
		}
		if next.Username() == "" && next.Password() == "" {
			f.to = next.Href(false)
		}
		if err := checkURL(s.run.Permissions.Fetch, next); err != nil {
			return nil, err
		}
		if res.StatusCode == 303 && method != "HEAD" || (res.StatusCode == 301 || res.StatusCode == 302) && method == "POST" {
			method, body = "GET", nil
			headers = without(headers, "content-type", "content-encoding", "content-language", "content-location")
		}
		if origin(next) != origin(u) {
			headers = without(headers, "authorization", "cookie", "proxy-authorization")
		}
		u = next
	}
}

func without(headers []string, names ...string) []string {
	var out []string
	for i := 0; i+1 < len(headers); i += 2 {
		if !slices.Contains(names, headers[i]) {
			out = append(out, headers[i], headers[i+1])
		}
	}
	return out
}

// dropped are headers that belong to the connection. Host is among them: it
// would send a request past the address that was checked.
var dropped = []string{"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive", "expect",
	"proxy-connection", "proxy-authorization", "accept-encoding"}

// hop sends one request to the addresses it was checked for.
func (s *Session) hop(ctx context.Context, f *fetch, u *url.Url, method string, headers []string, body []byte) (*http.Response, error) {
	to, err := addresses(ctx, s.net.outside.Resolver, s.run.Permissions.Fetch, u)
	if err != nil {
		return nil, err
	}
	if err := s.net.egress.spend(int64(len(body))); err != nil {
		return nil, err
	}
	f.sent += int64(len(body))
	req := &http.Request{Method: method, URL: target(u), Host: u.Host(), Header: http.Header{}, ProtoMajor: 1, ProtoMinor: 1}
	for i := 0; i+1 < len(headers); i += 2 {
		if !slices.Contains(dropped, headers[i]) {
			req.Header.Add(headers[i], headers[i+1])
		}
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "*/*")
	}
	req.Header.Set("Accept-Encoding", "gzip, deflate") // what body.go reads
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "benchtop")
	}
	if len(body) > 0 || f.hasBody && body != nil {
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.ContentLength = int64(len(body))
	}
	return s.net.transport.RoundTrip(req.WithContext(context.WithValue(ctx, addressesKey{}, to)))
}

// target hands the parts of a parsed address over without a second parse.
func target(u *url.Url) *neturl.URL {
	out := &neturl.URL{Scheme: u.Scheme(), Host: u.Host(), RawQuery: strings.TrimPrefix(u.Search(), "?")}
	path := u.Pathname()
	if strings.HasPrefix(path, "//") {
		// As an opaque part this would be taken for another host.
		out.RawPath = path
		if plain, err := neturl.PathUnescape(path); err == nil {
			out.Path = plain
		} else {
			out.Path = path
		}
		return out
	}
	out.Opaque = path
	return out
}

// latin1 reads header bytes as the web does and drops what no header may have.
func latin1(v string) string {
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if c := v[i]; c != 0 && c != '\r' && c != '\n' {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// explain turns whatever went wrong into an error with a code, without the
// parts of an error text that repeat the address.
func explain(err error, f *fetch, ctx context.Context) error {
	if err == nil || contract.AsError(err) != nil {
		return err
	}
	var dns *net.DNSError
	var op *net.OpError
	reason := err.Error()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return contract.Errorf(contract.EgressTimeout, "%s %s took longer than %d ms (timeoutMs)", f.method, clip(f.url), f.timeoutMs)
	case errors.Is(ctx.Err(), context.Canceled):
		reason = "it was aborted"
	case errors.As(err, &dns):
		reason = fmt.Sprintf("the name %s cannot be resolved", dns.Name)
	case errors.As(err, &op):
		reason = op.Err.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		reason = "the connection was closed before the answer was complete"
	}
	return contract.Errorf(contract.FetchFailed, "%s %s: %s", f.method, clip(f.url), reason)
}

func itoa(n int) string { return strconv.Itoa(n) }

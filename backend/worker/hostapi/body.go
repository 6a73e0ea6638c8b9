package hostapi

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
)

// receive reads a body as far as the quotas allow. They count what comes out of
// a compressed body, while it comes out.
func (s *Session) receive(f *fetch, res *http.Response, u *url.Url, redirected bool) (*answer, error) {
	defer func() { _ = res.Body.Close() }()
	a := &answer{status: res.StatusCode, url: u.Href(true), redirected: redirected, body: []byte{}}
	_, a.statusText, _ = strings.Cut(res.Status, " ")
	encoded := res.Header.Get("Content-Encoding") != ""
	for name, values := range res.Header {
		if encoded && (name == "Content-Encoding" || name == "Content-Length") && decodable(res) {
			continue // they speak of bytes that the function does not get
		}
		for _, v := range values {
			a.headers = append(a.headers, strings.ToLower(name), latin1(v))
		}
	}
	body, err := s.decoded(res)
	if err != nil {
		return nil, err
	}
	chunk := make([]byte, 16<<10)
	for {
		n, err := body.Read(chunk)
		if n > 0 {
			if err := s.net.ingress.spend(int64(n)); err != nil {
				return nil, err
			}
			if f.maxBytes > 0 && int64(len(a.body)+n) > f.maxBytes {
				return nil, contract.Errorf(contract.FetchFailed, "the answer of %s is larger than maxBytes (%d)", clip(f.url), f.maxBytes)
			}
			a.body = append(a.body, chunk[:n]...)
		}
		if errors.Is(err, io.EOF) {
			return a, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// maxCodings is how many encodings may lie on top of each other.
const maxCodings = 2

// codings are the body's encodings, the outermost first; false when one is
// among them that is not read here, and the function gets the bytes as sent.
func codings(res *http.Response) ([]string, bool) {
	var out []string
	for _, name := range strings.Split(strings.Join(res.Header.Values("Content-Encoding"), ","), ",") {
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "", "identity":
		case "gzip", "x-gzip", "deflate":
			out = append([]string{name}, out...)
		default:
			return nil, false
		}
	}
	return out, len(out) <= maxCodings
}

func decodable(res *http.Response) bool {
	list, ok := codings(res)
	return ok && len(list) > 0
}

// decoded reads a body without its encodings. What arrives is bounded as well:
// an encoded body may be endless and come out as nothing.
func (s *Session) decoded(res *http.Response) (io.Reader, error) {
	list, ok := codings(res)
	if !ok || len(list) == 0 || res.Request != nil && res.Request.Method == http.MethodHead {
		return res.Body, nil
	}
	var r io.Reader = &arriving{res.Body, &budget{name: s.net.ingress.name, max: s.net.ingress.max}}
	for _, name := range list {
		in := bufio.NewReader(r)
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			return in, nil // an empty body has no header of its own
		}
		var err error
		if name != "deflate" {
			r, err = gzip.NewReader(in)
		} else if head, _ := in.Peek(2); len(head) == 2 && head[0]&15 == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			r, err = zlib.NewReader(in)
		} else {
			r = flate.NewReader(in) // without its wrapper, as some servers send it
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// arriving counts bytes on their way in.
type arriving struct {
	r    io.Reader
	most *budget
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if over := a.most.spend(int64(n)); over != nil {
		return 0, over
	}
	return n, err
}

package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Direct sends requests to a handler in this process, without a port. An answer
// streams as it is written.
func Direct(h http.Handler) http.RoundTripper { return direct{h} }

type direct struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper. It returns with the answer's headers.
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	in := r.Clone(ctx)
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:0"
	in.Host = r.URL.Host
	if in.Body == nil {
		in.Body = http.NoBody
	}
	body, out := io.Pipe()
	w := &directWriter{header: http.Header{}, out: out, begun: make(chan struct{})}
	go func() {
		defer cancel()
		defer in.Body.Close()
		defer func() {
			if v := recover(); v != nil { // what net/http does with a panic
				w.WriteHeader(http.StatusInternalServerError)
				out.CloseWithError(errors.New("the platform broke off its answer"))
				return
			}
			w.WriteHeader(http.StatusOK)
			_ = out.Close() // a pipe always closes
		}()
		d.handler.ServeHTTP(w, in)
	}()
	select {
	case <-w.begun:
	case <-r.Context().Done():
		cancel()
		body.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: &directBody{body, cancel}, ContentLength: -1, Request: r,
	}, nil
}

type directBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close tells the handler that the reader has left.
func (b *directBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

type directWriter struct {
	header http.Header
	out    *io.PipeWriter
	once   sync.Once
	begun  chan struct{}
	status int
	sent   http.Header
}

func (w *directWriter) Header() http.Header { return w.header }

func (w *directWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *directWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(b)
}

// Flush sends the headers; what is written is never held back.
func (w *directWriter) Flush() { w.WriteHeader(http.StatusOK) }

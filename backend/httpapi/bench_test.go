package httpapi

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// discard is a ResponseWriter that keeps nothing.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)               {}

// BenchmarkInvokeOverhead is what the handler costs around the pipeline: one
// invoke of a function that answers at once.
func BenchmarkInvokeOverhead(b *testing.B) {
	w := newWorld(b)
	req := httptest.NewRequest("POST", base+"/api/agents/mia/functions/greet/invoke", nil)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+w.auth.OwnerKey())
	body := []byte(`{"args":{"name":"Ada"}}`)
	req.ContentLength = int64(len(body))
	rw := discard{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(rw.h)
		req.Body = io.NopCloser(bytes.NewReader(body))
		w.handler.ServeHTTP(rw, req)
	}
}

// BenchmarkBareMux is the same request through nothing but http.ServeMux.
func BenchmarkBareMux(b *testing.B) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/agents/{agent}/functions/{name}/invoke", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			b.Error(err)
		}
		w.Write([]byte(`{"ok":true}`))
	})
	req := httptest.NewRequest("POST", base+"/api/agents/mia/functions/greet/invoke", nil)
	body := []byte(`{"args":{"name":"Ada"}}`)
	rw := discard{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(rw.h)
		req.Body = io.NopCloser(bytes.NewReader(body))
		mux.ServeHTTP(rw, req)
	}
}

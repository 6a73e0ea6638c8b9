package sse_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"benchtop/backend/transports/sse"
)

func TestFrames(t *testing.T) {
	rec := httptest.NewRecorder()
	s := sse.New(rec)
	if s.Begun() || rec.Header().Get("Content-Type") != "" {
		t.Fatal("begun before its first frame")
	}
	for _, send := range []func() error{
		func() error { return s.Send("", []byte(`{"a":1}`)) },
		s.Comment,
		func() error { return s.Send("tick", []byte("one\r\ntwo\rthree\nfour")) },
		func() error { return s.Send("", nil) },
	} {
		if err := send(); err != nil {
			t.Fatal(err)
		}
	}
	want := "data: {\"a\":1}\n\n: keep-alive\n\nevent: tick\ndata: one\ndata: two\ndata: three\ndata: four\n\ndata: \n\n"
	if rec.Body.String() != want || !s.Begun() || !rec.Flushed || rec.Header().Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Errorf("%q, headers %v", rec.Body, rec.Header())
	}
}

// broken fails every write.
type broken struct{ http.ResponseWriter }

var errBroken = errors.New("broken pipe")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestGone(t *testing.T) {
	s := sse.New(broken{httptest.NewRecorder()})
	for range 2 {
		if err := s.Send("", []byte("x")); !errors.Is(err, errBroken) {
			t.Errorf("a reader that has gone: %v", err)
		}
	}
}

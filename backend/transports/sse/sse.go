// Package sse writes streams of server-sent events for the protocols that answer
// with them.
package sse

import (
	"net/http"
	"sync"
	"time"

	"benchtop/backend/eventstream"
)

const (
	// KeepAlive is how long a stream may be silent before it sends a comment,
	// which also finds out that a reader has gone.
	KeepAlive = 15 * time.Second
	// writeTimeout is how long a reader may take to accept a frame.
	writeTimeout = 10 * time.Second
)

// Stream is the answer to one request, from its first frame on. Its methods may
// be called from several goroutines.
type Stream struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	rc    *http.ResponseController
	begun bool
	gone  error
}

// New makes a Stream. Nothing is sent before its first frame, so that what fails
// until then has an answer of its own.
func New(w http.ResponseWriter) *Stream {
	return &Stream{w: w, rc: http.NewResponseController(w)}
}

// Begun reports whether something was sent.
func (s *Stream) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// Open sends the headers. Send does it by itself.
func (s *Stream) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(nil)
}

// Send sends a frame of data; the event may be empty. An error says that the
// reader has gone, and is the same from then on.
func (s *Stream) Send(event string, data []byte) error {
	frame := eventstream.Append(nil, 0, event, data)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(frame)
}

// Comment keeps a silent stream alive.
func (s *Stream) Comment() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write([]byte(": keep-alive\n\n"))
}

func (s *Stream) write(b []byte) error {
	if s.gone != nil {
		return s.gone
	}
	if !s.begun {
		s.begun = true
		h := s.w.Header()
		h.Set("Content-Type", eventstream.ContentType+"; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Accel-Buffering", "no")
		s.w.WriteHeader(http.StatusOK)
	}
	// Errors of deadlines are those of a writer without them, as in tests.
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if len(b) > 0 {
		if _, err := s.w.Write(b); err != nil {
			s.gone = err
			return err
		}
	}
	s.gone = s.rc.Flush()
	_ = s.rc.SetWriteDeadline(time.Time{})
	return s.gone
}
